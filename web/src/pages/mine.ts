/** The games in which this browser has a seat: those it keeps itself, and those of the server. */

import { isLocal } from "../local/ids";
import type { Kept, Unreadable } from "../local/store";
import type { Result, TableInfo } from "../net/messages";
import type { OwnTable, Standing } from "../net/own";
import { recordedNames } from "../words/names";

export interface MyGame {
  readonly id: string;
  readonly names: readonly string[];
  /** When something happened last, as far as it is known. */
  readonly at: string;
  readonly wall: TableInfo["wall"] | null;
  readonly standing: Standing | null;
  readonly result: Result | null;
  /** `gone`: the server does not know it any more. */
  readonly state: "going" | "over" | "gone" | "unreadable";
}

/** All of them, the latest first. */
export function myGames(kept: readonly (Kept | Unreadable)[], own: readonly OwnTable[]): MyGame[] {
  const seats = own.filter(({ id, secrets }) => !isLocal(id) && secrets.length > 0);
  const known = new Map(own.map((table) => [table.id, table]));
  const games = [...kept.map((game) => here(game, known.get(game.id))), ...seats.map(elsewhere)];
  return games.sort((one, other) => (one.at < other.at ? 1 : -1));
}

function here(game: Kept | Unreadable, own: OwnTable | undefined): MyGame {
  if ("unreadable" in game) return { id: game.id, names: [], at: "", wall: null, standing: null, result: null, state: "unreadable" };
  const result = game.summary?.result ?? null;
  const standing = own?.standing ?? null;
  const names = recordedNames(game.names, own?.seats);
  return { id: game.id, names, at: game.used, wall: game.setup.wall, standing, result, state: result ? "over" : "going" };
}

function elsewhere({ id, names, created, wall, standing, result, over, gone }: OwnTable): MyGame {
  const state = over ? "over" : gone ? "gone" : "going";
  return { id, names, at: created, wall: wall ?? null, standing: standing ?? null, result: result ?? null, state };
}
