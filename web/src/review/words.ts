/** What a review says, in words. */

import type { Reason, ReasonCode } from "../engine/analyst";
import { GLYPHS, MARKS } from "../engine/generated/bindings";
import type { Mark, Part } from "../engine/judge";
import { m } from "../paraglide/messages.js";
import { signed } from "./numbers";

interface Words {
  readonly name: string;
  readonly row: number;
  readonly points: string;
}

const REASONS: Readonly<Record<ReasonCode, (words: Words) => string>> = {
  line_open: m.review_reason_line_open,
  line_less: m.review_reason_line_less,
  floor: m.review_reason_floor,
  bonus: m.review_reason_bonus,
  start: m.review_reason_start,
  other_line: m.review_reason_other_line,
  other_floor: m.review_reason_other_floor,
  other_bonus: m.review_reason_other_bonus,
  ends: m.review_reason_ends,
  goes_on: m.review_reason_goes_on,
  later: m.review_reason_later,
};

const PARTS: Readonly<Record<Part, () => string>> = {
  expected: m.review_part_expected,
  luck: m.review_part_luck,
  own: m.review_part_own,
  others: m.review_part_others,
  remainder: m.review_part_remainder,
  result: m.board_result,
};

const MARK_WORDS: Readonly<Record<Exclude<Mark, "">, () => string>> = {
  inaccuracy: m.mark_inaccuracy,
  mistake: m.mark_mistake,
  blunder: m.mark_blunder,
};

/** What speaks against a move. */
export function reasonText({ code, seat, row, points }: Reason, names: readonly string[]): string {
  return REASONS[code]({ name: names[seat] ?? "", row: row + 1, points: signed(-points, 0) });
}

/** What a line of a receipt is called. */
export function partText(part: Part): string {
  return PARTS[part]();
}

/** What a mark is called; nothing where there is none. */
export function markText(mark: Mark): string {
  return mark && MARK_WORDS[mark]();
}

/** How a record writes a mark; 0 for none. */
export function glyphOf(mark: Mark): number {
  return GLYPHS[MARKS.indexOf(mark)]!;
}
