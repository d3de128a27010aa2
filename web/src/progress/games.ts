/** The finished games of whoever plays in this browser, each once, so that they can be counted; nothing here ever throws. */

import { MAX_PLAYERS } from "../engine/generated/bindings";
import type { Amount } from "../engine/judge";
import { read, write } from "../settings/local";

export const OUTCOMES = ["won", "shared", "lost"] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** What a person lost a move on average, by a review of the game. */
export interface MeanLoss extends Amount {
  /** Over so many decisions. */
  readonly moves: number;
}

/** A game that is over, and in which one seat was this person's. */
export interface PlayedGame {
  /** Its table's. */
  readonly id: string;
  /** When it was over, in milliseconds since 1970. */
  readonly time: number;
  readonly seat: number;
  readonly players: number;
  readonly wall: "std" | "gray";
  /** The number of the strongest opponent, if all of them were computers of this page; otherwise `PEOPLE`. */
  readonly level: number;
  readonly outcome: Outcome;
  /** Whether it is counted apart: with help, with tiles that were known, from a position, or ended by a computer. */
  readonly apart: boolean;
  /** Null as long as the game has not been reviewed. */
  readonly loss: MeanLoss | null;
}

/** The level of games against people, or against programs of others. */
export const PEOPLE = 0;
/** More are not kept: the browser has room for some megabytes. */
export const MOST_GAMES = 5000;
const KEY = "progress";
const LONGEST_ID = 64;

/** All of them, the oldest first. */
export function playedGames(): PlayedGame[] {
  const stored = read(KEY);
  return Array.isArray(stored) ? stored.filter(isGame) : [];
}

/** Keeps a game unless it is known already; says whether it is kept now. */
export function keepGame(game: PlayedGame): boolean {
  const games = playedGames();
  return games.some(({ id }) => id === game.id) || keepGames([...games, game]);
}

/** Keeps what a review found out about a game; one that is not counted here is left alone. */
export function keepLoss(id: string, lossOf: (seat: number) => MeanLoss | null): void {
  const games = playedGames();
  const found = games.find((game) => game.id === id);
  const loss = found && lossOf(found.seat);
  if (loss) keepGames(games.map((game) => (game === found ? { ...game, loss } : game)));
}

/** Keeps these games and no others; says whether that worked. */
export function keepGames(games: readonly PlayedGame[]): boolean {
  return write(KEY, games.slice(-MOST_GAMES));
}

/** Games of two lists, each once; of two that are the same, the one that was reviewed. */
export function mergedGames(own: readonly PlayedGame[], others: readonly PlayedGame[]): PlayedGame[] {
  const merged = new Map(own.map((game) => [game.id, game]));
  for (const game of others) {
    const known = merged.get(game.id);
    merged.set(game.id, known ? { ...known, loss: known.loss ?? game.loss } : game);
  }
  return [...merged.values()].sort((one, other) => one.time - other.time).slice(-MOST_GAMES);
}

/** Whether a value out of a file or the browser's store is a game. */
export function isGame(value: unknown): value is PlayedGame {
  const { id, time, seat, players, wall, level, outcome, apart, loss } = (value ?? {}) as Partial<Record<keyof PlayedGame, unknown>>;
  return (
    typeof id === "string" &&
    id.length > 0 &&
    id.length <= LONGEST_ID &&
    isWithin(time, 0, Infinity) &&
    isWithin(players, 2, MAX_PLAYERS) &&
    isWithin(seat, 0, players - 1) &&
    (wall === "std" || wall === "gray") &&
    isWithin(level, PEOPLE, Infinity) &&
    OUTCOMES.includes(outcome as Outcome) &&
    typeof apart === "boolean" &&
    (loss === null || isLoss(loss))
  );
}

function isLoss(value: unknown): boolean {
  const { win, margin, moves } = (value ?? {}) as Partial<Record<keyof MeanLoss, unknown>>;
  return isWithin(win, 0, 1) && isWithin(margin, 0, Infinity) && isWithin(moves, 1, Infinity);
}

function isWithin(value: unknown, low: number, high: number): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= low && value <= high;
}
