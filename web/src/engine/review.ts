/** The review of a game: every deal and decision valued, marks with reasons, a receipt; values are told as they come. */
import type { Explanation, Line, Look, Played, Reason, Value } from "./analyst";
import { Fault } from "./fault";
import { MOST_LINES, MOST_STEPS, OVER } from "./generated/bindings";
import type { Amount, Judge, Likeness, Mark, Receipt, Rounded, Row } from "./judge";
import { readMove } from "./notation";
import type { GameRecord } from "./recordWriter";
import { isDecision, startOf, steps } from "./replay";
import { fieldsOf, type Rules, type State } from "./rules";

/** A deal or a decision of a game. */
export interface ReviewStep {
  readonly round: number;
  readonly before: State;
  /** The move or the deal, as a record has it. */
  readonly play: string;
  /** What was played; null for a deal. */
  readonly action: number | null;
  /** Who decided; null for a deal. */
  readonly seat: number | null;
  /** Whether there was nothing to decide. */
  readonly forced: boolean;
}

/** A game that is to be reviewed. */
export interface Followed {
  readonly players: number;
  readonly steps: readonly ReviewStep[];
  readonly end: State;
  /** Why the record could not be followed any further. */
  readonly fault: string | null;
  /** Whether the game goes on after the last step that is looked at. */
  readonly cut: boolean;
}

/** Whoever answers: a worker, or an analyst itself. */
export interface Asked {
  sketch(states: readonly State[], signal: AbortSignal): Promise<Value[]>;
  look(state: State, played: Played, signal: AbortSignal): Promise<Look>;
  explain(state: State, played: readonly number[], best: readonly number[], signal: AbortSignal): Promise<Explanation>;
}

/** What is known of a deal: the luck it brought to each seat. */
export interface DealReview {
  readonly expected: Value;
  readonly error: Value;
  readonly after: Value;
  readonly luck: readonly Amount[];
}

/** What is known of a decision, and what it cost. */
export interface DecisionReview {
  readonly seat: number;
  readonly played: Line;
  /** The best move; the one that was played if none was better. */
  readonly best: Line;
  /** Some of the best moves, the best first. */
  readonly lines: readonly Line[];
  readonly loss: Amount;
  readonly exact: boolean;
  readonly forced: boolean;
  readonly mark: Mark;
}

/** What a review found out, as it is kept: one look for each step and one for the end, and reasons where a move has a mark. */
export interface Findings {
  readonly looks: readonly Look[];
  readonly reasons: readonly (readonly Reason[] | null)[];
}

/** Everything that was dealt and decided, as far as the record keeps to the rules. */
export function follow(whole: GameRecord, rules: Rules): Followed {
  const record = { ...whole, entries: whole.entries.slice(0, MOST_STEPS).map((entry) => ({ ...entry, variations: [] })) };
  const found: ReviewStep[] = [];
  let state = startOf(record, rules);
  let fault: string | null = null;
  try {
    for (const { entry, state: after } of steps(record, rules)) {
      const { play } = entry;
      if (play !== null) {
        const fields = fieldsOf(state);
        const action = isDecision(state) ? readMove(play) : null;
        const forced = action !== null && rules.legalActions(state).length === 1;
        found.push({
          round: fields.get("round_number"),
          before: state,
          play,
          action,
          seat: action === null ? null : fields.get("seat"),
          forced,
        });
      }
      state = after;
    }
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    fault = error.message;
  }
  return { players: record.names.length, steps: found, end: state, fault, cut: whole.entries.length > MOST_STEPS };
}

/** A review, finished or under way. */
export class Review {
  readonly #looks: (Look | null)[];
  readonly #reasons: (readonly Reason[] | null)[];
  #sketches: readonly Value[] = [];

  constructor(
    readonly game: Followed,
    private readonly judge: Judge,
    found: Findings | null = null,
  ) {
    this.#looks = [...game.steps, null].map((_, at) => found?.looks[at] ?? null);
    this.#reasons = game.steps.map((_, at) => found?.reasons[at] ?? null);
  }

  /** How many things there are to find out, but for reasons. */
  get total(): number {
    return this.#looks.length;
  }

  get done(): number {
    return this.#looks.filter(Boolean).length;
  }

  /** Whether everything is known. */
  get complete(): boolean {
    return this.done === this.total && this.game.steps.every((_, at) => !this.#unexplained(at));
  }

  /** Whether the game was over. */
  get finished(): boolean {
    return fieldsOf(this.game.end).get("phase") === OVER;
  }

  get findings(): Findings | null {
    return this.complete ? { looks: this.#looks as Look[], reasons: this.#reasons } : null;
  }

  /** What the position before a step is worth, or, behind the last one, the end; at first what the network thinks of it. */
  value(at: number): Value | null {
    return this.#looks[at]?.best ?? this.#sketches[at] ?? null;
  }

  /** Whether that is more than a first sight. */
  isKnown(at: number): boolean {
    return !!this.#looks[at];
  }

  deal(at: number): DealReview | null {
    const [look, row] = [this.#looks[at], this.#row(at)];
    if (!look?.error || row?.seat !== null) return null;
    return { expected: row.expected, error: look.error, after: row.got, luck: this.judge.effects(row) };
  }

  decision(at: number): DecisionReview | null {
    const [look, row] = [this.#looks[at], this.#row(at)];
    if (!look?.played || row?.seat == null) return null;
    const loss = this.judge.loss(row);
    const { forced } = this.game.steps[at]!;
    const mark = forced ? "" : this.judge.mark(loss);
    const { played, lines, exact } = look;
    return { seat: row.seat, played, best: lines[0]!, lines: lines.slice(0, MOST_LINES), loss, exact, forced, mark };
  }

  /** The lines that are known of the position before a step, and whether they are exact; nothing where nobody decides. */
  look(at: number): Look | null {
    return this.#looks[at] ?? null;
  }

  reasons(at: number): readonly Reason[] | null {
    return this.#reasons[at] ?? null;
  }

  /** The receipt of each seat; null while anything is missing that it needs. */
  receipts(): Receipt[] | null {
    const rows = this.game.steps.map((_, at) => this.#row(at));
    const result = this.#looks.at(-1)?.best;
    return result && rows.every((row) => row !== null) ? this.judge.receipts(rows, result) : null;
  }

  /** What a seat played like; null while anything is missing, and where it decided too little. */
  likeness(seat: number): Likeness | null {
    if (this.done < this.total) return null;
    return this.judge.likeness(this.losses(seat));
  }

  /** What a seat lost with each decision that is known and was not forced. */
  losses(seat: number): Amount[] {
    const known = this.game.steps.flatMap((_, at) => this.decision(at) ?? []);
    return known.filter((each) => each.seat === seat && !each.forced).map(({ loss }) => loss);
  }

  /** A seat's receipt as it is shown, which adds up; null while anything is missing. */
  receipt(seat: number): Rounded | null {
    const receipt = this.receipts()?.[seat];
    return receipt ? this.judge.rounded(receipt) : null;
  }

  /**
   * Finds out what is missing, with the help of everybody who is asked; what is looked at comes first.
   * `focus` is the step that somebody looks at, `tell` hears of everything new.
   */
  async run(askeds: readonly Asked[], focus: () => number, tell: () => void, signal: AbortSignal): Promise<void> {
    if (this.complete) return;
    const [first] = askeds;
    const states = [...this.game.steps.map(({ before }) => before), this.game.end];
    const begun = new Set<string>();
    if (first && this.done < this.total) {
      this.#sketches = await first.sketch(states, signal);
      tell();
    }
    await Promise.all(
      askeds.map(async (asked) => {
        for (let next = this.#next(focus(), begun); next && !signal.aborted; next = this.#next(focus(), begun)) {
          const { at, why } = next;
          begun.add(`${why} ${at}`);
          const step = this.game.steps[at];
          if (why === "look") this.#looks[at] = trimmed(await asked.look(states[at]!, step?.action ?? states[at + 1] ?? null, signal));
          else {
            const { played, lines } = this.#looks[at]!;
            this.#reasons[at] = (await asked.explain(states[at]!, played!.actions, lines[0]!.actions, signal)).reasons;
          }
          tell();
        }
      }),
    );
  }

  /** The next thing to find out: first about the place that is looked at, then forward from there, then the rest; reasons last. */
  #next(focus: number, begun: ReadonlySet<string>): { at: number; why: "look" | "explain" } | null {
    const far = (at: number): number => (at >= focus ? at - focus : this.total + focus - at);
    const nearest = (places: number[]): number | undefined => places.sort((a, b) => far(a) - far(b))[0];
    const waiting = (why: string, is: (at: number) => boolean) =>
      [...this.#looks.keys()].filter((at) => is(at) && !begun.has(`${why} ${at}`));
    const unexplained = waiting("explain", (at) => this.#unexplained(at));
    if (unexplained.includes(focus)) return { at: focus, why: "explain" };
    const look = nearest(waiting("look", (at) => !this.#looks[at]));
    if (look !== undefined) return { at: look, why: "look" };
    const explain = nearest(unexplained);
    return explain === undefined ? null : { at: explain, why: "explain" };
  }

  #unexplained(at: number): boolean {
    return !this.#reasons[at] && !!this.decision(at)?.mark;
  }

  #row(at: number): Row | null {
    const [step, look] = [this.game.steps[at], this.#looks[at]];
    const got = look?.played?.value ?? look?.dealt;
    return step && look && got ? { seat: step.seat, expected: look.best, got } : null;
  }
}

/** A look with no more lines than are told. */
function trimmed(look: Look): Look {
  return { ...look, lines: look.lines.slice(0, MOST_LINES) };
}
