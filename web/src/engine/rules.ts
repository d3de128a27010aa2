/** The rules on single states: 256 bytes that say everything about a game, the random stream of its deals included. */
import {
  BONUS_NUMBERS,
  CLOSED_NUMBERS,
  COLORS,
  DEEPEST_PERFT,
  FAULT_NUMBERS,
  HAPPENED_NUMBERS,
  MAX_PLAYERS,
  MOST_CLOSED,
  MOST_FAULTS,
  MOST_HAPPENINGS,
  MOST_LEGAL,
  NO_ROUND_LIMIT,
  PREVIEW_NUMBERS,
  REFUSAL_NUMBERS,
  SOURCES,
  STATE,
  TALLY_SIZE,
} from "./generated/bindings";
import type { Module } from "./module";
import { Fields } from "./record";

export type State = Uint8Array;
export type Wall = "std" | "gray";
/** A reason, and up to three numbers that its sentence names. */
export type Refusal = readonly [reason: number, first: number, second: number, third: number];

/** What a game begins with. */
export interface Start {
  readonly players: number;
  readonly wall: Wall;
  readonly seed: bigint;
  /** Which game of the series with this seed. */
  readonly game?: number;
  /** Who begins; by lot without one. */
  readonly starter?: number | undefined;
  /** The last round, if the game is not to go on until a row is complete. */
  readonly limit?: number | undefined;
}

/** What an action would do. */
export interface Preview {
  readonly action: number;
  readonly taken: number;
  readonly placed: number;
  readonly marker: boolean;
  readonly cost: number;
  readonly completes: boolean;
  /** One bit for each column that the tile may go to. */
  readonly columns: number;
  readonly points: number;
}

/** What a wall adds at the end. */
export interface Bonus {
  readonly rows: number;
  readonly columns: number;
  readonly colors: number;
  readonly points: number;
}

/** A state with nothing in it. */
export function newState(): State {
  return new Uint8Array(STATE.bytes);
}

/** The fields of a state. */
export function fieldsOf(state: State): Fields<typeof STATE> {
  return new Fields(STATE, new DataView(state.buffer, state.byteOffset, STATE.bytes));
}

/** Calls the rules of a module; states go in and come out as copies. */
export class Rules {
  readonly #module: Module;
  readonly #state: number;
  readonly #tiles: number;
  readonly #actions: number;
  readonly #rows: number;

  constructor(module: Module) {
    this.#module = module;
    this.#state = module.take(STATE.bytes);
    this.#tiles = module.take(SOURCES * COLORS);
    this.#actions = module.take(MOST_LEGAL * 2);
    const most = Math.max(MOST_LEGAL * PREVIEW_NUMBERS, MOST_HAPPENINGS * HAPPENED_NUMBERS, MOST_CLOSED * CLOSED_NUMBERS);
    this.#rows = module.take(most * 2);
  }

  /** A game before its first deal. */
  start({ players, wall, seed, game = 0, starter = -1, limit = NO_ROUND_LIMIT }: Start): State {
    this.#module.exports.start_game(this.#put(newState()), players, wall === "gray" ? 1 : 0, seed, game, starter, limit);
    return this.#got();
  }

  /** The same state with the random stream of a seed. */
  seeded(state: State, seed: bigint): State {
    this.#module.exports.seed_stream(this.#put(state), seed, 0);
    return this.#got();
  }

  /** The state after a deal by its own random stream. */
  deal(state: State): State {
    this.#module.exports.deal(this.#put(state));
    return this.#got();
  }

  /** Why these tiles, those of each display by color, cannot be dealt. */
  dealRefusal(state: State, displays: readonly (readonly number[])[]): Refusal {
    this.#module.exports.deal_refusal(this.#put(state), this.#putTiles(displays), displays.length, this.#rows);
    return this.#refusal();
  }

  /** The state after a deal of these tiles, which must be possible. */
  dealGiven(state: State, displays: readonly (readonly number[])[]): State {
    this.#module.exports.deal_given(this.#put(state), this.#putTiles(displays));
    return this.#got();
  }

  /** The state after a deal by numbers from 0 to 255; null if there are too few of them. */
  dealDrawn(state: State, numbers: Uint8Array): State | null {
    const mark = this.#module.mark;
    const at = this.#module.take(numbers.length);
    this.#module.bytes(at, numbers.length).set(numbers);
    const used = this.#module.exports.deal_drawn(this.#put(state), at, numbers.length);
    this.#module.release(mark);
    return used < 0 ? null : this.#got();
  }

  /**
   * A state that was written down, with what follows from its other fields; or, if it cannot be, its faults: code, seat and what is to be named.
   * Round and markers are said again because a state has no room for impossible ones.
   */
  complete(state: State, round: number, markers: number): { state: State; faults: number[][] } {
    const mark = this.#module.mark;
    const found = this.#module.take(MOST_FAULTS * FAULT_NUMBERS * 4);
    const count = this.#module.exports.complete(this.#put(state), round, markers, found);
    const numbers = new Int32Array(this.#module.exports.memory.buffer, found, count * FAULT_NUMBERS);
    const faults = rowsOf([...numbers], FAULT_NUMBERS);
    this.#module.release(mark);
    return { state: this.#got(), faults };
  }

  /** The numbers of the legal actions, in rising order. */
  legalActions(state: State): number[] {
    const count = this.#module.exports.legal_actions(this.#put(state), this.#actions);
    return [...this.#module.numbers(this.#actions, count)];
  }

  /** What every legal action would do. */
  previews(state: State): Preview[] {
    const count = this.#module.exports.preview_all(this.#put(state), this.#actions, this.#rows);
    return this.#table(count, PREVIEW_NUMBERS).map((row) => {
      const [action, taken, placed, marker, cost, completes, columns, points] = row as [
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
      ];
      return { action, taken, placed, marker: marker === 1, cost, completes: completes === 1, columns, points };
    });
  }

  /** Why an action may not be played now. */
  refusal(state: State, action: number): Refusal {
    this.#module.exports.refusal(this.#put(state), action, this.#rows);
    return this.#refusal();
  }

  /** Color, line, and the reason with its numbers, for all lines that a color on offer may not go to. */
  closedLines(state: State): number[][] {
    const count = this.#module.exports.closed_lines(this.#put(state), this.#rows);
    return this.#table(count, CLOSED_NUMBERS);
  }

  /** The state after a legal action and all that follows from it, and what happened, a row of numbers for each thing. */
  step(state: State, action: number): { state: State; happened: number[][] } {
    const count = this.#module.exports.step(this.#put(state), action, this.#rows);
    return { happened: this.#table(count, HAPPENED_NUMBERS), state: this.#got() };
  }

  /** The state after a legal action and nothing that follows from it. */
  act(state: State, action: number): State {
    this.#module.exports.act(this.#put(state), action);
    return this.#got();
  }

  /** The state after the next thing that happens without a decision, and what kind of thing it was. */
  advance(state: State): { state: State; kind: number } {
    const kind = this.#module.exports.advance(this.#put(state));
    return { kind, state: this.#got() };
  }

  /** The seats that have won a finished game, among all or some of them. */
  winners(state: State, among: readonly number[] = [...Array(MAX_PLAYERS).keys()]): number[] {
    const bits = this.#module.exports.winners_among(
      this.#put(state),
      among.reduce((all, seat) => all | (1 << seat), 0),
    );
    return among.filter((seat) => (bits >> seat) & 1);
  }

  /** Why a finished game ended: one of the ENDED constants. */
  endReason(state: State): number {
    return this.#module.exports.end_reason(this.#put(state));
  }

  /** Whether this round completes a row as things are, which ends the game (R38). */
  isLastRound(state: State): boolean {
    return this.#module.exports.is_last_round(this.#put(state)) === 1;
  }

  /** What the wall of each seat would add at the end. */
  bonuses(state: State): Bonus[] {
    this.#module.exports.bonuses(this.#put(state), this.#rows);
    return this.#table(fieldsOf(state).get("players"), BONUS_NUMBERS).map((row) => {
      const [rows, columns, colors, points] = row as [number, number, number, number];
      return { rows, columns, colors, points };
    });
  }

  /** The action with the most points this round. */
  greedy(state: State): number {
    return this.#module.exports.greedy(this.#put(state));
  }

  /** Plays whole random games and counts them: the numbers of a tally. */
  simulate(games: number, players: number, wall: Wall, seed: bigint, limit: number, first = 0): number[] {
    const mark = this.#module.mark;
    const tally = this.#module.take(TALLY_SIZE * 8);
    this.#module.exports.simulate(this.#state, tally, first, games, players, wall === "gray" ? 1 : 0, seed, limit);
    const counts = [...new BigInt64Array(this.#module.exports.memory.buffer, tally, TALLY_SIZE)].map(Number);
    this.#module.release(mark);
    return counts;
  }

  /** How many leaves there are so many moves below a state. */
  perft(state: State, depth: number): number {
    const mark = this.#module.mark;
    const stack = this.#module.take((DEEPEST_PERFT + 1) * STATE.bytes);
    const actions = this.#module.take((DEEPEST_PERFT + 1) * MOST_LEGAL * 2);
    const left = this.#module.take((DEEPEST_PERFT + 1) * 8);
    this.#module.bytes(stack, STATE.bytes).set(state);
    const leaves = this.#module.exports.count_leaves(stack, actions, left, depth);
    this.#module.release(mark);
    return leaves >>> 0;
  }

  #put(state: State): number {
    this.#module.bytes(this.#state, STATE.bytes).set(state);
    return this.#state;
  }

  #putTiles(displays: readonly (readonly number[])[]): number {
    const tiles = this.#module.bytes(this.#tiles, SOURCES * COLORS).fill(0);
    for (const [at, display] of displays.slice(0, SOURCES - 1).entries()) tiles.set(display.slice(0, COLORS), (at + 1) * COLORS);
    return this.#tiles;
  }

  #got(): State {
    return this.#module.bytes(this.#state, STATE.bytes).slice();
  }

  #refusal(): Refusal {
    return [...this.#module.numbers(this.#rows, REFUSAL_NUMBERS)] as unknown as Refusal;
  }

  #table(count: number, width: number): number[][] {
    return rowsOf([...this.#module.numbers(this.#rows, count * width)], width);
  }
}

function rowsOf(numbers: readonly number[], width: number): number[][] {
  return [...Array(numbers.length / width).keys()].map((at) => numbers.slice(at * width, (at + 1) * width));
}
