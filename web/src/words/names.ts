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

/** What is asked of a seat to call somebody by a name. */
type Sitting = Pick<SeatInfo, "kind" | "name" | "level">;

/** The name that a seat has, or the level of its computer; undefined for somebody who gave none. */
function givenName({ kind, name, level }: Sitting): string | undefined {
  return name || (kind === "computer" && level ? levelName(level) : undefined);
}

const isAlone = (seat: number, mine: readonly number[]): boolean => mine.length === 1 && mine[0] === seat;

/**
 * Everybody at a table, each by another name. Somebody without one is "You" where they sit alone; to others, and to those who
 * share a device, they are what brought them to the table.
 */
export function seatNames(seats: readonly Sitting[], mine: readonly number[]): string[] {
  const host = seats.findIndex(({ kind }) => kind === "here");
  const nameless = (kind: SeatInfo["kind"], seat: number): string => {
    if (isAlone(seat, mine)) return m.seat_you();
    return seat === host ? m.seat_host() : kind === "friend" ? m.seat_friend() : m.seat_guest();
  };
  return apart(seats.map((seat, index) => givenName(seat) ?? nameless(seat.kind, index)));
}

/** A name out of a record, where a computer is called `level2`, or `net` at full strength; undefined if there is none. */
function recordedName(name: string): string | undefined {
  if (/^(?:bot:)?net$/.test(name)) return levelName(FULL_STRENGTH);
  const level = Number(/^(?:bot:)?level([1-9])$/.exec(name)?.[1]);
  return LEVELS[level - 1]?.() ?? (name && name !== UNKNOWN ? name : undefined);
}

/** Everybody in a record, each by another name. */
export function recordedNames(names: readonly string[], mine: readonly number[] = []): string[] {
  return apart(names.map((name, seat) => recordedName(name) ?? (isAlone(seat, mine) ? m.seat_you() : m.seat_guest())));
}

/** The seats of a position; those in which nobody is known to sit by their numbers. */
export function numberedNames(names: readonly string[]): string[] {
  return apart(names.map((name, seat) => recordedName(name) ?? m.seat_number({ number: seat + 1 })));
}

/** Whether a name out of a record is a computer's. */
export function isComputer(name: string): boolean {
  return /^(?:bot:)?(?:net|level[1-9])$/.test(name);
}

/** Equal names are numbered, so that everybody at a table can be told apart. */
function apart(names: readonly string[]): string[] {
  return names.map((name, index) => {
    if (names.indexOf(name) === names.lastIndexOf(name)) return name;
    return `${name} ${names.slice(0, index + 1).filter((one) => one === name).length}`;
  });
}

/** Names as a list in the page's language. */
export function listed(names: readonly string[], language: string): string {
  return new Intl.ListFormat(language, { style: "long", type: "conjunction" }).format(names);
}

/** That a game is assisted, and by whose doing. */
export function assistedText(seats: readonly SeatInfo[], names: readonly string[]): string {
  const who = names.filter((_, seat) => seats[seat]?.assisted);
  return who.length ? m.assisted_by({ names: who.join(", ") }) : m.assisted();
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
