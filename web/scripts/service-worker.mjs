// src/offline/sw.ts -> sw.js, which knows the names of all files of the built page and changes with any of them
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";

const SOURCE = fileURLToPath(new URL("../src/offline/sw.ts", import.meta.url));
/** Found under the address of the page itself. */
const PAGE = "index.html";

/** The names of all files in a folder of the built page, and a digest of them. */
export function release(folder) {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => statSync(join(folder, name)).isFile())
    .sort();
  const digest = createHash("sha256");
  for (const name of names) digest.update(`${name}\n`).update(readFileSync(join(folder, name)));
  const isWeights = (name) => name.endsWith(".weights");
  return {
    version: digest.digest("hex").slice(0, 12),
    files: names.filter((name) => name !== PAGE && !isWeights(name)),
    weights: names.filter(isWeights),
  };
}

/** @returns {import("vite").Plugin} */
export function serviceWorker() {
  let folder = "";
  return {
    name: "service-worker",
    apply: "build",
    configResolved: (config) => void (folder = resolve(config.root, config.build.outDir)),
    async writeBundle() {
      await build({
        configFile: false,
        logLevel: "warn",
        define: { __RELEASE__: JSON.stringify(release(folder)) },
        build: {
          outDir: folder,
          emptyOutDir: false,
          copyPublicDir: false,
          target: "es2022",
          rollupOptions: { input: SOURCE, output: { format: "iife", entryFileNames: "sw.js" } },
        },
      });
    },
  };
}
