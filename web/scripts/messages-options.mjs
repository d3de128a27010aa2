// How the messages are compiled: the same for the build, the type check and the tests.
import { fileURLToPath } from "node:url";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** With AZULEJOS_PSEUDO=1 the page is made with the pseudo-language of scripts/pseudo.mjs in place of English. */
export const pseudo = process.env["AZULEJOS_PSEUDO"] === "1";

/** @type {import("@inlang/paraglide-js").CompilerOptions} */
export const options = {
  project: here(pseudo ? "../.pseudo/project.inlang" : "../project.inlang"),
  outdir: here(pseudo ? "../.pseudo/paraglide" : "../src/paraglide"),
  // The language is chosen by src/settings, which replaces getLocale.
  strategy: ["globalVariable", "baseLocale"],
  outputStructure: "message-modules",
  emitTsDeclarations: true,
  emitPrettierIgnore: false,
  emitReadme: false,
  disableAsyncLocalStorage: true,
};
