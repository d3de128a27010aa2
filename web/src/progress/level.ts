/** How far somebody has come: which computer to play next. */

import { OPPONENTS } from "../engine/generated/bindings";
import { PEOPLE, type PlayedGame, playedGames } from "./games";

/**
 * The computer that is next for whoever plays here, counted from 1, the weakest, to the strongest.
 *
 * It is 1 for whoever never won, otherwise one above the strongest that was beaten without help.
 */
export function ownLevel(): number {
  return levelOf(playedGames());
}

/** The same of any games. */
export function levelOf(games: readonly PlayedGame[]): number {
  const beaten = games.filter(({ outcome, apart }) => outcome === "won" && !apart).map(({ level }) => placeOf(level));
  return Math.min(OPPONENTS.length, Math.max(0, ...beaten) + 1);
}

/** Where the opponent stands to try after a game: the next one after a win against the strongest that was beaten so far. */
export function placeAfter(game: PlayedGame, games: readonly PlayedGame[]): number | null {
  if (game.outcome !== "won" || game.apart || game.level === PEOPLE) return null;
  const next = placeOf(game.level) + 1;
  return next <= OPPONENTS.length && next === levelOf(games) ? next : null;
}

/** Where the opponent with a number stands among all, counted from 1; 0 for people. */
export function placeOf(number: number): number {
  return OPPONENTS.findIndex((each) => each.number === number) + 1;
}

/** The number of the opponent that stands at a place. */
export function numberAt(place: number): number {
  return OPPONENTS[place - 1]!.number;
}
