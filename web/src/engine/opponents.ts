/** The computers that one can play against. */
import { OPPONENTS } from "./generated/bindings";
import type { Wall } from "./rules";
import type { Way } from "./thinker";

export type Opponent = (typeof OPPONENTS)[number];

/** The number of the one that plays as well as it can. */
export const FULL_STRENGTH = OPPONENTS.at(-1)!.number;

/** The opponent with a number, if there is one. */
export function opponentOf(number: number): Opponent | undefined {
  return OPPONENTS.find((each) => each.number === number);
}

/** How an opponent thinks at a kind of table. */
export function wayAt(opponent: Opponent, players: number, wall: Wall): Way {
  return opponent.ways[`${players}-${wall}` as keyof Opponent["ways"]];
}
