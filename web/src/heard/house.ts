/** The other end of a table for tests: the page's own table behind a pretended wire, with everybody who sits there but me. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { compile, Module } from "../engine/module";
import { Rules } from "../engine/rules";
import { type Command, decide } from "../local/commands";
import { told } from "../local/live_table";
import { positionOf } from "../local/position";
import { Table, type TableEvent } from "../local/table";
import { FakeWire } from "../net/fake";
import type { Incoming, Option, Outgoing, Setup, TableInfo, You } from "../net/messages";

/** The seat of the person who listens, the first of those at the device. */
export const ME = 0;

export async function rulesFromFile(): Promise<Rules> {
  return new Rules(new Module(await compile(readFileSync(join(import.meta.dirname, "../engine/generated/azulejos.wasm")))));
}

export class House extends FakeWire {
  table: Table;
  present: boolean[];
  readonly #rules: Rules;
  readonly #joined: boolean[];

  /** A table whose tiles follow from the seed; friends have not joined yet. */
  constructor(
    rules: Rules,
    setup: Setup,
    seed: number,
    id = "local-heard",
    readonly mine: readonly number[] = [ME],
  ) {
    super("");
    this.#rules = rules;
    const making = { id, created: "2026-11-16T12:00:00Z", setup, secret: seed.toString(16).padStart(64, "0") };
    ({ table: this.table } = Table.make(rules, making).after({ type: "started" }));
    this.#joined = setup.seats.map(({ kind }) => kind !== "friend");
    this.present = [...this.#joined];
  }

  override send(text: string): void {
    super.send(text);
    const message = JSON.parse(text) as Incoming;
    const id = message.id ?? null;
    if (message.type === "hello") this.say({ ...this.table.welcome(0), ...this.#mine(), present: this.present });
    else if (message.type !== "ping") {
      if (message.type === "emote") this.say({ type: "emoted", seat: message.seat, emote: message.emote });
      else if (message.type === "rematch") this.happen({ type: "rematched", table: "local-next" });
      else this.happen(decide(this.table, message satisfies Command));
      this.say({ type: "accepted", id, version: this.table.version });
    }
  }

  /** Lets something happen, and tells me of it. */
  happen(event: TableEvent): void {
    const { table, happenings } = this.table.after(event);
    this.table = table;
    if (event.type === "joined") [this.#joined[event.seat], this.present[event.seat]] = [true, true];
    this.say({
      type: "event",
      version: table.version,
      position: positionOf(this.#rules, table.game.state),
      waiting: table.waiting,
      what: told(event, happenings),
      ...this.#mine(),
    });
  }

  /** Somebody goes, or comes back. */
  appear(seat: number, here: boolean): void {
    this.present = this.present.with(seat, here);
    this.say({ type: "present", present: this.present, watchers: 0 });
  }

  /** Says anything else. */
  tell(message: Outgoing): void {
    this.say(message);
  }

  #mine(): { table: TableInfo; you: You } {
    const { info, you } = this.table;
    const seats = info.seats.map((seat, at) => ({ ...seat, joined: this.#joined[at]! }));
    const mine = (seat: number): boolean => this.mine.includes(seat);
    const { undo = [], choosing = [] } = you;
    return {
      table: { ...info, seats },
      you: { seats: [...this.mine], undo: undo.filter(mine), choosing: choosing.filter((one) => mine(one.seat)) },
    };
  }

  /** What a seat that has to decide may do. */
  options(seat: number): Option[] {
    const own = this.table.you.choosing?.find((one) => one.seat === seat);
    return own ? own.options : positionOf(this.#rules, this.table.game.seenBy(seat)).options;
  }

  /** Plays for the others until it is my turn, or until so many of them have moved. */
  letPlay(most = Infinity): void {
    for (let played = 0; played < most; played++) {
      const seat = this.table.waiting.find((each) => !this.mine.includes(each));
      if (seat === undefined || this.table.waiting.some((each) => this.mine.includes(each))) return;
      this.happen({ type: "decided", seat, move: sensible(this.options(seat)), person: this.table.isPerson(seat) });
    }
  }
}

/** Completes short lines and loses little, so that a game is over soon. */
export function sensible(options: readonly Option[]): string {
  const worth = ({ completes, points = 0, cost = 0, move }: Option): number =>
    (completes ? 4 : 0) + 2 * points - 2 * cost - (move.endsWith("f") ? 6 : Number(move.at(-1))) / 10;
  return options.reduce((best, each) => (worth(each) > worth(best) ? each : best)).move;
}
