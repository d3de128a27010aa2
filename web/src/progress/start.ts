/** Starts a game against computers of one level. */

import { createTable } from "../local/tables";
import { keepTable } from "../net/own";
import { settings } from "../settings/settings.svelte";
import { router } from "../shell/router.svelte";
import type { PlayedGame } from "./games";

/** How a game is played: by how many, and on which wall. */
export type Kind = Pick<PlayedGame, "players" | "wall">;

/** Makes a table at which all opponents are computers with a number, and goes there. */
export async function playAgainst(level: number, { players, wall }: Kind): Promise<void> {
  const others = Array.from({ length: players - 1 }, () => ({ kind: "computer" as const, level }));
  const id = await createTable({ seats: [{ kind: "here", name: settings.name }, ...others], wall });
  keepTable(id, {});
  router.go(`/t/${id}`);
}
