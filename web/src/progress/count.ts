/** Counts finished games: at their tables, and later those that were over while nobody looked. */

import { parseRecord } from "../engine/recordReader";
import { isLocal } from "../local/ids";
import { gameRecord, localTables, lookLocal } from "../local/tables";
import { api, refusalOf } from "../net/api";
import type { TableInfo } from "../net/messages";
import { ownTables } from "../net/own";
import { keepGame, PEOPLE, type PlayedGame, playedGames } from "./games";
import { placeOf } from "./level";

/** What a finished table was for whoever had these seats; null while it goes on, and where several people played here. */
export function gameAt(table: TableInfo, seats: readonly number[], setUp: boolean, time: number): PlayedGame | null {
  const { id, result, wall, assisted = false, same_tiles: sameTiles = false } = table;
  const [seat] = seats;
  const own = table.seats[seat ?? -1];
  if (!result || !own || seats.length > 1) return null;
  const others = table.seats.filter((each) => each !== own).map(({ kind, level }) => (kind === "computer" && level ? level : PEOPLE));
  const won = result.winners.includes(seat!);
  return {
    id,
    time,
    seat: seat!,
    players: table.seats.length,
    wall,
    level: others.includes(PEOPLE) ? PEOPLE : others.reduce((one, other) => (placeOf(other) > placeOf(one) ? other : one)),
    outcome: !won ? "lost" : result.winners.length > 1 ? "shared" : "won",
    apart: assisted || sameTiles || setUp || (!!own.substitute && !own.resigned),
    loss: null,
  };
}

/** Counts a table; answers its game if it is one that counts. Throws if its record cannot be had. */
export async function countTable(table: TableInfo, seats: readonly number[], time: number): Promise<PlayedGame | null> {
  if (!gameAt(table, seats, false, time)) return null;
  const known = playedGames().find(({ id }) => id === table.id);
  if (known) return known;
  const setUp = "Position" in parseRecord(await gameRecord(table.id)).tags;
  const game = gameAt(table, seats, setUp, time);
  if (game) keepGame(game);
  return game;
}

/** Counts games of this browser that are over and not counted yet; what cannot be read is left out. */
export async function countLocal(): Promise<void> {
  const known = new Set(playedGames().map(({ id }) => id));
  for (const table of await localTables().catch(() => [])) {
    if ("unreadable" in table || !table.summary || known.has(table.id)) continue;
    if (table.setup.seats.filter(({ kind }) => kind !== "computer").length !== 1) continue;
    const look = await lookLocal(table.id).catch(() => null);
    if (look) await countTable(look.table, look.you.seats ?? [], Date.parse(table.used)).catch(() => null);
  }
}

/** Counts games at a server's tables that were over while I was away; what cannot be had now is left for another time. */
export async function countRemote(): Promise<void> {
  const known = new Set(playedGames().map(({ id }) => id));
  for (const { id, gone = false, seats = [] } of ownTables()) {
    if (isLocal(id) || gone || known.has(id) || seats.length !== 1) continue;
    try {
      await countTable((await api.look(id)).table, seats, Date.now());
    } catch (error) {
      if (["offline", "no_server"].includes(refusalOf(error).code)) return; // the others would not be answered, either
    }
  }
}
