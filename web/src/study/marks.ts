/** Marks of moves: the glyphs that chess players have, as signs and in words. */

import { m } from "../paraglide/messages.js";

export interface Mark {
  readonly glyph: number;
  readonly sign: string;
  readonly words: () => string;
}

/** From the best to the worst. */
export const MARKS: readonly Mark[] = [
  { glyph: 3, sign: "!!", words: m.mark_brilliant },
  { glyph: 1, sign: "!", words: m.mark_good },
  { glyph: 5, sign: "!?", words: m.mark_interesting },
  { glyph: 6, sign: "?!", words: m.mark_inaccuracy },
  { glyph: 2, sign: "?", words: m.mark_mistake },
  { glyph: 4, sign: "??", words: m.mark_blunder },
];

/** The marks among glyphs; a record may have others, which are kept and not shown. */
export function marksOf(glyphs: readonly number[]): Mark[] {
  return MARKS.filter(({ glyph }) => glyphs.includes(glyph));
}
