/** Sentences for people who write programs: what is wrong with a position, and why a move is refused. */
import { COLOR_NAMES, FAULT_SENTENCES, NOBODY, PLACES, REFUSAL_SENTENCES, REFUSED_ALLOWED, SOURCE_LETTERS } from "./generated/bindings";
import type { Refusal } from "./rules";

const ESCAPES: Readonly<Record<string, string>> = { "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** A text in quotes with everything visible, as Python shows it, so that both sides say the same of the same input. */
export function quoted(text: unknown): string {
  if (text === null || text === undefined) return "None";
  if (typeof text !== "string") return JSON.stringify(text) ?? typeof text;
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const shown = text.replace(/[\\'\p{C}\p{Z}]/gu, (sign) => {
    if (sign === " ") return sign;
    if (sign === "'") return quote === "'" ? "\\'" : sign;
    const code = sign.codePointAt(0)!;
    const [letter, digits] = code < 0x100 ? ["x", 2] : code < 0x10000 ? ["u", 4] : ["U", 8];
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
