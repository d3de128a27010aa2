/** What follows a move, to the end of the round, if everybody goes on as well as they can; and what speaks against it. */

import type { Line, Reason } from "../engine/analyst";
import { ACTION_NAMES, DEFAULT_NODES } from "../engine/generated/bindings";
import { readMove } from "../engine/notation";
import { ownRules } from "../engine/own";
import { engine } from "../local/engine.svelte";
import { own, stateOf } from "../local/positions";
import type { HappeningInfo, Position } from "../net/messages";

/** A move and what follows. */
export interface Course {
  /** Each seat's share of the victory. */
  readonly win: readonly number[];
  /** The moves, the one in question first. */
  readonly moves: readonly string[];
  readonly happenings: readonly HappeningInfo[];
  /** The position when the round is over. */
  readonly end: Position;
}

/** What is said of an answer. */
export interface Explained {
  /** What follows it, and what follows the solution if it was none. */
  readonly courses: readonly Course[];
  /** What speaks against it. */
  readonly reasons: readonly Reason[];
}

/** Has the engine explain a move as a review would: with the same searches, reasons and values. */
export async function explain(position: string, move: string, solutions: readonly string[], signal: AbortSignal): Promise<Explained> {
  const right = solutions.includes(move);
  const [action, solution] = [readMove(move), readMove(right ? move : solutions[0]!)];
  const nodes = DEFAULT_NODES;
  const state = stateOf(await ownRules(), position);
  const look = await engine.inquire({ kind: "look", nodes, state, played: action }, signal);
  const lineOf = (first: number): Line => look.lines.find(({ actions }) => actions[0] === first) ?? look.lines[0]!;
  const [played, best] = [lineOf(action), lineOf(solution)];
  const asked = { kind: "explain", nodes, state, played: played.actions, best: best.actions } as const;
  const { reasons, lines } = await engine.inquire(asked, signal);
  const courses = await Promise.all([course(position, played, lines[0]), course(position, best, lines[1])]);
  return right ? { courses: courses.slice(0, 1), reasons: [] } : { courses, reasons };
}

async function course(position: string, { value }: Line, actions: readonly number[]): Promise<Course> {
  const moves = actions.map((action) => ACTION_NAMES[action]!);
  const { position: end, happenings } = await own.position({ position, moves });
  return { win: value.win, moves, happenings, end };
}
