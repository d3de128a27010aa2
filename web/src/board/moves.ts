/** The spelling of moves: three characters, always. */

import { isColor, type Color } from "./colors";

/** The line number that stands for the floor. */
export const FLOOR = 5;
/** The source number of the center. */
export const CENTER = 0;

/** Tiles of one color at one source: what can be held. */
export interface Group {
  /** 0 for the center, or the number of the display. */
  source: number;
  color: Color;
}

export type Move = ({ kind: "draft"; line: number } & Group) | { kind: "tile"; row: number; column: number };

export function write(group: Group, line: number): string {
  const source = group.source === CENTER ? "c" : String(group.source);
  return source + group.color + (line === FLOOR ? "f" : String(line + 1));
}

/** What a move says, or null if it is none (a deal, for instance). */
export function read(text: string): Move | null {
  const tiling = /^t([1-5])([1-5])$/.exec(text);
  if (tiling) return { kind: "tile", row: Number(tiling[1]) - 1, column: Number(tiling[2]) - 1 };
  const draft = /^([1-9c])([BYRKW])([1-5f])$/.exec(text);
  if (!draft || !isColor(draft[2])) return null;
  return {
    kind: "draft",
    source: draft[1] === "c" ? CENTER : Number(draft[1]),
    color: draft[2],
    line: draft[3] === "f" ? FLOOR : Number(draft[3]) - 1,
  };
}

export function same(one: Group | null, other: Group | null): boolean {
  return one === other || (!!one && !!other && one.source === other.source && one.color === other.color);
}
