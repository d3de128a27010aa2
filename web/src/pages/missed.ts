/** Moves that were played while nobody looked here. */

import type { Frame } from "../board";
import type { Live } from "../net/live";
import type { Replay } from "../local/replay";

/** How many of the last moves of the log are the others'. */
export function othersMoves(live: Live, seen: number): number {
  const mine = new Set(live.you.seats ?? []);
  return live.log.slice(seen).filter(({ seat }) => seat !== null && !mine.has(seat)).length;
}

/** The frames from the last move seen up to now, numbered so that they end with the present version. */
export function framesSince(replay: Replay, live: Live, seen: number): Frame[] {
  const missed = live.log.length - seen;
  const steps = replay.steps;
  let start = steps.length - 1;
  for (let left = missed; start > 0 && left > 0; start -= 1) if (steps[start]?.happening?.seat != null) left -= 1;
  return steps.slice(start).map(({ position }, index, all) => ({
    version: live.version - (all.length - 1 - index),
    position,
    log: steps.slice(0, start + index + 1).flatMap(({ happening }) => (happening?.seat != null ? [happening] : [])),
  }));
}
