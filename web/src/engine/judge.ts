/** What follows from the values of a game's steps: losses, luck, marks and the receipt; all arithmetic is compiled. */
import type { Value } from "./analyst";
import { DEALT, DECIDED, LIKENESS, MARKS, MAX_PLAYERS, MEASURED, PARTS, STEP } from "./generated/bindings";
import type { Module } from "./module";
import { Fields } from "./record";

/** A gain or a loss. */
export interface Amount {
  /** Of the share of the victory. */
  readonly win: number;
  /** In points: of the final score less the best of the others. */
  readonly margin: number;
}

export type Mark = (typeof MARKS)[number];
export type Part = (typeof PARTS)[number];
/** The lines of a seat's receipt; the result is the sum of the others. */
export type Receipt = Readonly<Record<Part, Amount>>;

/** The same in whole points, or in whole hundredths of the victory, rounded so that they still add up. */
export type Rounded = Readonly<Record<keyof Amount, Readonly<Record<Part, number>>>>;

const UNITS: Readonly<Record<keyof Amount, number>> = { win: 0.01, margin: 1 };

/** A deal, or a decision of a seat: what was expected before the deal or after the best move, and what came. */
export interface Row {
  /** Who decided; null for a deal. */
  readonly seat: number | null;
  readonly expected: Value;
  readonly got: Value;
}

/** What somebody lost a move, and the levels that lose as much. */
export interface Likeness {
  readonly loss: Amount;
  /** How far that may be off: one standard error. */
  readonly error: Amount;
  /** The number of the weakest level that may lose as much, and of the strongest one. */
  readonly lowest: number;
  readonly highest: number;
}

const VALUE_BYTES = 2 * MAX_PLAYERS * 8;
const PAIR_BYTES = 2 * 8;

export class Judge {
  readonly #module: Module;

  constructor(module: Module) {
    this.#module = module;
  }

  /** What a seat thinks of a value, all in all: from 0 to 1. */
  worth({ win, margin }: Value, seat: number): number {
    return this.#module.exports.utility(win[seat]!, margin[seat]!);
  }

  /** What the mover of a decision lost; never negative. */
  loss(row: Row): Amount {
    const { exports } = this.#module;
    return this.#with([row], (at) => ({ win: exports.loss(at, 0), margin: exports.loss(at, 1) }));
  }

  /** What a deal, or the loss of a decision, changed for each seat. */
  effects(row: Row): Amount[] {
    const { exports } = this.#module;
    const effect = (at: number, seat: number): Amount => ({ win: exports.effect(at, 0, seat), margin: exports.effect(at, 1, seat) });
    return this.#with([row], (at) => row.got.win.map((_, seat) => effect(at, seat)));
  }

  /** What a move is called that lost so much; empty if it was good enough. */
  mark(loss: Amount): Mark {
    return MARKS[this.#module.exports.mark(loss.win)]!;
  }

  /** The receipt of each seat of a game that ended with a result. */
  receipts(rows: readonly Row[], result: Value): Receipt[] {
    return this.#with(rows, (at) => {
      const end = this.#module.take(VALUE_BYTES);
      const parts = this.#module.take(PARTS.length * VALUE_BYTES);
      this.#floats(end).set(result.win, 0);
      this.#floats(end).set(result.margin, MAX_PLAYERS);
      this.#module.exports.write_receipt(at, rows.length, end, parts);
      const numbers = PARTS.map((_, part) => [...this.#floats(parts + part * VALUE_BYTES)]);
      return result.win.map((_, seat) => {
        const amounts = PARTS.map((name, part) => [name, { win: numbers[part]![seat]!, margin: numbers[part]![MAX_PLAYERS + seat]! }]);
        return Object.fromEntries(amounts) as Receipt;
      });
    });
  }

  /** What somebody played like who lost so much with each move; null where that is too little to say. */
  likeness(losses: readonly Amount[]): Likeness | null {
    const mark = this.#module.mark;
    const lost = this.#module.take(Math.max(1, losses.length) * PAIR_BYTES);
    const table = this.#module.take(MEASURED.length * PAIR_BYTES);
    const found = this.#module.take(LIKENESS.bytes);
    const { buffer } = this.#module.exports.memory;
    new Float64Array(buffer, lost, 2 * losses.length).set(losses.flatMap(({ win, margin }) => [win, margin]));
    new Float64Array(buffer, table, 2 * MEASURED.length).set(MEASURED.flatMap(({ mean, error }) => [mean, error]));
    try {
      if (!this.#module.exports.compare(lost, losses.length, table, MEASURED.length, found)) return null;
      const fields = new Fields(LIKENESS, this.#module.view(), found);
      const amount = (name: "loss" | "error"): Amount => ({ win: fields.get(name, 0), margin: fields.get(name, 1) });
      const level = (name: "lowest" | "highest"): number => MEASURED[fields.get(name)]!.number;
      return { loss: amount("loss"), error: amount("error"), lowest: level("lowest"), highest: level("highest") };
    } finally {
      this.#module.release(mark);
    }
  }

  /** A receipt as it is shown: what is rounded still adds up. */
  rounded(receipt: Receipt): Rounded {
    return { win: this.#round(receipt, "win"), margin: this.#round(receipt, "margin") };
  }

  #round(receipt: Receipt, what: keyof Amount): Readonly<Record<Part, number>> {
    const mark = this.#module.mark;
    const [exact, whole] = [this.#module.take(PARTS.length * 8), this.#module.take(PARTS.length * 8)];
    this.#floats(exact, PARTS.length).set(PARTS.map((part) => receipt[part][what]));
    this.#module.exports.round_parts(exact, UNITS[what], whole);
    const numbers = [...this.#floats(whole, PARTS.length)];
    this.#module.release(mark);
    return Object.fromEntries(PARTS.map((part, at) => [part, UNITS[what] * numbers[at]!])) as Record<Part, number>;
  }

  /** Writes rows to memory, which is given back afterwards. */
  #with<T>(rows: readonly Row[], ask: (at: number) => T): T {
    const mark = this.#module.mark;
    const at = this.#module.take(Math.max(1, rows.length) * STEP.bytes);
    const view = this.#module.view();
    for (const [index, { seat, expected, got }] of rows.entries()) {
      const fields = new Fields(STEP, view, at + index * STEP.bytes);
      fields.set("kind", seat === null ? DEALT : DECIDED);
      fields.set("seat", seat ?? 0);
      for (const [name, value] of [
        ["expected", expected],
        ["got", got],
      ] as const) {
        for (const [of, share] of value.win.entries()) fields.set(name, share, 0, of);
        for (const [of, points] of value.margin.entries()) fields.set(name, points, 1, of);
      }
    }
    try {
      return ask(at);
    } finally {
      this.#module.release(mark);
    }
  }

  #floats(at: number, count = 2 * MAX_PLAYERS): Float64Array {
    return new Float64Array(this.#module.exports.memory.buffer, at, count);
  }
}
