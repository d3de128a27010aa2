/** A game record: who played, which deals and moves, with comments, glyphs and variations; and its text. */
import { Fault } from "./fault";
import { HIGHEST_GLYPH, LINE_WIDTH, RULES_VERSION, UNFINISHED } from "./generated/bindings";
import type { Wall } from "./rules";
import { words } from "./white";
import { quoted } from "./wording";

/** Where a round begins: its number, and the seat that starts it, from 0. */
export interface Head {
  readonly round: number;
  readonly starter: number;
}

/** A move, or a deal at the head of a round, with what was written about it. */
export interface Entry {
  /** A move such as 3B4 or a deal such as =B2YK/...; null only at the head of a record that starts in the middle of a round. */
  readonly play: string | null;
  readonly head?: Head;
  readonly glyphs: readonly number[];
  readonly comments: readonly string[];
  /** What else might have been played here; each begins in place of this entry. */
  readonly variations: readonly (readonly Entry[])[];
}

/** One game, finished or not. */
export interface GameRecord {
  readonly wall: Wall;
  readonly names: readonly string[];
  readonly entries: readonly Entry[];
  /** The scores, or null for an unfinished game. */
  readonly result: readonly number[] | null;
  readonly event: string;
  readonly date: string;
  /** What was written before the first round. */
  readonly comments: readonly string[];
  /** All other tags, such as Position. */
  readonly tags: Readonly<Record<string, string>>;
}

export const UNKNOWN_DATE = "????.??.??";
const FIXED_TAGS = /^(?:Event|Date|Wall|Players|Player[1-4]|Result|Rules)$/;
const UNPRINTABLE = /[\p{C}\p{Z}]/u;

/** The record as text. */
export function writeRecord(record: GameRecord): string {
  checkRecord(record);
  const result = resultText(record);
  const tags: [string, string][] = [
    ["Event", record.event],
    ["Date", record.date],
    ["Wall", record.wall],
    ["Players", String(record.names.length)],
    ...record.names.map((name, seat): [string, string] => [`Player${seat + 1}`, name]),
    ["Result", result],
    ["Rules", RULES_VERSION],
    ...sorted(Object.entries(record.tags)),
  ];
  const head = tags.map(([name, value]) => `[${name} "${value.replace(/[\\"]/g, "\\$&")}"]`);
  const body = record.comments.length ? [wrapped(record.comments.map(commentText), "")] : [];
  return [...head, "", ...body, ...roundTexts(record.entries), result, ""].join("\n");
}

/** The scores as `54-47`, or `*`. */
export function resultText(record: GameRecord): string {
  return record.result ? record.result.join("-") : UNFINISHED;
}

/** Tags that are not fields of a record, in the order in which they are written. */
export function otherTags(tags: Iterable<readonly [string, string]>): Readonly<Record<string, string>> {
  return Object.fromEntries(sorted([...tags].filter(([name]) => !FIXED_TAGS.test(name))));
}

/** Finds what cannot be written. */
export function checkRecord(record: GameRecord): void {
  record.comments.forEach(checkComment);
  const tags = Object.entries(record.tags);
  for (const [name, value] of [["Event", record.event], ["Date", record.date], ...tags] as const) checkTag(name, value);
  for (const [name] of tags)
    if (FIXED_TAGS.test(name)) throw new Fault(`the tag ${quoted(name)} is written from the record itself and cannot be given`);
  for (const name of record.names) checkTag("Player", name);
  record.entries.forEach(checkEntry);
}

/** Finds what cannot be written of an entry. */
export function checkEntry(entry: Entry): void {
  entry.comments.forEach(checkComment);
  if (!entry.glyphs.every((glyph) => Number.isInteger(glyph) && glyph >= 0 && glyph <= HIGHEST_GLYPH))
    throw new Fault(`cannot write the glyphs ${entry.glyphs.join(", ")}: expected numbers up to ${HIGHEST_GLYPH}`);
  for (const variation of entry.variations) {
    if (!variation.length) throw new Fault("a variation without a move");
    variation.forEach(checkEntry);
  }
}

function checkComment(comment: string): void {
  if (/[{}]/.test(comment) || comment !== words(comment).join(" ") || !comment)
    throw new Fault(`cannot write ${quoted(comment)} as a comment: no braces, line breaks or double blanks`);
}

function checkTag(name: string, value: string): void {
  if (!/^[A-Za-z][A-Za-z0-9_]*$/.test(name) || UNPRINTABLE.test(value.replaceAll(" ", "")))
    throw new Fault(`cannot write the tag ${quoted(name)} with the value ${quoted(value)}`);
}

function sorted(tags: [string, string][] | (readonly [string, string])[]): [string, string][] {
  return [...tags].map(([name, value]): [string, string] => [name, value]).sort(([one], [other]) => (one < other ? -1 : 1));
}

function commentText(comment: string): string {
  return `{${comment}}`;
}

function entryWords(entry: Entry): string[] {
  return [
    ...(entry.head ? [`R${entry.head.round}@${entry.head.starter + 1}`] : []),
    ...(entry.play === null ? [] : [entry.play]),
    ...entry.glyphs.map((glyph) => `$${glyph}`),
    ...entry.comments.map(commentText),
    ...entry.variations.flatMap((variation) => ["(", ...variation.flatMap(entryWords), ")"]),
  ];
}

/** A line for each head of a round and an indented paragraph for its moves. */
function roundTexts(entries: readonly Entry[]): string[] {
  const texts: string[] = [];
  let moves: string[] = [];
  const flush = (): void => {
    if (moves.length) texts.push(wrapped(moves, "  "));
    moves = [];
  };
  for (const entry of entries) {
    if (entry.head) {
      flush();
      texts.push(wrapped(entryWords(entry), ""));
    } else for (const word of entryWords(entry)) moves.push(word);
  }
  flush();
  return texts;
}

function wrapped(parts: readonly string[], indent: string): string {
  const lines: string[] = [];
  let line = "";
  let width = 0;
  for (const word of parts.join(" ").split(" ")) {
    const length = [...word].length;
    if (line && width + 1 + length > LINE_WIDTH) {
      lines.push(line);
      line = "";
    }
    width = line ? width + 1 + length : indent.length + length;
    line = line ? `${line} ${word}` : indent + word;
  }
  return [...lines, line].join("\n");
}
