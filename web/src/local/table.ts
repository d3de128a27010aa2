/** A table: what follows from its setup and its events. As `azulejos.server.tables.table`, whose events these are. */
import { END_REASONS } from "../engine/generated/bindings";
import { opponentOf } from "../engine/opponents";
import type { Rules } from "../engine/rules";
import {
  type Claimed,
  type ClockTime,
  type HappeningInfo,
  MOST_NOTED,
  type MovedTable,
  type Noted,
  PROTOCOL,
  type Result,
  SUBSTITUTE_LEVEL,
  type SeatInfo,
  type Setup,
  type Summary,
  type TableInfo,
  type Welcome,
  type You,
} from "../net/messages";
import { Dealer } from "../engine/dealer";
import { TableGame } from "./game";
import { boardOf, numbers, optionsOf, positionOf } from "./position";
import { writeMove } from "../engine/notation";

/** Everything that can happen at a table, as it is stored; nobody comes from a lobby to a table of this page. */
export type TableEvent = Exclude<MovedTable["events"][number], Claimed>;

/** What is stored of a table besides its events. */
export interface Making {
  readonly id: string;
  readonly created: string;
  readonly setup: Setup;
  /** The dealer's. */
  readonly secret: string;
}

interface Parts {
  readonly version: number;
  readonly game: TableGame;
  readonly seats: readonly SeatInfo[];
  /** For each seat the version since which nothing has changed that it decides upon. */
  readonly freshSince: readonly number[];
  /** Milliseconds on the clocks as of the last event. */
  readonly left: readonly number[];
  /** For how many decisions to come each seat has its increment already: it took them back once. */
  readonly advanced: readonly number[];
  readonly result: Result | null;
  readonly next: string | null;
  /** What happened besides moves, the latest last. */
  readonly noted: readonly Noted[];
}

/** A table as of its last event; `after` gives the table that follows. */
export class Table {
  private constructor(
    readonly making: Making,
    private readonly rules: Rules,
    readonly dealer: Dealer,
    private readonly parts: Parts,
  ) {}

  static make(rules: Rules, making: Making): Table {
    const { setup } = making;
    const dealer = new Dealer(rules, making.secret);
    const zeros = setup.seats.map(() => 0);
    return new Table(making, rules, dealer, {
      version: -1,
      game: TableGame.start(rules, dealer, setup),
      seats: setup.seats.map(({ kind, name = "", level = null }) => ({ kind, name, level, joined: true })),
      freshSince: zeros,
      left: setup.clock ? zeros.map(() => setup.clock!.seconds * 1000) : [],
      advanced: zeros,
      result: null,
      next: null,
      noted: [],
    });
  }

  /** The table after all these events. */
  static rebuilt(rules: Rules, making: Making, events: Iterable<TableEvent>): Table {
    let table = Table.make(rules, making);
    for (const event of events) ({ table } = table.after(event));
    return table;
  }

  get id(): string {
    return this.making.id;
  }

  get version(): number {
    return this.parts.version;
  }

  get game(): TableGame {
    return this.parts.game;
  }

  get seats(): readonly SeatInfo[] {
    return this.parts.seats;
  }

  get result(): Result | null {
    return this.parts.result;
  }

  get next(): string | null {
    return this.parts.next;
  }

  get left(): readonly number[] {
    return this.parts.left;
  }

  get assisted(): boolean {
    return this.seats.some((seat) => seat.assisted);
  }

  /** Whether people may take hints. */
  get hints(): boolean {
    return this.making.setup.hints ?? true;
  }

  get freshSince(): readonly number[] {
    return this.parts.freshSince;
  }

  /** The seats that have to decide. */
  get waiting(): number[] {
    return this.result ? [] : this.game.waiting;
  }

  /** The seats of people, all of whom sit here. */
  get people(): number[] {
    return numbers(this.seats.length).filter((seat) => this.seats[seat]!.kind !== "computer");
  }

  /** Whether a person decides for this seat now. */
  isPerson(seat: number): boolean {
    const info = this.seats[seat]!;
    return info.kind !== "computer" && info.substitute == null;
  }

  /** Whether no other person plays. */
  isAlone(seat: number): boolean {
    return !this.people.some((other) => other !== seat && this.isPerson(other));
  }

  /** The number of the opponent that decides for this seat now, if it is a computer. */
  computerOf(seat: number): number | null {
    const info = this.seats[seat]!;
    return (info.kind === "computer" ? info.level : info.substitute) ?? null;
  }

  /** Whose clocks run. */
  get running(): number[] {
    return this.making.setup.clock ? this.waiting.filter((seat) => this.isPerson(seat)) : [];
  }

  /** The clocks so many milliseconds after the last event. */
  clockTime(elapsed: number): ClockTime | null {
    if (!this.making.setup.clock) return null;
    const { running } = this;
    return { left: this.left.map((left, seat) => Math.max(0, left - (running.includes(seat) ? elapsed : 0))), running };
  }

  /** What is told besides the position. */
  get info(): TableInfo {
    const { id, created, setup } = this.making;
    return {
      id,
      wall: setup.wall,
      created,
      seats: [...this.seats],
      commitment: this.dealer.commitment,
      clock: setup.clock ?? null,
      assisted: this.assisted,
      result: this.result,
      secret: this.result ? this.dealer.secret : null,
      next: this.next,
      same_tiles: setup.same_tiles ?? false,
      ...(!this.hints && { hints: false }),
    };
  }

  /** The game in the list of past games; null while it goes on. */
  get summary(): Summary | null {
    const { id, created, setup } = this.making;
    return this.result && { id, wall: setup.wall, created, names: this.names(""), result: this.result };
  }

  /** Who sits where, as in a record: a computer without a name is called as the command line calls it. */
  names(nameless: string): string[] {
    return this.seats.map(({ name, level }) => name || (level ? opponentOf(level)!.spec : nameless));
  }

  /** What the people here are told alone. */
  get you(): You {
    const seats = this.people;
    if (this.result) return { seats };
    const undo = seats.filter((seat) => this.isPerson(seat) && this.game.mayUndo(seat, this.isAlone(seat)));
    if (!this.game.isChoosing) return { seats, undo, choosing: [] };
    const choosing = seats.map((seat) => {
      const { state, actions } = this.game.own(seat);
      const options = actions.length ? optionsOf(this.rules, state) : [];
      return { seat, chosen: this.game.hidden(seat).map(writeMove), board: boardOf(state, seat), options };
    });
    return { seats, undo, choosing };
  }

  /** Everything about the table, so many milliseconds after its last event. */
  welcome(elapsed: number): Welcome {
    return {
      type: "welcome",
      protocol: PROTOCOL,
      version: this.version,
      table: this.info,
      position: positionOf(this.rules, this.game.state),
      you: this.you,
      waiting: this.waiting,
      clock: this.clockTime(elapsed),
      log: this.game.log,
      present: this.seats.map(() => true),
      watchers: 0,
      noted: [...this.parts.noted],
    };
  }

  /** The table after an event, and what was played because of it; throws `RefusalError` if that is no legal move. */
  after(event: TableEvent): { table: Table; happenings: HappeningInfo[] } {
    const { used = [] } = event;
    const left = used.length ? this.left.map((have, seat) => Math.max(0, have - (used[seat] ?? 0))) : this.left;
    const here = this.#with({ version: this.version + 1, left });
    let table = here;
    let happenings: HappeningInfo[] = [];
    switch (event.type) {
      case "decided":
        ({ table, happenings } = here.#decided(event.seat, event.move, event.person ?? true));
        break;
      case "undone":
        table = here.#undone(event.seat);
        break;
      case "resigned":
        table = here.#gaveUp(event.seat, "resigned");
        break;
      case "timed_out":
        table = here.#timedOut(event.seat);
        break;
      case "substituted":
        table = here.#changed(event.seat, { substitute: event.level });
        break;
      case "came_back":
        table = here.#changed(event.seat, { substitute: null });
        break;
      case "renamed":
        table = here.#changed(event.seat, { name: event.name });
        break;
      case "assisted":
        table = here.#changed(event.seat, { assisted: true });
        break;
      case "rematched":
        table = here.#with({ next: event.table });
        break;
      case "started":
      case "joined":
      case "listed":
    }
    if (!table.result && table.game.isOver) table = table.#with({ result: table.#outcome() });
    return { table: table.#noting(event), happenings };
  }

  /** Remembers what belongs among the moves for whoever was not there. */
  #noting(what: TableEvent): Table {
    if (what.type === "started" || what.type === "decided" || what.type === "rematched") return this;
    const noted = { version: this.version, moves: this.game.log.length, what };
    return this.#with({ noted: [...this.parts.noted, noted].slice(-MOST_NOTED) });
  }

  #with(changes: Partial<Parts>): Table {
    return new Table(this.making, this.rules, this.dealer, { ...this.parts, ...changes });
  }

  #changed(seat: number, changes: Partial<SeatInfo>): Table {
    return this.#with({ seats: this.seats.map((info, at) => (at === seat ? { ...info, ...changes } : info)) });
  }

  /** Notes that a seat, or everybody who has seen it, has to decide on something else now. */
  #freshFor(seat: number, seen: boolean): number[] {
    return this.parts.freshSince.map((since, each) => (seen || each === seat ? this.version : since));
  }

  #decided(seat: number, move: string, person: boolean): { table: Table; happenings: HappeningInfo[] } {
    const { game, happenings } = this.game.decide(seat, move, person);
    const { clock } = this.making.setup;
    const { advanced } = this.parts;
    const gains = clock && person && !advanced[seat] ? (clock.increment ?? 0) * 1000 : 0;
    const table = this.#with({
      game,
      freshSince: this.#freshFor(seat, happenings.length > 0),
      left: this.left.map((left, at) => (at === seat ? left + gains : left)),
      advanced: advanced.map((count, at) => (at === seat && person && count ? count - 1 : count)),
    });
    return { table, happenings };
  }

  #undone(seat: number): Table {
    const { game, gone } = this.game.undo(this.game.undoable(seat));
    const seen = gone.some(({ plays }) => plays > 0);
    const back = gone.filter(({ person }) => person).length;
    const table = this.#with({
      game,
      freshSince: this.#freshFor(seat, seen),
      advanced: this.parts.advanced.map((count, at) => (at === seat ? count + back : count)),
    });
    const helped = seen && (game.round !== this.game.round || !gone.every(({ person }) => person));
    return helped ? table.#changed(seat, { assisted: true }) : table;
  }

  #timedOut(seat: number): Table {
    const table = this.#with({ left: this.left.map((left, at) => (at === seat ? 0 : left)) });
    if (this.making.setup.clock?.at_zero === "computer") return table.#changed(seat, { substitute: SUBSTITUTE_LEVEL });
    return table.#gaveUp(seat, "time");
  }

  /** With two players the other wins; with more a computer plays on for a seat that can no longer win. */
  #gaveUp(seat: number, reason: "resigned" | "time"): Table {
    const table = this.#changed(seat, { resigned: true, substitute: this.seats[seat]!.level ?? SUBSTITUTE_LEVEL });
    const stillIn = numbers(this.seats.length).filter((each) => !table.seats[each]!.resigned);
    return stillIn.length === 1 ? table.#with({ result: { reason, winners: stillIn, scores: this.game.scores } }) : table;
  }

  /** The result by R43 and D13, among those who did not give up. */
  #outcome(): Result {
    const { state, scores } = this.game;
    const stillIn = numbers(this.seats.length).filter((seat) => !this.seats[seat]!.resigned);
    return { reason: END_REASONS[this.rules.endReason(state)]!, winners: this.rules.winners(state, stillIn), scores };
  }
}
