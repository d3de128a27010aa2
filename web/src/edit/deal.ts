/** A new round in a position being set up. */
import { COLORS, indexOf } from "../board/colors";
import type { Rules } from "../engine/rules";
import { edited, MARKER, type Sketch, sketchOf, stateOf } from "./sketch";

/** The same boards at the beginning of a round: floors to the lid, the marker to the center, plates filled from the bag by chance. */
export function withDeal(sketch: Sketch, rules: Rules, seed: bigint): Sketch {
  const due = edited(sketch, (copy) => {
    for (const board of copy.boards) {
      for (const slot of board.floor) if (slot && slot !== MARKER) copy.lid[indexOf(slot)]! += 1;
      board.floor = board.floor.map(() => null);
    }
    copy.plates = copy.plates.map((slots) => slots.map(() => null));
    copy.center = COLORS.map(() => 0);
    copy.phase = "r";
    copy.seat = copy.starter;
  });
  return sketchOf(rules.deal(rules.seeded(stateOf(due), seed)));
}
