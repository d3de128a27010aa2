/** A made-up game, for tests. */

import type { PlayedGame } from "./games";

export const game = (id: string, changes: Partial<PlayedGame> = {}): PlayedGame => ({
  id,
  time: 1000,
  seat: 0,
  players: 2,
  wall: "std",
  level: 2,
  outcome: "won",
  apart: false,
  loss: null,
  ...changes,
});
