/** JSON that breaks off or is damaged: its sound beginning. */

const STRING = String.raw`"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\u0000-\u001f]*)*"`;
const SCALAR = String.raw`-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?|true|false|null`;
const PIECE = new RegExp(String.raw`[ \t\n\r]*(?:([[\]{},:])|(${STRING})|(?:${SCALAR}))`, "y");
/** What a value may begin with: a bracket, a text, or anything else. */
const VALUE = '[{"0';

/** The beginning of a text as far as it is JSON, with the brackets closed that are open, and the rest; empty if it merely breaks off. */
export function soundPart(text: string): { closed: string; rest: string } {
  const closers: string[] = [];
  let wanted = VALUE;
  let end = 0;
  let at = 0;
  for (;;) {
    PIECE.lastIndex = at;
    const match = PIECE.exec(text);
    const kind = match && (match[1] ?? (match[2] === undefined ? "0" : '"'));
    if (!kind || !wanted.includes(kind)) break;
    at = PIECE.lastIndex;
    const isName = wanted[0] === '"';
    if (kind === "[" || kind === "{") closers.push(kind === "[" ? "]" : "}");
    else if (kind === "]" || kind === "}") closers.pop();
    const closer = closers.at(-1) ?? "";
    // A text in an object may be a name without a value, and a number may go on; what stands before a comma is whole.
    if ("[]{}".includes(kind) || (kind === '"' && closer === "]")) end = at;
    else if (kind === ",") end = at - 1;
    if (kind === "[") wanted = `${VALUE}]`;
    else if (kind === "{") wanted = '"}';
    else if (kind === ",") wanted = closer === "]" ? VALUE : '"';
    else if (kind === ":") wanted = VALUE;
    else if (isName) wanted = ":";
    else wanted = closer && `,${closer}`;
  }
  const rest = text.slice(at).replace(/^[ \t\n\r]+/, "");
  const isCut = /^"[^"]*$/.test(rest) || /^[-a-z0-9.+]*$/i.test(rest);
  return { closed: text.slice(0, end) + closers.reverse().join(""), rest: isCut ? "" : rest };
}
