/** A coach beside one who plays: it looks at a move when it was made, and never says a word before. */

import { ACTION_NAMES } from "../engine/generated/bindings";
import type { Reason } from "../engine/analyst";
import type { Amount, Mark } from "../engine/judge";
import { readMove } from "../engine/notation";
import type { State } from "../engine/rules";
import { withOthersDone } from "../local/game";
import { stateOf } from "../local/positions";
import type { Live } from "../net/live";
import type { Option } from "../net/messages";
import { type Mind, ownMind } from "./mind";
import { isAsBad } from "./strictness";

/** Nobody waits longer for the coach once it can look. */
const PATIENCE_MILLISECONDS = 1000;
/** Nobody waits longer until it can: engine and weights take some seconds after a page was opened. */
const READY_MILLISECONDS = 6000;

/** A move, and how many tiles it takes. */
export interface Draft {
  readonly move: string;
  readonly taken: number;
}

/** What the coach found out about a decision. */
interface Judged extends Draft {
  readonly state: State;
  readonly round: number;
  readonly seat: number;
  /** Where it stands among the moves of the game. */
  readonly at: number;
  readonly loss: Amount;
  readonly mark: Mark;
  /** How much worse the next best move would have been, all in all. */
  readonly ahead: number;
  readonly better: Draft;
  /** What was expected to follow the move, and the better one. */
  readonly lines: readonly [readonly number[], readonly number[]];
}

/** What the coach has to say against a move, which waits meanwhile. */
export interface Objection {
  readonly seat: number;
  readonly mark: Mark;
  readonly loss: Amount;
  readonly played: Draft;
  readonly better: Draft;
  /** What the move overlooks; null while that is worked out. */
  readonly reasons: readonly Reason[] | null;
}

/** The best and the worst decision of a round. */
export interface Summary {
  readonly round: number;
  /** Null where every decision was marked. */
  readonly best: Draft | null;
  /** Null where no decision was. */
  readonly worst: (Draft & { readonly loss: Amount }) | null;
}

/** What becomes of a move: it is played, taken back, or out of date since the table has changed. */
export type Verdict = "play" | "back" | "stale";

/** A move that waits. */
interface Waiting {
  readonly seat: number;
  readonly key: string;
  readonly stop: AbortController;
  readonly settle: (verdict: Verdict) => void;
}

export class Coach {
  /** Whether a move is being looked at. */
  looking = $state(false);
  objection: Objection | null = $state.raw(null);
  /** What there is to say of the last round, until the next move. */
  summary: Summary | null = $state.raw(null);

  #mind: Promise<Mind> | null = null;
  #waiting: Waiting | null = null;
  #thinking: AbortController | null = null;
  #latest: Promise<unknown> = Promise.resolve();
  #round: number | null = null;
  /** By what was decided: a move by its place in the game, a cell by its row, since all cells are told at once. */
  #judged = new Map<string, Judged>();
  #ready: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly mind: () => Promise<Mind> = ownMind,
    private readonly patience = PATIENCE_MILLISECONDS,
  ) {}

  /** Gets ready to look at moves of a table; says nothing. */
  warm(live: Live): Promise<unknown> {
    this.#ready = this.#own()
      .then((mind) => mind.warm(stateOf(mind.rules, lineOf(live))))
      .catch(() => undefined); // without a module nobody can play either, and the table says so
    return this.#ready;
  }

  /** Looks at a move that a person made, for a second at most once it can; where it is so bad, the person decides what becomes of it. */
  async consider(live: Live, move: string, seat: number, least: Mark): Promise<Verdict> {
    this.#settle("stale");
    this.#thinking?.abort();
    this.summary = null;
    this.looking = true;
    const stop = new AbortController();
    this.#thinking = stop;
    const judging = this.#judge(live, move, seat, stop.signal).catch(() => null);
    this.#latest = judging;
    return new Promise((resolve) => {
      // Whoever is late is not stopped: what it finds out is of use when the round is summed up.
      const giveUp = (): void => this.#settle("play", false);
      let timer = setTimeout(giveUp, READY_MILLISECONDS);
      void this.#ready.then(() => {
        if (this.#waiting !== waiting || this.objection) return;
        clearTimeout(timer);
        timer = setTimeout(giveUp, this.patience);
      });
      const waiting: Waiting = {
        seat,
        key: keyOf(live, seat),
        stop,
        settle: (verdict) => {
          clearTimeout(timer);
          resolve(verdict);
        },
      };
      this.#waiting = waiting;
      void judging.then((found) => {
        if (this.#waiting !== waiting) return;
        clearTimeout(timer);
        this.looking = false;
        if (found && isAsBad(found.mark, least)) void this.#object(found, waiting);
        else this.#settle("play");
      });
    });
  }

  keep(): void {
    this.#settle("play");
  }

  takeBack(): void {
    this.#settle("back");
  }

  /** What the coach thinks of a move is dropped when the table has changed under it: undo, another tab, a clock. */
  follow(live: Live): void {
    const waiting = this.#waiting;
    if (waiting && (live.table.result || waiting.key !== keyOf(live, waiting.seat))) this.#settle("stale");
  }

  /** Everything up to here has been shown: a round that has ended meanwhile is summed up. */
  async reach(live: Live): Promise<void> {
    const { round } = live.frames.at(-1)!.position;
    const ended = live.table.result ? round : round - 1;
    const before = this.#round;
    this.#round = ended;
    if (before === null || ended === before) return;
    if (ended < before) this.summary = null;
    else {
      await this.#latest;
      if (this.#round === ended) this.summary = this.#sumUp(ended, live);
    }
  }

  close(): void {
    this.#settle("stale");
    this.#thinking?.abort();
    void this.#mind?.then((mind) => mind.close()).catch(() => undefined);
    this.#mind = null;
    this.summary = null;
    this.#round = null;
    this.#judged.clear();
  }

  #own(): Promise<Mind> {
    this.#mind ??= this.mind().catch((error: unknown) => {
      this.#mind = null;
      throw error;
    });
    return this.#mind;
  }

  #settle(verdict: Verdict, stop = true): void {
    const waiting = this.#waiting;
    this.#waiting = null;
    this.looking = false;
    this.objection = null;
    if (stop) waiting?.stop.abort();
    waiting?.settle(verdict);
  }

  async #object(found: Judged, waiting: Waiting): Promise<void> {
    const { seat, mark, loss, better } = found;
    const objection: Objection = { seat, mark, loss, played: found, better, reasons: null };
    this.objection = objection;
    const { reasons } = await this.#own()
      .then((mind) => mind.explain(found.state, ...found.lines, waiting.stop.signal))
      .catch(() => ({ reasons: [] }));
    if (this.#waiting === waiting) this.objection = { ...objection, reasons };
  }

  async #judge(live: Live, move: string, seat: number, signal: AbortSignal): Promise<Judged | null> {
    const { position } = live.frames.at(-1)!;
    const choosing = live.you.choosing?.find((each) => each.seat === seat);
    const options = choosing?.options ?? position.options;
    if (options.length < 2) return null; // there was nothing to decide
    const mind = await this.#own();
    const { rules, judge } = mind;
    const shown = stateOf(rules, position.line);
    const state = choosing ? withOthersDone(rules, shown, seat, (choosing.chosen ?? []).map(readMove)) : shown;
    const { played, lines } = await mind.look(state, readMove(move), signal);
    const [best, second] = lines;
    if (!played || !best) return null;
    const loss = judge.loss({ seat, expected: best.value, got: played.value });
    const found: Judged = {
      ...draftOf(move, options),
      state,
      seat,
      round: position.round,
      at: live.log.length,
      loss,
      mark: judge.mark(loss),
      ahead: second ? judge.worth(best.value, seat) - judge.worth(second.value, seat) : 0,
      better: draftOf(ACTION_NAMES[best.actions[0]!]!, options),
      lines: [played.actions, best.actions],
    };
    this.#judged.set(choosing ? `${found.round} ${move.slice(0, -1)}` : String(found.at), found);
    return found;
  }

  /** The best decision is the good one whose alternatives were worst; the worst is the one that cost most. */
  #sumUp(round: number, { log }: Live): Summary | null {
    // A cell stands somewhere behind the place where it was chosen: everybody's are told together.
    const stands = [...this.#judged.values()].filter(
      ({ at, move, seat, round: of }) =>
        of === round &&
        (move.startsWith("t") ? log.slice(at).some((one) => one.seat === seat && one.move === move) : log[at]?.move === move),
    );
    if (!stands.length) return null;
    const best = stands.filter(({ mark }) => !mark).sort((one, other) => other.ahead - one.ahead)[0] ?? null;
    const worst = stands.filter(({ mark }) => mark).sort((one, other) => other.loss.win - one.loss.win)[0] ?? null;
    return { round, best, worst };
  }
}

function lineOf(live: Live): string {
  return live.frames.at(-1)!.position.line;
}

/** What a decision of a seat depends on. */
function keyOf(live: Live, seat: number): string {
  const chosen = live.you.choosing?.find((each) => each.seat === seat)?.chosen ?? [];
  return [live.table.id, lineOf(live), ...chosen].join(" ");
}

function draftOf(move: string, options: readonly Option[]): Draft {
  return { move, taken: options.find((each) => each.move === move)?.taken ?? 0 };
}
