/** How well this person plays, as far as this browser knows. */

/** From 1, for whoever never won, to 9: the highest level won against, plus one at most. */
export function ownLevel(): number {
  return 1;
}
