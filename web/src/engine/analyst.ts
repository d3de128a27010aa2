/** Asks the strongest player about one position after the other, as a review wants to know them; all arithmetic is compiled. */
import {
  CANDIDATE,
  DEAL_DUE,
  DEAL_NODES,
  DEFAULT_NODES,
  EXTENDING_NODES,
  HAPPENED_NUMBERS,
  MAX_PLAYERS,
  MOST_HAPPENINGS,
  OVER,
  REASON,
  REASON_CODES,
  REASON_ROOM,
  SAMPLED_DEALS,
  SEARCHED_DEALS,
  SHEET,
  STARTS,
  STATE,
} from "./generated/bindings";
import type { Module } from "./module";
import { Fields } from "./record";
import { isDecision } from "./replay";
import { fieldsOf, type Rules, type State } from "./rules";
import { type Report, Thinker, type Way } from "./thinker";
import type { Weights } from "./weights";

/** What a position is worth to each seat. */
export interface Value {
  /** Share of the victory. */
  readonly win: readonly number[];
  /** Final score less the best of the others. */
  readonly margin: readonly number[];
}

/** A move and what follows if everybody plays as well as they can. */
export interface Line {
  readonly value: Value;
  /** How often the search looked at it; 0 where the round was solved. */
  readonly visits: number;
  /** The actions expected to follow, its own first. */
  readonly actions: readonly number[];
}

/** What was found out about a deal or a decision, or about the position at the end. */
export interface Look {
  /** What the position is worth; before a deal, what is expected. */
  readonly best: Value;
  /** How far that may be off, before a deal: one standard error. */
  readonly error: Value | null;
  /** The move that was played, at a decision. */
  readonly played: Line | null;
  /** The moves that something is known about, the best first. */
  readonly lines: readonly Line[];
  /** Whether the rest of the round was solved. */
  readonly exact: boolean;
  /** What the position after a deal is worth, found out as what was expected before it. */
  readonly dealt: Value | null;
}

/** What was played in a position: an action, or at a deal the state that it led to; nothing at the end. */
export type Played = number | State | null;

export type ReasonCode = (typeof REASON_CODES)[number];

/** One thing that speaks against a move. */
export interface Reason {
  readonly code: ReasonCode;
  /** Whom it concerns. */
  readonly seat: number;
  /** The line it concerns, from 0; 0 where it concerns none. */
  readonly row: number;
  /** How many points fewer that seat has for it this round; negative if more. */
  readonly points: number;
}

/** Why one line is worse than another, and how both go on to the end of the round. */
export interface Explanation {
  /** What speaks against the first line: one to three reasons. */
  readonly reasons: readonly Reason[];
  /** The actions of both lines until the round is over, if everybody plays as well as they can. */
  readonly lines: readonly [readonly number[], readonly number[]];
}

/** Whoever asked has said stop. */
export class Stopped extends Error {}

export type Stop = () => boolean;

/** Room for more actions than a round has. */
const LONGEST_LINE = CANDIDATE.fields.line.shape[0];
const VALUE_BYTES = 2 * MAX_PLAYERS * 8;

/** Searches positions of one kind of game, each anew: what it says of one does not depend on the others. */
export class Analyst {
  readonly #module: Module;
  readonly #thinker: Thinker;
  readonly #state: number;
  readonly #line: number;
  readonly #noted: number;
  readonly #sheets: readonly [number, number];
  readonly #reasons: number;
  readonly #sampled: number;
  readonly #searched: number;
  readonly #expected: number;
  readonly #starts: number;

  constructor(
    module: Module,
    private readonly rules: Rules,
    private readonly players: number,
    way: Way,
    weights: Weights,
    private readonly nodes: number = DEFAULT_NODES,
  ) {
    this.#module = module;
    this.#thinker = new Thinker(module, "reviewing", players, way, weights);
    this.#state = module.take(STATE.bytes);
    this.#line = module.take(LONGEST_LINE * 2);
    this.#noted = module.take(MOST_HAPPENINGS * HAPPENED_NUMBERS * 2);
    this.#sheets = [module.take(SHEET.bytes), module.take(SHEET.bytes)];
    this.#reasons = module.take(REASON_ROOM * REASON.bytes);
    this.#sampled = module.take(SAMPLED_DEALS * VALUE_BYTES);
    this.#searched = module.take(SEARCHED_DEALS * VALUE_BYTES);
    this.#expected = module.take(2 * VALUE_BYTES);
    this.#starts = module.take(STARTS.length * 8);
    this.#floats(this.#starts, STARTS.length).set(STARTS);
  }

  /** What the network says of positions at first sight. */
  sketch(states: readonly State[]): Value[] {
    return this.#thinker.values(states);
  }

  /** What is to be known about a step, or about the position at the end. */
  async look(state: State, played: Played, stop: Stop): Promise<Look> {
    const phase = fieldsOf(state).get("phase");
    if (phase === OVER) return { best: this.#result(state), error: null, played: null, lines: [], exact: true, dealt: null };
    if (phase === DEAL_DUE) return this.#expect(state, played as State | null, stop);
    const report = await this.#search(state, this.nodes, stop, typeof played === "number" ? [played] : []);
    const lines = linesOf(report);
    const own = lines.find((line) => line.actions[0] === played) ?? null;
    const seat = fieldsOf(state).get("seat");
    const best = own && this.#worth(lines[0]!, seat) <= this.#worth(own, seat) ? own : lines[0]!;
    const rest = lines.filter((line) => line !== best);
    return { best: best.value, error: null, played: own, lines: [best, ...rest], exact: report.solved, dealt: null };
  }

  /** What speaks against the actions of one line, compared with those of a better one. */
  async explain(state: State, played: readonly number[], best: readonly number[], stop: Stop): Promise<Explanation> {
    const { exports } = this.#module;
    const lines = [await this.#toTheEnd(state, played, stop), await this.#toTheEnd(state, best, stop)] as const;
    for (const [at, actions] of lines.entries()) {
      this.#module.numbers(this.#line, actions.length).set(actions);
      exports.note_round(this.#put(state), this.#line, actions.length, this.#noted, this.#sheets[at as 0 | 1]);
    }
    const [seat, players] = [fieldsOf(state).get("seat"), this.players];
    const count = exports.find_reasons(this.#sheets[0], this.#sheets[1], seat, players, this.#reasons);
    const view = this.#module.view();
    const reasons = [...Array(count).keys()].map((at): Reason => {
      const fields = new Fields(REASON, view, this.#reasons + at * REASON.bytes);
      return { code: REASON_CODES[fields.get("code")]!, seat: fields.get("seat"), row: fields.get("row"), points: fields.get("points") };
    });
    return { reasons, lines };
  }

  async #expect(state: State, after: State | null, stop: Stop): Promise<Look> {
    if (!this.#module.exports.expect_start(this.#starts, this.#put(state), this.#expected)) await this.#expectOver(state, stop);
    const value = (at: number): Value => {
      const numbers = [...this.#floats(this.#expected + at * VALUE_BYTES, 2 * MAX_PLAYERS)];
      return { win: numbers.slice(0, this.players), margin: numbers.slice(MAX_PLAYERS, MAX_PLAYERS + this.players) };
    };
    const [best, error] = [value(0), value(1)];
    return { best, error, played: null, lines: [], exact: false, dealt: after && (await this.#valueDealt(after, stop)) };
  }

  /** Finds out what is expected before a deal that is not the first of a game, over some deals. */
  async #expectOver(state: State, stop: Stop): Promise<void> {
    const { exports } = this.#module;
    await this.#thinker.sampleDeals(state, this.#sampled, stop);
    for (let number = 0; number < SEARCHED_DEALS; number++) {
      exports.deal_number(this.#put(state), number);
      const { win, margin } = await this.#valueDealt(this.#module.bytes(this.#state, STATE.bytes).slice(), stop);
      const into = this.#floats(this.#searched + number * VALUE_BYTES, 2 * MAX_PLAYERS);
      into.set(win, 0);
      into.set(margin, MAX_PLAYERS);
    }
    exports.expect(this.#sampled, this.#searched, this.#expected);
  }

  /** What a state is worth right after a deal, by a search as deep for the deal that came as for those that might have come. */
  async #valueDealt(state: State, stop: Stop): Promise<Value> {
    return linesOf(await this.#search(state, DEAL_NODES, stop))[0]!.value;
  }

  /** A line, with good moves added until the round is over. */
  async #toTheEnd(from: State, line: readonly number[], stop: Stop): Promise<number[]> {
    const actions = [...line];
    let state = from;
    for (const action of actions) state = this.rules.step(state, action).state;
    while (isDecision(state)) {
      const { candidates } = await this.#search(state, EXTENDING_NODES, stop);
      const { action } = candidates[0]!;
      actions.push(action);
      state = this.rules.step(state, action).state;
    }
    return actions;
  }

  async #search(state: State, nodes: number, stop: Stop, required: readonly number[] = []): Promise<Report> {
    const report = await this.#thinker.search(state, { nodes, required, settled: true }, { stop });
    if (stop()) throw new Stopped();
    return report;
  }

  #worth({ value: { win, margin } }: Line, seat: number): number {
    return this.#module.exports.utility(win[seat]!, margin[seat]!);
  }

  /** What a finished game was worth. */
  #result(state: State): Value {
    const at = this.#put(state);
    const seats = [...Array(this.players).keys()];
    const { exports } = this.#module;
    return { win: seats.map((seat) => exports.win_share(at, seat)), margin: seats.map((seat) => exports.final_margin(at, seat)) };
  }

  #put(state: State): number {
    this.#module.bytes(this.#state, STATE.bytes).set(state);
    return this.#state;
  }

  #floats(at: number, count: number): Float64Array {
    return new Float64Array(this.#module.exports.memory.buffer, at, count);
  }
}

/** The moves of a report that something is known about, the best first. */
function linesOf({ candidates, solved }: Report): Line[] {
  return candidates
    .filter(({ visits }) => visits > 0 || solved)
    .map(({ win, margin, visits, line }) => ({ value: { win, margin }, visits, actions: line }));
}
