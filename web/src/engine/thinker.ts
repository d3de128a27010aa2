/** A search with a clock: how long to go on, who stops it, and who is told; all else is compiled. */
import { Fault } from "./fault";
import {
  ACTIONS,
  ASKED_AT_ONCE,
  BATCH,
  CANDIDATE,
  LONGEST_HALVED,
  MAX_PLAYERS,
  MOST_DEALT,
  NEWS_SECONDS,
  PAUSED,
  SAMPLED_DEALS,
  SLICE_SECONDS,
  STATE,
  STEADY_SLICE,
  TABLE_ROW,
  THINKERS,
  UNDEALT,
} from "./generated/bindings";
import type { Module } from "./module";
import { Fields } from "./record";
import { fieldsOf, type State } from "./rules";
import type { Row, Weights } from "./weights";

const ROW_BYTES = TABLE_ROW * 8;
const FIRST_SPEED = 2000;
/** How long to think before messages from outside are listened to, at most. */
const LISTEN_MILLISECONDS = 10;

/** A way of thinking: see `azulejos.wasm.opponents.Way`, from which the bindings have all of them. */
export interface Way {
  readonly weights: string | null;
  readonly nodes: number;
  readonly temperature: number;
  readonly candidates: number;
  readonly mostEnds: number;
  readonly exploration: number;
  readonly fpu: number;
  readonly priorFloor: number;
  readonly playouts: number;
  readonly endings: number;
  readonly deals: number;
  readonly lastRoundByHand: boolean;
  readonly trusted: number;
}

export interface Limits {
  readonly nodes?: number | undefined;
  readonly milliseconds?: number | undefined;
  /** Legal actions that are looked at to the end, whatever the search thinks of them. */
  readonly required?: readonly number[];
  /** Whether the first move is the best by the values that are told, as in hints and reviews, and not by means, as in play. */
  readonly settled?: boolean;
}

/** A move and what the search knows about it. */
export interface Candidate {
  readonly action: number;
  readonly visits: number;
  readonly prior: number;
  /** Share of the victory of each seat. */
  readonly win: readonly number[];
  /** Final score of each seat less the best of the others. */
  readonly margin: readonly number[];
  /** The actions expected to follow, this one first. */
  readonly line: readonly number[];
}

/** What a search has found so far; the move to play comes first. */
export interface Report {
  readonly nodes: number;
  readonly milliseconds: number;
  readonly depth: number;
  readonly solved: boolean;
  readonly candidates: readonly Candidate[];
}

/** What the network says of a position: logits of all actions, and the outcome, the acting seat's turn first. */
export interface Evaluation {
  readonly logits: readonly number[];
  readonly win: readonly number[];
  readonly margin: readonly number[];
}

export interface Listener {
  readonly tell?: ((report: Report) => void) | undefined;
  readonly stop?: (() => boolean) | undefined;
}

/** How much memory a thinker has: `small` is enough for levels with few positions. */
export type Size = keyof typeof THINKERS;

/** A search in a module's memory, for games with a certain number of players. */
export class Thinker {
  readonly #module: Module;
  readonly #way: Way;
  readonly #size: Size;
  readonly #players: number;
  readonly #table: number;
  readonly #states: number;
  readonly #base: number;
  #speed = FIRST_SPEED;

  constructor(module: Module, size: Size, players: number, way: Way, weights: Weights | null, seed = 0n) {
    if (way.weights !== null && weights === null) throw new Fault(`The weights "${way.weights}" are missing.`);
    this.#module = module;
    this.#way = way;
    this.#size = size;
    this.#players = players;
    const layout = THINKERS[size];
    this.#states = module.take(BATCH * STATE.bytes);
    this.#table = module.take((layout.rows.length + layout.networkRows) * ROW_BYTES);
    this.#base = module.take(layout.bytes);
    this.#lay(weights && way.weights !== null ? weights : null);
    module.exports.set_up(this.#table, seed, way.playouts, way.endings);
  }

  /** Whether the round of a position will probably be the last one. */
  expectsTheEnd(state: State): boolean {
    return this.#module.exports.expects_the_end(this.#table, this.#put(state)) === 1;
  }

  /** What the network says of positions, for each seat: share of the victory and margin. */
  values(states: readonly State[]): { win: number[]; margin: number[] }[] {
    const all = states.flatMap((_, at) => (at % BATCH === 0 ? this.evaluate(states.slice(at, at + BATCH)) : []));
    return all.map(({ win, margin }, at) => {
      const seat = fieldsOf(states[at]!).get("seat");
      const turned = (turns: readonly number[]) => turns.map((_, each) => turns[(each - seat + this.#players) % this.#players]!);
      return { win: turned(win), margin: turned(margin) };
    });
  }

  /** Writes what the network says after each of many deals to a place in memory, unless somebody says stop. */
  async sampleDeals(state: State, sampled: number, stop: () => boolean): Promise<void> {
    const pause = new Pause(performance.now());
    for (let first = 0; first < SAMPLED_DEALS && !stop(); first += ASKED_AT_ONCE) {
      this.#module.exports.sample_deals(this.#table, this.#put(state), first, Math.min(SAMPLED_DEALS, first + ASKED_AT_ONCE), sampled);
      await pause.ifDue();
    }
  }

  /** What the network says of a few positions. */
  evaluate(states: readonly State[]): Evaluation[] {
    if (states.length > BATCH) throw new Fault(`The network answers for ${BATCH} positions at once, not for ${states.length}.`);
    for (const [at, state] of states.entries()) this.#put(state, at);
    this.#module.exports.evaluate(this.#table, this.#states, states.length);
    const { networkAt, networkRows } = THINKERS[this.#size];
    const view = this.#module.view();
    const place = (fromEnd: number) => Number(view.getBigInt64(this.#table + (networkAt + networkRows - fromEnd) * ROW_BYTES, true));
    const [logits, outcomes] = [place(2), place(1)];
    const floats = (at: number, count: number) => [...new Float32Array(this.#module.exports.memory.buffer, at, count)];
    return states.map((_, at) => {
      const outcome = floats(outcomes + at * 8 * MAX_PLAYERS, 2 * MAX_PLAYERS);
      return {
        logits: floats(logits + at * 4 * ACTIONS, ACTIONS),
        win: outcome.slice(0, this.#players),
        margin: outcome.slice(MAX_PLAYERS, MAX_PLAYERS + this.#players),
      };
    });
  }

  /** Searches a draft or tiling position until a limit is reached or somebody says stop. */
  async search(state: State, limits: Limits, listener: Listener = {}): Promise<Report> {
    const started = performance.now();
    const at = this.#put(state);
    const report = (await this.#solve(at, started, limits, listener)) ?? (await this.#grow(at, started, limits, listener));
    listener.tell?.(report);
    return report;
  }

  /** The candidate to play: the best, or one by lot if the way of thinking leaves room for it; `drawn` is from 0 to 1. */
  choose(report: Report, drawn: number): Candidate {
    const { temperature } = this.#way;
    const which = temperature > 0 ? this.#module.exports.draw(this.#table, report.candidates.length, temperature, drawn) : 0;
    return report.candidates[which]!;
  }

  async #solve(at: number, started: number, { milliseconds = Infinity }: Limits, { stop = never }: Listener): Promise<Report | null> {
    if (this.#way.temperature > 0 || this.#size === "small") return null;
    const { exports } = this.#module;
    const ends = exports.unfold(this.#table, at);
    if (ends < 0) return null;
    const isAsked = this.#way.weights !== null && (await this.#askAboutEnds(ends, started, started + milliseconds, stop));
    const count = exports.solve(this.#table, isAsked ? 1 : 0);
    const candidates = this.#candidates(count);
    const nodes = exports.solved_positions(this.#table);
    return { nodes, milliseconds: performance.now() - started, depth: candidates[0]!.line.length, solved: true, candidates };
  }

  /** Asks the network about the ends of the round; answers whether it has been asked about all of them before somebody said stop. */
  async #askAboutEnds(ends: number, started: number, deadline: number, stop: () => boolean): Promise<boolean> {
    const pause = new Pause(started);
    const asked = performance.now();
    if (!(await this.#askAfter(UNDEALT, pause, stop))) return false;
    const once = performance.now() - asked;
    const deals = Math.min(this.#way.deals, Math.floor(MOST_DEALT / Math.max(1, ends)));
    for (let number = 0; number < deals && performance.now() + once <= deadline; number++) {
      if (!(await this.#askAfter(number, pause, stop))) break;
    }
    return true;
  }

  /** Asks about all ends after deal number so and so, some at a time; answers whether nobody said stop. */
  async #askAfter(number: number, pause: Pause, stop: () => boolean): Promise<boolean> {
    const { exports } = this.#module;
    const positions = exports.solved_positions(this.#table);
    for (let first = 0; first < positions;) {
      first = exports.ask_about_ends(this.#table, number, first, ASKED_AT_ONCE);
      await pause.ifDue();
      if (stop() && first < positions) return false;
    }
    return true;
  }

  async #grow(at: number, started: number, limits: Limits, { tell, stop = never }: Listener): Promise<Report> {
    const { exports } = this.#module;
    const { milliseconds = Infinity, nodes = 0, settled = false } = limits;
    const timed = milliseconds < Infinity;
    this.#set("limits.nodes", nodes);
    this.#set("limits.ends", (timed ? milliseconds <= LONGEST_HALVED * 1000 : nodes > 0) ? 1 : 0);
    exports.begin(this.#table, at);
    for (const action of limits.required ?? []) exports.require(this.#table, action);
    if (!timed) exports.forget(this.#table); // always the same result, whatever was searched before
    const deadline = started + milliseconds;
    const pause = new Pause(started);
    let told = started;
    let done = 0;
    for (;;) {
      const now = performance.now();
      if (done > 0 && (exports.is_over(this.#table) === 1 || now >= deadline || stop())) break;
      const size = timed ? (this.#speed * Math.min(SLICE_SECONDS * 1000, deadline - now)) / 1000 : STEADY_SLICE;
      const end = exports.next_stop(this.#table, size, timed ? (now - started) / milliseconds : 0);
      this.#advance(end, deadline);
      const grown = exports.visits(this.#table) - done;
      done += grown;
      if (grown === 0) break;
      const after = performance.now();
      this.#speed = 0.7 * this.#speed + (0.3 * grown * 1000) / Math.max(after - now, 1e-3);
      if (tell && after - told > NEWS_SECONDS * 1000) {
        told = after;
        tell(this.#report(started, settled));
      }
      await pause.ifDue();
    }
    return this.#report(started, settled);
  }

  #advance(end: number, deadline: number): void {
    const { exports } = this.#module;
    if (this.#way.weights === null) return exports.grow_by_hand(this.#table, end);
    while (exports.grow_by_network(this.#table, end, ASKED_AT_ONCE) === PAUSED && performance.now() < deadline);
  }

  #report(started: number, settled: boolean): Report {
    const { exports } = this.#module;
    const candidates = this.#candidates(exports.rank(this.#table, settled ? 1 : 0));
    const nodes = exports.visits(this.#table);
    return { nodes, milliseconds: performance.now() - started, depth: exports.depth(this.#table), solved: false, candidates };
  }

  #candidates(count: number): Candidate[] {
    const found = this.#place("found");
    const view = this.#module.view();
    const seats = [...Array(this.#players).keys()];
    return [...Array(count).keys()].map((at) => {
      const fields = new Fields(CANDIDATE, view, found + at * CANDIDATE.bytes);
      return {
        action: fields.get("action"),
        visits: fields.get("visits"),
        prior: fields.get("prior"),
        win: seats.map((seat) => fields.get("outcome", 0, seat)),
        margin: seats.map((seat) => fields.get("outcome", 1, seat)),
        line: [...Array(fields.get("length")).keys()].map((step) => fields.get("line", step)),
      };
    });
  }

  #put(state: State, at = 0): number {
    if (fieldsOf(state).get("players") !== this.#players) throw new Fault("A position with another number of players.");
    this.#module.bytes(this.#states + at * STATE.bytes, STATE.bytes).set(state);
    return this.#states;
  }

  /** Writes the table that compiled code reads everything from. */
  #lay(weights: Weights | null): void {
    const layout = THINKERS[this.#size];
    const own: Row[] = layout.rows.map((row) => ("at" in row ? [true, [this.#base + row.at, ...row.shape]] : [false, [0]]));
    let network: Row[] = Array<Row>(layout.networkRows).fill([false, [0]]);
    if (weights) {
      const base = this.#module.take(weights.bytes);
      for (const { at, data } of weights.pieces) this.#module.bytes(base + at, data.length).set(data);
      network = weights
        .table(this.#players)
        .map(([address, numbers]) => [address, address ? [base + numbers[0]!, ...numbers.slice(1)] : numbers]);
    }
    const rows = [...own.slice(0, layout.networkAt), ...network, ...own.slice(layout.networkAt)];
    const view = this.#module.view();
    for (const [row, [, numbers]] of rows.entries()) {
      for (const [column, number] of numbers.entries()) {
        view.setBigInt64(this.#table + row * ROW_BYTES + column * 8, BigInt(number), true);
      }
    }
    this.#set("limits.threads", 1);
    this.#set("limits.candidates", this.#way.candidates);
    this.#set("tuning.exploration", this.#way.exploration);
    this.#set("tuning.fpu", this.#way.fpu);
    this.#set("tuning.prior_floor", this.#way.priorFloor);
    this.#set("trusted", this.#way.trusted);
    this.#set("most_ends", this.#way.mostEnds);
  }

  /** Writes a number that stands in the table itself. */
  #set(name: Name, value: number): void {
    const { at, row } = this.#row(name);
    const view = this.#module.view();
    if ("float" in row && row.float) view.setFloat64(at, value, true);
    else view.setBigInt64(at, BigInt(value), true);
  }

  /** Where an array lies. */
  #place(name: Name): number {
    const { row } = this.#row(name);
    return "at" in row ? this.#base + row.at : 0;
  }

  #row(name: Name): { at: number; row: (typeof THINKERS)[Size]["rows"][number] } {
    const { rows, networkAt, networkRows } = THINKERS[this.#size];
    const which = rows.findIndex((row) => row.name === name);
    return { at: this.#table + (which < networkAt ? which : which + networkRows) * ROW_BYTES, row: rows[which]! };
  }
}

type Name = (typeof THINKERS)[Size]["rows"][number]["name"];

/** Lets messages in now and then. */
class Pause {
  constructor(private last: number) {}

  async ifDue(): Promise<void> {
    if (performance.now() - this.last <= LISTEN_MILLISECONDS) return;
    await breath();
    this.last = performance.now();
  }
}

function never(): boolean {
  return false;
}

/** Lets messages in. */
function breath(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
