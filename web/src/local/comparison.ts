/** Why a hint is better than what a person might have played instead. */
import type { Reason } from "../engine/analyst";
import type { Engine } from "../engine/client";
import { ACTION_NAMES } from "../engine/generated/bindings";
import { readMove } from "../engine/notation";
import type { Rules, State } from "../engine/rules";
import type { HintMove } from "../board";

/** As many as the coach looks at: people wait for the reason as they wait for the coach. */
const NODES = 2000;

/** A move that is worse than the hint. */
export interface Comparison {
  readonly move: string;
  /** How many points the hint is expected to gain over it; null where that is not known. */
  readonly gain: number | null;
  /** What speaks against the move. */
  readonly reasons: readonly Reason[];
}

/** The move that brings most at first sight or, where that is the hint itself, the second best; null where there is only one. */
export async function compare(
  engine: Pick<Engine, "inquire">,
  rules: Pick<Rules, "greedy">,
  state: State,
  [best, second, ...more]: readonly HintMove[],
  signal: AbortSignal,
): Promise<Comparison | null> {
  if (!best) return null;
  const natural = ACTION_NAMES[rules.greedy(state)]!;
  const move = natural === best.move ? second?.move : natural;
  if (move === undefined) return null;
  const known = [second, ...more].find((each) => each?.move === move);
  const [played, better] = [known?.line ?? [move], best.line].map((line) => line.map(readMove)) as [number[], number[]];
  const { reasons } = await engine.inquire({ kind: "explain", nodes: NODES, state, played, best: better }, signal);
  return { move, gain: known ? best.margin - known.margin : null, reasons };
}
