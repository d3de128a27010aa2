/** Positions that people look at, from the page's own rules. */
import { DEAL_DUE } from "../engine/generated/bindings";
import { dealOf, readDeal, readMove, readPosition, writeDeal } from "../engine/notation";
import { ownRules } from "../engine/own";
import { type Rules, type State, fieldsOf } from "../engine/rules";
import { RefusalError } from "../net/api";
import type { HintMove } from "../board";
import type { HappeningInfo, Position } from "../net/messages";
import { findHint } from "./computers";
import { type Comparison, compare } from "./comparison";
import { engine } from "./engine.svelte";
import { happeningOf, positionOf, refusalOf } from "./position";
import { withOthersDone } from "./game";

/** A position, and moves or deals played from it. */
export interface AskPosition {
  readonly position: string;
  readonly moves?: readonly string[];
  /** Whether to deal where a deal is due at the end. */
  readonly deal?: boolean;
}

/** A position as asked for, and what the moves to it did. */
export interface Looked {
  readonly position: Position;
  readonly happenings: readonly HappeningInfo[];
}

/** Who has to decide, and the cells chosen before. */
export interface Decider {
  readonly seat: number;
  readonly chosen: readonly string[];
}

interface Place {
  readonly state: State;
  readonly happening: HappeningInfo;
}

/** The page's own answers to what a server could be asked. */
export const own = {
  /** A position, what may be played in it, and what the moves to it did. */
  async position({ position, moves = [], deal = false }: AskPosition): Promise<Looked> {
    const rules = await ownRules();
    let state = stateOf(rules, position);
    const happenings: HappeningInfo[] = [];
    const go = (place: Place) => {
      ({ state } = place);
      happenings.push(place.happening);
    };
    for (const move of moves) go(played(rules, state, move));
    if (deal && fieldsOf(state).get("phase") === DEAL_DUE) go(dealt(rules.deal(seeded(state))));
    return { position: positionOf(rules, state), happenings };
  },

  /** The best moves in a position, for a seat that on the gray wall has chosen these cells already. */
  async hint(position: string, { seat, chosen }: Decider): Promise<HintMove[]> {
    const rules = await ownRules();
    return findHint(engine, withOthersDone(rules, stateOf(rules, position), seat, chosen.map(readMove)), seat);
  },

  /** What the best move of a hint is better than, and why; null where there is no other. */
  async comparison(
    position: string,
    { seat, chosen }: Decider,
    hint: readonly HintMove[],
    signal: AbortSignal,
  ): Promise<Comparison | null> {
    const rules = await ownRules();
    const state = withOthersDone(rules, stateOf(rules, position), seat, chosen.map(readMove));
    return compare(engine, rules, state, hint, signal);
  },
};

/** The state of a position line, which may come from an address. */
export function stateOf(rules: Rules, line: string): State {
  try {
    return readPosition(line.replaceAll("_", " "), rules);
  } catch (error) {
    throw new RefusalError("bad_position", { reason: (error as Error).message });
  }
}

function played(rules: Rules, state: State, text: string): Place {
  if (text.startsWith("=")) {
    const displays = read(text, readDeal);
    check(rules.dealRefusal(state, displays));
    return dealt(rules.dealGiven(state, displays));
  }
  const action = read(text, readMove);
  check(rules.refusal(state, action));
  const { state: after, happened } = rules.step(state, action);
  return { state: after, happening: happeningOf(action, happened, null) };
}

function read<T>(text: string, reader: (text: string) => T): T {
  try {
    return reader(text);
  } catch (error) {
    throw new RefusalError("bad_position", { reason: (error as Error).message });
  }
}

function check(numbers: Parameters<typeof refusalOf>[0]): void {
  const refusal = refusalOf(numbers);
  if (refusal) throw new RefusalError(refusal.code, refusal.arguments);
}

function dealt(state: State): Place {
  return { state, happening: { move: writeDeal(dealOf(state)), seat: null } };
}

/** A copy whose deals nobody has seen. */
function seeded(state: State): State {
  const copy = state.slice();
  fieldsOf(copy).set("rng", crypto.getRandomValues(new Uint32Array(1))[0]!);
  return copy;
}
