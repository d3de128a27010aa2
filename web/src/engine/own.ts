/** The page's own rules: the module is fetched and compiled once, for the page and for its worker. */
import { Fault } from "./fault";
import moduleAddress from "./generated/azulejos.wasm?url";
import { Module, compile } from "./module";
import { Rules } from "./rules";

let compiled: Promise<WebAssembly.Module> | null = null;
let rules: Promise<Rules> | null = null;

/** The compiled module; what failed is tried again when somebody asks again. */
export function ownModule(): Promise<WebAssembly.Module> {
  compiled ??= fetched().catch((error: unknown) => {
    compiled = null;
    throw error;
  });
  return compiled;
}

/** The rules on the page's own thread. */
export function ownRules(): Promise<Rules> {
  rules ??= ownModule()
    .then((module) => new Rules(new Module(module)))
    .catch((error: unknown) => {
      rules = null;
      throw error;
    });
  return rules;
}

async function fetched(): Promise<WebAssembly.Module> {
  let bytes: ArrayBuffer;
  try {
    const response = await fetch(moduleAddress, { credentials: "omit" });
    if (!response.ok) throw new Error(String(response.status));
    bytes = await response.arrayBuffer();
  } catch (error) {
    throw new Fault(`The game's module cannot be loaded: ${(error as Error).message}`, { kind: "unloaded", cause: error });
  }
  return compile(bytes);
}
