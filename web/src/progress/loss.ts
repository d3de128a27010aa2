/** What a review says of somebody's moves in a game. */

import type { Review } from "../engine/review";
import type { MeanLoss } from "./games";

/** What a seat lost a move, of all its decisions that were not forced; null while a value is missing, or if there are none. */
export function lossIn(review: Review, seat: number): MeanLoss | null {
  if (review.done < review.total) return null;
  const losses = review.losses(seat);
  const mean = (what: "win" | "margin"): number => losses.reduce((sum, loss) => sum + loss[what], 0) / losses.length;
  return losses.length ? { win: mean("win"), margin: mean("margin"), moves: losses.length } : null;
}
