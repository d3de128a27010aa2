/** The order of the tiles on a floor: only counts are sent, so the page remembers in which order they came. */

import type { Board } from "../net/messages";
import { COLORS, indexOf, type Color } from "./colors";

export type Fallen = Color | "marker";

/** Keeps what is still there where it was and appends what is new, the marker before tiles. */
export function arrange(before: readonly Fallen[], board: Pick<Board, "floor" | "marker">): Fallen[] {
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
