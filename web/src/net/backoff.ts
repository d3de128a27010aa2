/** How long to wait before trying again. */

const FIRST = 400;
const LONGEST = 10_000;

/** Milliseconds before the given attempt (from 0): doubling, at most 10 s, half of it by lot so that not all come at once. */
export function waitBefore(attempt: number, random: () => number = Math.random): number {
  const most = Math.min(LONGEST, FIRST * 2 ** Math.min(attempt, 20));
  return most / 2 + (most / 2) * random();
}
