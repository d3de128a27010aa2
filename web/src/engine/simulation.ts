/** Counts of random games as the command line tells them. */
import type { Distribution, Simulation, Wall } from "./api";
import {
  END_REASONS,
  ROUND_LIMIT,
  TALLY_MOVE_BINS,
  TALLY_MOVES_AT,
  TALLY_REASONS_AT,
  TALLY_ROUND_BINS,
  TALLY_ROUNDS_AT,
  TALLY_SCORE_BINS,
  TALLY_SCORES_AT,
  TALLY_SHARED_AT,
  TALLY_TOTAL_MOVES_AT,
  TALLY_WINS_AT,
} from "./generated/bindings";
import type { Rules } from "./rules";

/** Plays random games number 0 and the ones after it, so many, and counts them. */
export function simulate(rules: Rules, games: number, players: number, wall: Wall, seed: number | bigint): Simulation {
  const started = performance.now();
  const tally = rules.simulate(games, players, wall, BigInt(seed), ROUND_LIMIT);
  const seconds = (performance.now() - started) / 1000;
  const part = (at: number, length: number) => tally.slice(at, at + length);
  const moves = tally[TALLY_TOTAL_MOVES_AT]!;
  const reasons = END_REASONS.map((name, number) => [name, tally[TALLY_REASONS_AT + number]!] as const);
  return {
    games,
    moves,
    seconds: rounded(seconds, 6),
    moves_per_second: Math.round(moves / seconds),
    players,
    wall,
    seed,
    score: described(part(TALLY_SCORES_AT, TALLY_SCORE_BINS)),
    rounds: described(part(TALLY_ROUNDS_AT, TALLY_ROUND_BINS)),
    length: described(part(TALLY_MOVES_AT, TALLY_MOVE_BINS)),
    reasons: Object.fromEntries(reasons) as Simulation["reasons"],
    wins: part(TALLY_WINS_AT, players),
    shared: tally[TALLY_SHARED_AT]!,
  };
}

/** A distribution given as counts of 0, 1, 2 and so on. */
function described(counts: readonly number[]): Distribution {
  const total = counts.reduce((sum, count) => sum + count, 0);
  const average = (of: (value: number) => number) => counts.reduce((sum, count, value) => sum + count * of(value), 0) / total;
  const mean = average((value) => value);
  const quantile = (share: number) => {
    let below = 0;
    return counts.findIndex((count) => (below += count) / total >= share);
  };
  return {
    mean: rounded(mean, 4),
    sd: rounded(Math.sqrt(average((value) => (value - mean) ** 2)), 4),
    min: counts.findIndex((count) => count > 0),
    p5: quantile(0.05),
    p25: quantile(0.25),
    p50: quantile(0.5),
    p75: quantile(0.75),
    p95: quantile(0.95),
    max: counts.findLastIndex((count) => count > 0),
  };
}

function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
