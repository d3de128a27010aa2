/** White space as Python has it: what separates words and lines in a record is the same on both sides. */
export const WHITE = "\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";

const LEADING = new RegExp(`^[${WHITE}]+`);
const RUN = new RegExp(`[${WHITE}]+`);
const WHITE_SIGN = new RegExp(`[${WHITE}]`);
const LINE_END = /[\n-\r\x1c-\x1e\x85\u2028\u2029]/;

/** The words of a text. */
export function words(text: string): string[] {
  return text.split(RUN).filter(Boolean);
}

/** A text without white space before it. */
export function leftStripped(text: string): string {
  return text.replace(LEADING, "");
}

/** A text without white space behind it. */
export function rightStripped(text: string): string {
  let end = text.length;
  while (end > 0 && WHITE_SIGN.test(text[end - 1]!)) end--;
  return text.slice(0, end);
}

/** A text without white space around it. */
export function stripped(text: string): string {
  return rightStripped(leftStripped(text));
}

/** The first line of a text. */
export function firstLine(text: string): string {
  return text.split(LINE_END, 1)[0]!;
}
