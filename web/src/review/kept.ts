/** Reviews that are kept in this browser, so that they are there at once the next time; nothing here ever throws. */

import { STAMP } from "../engine/generated/bindings";
import type { Findings, Followed } from "../engine/review";
import { writePosition } from "../engine/notation";
import { sha256 } from "../engine/sha256";

const DATABASE = "azulejos-reviews";
const STORE = "reviews";
/** The oldest beyond these make room: a review takes some tens of kilobytes. */
const MOST = 100;

interface Row {
  readonly key: string;
  readonly used: number;
  readonly findings: Findings;
}

/** The name of a game's review: another one for other moves, other settings, another engine or another network. */
export function keyOf({ steps, end }: Followed, nodes: number): string {
  const plays = [writePosition(steps[0]?.before ?? end), ...steps.map(({ play }) => play)].join(" ");
  const digest = sha256(new TextEncoder().encode(plays));
  return `${nodes}-${STAMP}-${Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

/** What was found out about a game before; null if nothing is kept, or it does not fit. */
export async function keptFindings(key: string, { steps }: Followed): Promise<Findings | null> {
  try {
    const row = (await done((store) => store.get(key), "readonly")) as Row | undefined;
    const { looks, reasons } = row?.findings ?? { looks: [], reasons: [] };
    return looks.length === steps.length + 1 && reasons.length === steps.length ? { looks, reasons } : null;
  } catch {
    return null;
  }
}

/** Keeps what was found out about a game; says whether that worked. */
export async function keepFindings(key: string, findings: Findings): Promise<boolean> {
  try {
    await done((store) => store.put({ key, used: Date.now(), findings } satisfies Row), "readwrite");
    const rows = (await done((store) => store.getAll(), "readonly")) as Row[];
    const old = rows.sort((one, other) => other.used - one.used).slice(MOST);
    for (const row of old) await done((store) => store.delete(row.key), "readwrite");
    return true;
  } catch {
    return false;
  }
}

async function done<T>(ask: (store: IDBObjectStore) => IDBRequest<T>, mode: IDBTransactionMode): Promise<T> {
  const database = await opened();
  try {
    return await settled(ask(database.transaction(STORE, mode).objectStore(STORE)));
  } finally {
    database.close();
  }
}

function opened(): Promise<IDBDatabase> {
  const request = indexedDB.open(DATABASE, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: "key" });
  return settled(request);
}

function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("no database"));
  });
}
