import { readFileSync, readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "svelte/compiler";
import settings from "../project.inlang/settings.json";
import { pseudo, pseudoMessages } from "../scripts/pseudo.mjs";
import { RULE_CODES, SERVER_CODES } from "../src/net/messages";
import { REFUSALS } from "../src/words/refusals";

interface Variants {
  declarations: string[];
  selectors: string[];
  match: Record<string, string>;
}
type Messages = Record<string, string | Variants[]>;

function load(language: string): Messages {
  const path = new URL(`./${language}.json`, import.meta.url);
  const { $schema: _, ...messages } = JSON.parse(readFileSync(path, "utf8")) as Messages;
  return messages;
}

const all = Object.fromEntries(settings.locales.map((language) => [language, load(language)]));
const english = all["en"] ?? {};

function texts(value: string | Variants[] | undefined): string[] {
  if (value === undefined) return [];
  return typeof value === "string" ? [value] : value.flatMap((one) => Object.values(one.match));
}

function inputs(value: string | Variants[] | undefined): string[] {
  const declared = Array.isArray(value)
    ? value.flatMap((one) => one.declarations.filter((line) => line.startsWith("input ")).map((line) => line.slice(6)))
    : [];
  const used = texts(value).flatMap((text) => [...text.matchAll(/\{(\w+)\}/g)].map((found) => found[1] ?? ""));
  return [...new Set([...declared, ...used])].sort();
}

describe.each(settings.locales)("language %s", (language) => {
  const messages = all[language] ?? {};

  it("has every message, and no other", () => {
    expect(Object.keys(messages).sort()).toEqual(Object.keys(english).sort());
  });

  it("has the same placeholders everywhere", () => {
    for (const key of Object.keys(english)) expect([key, inputs(messages[key])]).toEqual([key, inputs(english[key])]);
  });

  it("has no empty message", () => {
    for (const [key, value] of Object.entries(messages))
      for (const text of texts(value)) expect([key, text.trim() === ""]).toEqual([key, false]);
  });

  it("has the plural forms that the language has", () => {
    const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories.filter((form) => form !== "many");
    for (const [key, value] of Object.entries(messages))
      for (const one of Array.isArray(value) ? value : []) {
        const plural = one.declarations.find((line) => line.includes(": plural"));
        if (!plural) continue;
        const cases = Object.keys(one.match).join(" ");
        for (const form of forms) expect([key, cases.includes(`=${form}`)]).toEqual([key, true]);
      }
  });
});

it("has one name for one sentence", () => {
  const spoken = Object.keys(english).map((key) => JSON.stringify(settings.locales.map((language) => all[language]?.[key])));
  expect(spoken.filter((words, index) => spoken.indexOf(words) !== index)).toEqual([]);
});

/** The words of the game: display, pattern line, row of the wall, floor, marker, tile. Lines and rows are told apart. */
const GLOSSARY: Record<string, readonly [string, string, string, string, string, string]> = {
  en: ["display", "line", "row", "floor", "starting-player marker", "tile"],
  es: ["expositor", "línea", "fila", "suelo", "marcador de jugador inicial", "loseta"],
  pt: ["fábrica", "linha", "fileira", "chão", "marcador do jogador inicial", "azulejo"],
  nl: ["schijf", "lijn", "rij", "vloer", "startspelerfiche", "tegel"],
  fr: ["fabrique", "ligne", "rangée", "plancher", "tuile premier joueur", "tuile"],
  de: ["manufaktur", "reihe", "zeile", "boden", "startspielerstein", "fliese"],
  it: ["espositore", "riga", "fila", "pavimento", "segnalino primo giocatore", "piastrella"],
};

it.each(settings.locales)("keeps to the glossary in %s", (language) => {
  const said = (key: string): string => texts(all[language]?.[key]).join(" ").toLowerCase();
  const [display, line, row, floor, marker, tile] = GLOSSARY[language]!;
  for (const key of ["board_display", "board_group_display", "fault_full_display", "study_take_back"]) expect(said(key)).toContain(display);
  for (const key of ["board_line_empty", "board_log_line", "refusal_line_full", "review_reason_line_open"])
    expect(said(key)).toContain(line);
  for (const key of ["board_cell", "board_wall_row", "reason_row", "refusal_cell_taken", "edit_cell", "fault_twice_in_row"]) {
    expect(said(key)).toContain(row);
    expect(said(key)).not.toMatch(new RegExp(`(?<!\\p{L})${line}(?!\\p{L})`, "u"));
  }
  for (const key of ["board_floor_empty", "board_falls", "help_key_floor", "review_reason_floor"]) expect(said(key)).toContain(floor);
  for (const key of ["board_marker", "board_takes_marker", "edit_key_marker", "fault_no_marker"]) expect(said(key)).toContain(marker);
  for (const key of ["board_falls", "refusal_cell_taken", "refusal_tile_first", "edit_key_letters"]) expect(said(key)).toContain(tile);
});

it("calls people as friends do", () => {
  const spoken = (language: string): string =>
    Object.values(all[language] ?? {})
      .flatMap(texts)
      .join("\n");
  expect(spoken("fr")).not.toMatch(/\b(vous|votre|vos)\b/i);
  expect(spoken("es")).not.toMatch(/\b(usted|ustedes)\b/i);
  expect(spoken("nl")).not.toMatch(/\b(u|uw)\b/i);
  expect(spoken("de")).not.toMatch(/\b(Ihnen|wählen Sie|klicken Sie|drücken Sie)\b/);
});

it("says tomar, computadora and loseta in Spanish", () => {
  const spoken = Object.values(all["es"] ?? {})
    .flatMap(texts)
    .join("\n");
  expect(spoken).toMatch(/tomar/i);
  expect(spoken).not.toMatch(/\bcog(er|e|es|en|ido)\b/i);
  expect(spoken).not.toMatch(/ordenador/i);
  expect(spoken).not.toMatch(/(?<!\p{L})azulejos?(?! verify)(?!\p{L})/u); // the name of the program has a capital
});

it("is translated: few messages are the same as in English", () => {
  for (const language of settings.locales.filter((one) => one !== "en")) {
    const same = Object.keys(english).filter(
      (key) =>
        JSON.stringify(all[language]?.[key]) === JSON.stringify(english[key]) &&
        /[a-z]{3}/i.test(texts(english[key])[0]?.replaceAll(/\{\w+\}/g, "") ?? ""),
    );
    expect([language, same.length < 25, same]).toEqual([language, true, same]);
  }
});

describe("refusals", () => {
  it.each([...RULE_CODES, ...SERVER_CODES])("%s is worded", (code) => {
    expect(REFUSALS[code], `add refusal_${code} to messages and src/words/refusals.ts`).toBeTypeOf("function");
    expect(REFUSALS[code]?.({}).length).toBeGreaterThan(5);
  });
});

describe("the pseudo-language", () => {
  it("marks a sentence, makes it longer, and leaves placeholders alone", () => {
    expect(pseudo("Take {count} tiles")).toBe("⟦Táké {count} tíléš······⟧");
  });

  it("covers every message", () => {
    for (const value of Object.values<string | Variants[]>(pseudoMessages(english)))
      for (const text of texts(value)) expect(text).toMatch(/^⟦.*⟧$/s);
  });
});

/** Words that a person would read in a component, but that are not from the messages. */
function strays(source: string): string[] {
  const found: string[] = [];
  const look = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(look);
    if (typeof node !== "object" || node === null) return;
    const one = node as Record<string, unknown>;
    if (one["type"] === "Text" && typeof one["data"] === "string" && /\p{L}{2}/u.test(one["data"])) found.push(one["data"].trim());
    if (one["type"] === "Attribute") {
      if (/^(aria-label|title|placeholder|alt|aria-valuetext|aria-description|label)$/.test(String(one["name"]))) look(one["value"]);
      return;
    }
    if (/^(ExpressionTag|Comment|StyleDirective|ClassDirective)$/.test(String(one["type"]))) return;
    for (const key of Object.keys(one)) if (key !== "parent") look(one[key]);
  };
  look(parse(source, { modern: true }).fragment);
  return found;
}

describe("no sentence in code", () => {
  const src = new URL("../src/", import.meta.url);
  const components = readdirSync(src, { recursive: true, encoding: "utf8" }).filter(
    // The gallery is a page for developers and is not built into the product.
    (name) => name.endsWith(".svelte") && !name.endsWith("Gallery.svelte"),
  );

  it("and the search for one works", () => {
    expect(strays("<p>Hello {name}</p>")).toEqual(["Hello"]);
    expect(strays('<button aria-label="Close it" class="big">{m.x()}</button>')).toEqual(["Close it"]);
  });
  it.each(components)("%s", (name) => {
    expect(strays(readFileSync(new URL(name, src), "utf8"))).toEqual([]);
  });
});
