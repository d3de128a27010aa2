// The package for other pages and programs: node scripts/build-npm.mjs FOLDER
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { bundle } from "./bundle.mjs";

const ENGINE = fileURLToPath(new URL("../src/engine/", import.meta.url));
const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const folder = resolve(process.argv[2]);
const project = readFileSync(`${ROOT}/pyproject.toml`, "utf8");
const said = (field) => new RegExp(`^${field} = "(.+)"$`, "m").exec(project)[1];

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
await bundle(`${ENGINE}/index.ts`, `${folder}/index.mjs`);
const types = readFileSync(`${ENGINE}/api.ts`, "utf8");
writeFileSync(`${folder}/index.d.mts`, `${types}\nexport declare const load: Load;\n`);
const made = readdirSync(`${ENGINE}/generated`).filter((name) => /\.(wasm|weights)$/.test(name));
for (const name of made) copyFileSync(`${ENGINE}/generated/${name}`, `${folder}/${name}`);
copyFileSync(`${ROOT}/docs/npm.md`, `${folder}/README.md`);
copyFileSync(`${ROOT}/LICENSE`, `${folder}/LICENSE`);
const described = {
  name: said("name"),
  version: said("version"),
  description: said("description"),
  license: said("license"),
  type: "module",
  exports: { ".": { types: "./index.d.mts", default: "./index.mjs" }, "./*.wasm": "./*.wasm", "./*.weights": "./*.weights" },
  types: "./index.d.mts",
  engines: { node: ">=20.16" },
  sideEffects: false,
  keywords: ["azul", "board game", "engine", "simulation", "webassembly"],
};
writeFileSync(`${folder}/package.json`, `${JSON.stringify(described, null, 2)}\n`);
