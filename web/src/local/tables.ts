/** The local tables of this browser: what pages ask of them. */
import { ownRules } from "../engine/own";
import { DEFAULT_LEVEL, type MovedTable, type NewTable, type Setup, type Welcome } from "../net/messages";
import type { Wire } from "../net/socket";
import { engine } from "./engine.svelte";
import { below, isLocal, newId } from "./ids";
import { newSecret } from "../engine/dealer";
import { type Around, LiveTable } from "./live_table";
import { RefusalError, api, refusalOf } from "../net/api";
import { cleanName } from "./names";
import { pace } from "./pace.svelte";
import { type Replay, recordText, replayOfText } from "./replay";
import { FORMAT, type Kept, type Store, type Unreadable, openStore } from "./store";
import { Table } from "./table";
import { LocalWire } from "./wire";

let store: Promise<Store> | null = null;

function ownStore(): Promise<Store> {
  store ??= openStore().catch((error: unknown) => {
    store = null; // the next one who asks may have more luck
    throw error;
  });
  return store;
}

/** Whether tables are still there after the page is closed. */
export async function isKept(): Promise<boolean> {
  return (await ownStore()).lasts;
}

/** Makes a table, whose game goes on from a position where one is given; answers its id. */
export async function createTable(wish: NewTable, position = ""): Promise<string> {
  const { seats, wall = "std", starter, clock, hints } = wish;
  const setup: Setup = {
    wall,
    seats: seats.map(({ kind, name = "", level }) =>
      kind === "computer" ? { kind, level: level ?? DEFAULT_LEVEL } : { kind, name: cleanName(name) },
    ),
    starter: starter ?? below(seats.length),
    clock: clock ?? null,
    ...(hints === false && { hints }),
    ...(position && { position }),
  };
  return stored(setup, newSecret());
}

async function stored(setup: Setup, secret: string): Promise<string> {
  const created = new Date().toISOString();
  const making = { id: newId(), created, setup, secret };
  const { table } = Table.make(await ownRules(), making).after({ type: "started" });
  const kept: Kept = { ...making, format: FORMAT, names: table.names(""), used: created, summary: null };
  await (await ownStore()).add({ kept, events: [{ type: "started" }] });
  return making.id;
}

/** The next table: the same people, each a seat further; or the same tiles once more. */
function rematch(table: Table, sameTiles: boolean): Promise<string> {
  const { setup, secret, id } = table.making;
  const seats = setup.seats.map((seat, at) => ({ ...seat, name: table.seats[at]!.name }));
  const order = sameTiles ? seats : [...seats.slice(1), ...seats.slice(0, 1)];
  const { position, ...fresh } = setup;
  const going = sameTiles && position ? { ...fresh, position } : fresh;
  return stored({ ...going, seats: order, same_tiles: sameTiles, previous: id }, sameTiles ? secret : newSecret());
}

/** All tables that are kept here, the latest first. */
export async function localTables(): Promise<(Kept | Unreadable)[]> {
  return (await ownStore()).list();
}

/** The same tables, those that cannot be read to their end marked; one after the other, so that the page goes on meanwhile. */
export async function checkedTables(tables: readonly (Kept | Unreadable)[]): Promise<(Kept | Unreadable)[]> {
  const checked: (Kept | Unreadable)[] = [];
  for (const table of tables) {
    const code = await tableOf(table.id).then(
      () => null,
      (error: unknown) => refusalOf(error).code,
    );
    checked.push(code === "bad_saved_game" ? { id: table.id, unreadable: true } : table);
  }
  return checked;
}

/** A table as it is stored; throws `RefusalError` if there is none or it cannot be read. */
async function tableOf(id: string): Promise<Table> {
  const found = await (await ownStore()).load(id);
  if (!found) throw new RefusalError("unknown_table");
  const rules = await ownRules();
  try {
    return Table.rebuilt(rules, found.kept, found.events);
  } catch {
    throw new RefusalError("bad_saved_game");
  }
}

/** Everything about a table of this browser, as a server tells it. */
export async function lookLocal(id: string): Promise<Welcome> {
  return (await tableOf(id)).welcome(0);
}

/** Every step of a game so far, played here or at a server's table. */
export async function replayOfTable(id: string): Promise<Replay> {
  return replayOfText(await ownRules(), await gameRecord(id));
}

/** The text of a game's record, played here or at a server's table. */
export function gameRecord(id: string): Promise<string> {
  return isLocal(id) ? localRecord(id) : api.record(id);
}

/** The text of a game's record. */
export async function localRecord(id: string): Promise<string> {
  return recordText(await ownRules(), await tableOf(id));
}

/** All that is stored of a game that cannot be read, as text. */
export async function rawGame(id: string): Promise<string> {
  return JSON.stringify(await (await ownStore()).raw(id));
}

/** Removes a table; answers how to put it back, if it could be read. */
export async function removeTable(id: string): Promise<(() => Promise<void>) | null> {
  const store = await ownStore();
  const found = await store.load(id).catch(() => null);
  await store.remove(id);
  tellTabs(id);
  return found && (() => store.add(found));
}

/** What a server needs to go on with a table; these seats become friends'. */
export async function toMove(id: string, friends: readonly number[], hints: boolean): Promise<MovedTable> {
  const found = await (await ownStore()).load(id);
  if (!found) throw new RefusalError("unknown_table");
  const { setup, secret } = found.kept;
  const seats = setup.seats.map((seat, at) => (friends.includes(at) ? { kind: "friend" as const, name: "" } : seat));
  const { wall, starter, clock = null, position } = setup;
  return { setup: { wall, seats, starter, clock, hints, ...(position && { position }) }, secret, events: [...found.events] };
}

// ---- being at a table ----

const CHANNEL = "azulejos-tables";
let channel: BroadcastChannel | null = null;
const open = new Set<LocalWire>();

function tellTabs(id: string): void {
  channel ??= listening();
  channel?.postMessage(id);
  for (const wire of open) wire.look(id); // a channel does not speak to its own tab
}

function listening(): BroadcastChannel | null {
  if (typeof BroadcastChannel === "undefined") return null;
  const made = new BroadcastChannel(CHANNEL);
  made.onmessage = ({ data }) => {
    for (const wire of open) wire.look(String(data));
  };
  return made;
}

/** A line to a table, which a `WatchedTable` uses as it uses one to a server. */
export function openLocal(id: string): Wire {
  channel ??= listening();
  const wire = new LocalWire(
    id,
    async (tell) => {
      const around: Around = {
        rules: await ownRules(),
        store: await ownStore(),
        engine,
        tellTabs: (changed) => channel?.postMessage(changed),
        rematch,
        pace,
      };
      const table = await LiveTable.open(around, id, tell);
      for (const seat of table.now.seats) if (seat.level) engine.prepare(table.now.seats.length, table.now.making.setup.wall, seat.level);
      return table;
    },
    () => open.delete(wire),
  );
  open.add(wire);
  return wire;
}
