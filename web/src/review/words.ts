/** What a review says, in words. */

import type { Reason, ReasonCode } from "../engine/analyst";
import { GLYPHS, MARKS, Z95 } from "../engine/generated/bindings";
import type { Likeness, Mark, Part } from "../engine/judge";
import { m } from "../paraglide/messages.js";
import { levelName } from "../words/names";
import { fixed, percent, signed } from "./numbers";

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

/** What somebody played like, with the interval in which the mean loss of many games would be. */
export function likeText({ loss, error, lowest, highest }: Likeness, name: string): string {
  const [low, high] = [levelName(lowest), levelName(highest)];
  const words = { name, low, high, points: fixed(loss.margin), off: fixed(Z95 * error.margin), win: percent(loss.win, 1) };
  return lowest === highest ? m.review_like_one(words) : m.review_like(words);
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
