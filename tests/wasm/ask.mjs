// Questions on standard input, answers on standard output: node ask.mjs FOLDER
import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";

const folder = pathToFileURL(`${process.argv[2]}/`);
const { answerAll } = await import(new URL("answers.mjs", folder));
const read = async (name) => new Uint8Array(await readFile(new URL(name, folder)));
console.log(JSON.stringify(await answerAll(JSON.parse(await text(process.stdin)), read)));
