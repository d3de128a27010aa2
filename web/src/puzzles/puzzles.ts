/** The puzzles that ship, and which of them comes next. */

import type { THEMES } from "../engine/generated/bindings";
import { playersWith } from "../engine/notation";
import address from "../../../src/azulejos/analysis/puzzles.deflate?url";

export type Theme = (typeof THEMES)[number];

/** A position with one clearly best move; see `azulejos.analysis.puzzles`. */
export interface Puzzle {
  readonly id: string;
  readonly position: string;
  /** The moves that are right. */
  readonly solutions: readonly string[];
  readonly theme: Theme;
  /** How hard it is, on the scale of the levels. */
  readonly rating: number;
}

/** Which puzzles are wanted; null is any. */
export interface Wish {
  readonly theme: Theme | null;
  readonly players: number | null;
  readonly wall: string | null;
}

/** Puzzles of the day are neither too easy nor too hard for most. */
const DAILY_RATINGS = [1000, 1800] as const;
/** The next puzzle is one of so many that fit the person's rating best. */
const NEAREST = 20;

/** All puzzles. */
export async function loadPuzzles(): Promise<readonly Puzzle[]> {
  const response = await fetch(address, { credentials: "omit" });
  if (!response.ok || !response.body) throw new Error(`status ${response.status}`);
  const text = await new Response(response.body.pipeThrough(new DecompressionStream("deflate"))).text();
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Puzzle);
}

/** How many play in a puzzle, and on which wall. */
export function kindOf({ position }: Puzzle): { players: number; wall: string } {
  const [wall = "", displays = ""] = position.split(" ");
  return { players: playersWith(displays.split("/").length) ?? 0, wall };
}

/** Whether a puzzle is of the kind that is wanted. */
export function fits(puzzle: Puzzle, { theme, players, wall }: Wish): boolean {
  const kind = kindOf(puzzle);
  return (theme ?? puzzle.theme) === puzzle.theme && (players ?? kind.players) === kind.players && (wall ?? kind.wall) === kind.wall;
}

/** The puzzle of a day, such as `2026-11-16`: the same for everybody, and hardly ever another one when puzzles come or go. */
export function dailyOf(puzzles: readonly Puzzle[], day: string): Puzzle | null {
  const [easiest, hardest] = DAILY_RATINGS;
  const middle = puzzles.filter(({ rating }) => rating >= easiest && rating <= hardest);
  let chosen: Puzzle | null = null;
  let lowest = Infinity;
  for (const puzzle of middle.length ? middle : puzzles) {
    const lot = hash(`${day} ${puzzle.id}`);
    if (lot < lowest) [chosen, lowest] = [puzzle, lot];
  }
  return chosen;
}

/** The day by the person's own calendar. */
export function dayOf(date: Date): string {
  const two = (number: number) => String(number).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** One of the puzzles that fit somebody's rating best, of those not seen yet if there are any; `drawn` is from 0 to 1. */
export function nextOf(puzzles: readonly Puzzle[], rating: number, seen: ReadonlySet<string>, drawn: number): Puzzle | null {
  const fresh = puzzles.filter(({ id }) => !seen.has(id));
  const near = (fresh.length ? fresh : [...puzzles])
    .sort((one, other) => Math.abs(one.rating - rating) - Math.abs(other.rating - rating))
    .slice(0, NEAREST);
  return near[Math.min(near.length - 1, Math.floor(drawn * near.length))] ?? null;
}

/** FNV-1a, and a stir, since the last characters would hardly count. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  value = Math.imul(value ^ (value >>> 15), 0x2c1b3c6d);
  return (value ^ (value >>> 13)) >>> 0;
}
