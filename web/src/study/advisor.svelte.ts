/** The engine beside a study: as long as it is on, it looks at whatever position one steps to. */

import type { Step } from "../local/replay";
import { read, write } from "../settings/local";

/** A move that was looked at, with what may follow. */
export interface Line {
  /** Each seat's share of the victory. */
  readonly win: readonly number[];
  /** The expected final score of each seat less that of its best opponent. */
  readonly margin: readonly number[];
  /** The moves, each with the position after it. */
  readonly steps: readonly Step[];
}

export interface Advice {
  /** The best first. */
  readonly lines: readonly Line[];
  /** Positions looked at. */
  readonly nodes: number;
  /** Whether the rest of the round was solved exactly. */
  readonly solved: boolean;
}

/** Looks at a position until it has seen enough or is stopped, and tells what it has found so far. */
export type Search = (position: string, tell: (advice: Advice) => void, signal: AbortSignal) => Promise<Advice>;

export const MOST_LINES = 5;
const USUAL_LINES = 3;
/** Positions whose advice is kept for whoever steps back. */
const REMEMBERED = 300;
const KEY = "engine";

export class Advisor {
  on = $state(false);
  /** How many lines are shown. */
  count = $state(USUAL_LINES);
  /** What is known of the position. */
  advice: Advice | null = $state.raw(null);
  thinking = $state(false);
  /** Why there is no advice. */
  failed: unknown = $state.raw(null);

  readonly #known = new Map<string, { advice: Advice; complete: boolean }>();
  #stop: AbortController | null = null;
  #position: string | null = null;

  constructor(private readonly search: Search) {
    const { on, count } = (read(KEY) ?? {}) as { on?: unknown; count?: unknown };
    this.on = on === true;
    if (typeof count === "number" && count >= 1 && count <= MOST_LINES) this.count = Math.floor(count);
  }

  /** Keeps what was chosen for the next time. */
  keep(): void {
    write(KEY, { on: this.on, count: this.count });
  }

  /** Looks at a position from now on; at none where nobody has to decide, or while it is off. */
  follow(position: string | null): void {
    if (position === this.#position) return;
    this.#position = position;
    this.#stop?.abort();
    this.#stop = null;
    this.thinking = false;
    this.failed = null;
    const known = position === null ? undefined : this.#known.get(position);
    this.advice = known?.advice ?? null;
    if (position !== null && !known?.complete) void this.#look(position);
  }

  /** Takes what was found out elsewhere: a position has one evaluation, wherever it is shown. */
  know(position: string, advice: Advice): void {
    if (this.#known.get(position)?.advice === advice) return;
    this.#known.delete(position);
    this.#remember(position, advice, true);
    if (position !== this.#position) return;
    this.#stop?.abort();
    this.#stop = null;
    this.thinking = false;
    this.advice = advice;
  }

  async #look(position: string): Promise<void> {
    const stop = new AbortController();
    this.#stop = stop;
    this.thinking = true;
    const tell = (advice: Advice, complete = false): void => {
      if (this.#stop !== stop) return;
      // What was found in a longer look before stands until there is more.
      if (complete || advice.nodes >= (this.advice?.nodes ?? 0)) this.advice = advice;
      this.#remember(position, advice, complete);
    };
    try {
      const advice = await this.search(position, tell, stop.signal);
      tell(advice, true);
    } catch (error) {
      if (this.#stop === stop) this.failed = error;
    } finally {
      if (this.#stop === stop) this.thinking = false;
    }
  }

  #remember(position: string, advice: Advice, complete: boolean): void {
    if (!complete && (this.#known.get(position)?.advice.nodes ?? 0) > advice.nodes) return;
    this.#known.delete(position);
    this.#known.set(position, { advice, complete });
    const oldest = this.#known.keys().next().value;
    if (this.#known.size > REMEMBERED && oldest !== undefined) this.#known.delete(oldest);
  }
}
