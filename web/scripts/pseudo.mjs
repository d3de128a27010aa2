// A language that nobody speaks: English with accents, longer by a third, in brackets. Whatever is not in brackets on a
// page made with it did not come from the messages; whatever is cut off has no room for longer languages.
//
//   node scripts/pseudo.mjs && AZULEJOS_PSEUDO=1 AZULEJOS_STATIC=../../some/folder npm run build
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";

const ACCENTS = Object.fromEntries(
  [..."aáeéiíoóuúAÁEÉIÍOÓUÚcçCÇnñNÑyýYÝsšSŠzžZŽ"].flatMap((letter, index, all) => (index % 2 ? [] : [[letter, all[index + 1]]])),
);
const PLACEHOLDER = /(\{[^}]*\})/;

/** A sentence in the pseudo-language; placeholders stay. */
export function pseudo(text) {
  const spoken = text
    .split(PLACEHOLDER)
    .map((part) => (PLACEHOLDER.test(part) ? part : [...part].map((letter) => ACCENTS[letter] ?? letter).join("")))
    .join("");
  return `⟦${spoken}${"·".repeat(Math.ceil(text.length / 3))}⟧`;
}

/** The same for a whole file of messages. */
export function pseudoMessages(messages) {
  return Object.fromEntries(
    Object.entries(messages).map(([key, value]) => {
      if (key === "$schema") return [key, value];
      if (typeof value === "string") return [key, pseudo(value)];
      return [
        key,
        value.map((one) => ({
          ...one,
          match: Object.fromEntries(Object.entries(one.match).map(([when, text]) => [when, pseudo(text)])),
        })),
      ];
    }),
  );
}

function make() {
  const here = (path) => fileURLToPath(new URL(path, import.meta.url));
  const english = JSON.parse(readFileSync(here("../messages/en.json"), "utf8"));
  const settings = JSON.parse(readFileSync(here("../project.inlang/settings.json"), "utf8"));
  mkdirSync(here("../.pseudo/project.inlang"), { recursive: true });
  mkdirSync(here("../.pseudo/messages"), { recursive: true });
  writeFileSync(here("../.pseudo/messages/en.json"), JSON.stringify(pseudoMessages(english), null, 2));
  writeFileSync(
    here("../.pseudo/project.inlang/settings.json"),
    JSON.stringify({ ...settings, locales: ["en"], modules: settings.modules.map((path) => path.replace("./", "../")) }, null, 2),
  );
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) make();
