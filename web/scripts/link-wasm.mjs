// src/engine/generated/azulejos.o -> azulejos.wasm, with the linker that comes as WebAssembly itself
import { readFileSync, writeFileSync } from "node:fs";
import { commands } from "@yowasp/clang";

const FOLDER = new URL("../src/engine/generated/", import.meta.url);
const STACK_BYTES = 256 * 1024;

const read = (name) => readFileSync(new URL(name, FOLDER));
const exported = read("exports.txt").toString().trim().split("\n");
const options = ["--no-entry", "--allow-undefined", "-O2", "--strip-all", "--stack-first", "-z", `stack-size=${STACK_BYTES}`];
const names = [...exported, "__heap_base"].map((name) => `--export=${name}`);
const files = await commands["wasm-ld"](
  [...options, ...names, "azulejos.o", "-o", "azulejos.wasm"],
  { "azulejos.o": read("azulejos.o") },
  {
    fetchProgress: () => {},
  },
);
writeFileSync(new URL("azulejos.wasm", FOLDER), files["azulejos.wasm"]);
