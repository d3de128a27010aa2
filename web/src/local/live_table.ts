/**
 * A local table that somebody is at: it takes the messages that a server takes and answers as a server answers.
 *
 * Whatever is asked is done one after the other. What is accepted is stored first and told then. Other tabs at the same
 * table have one of their own; each hears of what the others store, and of two that store the same version one wins.
 */
import type { Engine } from "../engine/client";
import type { Rules } from "../engine/rules";
import type { Event, HappeningInfo, Incoming, Outgoing, Rematch, ShowEmote } from "../net/messages";
import { type Command, decide } from "./commands";
import { Computers } from "./computers";
import type { Pace } from "./pace.svelte";
import { positionOf } from "./position";
import { RefusalError } from "../net/api";
import { Conflict, type Store } from "./store";
import { Table, type TableEvent } from "./table";

/** What a table has from the page around it. */
export interface Around {
  readonly rules: Rules;
  readonly store: Store;
  readonly engine: Engine;
  /** Tells the other tabs that something was stored. */
  readonly tellTabs: (id: string) => void;
  /** Makes the next table; answers its id. */
  readonly rematch: (table: Table, sameTiles: boolean) => Promise<string>;
  /** When computers move among themselves. */
  readonly pace: Pick<Pace, "due">;
}

export class LiveTable {
  #jobs: Promise<void> = Promise.resolve();
  #since = performance.now();
  #computers: Computers;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #thinks = false;
  #closed = false;

  private constructor(
    private readonly around: Around,
    private table: Table,
    private readonly tell: (message: Outgoing) => void,
  ) {
    this.#computers = new Computers(around.engine, around.rules, (seat, move) => this.#do(() => this.#playFor(seat, move)), around.pace);
  }

  /** The table with this id as it is stored; throws `RefusalError` if there is none or it cannot be read. */
  static async open(around: Around, id: string, tell: (message: Outgoing) => void): Promise<LiveTable> {
    return new LiveTable(around, await loaded(around, id), tell);
  }

  /** The game as of its last event. */
  get now(): Table {
    return this.table;
  }

  /** Takes a message; the answer is told. */
  take(message: Incoming): void {
    this.#do(() => this.#answer(message));
  }

  /** Takes what another tab has stored. */
  look(): void {
    this.#do(() => this.#catchUp());
  }

  /** Lets the computers of this tab think, or leaves that to another one. */
  set thinks(thinks: boolean) {
    this.#thinks = thinks;
    this.#follow();
  }

  close(): void {
    this.#closed = true;
    this.#computers.stop();
    clearTimeout(this.#timer);
  }

  #do(job: () => Promise<void>): void {
    this.#jobs = this.#jobs.then(async () => {
      if (this.#closed) return;
      try {
        await job();
      } catch (error) {
        this.#refuse(error, null);
      }
      this.#follow();
    });
  }

  async #answer(message: Incoming): Promise<void> {
    const id = message.id ?? null;
    try {
      switch (message.type) {
        case "hello":
          await this.#timeOut();
          return this.tell(this.table.welcome(this.#elapsed));
        case "ping":
          return this.tell({ type: "pong", id });
        case "emote":
          this.#emote(message);
          break;
        case "rematch":
          await this.#rematch(message);
          break;
        default:
          await this.#timeOut();
          await this.#commit(decide(this.table, message satisfies Command));
      }
      this.tell({ type: "accepted", id, version: this.table.version });
    } catch (error) {
      this.#refuse(error, id);
    }
  }

  #refuse(error: unknown, id: string | null): void {
    const { code, args } = error instanceof RefusalError ? error : new RefusalError("internal");
    if (!(error instanceof RefusalError)) console.error(error);
    this.tell({ type: "refused", code, arguments: args, id, version: this.table.version });
  }

  /** Sees what an event leads to, stores it, and only then tells of it. */
  async #commit(event: TableEvent): Promise<void> {
    const { table } = this;
    const { running } = table;
    const elapsed = Math.round(this.#elapsed);
    const timed: TableEvent = running.length
      ? { ...event, used: table.seats.map((_, seat) => (running.includes(seat) ? elapsed : 0)) }
      : event;
    const after = table.after(timed);
    const change = { names: after.table.names(""), used: new Date().toISOString(), summary: after.table.summary };
    try {
      await this.around.store.append(table.id, after.table.version, timed, change);
    } catch (error) {
      if (!(error instanceof Conflict)) throw error;
      await this.#catchUp();
      throw new RefusalError("stale_version", { version: this.table.version });
    }
    this.around.tellTabs(table.id);
    this.#happened(timed, after.table, after.happenings);
  }

  #happened(event: TableEvent, table: Table, happenings: HappeningInfo[]): void {
    this.table = table;
    this.#since = performance.now();
    this.tell({
      type: "event",
      version: table.version,
      table: table.info,
      position: positionOf(this.around.rules, table.game.state),
      you: table.you,
      waiting: table.waiting,
      clock: table.clockTime(0),
      what: told(event, happenings),
    });
  }

  async #catchUp(): Promise<void> {
    const missed = await this.around.store.since(this.table.id, this.table.version + 1);
    for (const event of missed) {
      const { table, happenings } = this.table.after(event);
      this.#happened(event, table, happenings);
    }
    if (!missed.length && !(await this.around.store.load(this.table.id))) this.tell({ type: "closing" });
  }

  #emote({ seat, emote }: ShowEmote): void {
    if (!this.table.people.includes(seat)) throw new RefusalError("not_your_seat", { seat });
    this.tell({ type: "emoted", seat, emote });
  }

  async #rematch({ same_tiles: sameTiles = false }: Rematch): Promise<void> {
    if (!this.table.people.length) throw new RefusalError("not_your_seat");
    if (!this.table.result) throw new RefusalError("not_over");
    if (this.table.next !== null) return;
    await this.#commit({ type: "rematched", table: await this.around.rematch(this.table, sameTiles) });
  }

  /** After anything: sees that a computer thinks if one has to, and that the right clock is watched. */
  #follow(): void {
    if (this.#closed) return;
    this.#computers.follow(this.table, this.#thinks);
    clearTimeout(this.#timer);
    const { left, running } = this.table;
    if (!left.length || !running.length) return;
    const least = Math.min(...running.map((seat) => left[seat]!));
    this.#timer = setTimeout(() => this.#do(() => this.#timeOut()), Math.max(0, least - this.#elapsed) + 1);
  }

  async #playFor(seat: number, move: string): Promise<void> {
    this.#computers.stop();
    await this.#timeOut();
    if (this.table.waiting.includes(seat) && !this.table.isPerson(seat)) {
      await this.#commit({ type: "decided", seat, move, person: false }).catch((error: unknown) => {
        if (!(error instanceof RefusalError) || error.code !== "stale_version") throw error;
      });
    }
  }

  /** Milliseconds since the last event; the clocks stand still while nobody has the table open. */
  get #elapsed(): number {
    return performance.now() - this.#since;
  }

  /** Lets everybody time out whose clock is at zero. */
  async #timeOut(): Promise<void> {
    for (;;) {
      const { left, running } = this.table;
      const seat = running.find((each) => left[each]! <= this.#elapsed);
      if (seat === undefined) return;
      await this.#commit({ type: "timed_out", seat });
    }
  }
}

async function loaded({ store, rules }: Around, id: string): Promise<Table> {
  const stored = await store.load(id);
  if (!stored) throw new RefusalError("unknown_table");
  try {
    return Table.rebuilt(rules, stored.kept, stored.events);
  } catch {
    throw new RefusalError("bad_saved_game");
  }
}

/** What is told of an event: of a decision what was played, if anything was. */
export function told(event: TableEvent, happenings: HappeningInfo[]): Event["what"] {
  if (event.type !== "decided") return event;
  const { seat, used } = event;
  return happenings.length ? { type: "played", happenings, used } : { type: "chose", seat, used };
}
