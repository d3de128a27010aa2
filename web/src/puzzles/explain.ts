/** What follows a move, to the end of the round, if everybody goes on as well as they can. */

import { ACTION_NAMES } from "../engine/generated/bindings";
import { ownRules } from "../engine/own";
import type { Limits } from "../engine/thinker";
import { engine } from "../local/engine.svelte";
import { own, stateOf } from "../local/positions";
import type { HappeningInfo, Position } from "../net/messages";

/** A move and what follows. */
export interface Course {
  /** Each seat's share of the victory; null if nobody has looked. */
  readonly win: readonly number[] | null;
  /** The moves, the one in question first. */
  readonly moves: readonly string[];
  readonly happenings: readonly HappeningInfo[];
  /** The position when the round is over. */
  readonly end: Position;
}

/** How far a position is looked at to know whether the rest of the round can be solved. */
const SOLVING: Limits = { nodes: 64, milliseconds: 2000 };
/** How far what follows a move is looked at to know what it is worth. */
const COMPARING: Limits = { nodes: 12_000, milliseconds: 2500 };
/** And one on the way to the end of the round. */
const FOLLOWING: Limits = { nodes: 1500, milliseconds: 1000 };

/** What follows each of some moves in a position. */
export async function coursesOf(position: string, moves: readonly string[], signal: AbortSignal): Promise<Course[]> {
  const { report } = await engine.analyze(stateOf(await ownRules(), position), SOLVING, undefined, signal);
  const courses: Course[] = [];
  for (const move of moves) {
    // Without a solution each move is looked at by itself: what a search says of moves it has dismissed is not true enough.
    const exact = report.solved ? report.candidates.find(({ action }) => nameOf(action) === move) : undefined;
    courses.push(await follow(position, exact?.line.map(nameOf) ?? [move], exact?.win ?? null, signal));
  }
  return courses;
}

/** Goes on with a line until the round is over. */
async function follow(position: string, moves: readonly string[], win: readonly number[] | null, signal: AbortSignal): Promise<Course> {
  const rules = await ownRules();
  const line = [...moves];
  for (;;) {
    const { position: end, happenings } = await own.position({ position, moves: line });
    if (end.phase !== "d" && end.phase !== "t") return { win, moves: line, happenings, end };
    const state = stateOf(rules, end.line);
    const { report } = await engine.analyze(state, win ? FOLLOWING : COMPARING, undefined, signal);
    const best = report.candidates[0];
    if (!best || signal.aborted) return { win, moves: line, happenings, end };
    win ??= best.win;
    line.push(...best.line.map(nameOf));
  }
}

const nameOf = (action: number): string => ACTION_NAMES[action]!;
