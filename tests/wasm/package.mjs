// Calls of the package, one a line of JSON on standard input, their answers on standard output: node package.mjs FOLDER
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const { load } = await import(new URL("index.mjs", pathToFileURL(`${process.argv[2]}/`)));
const az = await load();
for await (const line of createInterface({ input: process.stdin })) {
  const [name, ...given] = JSON.parse(line);
  try {
    console.log(JSON.stringify({ answer: (await az[name](...given)) ?? null }));
  } catch (error) {
    console.log(JSON.stringify({ error: `${error.name}: ${error.message}` }));
  }
}
