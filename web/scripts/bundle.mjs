// One TypeScript file with all that it imports, as one module: node scripts/bundle.mjs src/engine/index.ts ../some/index.mjs
import { pathToFileURL } from "node:url";
import { rolldown } from "rolldown";

/** Writes the module. */
export async function bundle(input, file) {
  const made = await rolldown({ input, platform: "neutral" });
  await made.write({ file, format: "es" });
  await made.close();
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) await bundle(process.argv[2], process.argv[3]);
