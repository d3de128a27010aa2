/** The game at a table: decisions in, happenings out, with committed deals and hidden tiling choices. */
import { DEAL_DUE, HAPPENED_NOTHING, HAPPENED_PASSED_ON, OVER, TILING } from "../engine/generated/bindings";
import { findMove, readPosition, writeMove } from "../engine/notation";
import { type Rules, type State, fieldsOf } from "../engine/rules";
import type { HappeningInfo, Setup } from "../net/messages";
import type { Dealer } from "../engine/dealer";
import { happeningOf, numbers, refusalOf } from "./position";
import { RefusalError } from "../net/api";

/** Who decided what, and what came of it. */
export interface Decision {
  readonly seat: number;
  readonly action: number;
  /** Whether a person decided, and not a computer. */
  readonly person: boolean;
  /** Moves that were played because of it: none for a hidden choice, all hidden ones with the last of them. */
  readonly plays: number;
}

/** D7: a tiling phase as one seat sees it: with its own choices made and nobody else's. */
export interface Own {
  readonly state: State;
  /** What it may choose next; nothing when it is done. */
  readonly actions: readonly number[];
}

/** A state, and what led to it. */
interface PlayedMove {
  /** After the move, before a deal that followed from it. */
  readonly undealt: State;
  readonly state: State;
  readonly happening: HappeningInfo;
}

const FIRST_LETTER_OF_TILING = "t";

/** A game from its first deal or from a given position on; `decide` and `undo` give the game that follows. */
export class TableGame {
  private constructor(
    private readonly rules: Rules,
    private readonly dealer: Dealer,
    /** Before the first deal, or the position that was given. */
    readonly start: State,
    /** After the deal that was due at the start, if one was. */
    readonly first: State,
    /** All moves that everybody has seen. */
    readonly played: readonly PlayedMove[],
    /** All that still stand, in the order in which they were made. */
    readonly decisions: readonly Decision[],
  ) {}

  static start(rules: Rules, dealer: Dealer, { seats, wall, starter, position }: Setup): TableGame {
    const start = position ? readPosition(position, rules) : rules.start({ players: seats.length, wall, starter, seed: 0n });
    const first = fieldsOf(start).get("phase") === DEAL_DUE ? dealer.deal(start) : start;
    return new TableGame(rules, dealer, start, first, [], []);
  }

  /** The game as far as everybody has seen it. */
  get state(): State {
    return this.played.at(-1)?.state ?? this.first;
  }

  /** What every move did that everybody has seen. */
  get log(): HappeningInfo[] {
    return this.played.map(({ happening }) => happening);
  }

  get players(): number {
    return fieldsOf(this.first).get("players");
  }

  get round(): number {
    return fieldsOf(this.state).get("round_number");
  }

  get isOver(): boolean {
    return this.#phase === OVER;
  }

  /** Whether tiling choices are being made. */
  get isChoosing(): boolean {
    return this.#phase === TILING;
  }

  get #phase(): number {
    return fieldsOf(this.state).get("phase");
  }

  /** The seats that have to decide: one, or all that still have a tiling choice. */
  get waiting(): number[] {
    if (this.isOver) return [];
    if (this.isChoosing) return numbers(this.players).filter((seat) => this.own(seat).actions.length);
    return [fieldsOf(this.state).get("seat")];
  }

  get scores(): number[] {
    return numbers(this.players).map((seat) => fieldsOf(this.state).get("score", seat));
  }

  /** The tiling choices of a seat that only it knows. */
  hidden(seat: number): number[] {
    const shown = this.decisions.findLastIndex((decision) => decision.plays > 0);
    return this.decisions.slice(shown + 1).flatMap((decision) => (decision.seat === seat ? [decision.action] : []));
  }

  /** What a seat sees while tiling choices are made. */
  own(seat: number, chosen: readonly number[] = this.hidden(seat)): Own {
    const start = this.state.slice();
    fieldsOf(start).set("seat", seat);
    let { state, done } = this.#settled(start);
    for (const action of chosen) ({ state, done } = this.#settled(this.rules.act(state, action)));
    if (!done) return { state, actions: this.rules.legalActions(state) };
    fieldsOf(state).set("phase", TILING);
    fieldsOf(state).set("seat", seat);
    return { state, actions: [] };
  }

  /** Tiles what the acting seat need not choose; and says whether nothing is left to it. */
  #settled(state: State): { state: State; done: boolean } {
    for (let now = state; ;) {
      const { kind, state: next } = this.rules.advance(now);
      now = next;
      if (kind === HAPPENED_NOTHING || kind === HAPPENED_PASSED_ON) return { state: now, done: kind === HAPPENED_PASSED_ON };
    }
  }

  /** The game for a seat that has to decide, without what others chose unseen. */
  seenBy(seat: number): State {
    return this.isChoosing ? withOthersDone(this.rules, this.state, seat, this.hidden(seat)) : this.state;
  }

  /** Carries out a decision of a seat whose turn it is; throws `RefusalError` if that is no legal move. */
  decide(seat: number, text: string, person: boolean): { game: TableGame; happenings: HappeningInfo[] } {
    const action = findMove(text);
    if (action === undefined) throw new RefusalError("bad_move", { move: text });
    const actions = this.isChoosing ? this.#chosen(seat, action) : this.#checked(this.state, action);
    const fresh: PlayedMove[] = [];
    let state = this.state;
    for (const each of actions) {
      fresh.push(this.#play(state, each));
      ({ state } = fresh.at(-1)!);
    }
    const decisions = [...this.decisions, { seat, action, person, plays: fresh.length }];
    return { game: this.#with([...this.played, ...fresh], decisions), happenings: fresh.map(({ happening }) => happening) };
  }

  #checked(state: State, action: number): number[] {
    const refusal = refusalOf(this.rules.refusal(state, action));
    if (refusal) throw new RefusalError(refusal.code, refusal.arguments);
    return [action];
  }

  /** A hidden choice; after the last one all that are played at once, in the order of the rules. */
  #chosen(seat: number, action: number): number[] {
    const { state, actions } = this.own(seat);
    if (!actions.length) throw new RefusalError("nothing_to_tile");
    this.#checked(state, action);
    const chosen = numbers(this.players).map((each) => [...this.hidden(each), ...(each === seat ? [action] : [])]);
    if (chosen.some((each, at) => this.own(at, each).actions.length)) return [];
    return chosen.flat(); // by R23 the lines of seat 1 come first, then those of seat 2
  }

  #play(before: State, action: number): PlayedMove {
    const { state: undealt, happened } = this.rules.step(before, action);
    const due = fieldsOf(undealt).get("phase") === DEAL_DUE;
    const state = due ? this.dealer.deal(undealt) : undealt;
    return { undealt, state, happening: happeningOf(action, happened, due ? state : null) };
  }

  /** The decisions that go when a seat takes back its last one: from one number up to another; throws where it may not. */
  undoable(seat: number): { from: number; to: number } {
    const { decisions } = this;
    if (this.hidden(seat).length) {
      const at = decisions.findLastIndex((decision) => decision.seat === seat);
      return { from: at, to: at + 1 };
    }
    if (!decisions.some((decision) => decision.person && decision.seat === seat)) throw new RefusalError("nothing_to_undo");
    const at = decisions.findLastIndex((decision) => decision.person);
    if (decisions[at]!.seat !== seat || this.#wasSeenByOthers(at)) throw new RefusalError("undo_too_late");
    return { from: at, to: decisions.length };
  }

  /** The same, with what is fair between people: unless one plays alone, nobody takes back what led to a deal. */
  checkUndo(seat: number, alone: boolean): { from: number; to: number } {
    const part = this.undoable(seat);
    const plays = this.decisions.slice(part.from, part.to).reduce((sum, decision) => sum + decision.plays, 0);
    if (!alone && this.played.slice(this.played.length - plays).some(({ happening }) => happening.deal))
      throw new RefusalError("undo_past_deal");
    return part;
  }

  mayUndo(seat: number, alone: boolean): boolean {
    try {
      this.checkUndo(seat, alone);
      return true;
    } catch {
      return false;
    }
  }

  /** Whether this is a tiling choice that was shown together with those of another person. */
  #wasSeenByOthers(at: number): boolean {
    const { decisions } = this;
    const isTiling = (index: number): boolean => {
      const decision = decisions[index];
      return !!decision && writeMove(decision.action).startsWith(FIRST_LETTER_OF_TILING);
    };
    let first = at;
    let last = at;
    while (isTiling(first)) first -= 1;
    while (isTiling(last)) last += 1;
    return decisions.slice(first + 1, last).some(({ person, seat }) => person && seat !== decisions[at]!.seat);
  }

  /** Takes back decisions that `undoable` has found. */
  undo({ from, to }: { from: number; to: number }): { game: TableGame; gone: readonly Decision[] } {
    const gone = this.decisions.slice(from, to);
    const moves = gone.reduce((sum, { plays }) => sum + plays, 0);
    const decisions = [...this.decisions.slice(0, from), ...this.decisions.slice(to)];
    return { game: this.#with(this.played.slice(0, this.played.length - moves), decisions), gone };
  }

  #with(played: readonly PlayedMove[], decisions: readonly Decision[]): TableGame {
    return new TableGame(this.rules, this.dealer, this.start, this.first, played, decisions);
  }
}

/** D7: a state in which it is this seat's turn to choose a cell, after its own choices; the seats before it chose anything. */
export function withOthersDone(rules: Rules, state: State, seat: number, chosen: readonly number[]): State {
  let now = state;
  while (fieldsOf(now).get("seat") !== seat) now = rules.step(now, rules.legalActions(now)[0]!).state;
  for (const action of chosen) now = rules.step(now, action).state;
  return now;
}
