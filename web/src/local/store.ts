/** Local tables in the browser's database, event by event; or in memory where the browser keeps nothing. */
import type { Summary } from "../net/messages";
import { RefusalError } from "../net/api";
import type { Making, TableEvent } from "./table";

/** A table in the list of those that are kept here. */
export interface Kept extends Making {
  /** The version of this format. */
  readonly format: number;
  /** Who sits there, for the list. */
  readonly names: readonly string[];
  /** When something happened last. */
  readonly used: string;
  /** How it ended; null while it goes on. */
  readonly summary: Summary | null;
}

/** A table that another version of the page wrote, or that is damaged. */
export interface Unreadable {
  readonly id: string;
  readonly unreadable: true;
}

export interface StoredTable {
  readonly kept: Kept;
  readonly events: readonly TableEvent[];
}

/** What changes in the list with an event. */
export type Change = Partial<Pick<Kept, "names" | "used" | "summary">>;

/** Somebody else has stored this version already. */
export class Conflict extends Error {}

export interface Store {
  /** Whether what is stored is still there after the page is closed. */
  readonly lasts: boolean;
  add(table: StoredTable): Promise<void>;
  /** Stores an event; throws `Conflict` if its version is taken, and `RefusalError` if it cannot be stored. */
  append(id: string, version: number, event: TableEvent, change: Change): Promise<void>;
  /** A table; null if there is none. Throws `RefusalError` if it cannot be read. */
  load(id: string): Promise<StoredTable | null>;
  /** The events of a table from a version on. */
  since(id: string, version: number): Promise<TableEvent[]>;
  /** All tables, the latest first. */
  list(): Promise<(Kept | Unreadable)[]>;
  /** All that is stored of a table, whatever it is. */
  raw(id: string): Promise<unknown>;
  remove(id: string): Promise<void>;
}

export const FORMAT = 1;
const DATABASE = "azulejos";
const DATABASE_VERSION = 1;
const TABLES = "tables";
const EVENTS = "events";
/** Milliseconds for which the browser may open its database: WebKit can forget a page that left while it was made. */
const PATIENCE_MS = 3000;
const ATTEMPTS = 3;

interface Row {
  readonly table: string;
  readonly version: number;
  readonly event: TableEvent;
}

/** Whether a row of the list is one that this page can read. */
function isReadable(row: unknown): row is Kept {
  const one = row as Kept;
  return (
    one.format === FORMAT &&
    typeof one.id === "string" &&
    /^[0-9a-f]{64}$/.test(one.secret) &&
    Array.isArray(one.names) &&
    Array.isArray(one.setup?.seats) &&
    typeof one.created === "string" &&
    typeof one.used === "string"
  );
}

class BrowserStore implements Store {
  readonly lasts = true;
  #database: Promise<IDBDatabase> | null = null;

  constructor(private readonly factory: IDBFactory) {}

  async add({ kept, events }: StoredTable): Promise<void> {
    await this.#write((tables, rows) => {
      tables.add(kept);
      events.forEach((event, version) => rows.add({ table: kept.id, version, event } satisfies Row));
    });
  }

  async append(id: string, version: number, event: TableEvent, change: Change): Promise<void> {
    await this.#write((tables, rows, refuse) => {
      const asked = tables.get(id);
      asked.onsuccess = () => {
        const kept = asked.result as Kept | undefined;
        if (!kept) return refuse(new RefusalError("storage_cleared"));
        tables.put({ ...kept, ...change });
        rows.add({ table: id, version, event } satisfies Row);
      };
    });
  }

  async load(id: string): Promise<StoredTable | null> {
    const kept: unknown = await this.#read((transaction) => transaction.objectStore(TABLES).get(id));
    if (kept === undefined) return null;
    if (!isReadable(kept)) throw new RefusalError("bad_saved_game");
    return { kept, events: await this.since(id, 0) };
  }

  async since(id: string, version: number): Promise<TableEvent[]> {
    const range = IDBKeyRange.bound([id, version], [id, Infinity]);
    const rows = (await this.#read((transaction) => transaction.objectStore(EVENTS).getAll(range))) as Row[];
    if (rows.some((row, at) => row.version !== version + at)) throw new RefusalError("bad_saved_game");
    return rows.map(({ event }) => event);
  }

  async list(): Promise<(Kept | Unreadable)[]> {
    const rows = (await this.#read((transaction) => transaction.objectStore(TABLES).getAll())) as { id: string }[];
    return sorted(rows.map((row) => (isReadable(row) ? row : { id: row.id, unreadable: true })));
  }

  async raw(id: string): Promise<unknown> {
    const table: unknown = await this.#read((transaction) => transaction.objectStore(TABLES).get(id));
    const range = IDBKeyRange.bound([id], [id, []]);
    const events: unknown = await this.#read((transaction) => transaction.objectStore(EVENTS).getAll(range));
    return { table, events };
  }

  async remove(id: string): Promise<void> {
    await this.#write((tables, rows) => {
      tables.delete(id);
      rows.delete(IDBKeyRange.bound([id], [id, []]));
    });
  }

  #open(): Promise<IDBDatabase> {
    this.#database ??= this.#opened().catch((error: unknown) => {
      this.#database = null;
      throw error;
    });
    return this.#database;
  }

  /** Asks again where the browser does not answer, which often helps. */
  async #opened(): Promise<IDBDatabase> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const database = await this.#asked();
      if (database) return database;
    }
    throw new RefusalError("storage_stuck");
  }

  /** The database, or null if the browser does not answer in time; one that comes later is let go. */
  #asked(): Promise<IDBDatabase | null> {
    return new Promise((resolve, reject) => {
      let late = false;
      const timer = setTimeout(() => {
        late = true;
        resolve(null);
      }, PATIENCE_MS);
      const request = this.factory.open(DATABASE, DATABASE_VERSION);
      request.onupgradeneeded = () => {
        request.result.createObjectStore(TABLES, { keyPath: "id" });
        request.result.createObjectStore(EVENTS, { keyPath: ["table", "version"] });
      };
      request.onsuccess = () => {
        clearTimeout(timer);
        const database = request.result;
        if (late) return database.close();
        const letGo = () => {
          this.#database = null;
          database.close();
        };
        database.onclose = letGo; // the browser has cleared what it kept
        database.onversionchange = letGo; // a newer page wants to change the database
        resolve(database);
      };
      const fail = (error: Error) => {
        clearTimeout(timer);
        reject(error);
      };
      request.onerror = () => fail(request.error ?? new Error("no database"));
      request.onblocked = () => fail(new Error("blocked"));
    });
  }

  async #read<T>(ask: (transaction: IDBTransaction) => IDBRequest<T>): Promise<T> {
    try {
      const transaction = (await this.#open()).transaction([TABLES, EVENTS]);
      const request = ask(transaction);
      return await new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        transaction.onabort = () => reject(transaction.error ?? new Error("aborted"));
      });
    } catch (error) {
      throw refusalFor(error);
    }
  }

  /** All of it is stored when the promise is kept, and otherwise nothing. */
  async #write(work: (tables: IDBObjectStore, events: IDBObjectStore, refuse: (refusal: RefusalError) => void) => void): Promise<void> {
    try {
      const transaction = (await this.#open()).transaction([TABLES, EVENTS], "readwrite", { durability: "strict" });
      await new Promise<void>((resolve, reject) => {
        let refused: RefusalError | null = null;
        transaction.oncomplete = () => resolve();
        transaction.onabort = () => reject(refused ?? transaction.error ?? new Error("aborted"));
        work(transaction.objectStore(TABLES), transaction.objectStore(EVENTS), (refusal) => {
          refused = refusal;
          transaction.abort();
        });
      });
    } catch (error) {
      throw refusalFor(error);
    }
  }
}

/** What went wrong with the database, in words that a person can be told. */
function refusalFor(error: unknown): Error {
  if (error instanceof RefusalError) return error;
  const name = error instanceof DOMException ? error.name : "";
  if (name === "ConstraintError") return new Conflict();
  return new RefusalError(name === "QuotaExceededError" ? "storage_full" : "storage_broken");
}

function sorted(rows: (Kept | Unreadable)[]): (Kept | Unreadable)[] {
  const time = (row: Kept | Unreadable): string => ("used" in row ? row.used : "");
  return rows.sort((one, other) => (time(one) < time(other) ? 1 : -1));
}

/** Keeps tables as long as the page is open: better than no game where the browser does not store anything. */
class MemoryStore implements Store {
  readonly lasts = false;
  readonly #tables = new Map<string, { kept: Kept; events: TableEvent[] }>();

  add({ kept, events }: StoredTable): Promise<void> {
    this.#tables.set(kept.id, { kept, events: [...events] });
    return Promise.resolve();
  }

  append(id: string, version: number, event: TableEvent, change: Change): Promise<void> {
    const table = this.#tables.get(id);
    if (!table) return Promise.reject(new RefusalError("storage_cleared"));
    if (table.events.length !== version) return Promise.reject(new Conflict());
    table.events.push(event);
    table.kept = { ...table.kept, ...change };
    return Promise.resolve();
  }

  load(id: string): Promise<StoredTable | null> {
    const table = this.#tables.get(id);
    return Promise.resolve(table ? { kept: table.kept, events: [...table.events] } : null);
  }

  since(id: string, version: number): Promise<TableEvent[]> {
    return Promise.resolve(this.#tables.get(id)?.events.slice(version) ?? []);
  }

  list(): Promise<(Kept | Unreadable)[]> {
    return Promise.resolve(sorted([...this.#tables.values()].map(({ kept }) => kept)));
  }

  raw(id: string): Promise<unknown> {
    return Promise.resolve(this.#tables.get(id));
  }

  remove(id: string): Promise<void> {
    this.#tables.delete(id);
    return Promise.resolve();
  }
}

/** The browser's database if it can be used, or else the memory of this page; throws where games may be kept but not reached. */
export async function openStore(): Promise<Store> {
  try {
    const store = new BrowserStore(indexedDB);
    await store.list();
    return store;
  } catch (error) {
    if (error instanceof RefusalError && error.code === "storage_stuck") throw error;
    return new MemoryStore();
  }
}
