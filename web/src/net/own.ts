/** The tables at which this browser has a seat, with the secrets of those seats; kept in this browser only. */

import { isLocal } from "../local/ids";
import { read, write } from "../settings/local";
import { hasServer } from "../shell/place";
import type { Live } from "./live";
import type { Result, TableInfo } from "./messages";

export interface Invitation {
  seat: number;
  secret: string;
}

export interface OwnTable {
  id: string;
  /** Of the seats played here. */
  secrets: string[];
  /** Of the seats of friends, as long as I made the table: to show their links again. */
  invitations: Invitation[];
  created: string;
  /** Who plays, for the list. */
  names: string[];
  over: boolean;
  /** How many moves of the game I have seen. */
  seen: number;
  /** My seats, as soon as the table has told them. */
  seats?: number[];
  wall?: TableInfo["wall"];
  /** How the game stood when it was last looked at. */
  standing?: Standing;
  /** How it ended. */
  result?: Result | null;
  /** The server did not know the table, or the seat, when it was last asked. */
  gone?: boolean;
  /** I would rather not say my name there. */
  nameless?: boolean;
}

/** How a game stands. */
export interface Standing {
  round: number;
  scores: number[];
  /** The seats that have to decide. */
  waiting: number[];
}

/** What the list of games says about a table. */
export function standingOf({ table, frames, waiting }: Pick<Live, "table" | "frames" | "waiting">): Partial<OwnTable> {
  const { round, boards } = frames.at(-1)!.position;
  const standing = { round, scores: boards.map(({ score }) => score), waiting };
  return { created: table.created, wall: table.wall, over: !!table.result, result: table.result ?? null, standing, gone: false };
}

const KEY = "tables";
const MOST = 60;

function isOwn(value: unknown): value is OwnTable {
  const one = value as OwnTable;
  return (
    typeof one === "object" &&
    one !== null &&
    typeof one.id === "string" &&
    Array.isArray(one.secrets) &&
    Array.isArray(one.invitations) &&
    Array.isArray(one.names)
  );
}

/** All of them, the latest first. */
export function ownTables(): OwnTable[] {
  const stored = read(KEY);
  return Array.isArray(stored) ? stored.filter(isOwn) : [];
}

export function ownTable(id: string): OwnTable | undefined {
  return ownTables().find((table) => table.id === id);
}

/** Puts a table first in the list, or changes what is known about it. */
export function keepTable(id: string, changes: Partial<Omit<OwnTable, "id">>): OwnTable {
  const tables = ownTables();
  const old = tables.find((table) => table.id === id);
  const fresh: OwnTable = {
    id,
    secrets: [],
    invitations: [],
    created: "",
    names: [],
    over: false,
    seen: 0,
    ...old,
    ...changes,
  };
  const rest = tables.filter((table) => table.id !== id);
  write(KEY, kept([fresh, ...rest]));
  return fresh;
}

/** A full list drops finished games first: a seat in a running game is never dropped for one that is over. */
function kept(tables: OwnTable[]): OwnTable[] {
  if (tables.length <= MOST) return tables;
  const running = tables.filter((table) => !table.over).slice(0, MOST);
  const over = tables.filter((table) => table.over).slice(0, MOST - running.length);
  return tables.filter((table) => running.includes(table) || over.includes(table));
}

export function dropTable(id: string): void {
  write(
    KEY,
    ownTables().filter((table) => table.id !== id),
  );
}

/** Adds the secrets of a link to what is known of a table. */
export function addSecrets(id: string, secrets: readonly string[]): void {
  const old = ownTable(id)?.secrets ?? [];
  keepTable(id, { secrets: [...new Set([...old, ...secrets])].slice(-4) });
}

/** Sorts the secrets of a table just made: those of people here, and those to be given to friends. */
export function keepCreated(table: TableInfo, secrets: readonly (string | null)[]): OwnTable {
  const here: string[] = [];
  const invitations: Invitation[] = [];
  table.seats.forEach(({ kind }, seat) => {
    const secret = secrets[seat];
    if (!secret) return;
    if (kind === "here") here.push(secret);
    else invitations.push({ seat, secret });
  });
  return keepTable(table.id, { secrets: here, invitations, created: table.created, over: false, seen: 0 });
}

/** The game to go on with on the first page: the latest unfinished one in which I have a seat. */
export function unfinished(): OwnTable | undefined {
  return ownTables().find((table) => !table.over && !table.gone && (isLocal(table.id) || (hasServer && table.secrets.length > 0)));
}
