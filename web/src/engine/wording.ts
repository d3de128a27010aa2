/** Sentences for people who write programs: what is wrong with a position, and why a move is refused. */
import { COLOR_NAMES, FAULT_SENTENCES, NOBODY, PLACES, REFUSAL_SENTENCES, REFUSED_ALLOWED, SOURCE_LETTERS } from "./generated/bindings";
import type { Refusal } from "./rules";

const DEEPEST_SHOWN = 32;
const ESCAPES: Readonly<Record<string, string>> = { "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** A value with everything visible, a text in quotes, as Python shows it, so that both sides say the same of the same input. */
export function quoted(value: unknown, depth = 0): string {
  if (typeof value === "string") return quotedText(value);
  if (value === null || value === undefined) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "number") return String(value);
  if (typeof value !== "object") return typeof value;
  if (depth > DEEPEST_SHOWN) return "...";
  if (Array.isArray(value)) return `[${value.map((each) => quoted(each, depth + 1)).join(", ")}]`;
  return `{${Object.entries(value)
    .map(([name, each]) => `${quotedText(name)}: ${quoted(each, depth + 1)}`)
    .join(", ")}}`;
}

function quotedText(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const shown = text.replace(/[\\'\p{C}\p{Z}]/gu, (sign) => {
    if (sign === " ") return sign;
    if (sign === "'") return quote === "'" ? "\\'" : sign;
    const code = sign.codePointAt(0)!;
    const [letter, digits] = code < 0x100 ? (["x", 2] as const) : code < 0x10000 ? (["u", 4] as const) : (["U", 8] as const);
    return ESCAPES[sign] ?? `\\${letter}${code.toString(16).padStart(digits, "0")}`;
  });
  return quote + shown + quote;
}

/** The sentence of a fault of a position. */
export function faultSentence([code, seat, ...numbers]: readonly number[]): string {
  const sentence = filled(FAULT_SENTENCES[code!]!, numbers);
  return seat === NOBODY ? sentence : `board ${seat! + 1}: ${sentence}`;
}

/** Why a move or a deal is refused; nothing if it is allowed. */
export function refusalSentence([reason, ...numbers]: Refusal): string | undefined {
  if (reason === REFUSED_ALLOWED) return undefined;
  const worded = REFUSAL_SENTENCES[String(reason) as keyof typeof REFUSAL_SENTENCES] as readonly [string, readonly string[]];
  return worded[1].reduce((sentence, name, at) => sentence.replace(`{${name}}`, named(name, numbers[at]!)), worded[0]);
}

/** A sentence whose blanks take numbers one after the other. */
function filled(sentence: string, numbers: readonly number[]): string {
  let at = 0;
  return sentence.replace(/\{(\w+)\}/g, (_, name: string) => named(name, numbers[at++]!));
}

function named(name: string, value: number): string {
  if (name === "color") return COLOR_NAMES[value]!;
  if (name === "source") return SOURCE_LETTERS[value]!;
  return String((PLACES as readonly string[]).includes(name) ? value + 1 : value);
}
