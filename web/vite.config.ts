import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { paraglideVitePlugin } from "@inlang/paraglide-js";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";
import { options, pseudo } from "./scripts/messages-options.mjs";
import { serviceWorker } from "./scripts/service-worker.mjs";

const STATIC = process.env["AZULEJOS_STATIC"] ?? "../src/azulejos/server/static";
const SERVER = process.env["AZULEJOS_SERVER"] ?? "127.0.0.1:8000";
const SMALLEST = 1024;
/** Weights are compressed already. */
const COMPRESSED = /\.(js|css|html|svg|json|webmanifest|wasm)$/;

/** Writes a .br and a .gz beside every file that gets smaller by it, so that the server only has to send them. */
function precompress(): Plugin {
  let folder = "";
  return {
    name: "precompress",
    apply: "build",
    configResolved: (config) => void (folder = resolve(config.root, config.build.outDir)),
    closeBundle() {
      for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
        const path = join(folder, name);
        if (!COMPRESSED.test(name) || statSync(path).size < SMALLEST) continue;
        const text = readFileSync(path);
        writeFileSync(`${path}.gz`, gzipSync(text, { level: 9 }));
        writeFileSync(`${path}.br`, brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }));
      }
    },
  };
}

export default defineConfig({
  plugins: [paraglideVitePlugin(options), svelte(), serviceWorker(), precompress()],
  define: { __PSEUDO__: JSON.stringify(pseudo) },
  // The pseudo-language is compiled elsewhere, so that the real one stays as it is.
  ...(pseudo ? { resolve: { alias: [{ find: /^(\.{1,2}\/)+paraglide\//, replacement: `${options.outdir}/` }] } } : {}),
  // Tests run in Node but mount components as a browser does.
  ...(process.env["VITEST"] ? { resolve: { conditions: ["browser"] } } : {}),
  // Scripts find each other wherever they lie. The page itself is shown at many addresses of a server, so that it names files from
  // the root; `azulejos site` makes that relative for a host of files.
  base: "./",
  experimental: { renderBuiltUrl: (name, { hostType }) => (hostType === "html" ? `/${name}` : { relative: true }) },
  build: {
    outDir: STATIC,
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  worker: { format: "es" },
  server: {
    proxy: Object.fromEntries(
      ["/api", "/ws", "/health", "/schema"].map((path) => [path, { target: `http://${SERVER}`, ws: path === "/ws" }]),
    ),
  },
  test: {
    include: ["src/**/*.test.ts", "messages/**/*.test.ts"],
    environment: "node",
    pool: "threads", // a thread for each file begins sooner than a process
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
