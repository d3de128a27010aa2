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

/** How far a position is looked at to compare its moves. */
const COMPARING: Limits = { nodes: 20_000, milliseconds: 3000 };
/** And one on the way to the end of the round. */
const FOLLOWING: Limits = { nodes: 1500, milliseconds: 1000 };

/** What follows each of some moves in a position. */
export async function coursesOf(position: string, moves: readonly string[], signal: AbortSignal): Promise<Course[]> {
  const rules = await ownRules();
  const { report } = await engine.analyze(stateOf(rules, position), COMPARING, undefined, signal);
  const courses: Course[] = [];
  for (const move of moves) {
    const found = report.candidates.find(({ action }) => ACTION_NAMES[action] === move);
    const known = found && (report.solved || found.visits) ? found : null;
    courses.push(await follow(position, known?.line.map(nameOf) ?? [move], known?.win ?? null, signal));
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
