/** A person's puzzle rating, by Glicko: how strong, and how sure that is. */

export interface Strength {
  readonly rating: number;
  /** One standard deviation of it. */
  readonly deviation: number;
}

/** What somebody is taken for who has not solved anything yet. */
export const BEGINNER: Strength = { rating: 1200, deviation: 250 };
/** A rating that has been tried for long still follows a person who learns. */
const SUREST = 55;
/** How sure the rating of a puzzle is. */
const PUZZLE_DEVIATION = 80;
/** Nobody gets lower. */
const LOWEST = 100;
const Q = Math.LN10 / 400;

/** The strength after an answer to a puzzle of a rating. */
export function rated({ rating, deviation }: Strength, puzzle: number, solved: boolean): Strength {
  const sure = 1 / Math.sqrt(1 + (3 * Q * Q * PUZZLE_DEVIATION * PUZZLE_DEVIATION) / (Math.PI * Math.PI));
  const expected = 1 / (1 + 10 ** ((-sure * (rating - puzzle)) / 400));
  const information = Q * Q * sure * sure * expected * (1 - expected);
  const variance = 1 / (1 / (deviation * deviation) + information);
  return {
    rating: Math.max(LOWEST, rating + Q * variance * sure * ((solved ? 1 : 0) - expected)),
    deviation: Math.max(SUREST, Math.sqrt(variance)),
  };
}
