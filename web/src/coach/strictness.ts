/** At which tables the coach is, and how bad a move has to be before it says something. */

import { MARKS } from "../engine/generated/bindings";
import type { Mark } from "../engine/judge";
import type { Live } from "../net/live";
import type { Strictness } from "../settings/settings.svelte";

/** Up to these levels only such moves are worth a word; whoever is stronger hears of inaccuracies. */
const UP_TO = [
  { level: 3, mark: "blunder" },
  { level: 6, mark: "mistake" },
] as const;

/** The least mark that the coach objects to; null where it is silent. */
export function leastMark(strictness: Strictness, level: number): Exclude<Mark, ""> | null {
  if (strictness === "off") return null;
  if (strictness !== "auto") return strictness;
  return UP_TO.find((each) => level <= each.level)?.mark ?? "inaccuracy";
}

/** Whether a mark is at least as bad as another. */
export function isAsBad(mark: Mark, least: Mark): boolean {
  return MARKS.indexOf(mark) >= MARKS.indexOf(least);
}

/** The seat of the one person at a table of computers; null at any other table, and while a computer plays for the person. */
export function pupilAt({ table, you }: Pick<Live, "table" | "you">): number | null {
  const [seat, ...others] = you.seats ?? [];
  if (seat === undefined || others.length || table.seats[seat]?.substitute) return null;
  return table.seats.every(({ kind }, at) => at === seat || kind === "computer") ? seat : null;
}
