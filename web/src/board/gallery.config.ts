/** Builds the gallery alone: `npx vite build --config src/board/gallery.config.ts`, then serve the folder it names. */

import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

export default defineConfig({
  root: "src/board",
  base: "./",
  plugins: [svelte({ configFile: "../../svelte.config.js" })],
  build: {
    outDir: process.env["GALLERY"] ?? "../../node_modules/.gallery",
    emptyOutDir: true,
    minify: false,
    rolldownOptions: { input: "src/board/gallery.html" },
  },
});
