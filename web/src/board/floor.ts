/** The order of the tiles on a floor: a position has only counts, but the moves tell in which order they came. */

import type { BoardInfo, HappeningInfo } from "../net/messages";
import { COLORS, indexOf, type Color } from "./colors";

export type Fallen = Color | "marker";

/** What fell at a seat since its floor was last scored, the marker before the tiles that came with it. */
export function fallen(log: readonly HappeningInfo[], seat: number): Fallen[] {
  const since = log.slice(log.findLastIndex(({ floors }) => floors?.length) + 1);
  const many = (color: string, count: number): Fallen[] => Array<Fallen>(count).fill(color as Color);
  return since.flatMap(({ seat: by, drafted, tiling = [] }) => [
    ...(by === seat && drafted?.marker ? (["marker"] as const) : []),
    ...(by === seat && drafted ? many(drafted.color, drafted.dropped - drafted.to_lid) : []),
    ...tiling.flatMap((event) => (event.type === "fell" && event.seat === seat ? many(event.color, event.count - event.to_lid) : [])),
  ]);
}

/** Keeps what is still there where it was and appends what is new, the marker before tiles. */
export function arrange(before: readonly Fallen[], board: Pick<BoardInfo, "floor" | "marker">): Fallen[] {
  const left = [...board.floor];
  let marker = board.marker;
  const kept: Fallen[] = [];
  for (const fallen of before) {
    if (fallen === "marker") {
      if (marker) kept.push(fallen);
      marker = false;
    } else if ((left[indexOf(fallen)] ?? 0) > 0) {
      left[indexOf(fallen)]! -= 1;
      kept.push(fallen);
    }
  }
  if (marker) kept.push("marker");
  return kept.concat(COLORS.flatMap((color, index) => Array<Color>(left[index] ?? 0).fill(color)));
}
