/** Games added up, for the tables and charts of a page. */

import { MEASURED } from "../engine/generated/bindings";
import { type MeanLoss, OUTCOMES, type Outcome, type PlayedGame } from "./games";
import { placeOf } from "./level";

export type Counts = Readonly<Record<Outcome, number>>;

/** Which games are wanted; null is any. */
export interface Wish {
  readonly players: number | null;
  readonly wall: "std" | "gray" | null;
}

/** A line of the table: the games against one level, or against people. */
export interface Row {
  readonly level: number;
  readonly counts: Counts;
}

/** How many of the last reviewed games a mean goes over. */
export const LAST = 10;

export function counted(games: readonly PlayedGame[]): Counts {
  const of = (wanted: Outcome): number => games.filter(({ outcome }) => outcome === wanted).length;
  return Object.fromEntries(OUTCOMES.map((outcome) => [outcome, of(outcome)])) as Counts;
}

/** Games of a kind. */
export function wished(games: readonly PlayedGame[], { players, wall }: Wish): PlayedGame[] {
  return games.filter((game) => game.players === (players ?? game.players) && game.wall === (wall ?? game.wall));
}

/** Games by level, the strongest first and people last; those that are counted apart are left out. */
export function byLevel(games: readonly PlayedGame[]): Row[] {
  const own = games.filter(({ apart }) => !apart);
  const levels = [...new Set(own.map(({ level }) => level))].sort((one, other) => placeOf(other) - placeOf(one));
  return levels.map((level) => ({ level, counts: counted(own.filter((game) => game.level === level)) }));
}

/** For each reviewed game the points lost a move in it and the games before it, each move counting the same. */
export function runningLoss(found: readonly MeanLoss[], last = LAST): number[] {
  return found.map((_, at) => {
    const some = found.slice(Math.max(0, at + 1 - last), at + 1);
    const moves = some.reduce((sum, each) => sum + each.moves, 0);
    return some.reduce((sum, each) => sum + each.margin * each.moves, 0) / moves;
  });
}

/** The number of the opponent whose measured points lost a move are nearest. */
export function levelLosing(margin: number): number {
  const off = ({ mean }: (typeof MEASURED)[number]): number => Math.abs(mean - margin);
  return MEASURED.reduce((one, other) => (off(other) < off(one) ? other : one)).number;
}
