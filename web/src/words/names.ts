/** Names of seats, levels and moves in the page's language. */

import { OPPONENTS as ALL, UNKNOWN } from "../engine/generated/bindings";
import { FULL_STRENGTH } from "../engine/opponents";
import { m } from "../paraglide/messages.js";
import type { SeatInfo } from "../net/messages";

const LEVELS = [m.level_1, m.level_2, m.level_3, m.level_4, m.level_5, m.level_6, m.level_7, m.level_8];

/** All computers to play against, from the weakest to the strongest. */
export const OPPONENTS = ALL.map(({ number }) => number);

/** A computer in plain words: its level, or full strength. */
export function levelName(level: number): string {
  if (level === FULL_STRENGTH) return m.full_strength();
  return LEVELS[level - 1]?.() ?? String(level);
}

/** The same in a list to choose from: levels with their numbers, and the rating of each that has one. */
export function levelChoice(level: number, rating: number | null): string {
  const name = level === FULL_STRENGTH ? levelName(level) : `${level} – ${levelName(level)}`;
  return rating == null ? name : m.new_level_rating({ name, rating });
}

/** Who sits there: the name, or the level of a computer, or the seat's number. */
export function seatName(seat: Pick<SeatInfo, "kind" | "name" | "level"> | undefined, index: number): string {
  if (seat?.name) return seat.name;
  if (seat?.kind === "computer" && seat.level) return levelName(seat.level);
  return m.seat_number({ number: index + 1 });
}

/** A name out of a record, where a computer is called `level2`, or `net` at full strength. */
export function recordedName(name: string, index: number): string {
  if (/^(?:bot:)?net$/.test(name)) return levelName(FULL_STRENGTH);
  const level = Number(/^(?:bot:)?level([1-9])$/.exec(name)?.[1]);
  return LEVELS[level - 1]?.() ?? (name && name !== UNKNOWN ? name : m.seat_number({ number: index + 1 }));
}

/** Whether a name out of a record is a computer's. */
export function isComputer(name: string): boolean {
  return /^(?:bot:)?(?:net|level[1-9])$/.test(name);
}

/** Equal names are numbered, so that everybody at a table can be told apart. */
export function apart(names: readonly string[]): string[] {
  return names.map((name, index) => {
    if (names.indexOf(name) === names.lastIndexOf(name)) return name;
    return `${name} ${names.slice(0, index + 1).filter((one) => one === name).length}`;
  });
}

/** Names as a list in the page's language. */
export function listed(names: readonly string[], language: string): string {
  return new Intl.ListFormat(language, { style: "long", type: "conjunction" }).format(names);
}

const NOTES = [
  m.level_1_note,
  m.level_2_note,
  m.level_3_note,
  m.level_4_note,
  m.level_5_note,
  m.level_6_note,
  m.level_7_note,
  m.level_8_note,
];

/** Who is well matched by a computer. */
export function levelNote(level: number): string {
  if (level === FULL_STRENGTH) return m.full_strength_note();
  return NOTES[level - 1]?.() ?? "";
}
