/** What would become of the tiles held: read from the moves and refusals that the server sent, never computed. */

import type { BoardInfo, Option, Position, Refusal } from "../net/messages";
import { indexOf, total, type Color } from "./colors";
import { CENTER, FLOOR, read, type Group } from "./moves";
import { optionsOf } from "./selection";

/** A place for the tiles held: offered, or refused with the reason. */
export interface Target {
  line: number;
  option: Option | null;
  refusal: Refusal | null;
  /** How many tiles the line would have, and how many it takes; none for the floor. */
  filled: number;
  size: number;
}

/** The six places for a group, lines first, the floor last. */
export function targets(position: Position, board: BoardInfo, group: Group): Target[] {
  const offered = optionsOf(position.options, group);
  return [0, 1, 2, 3, 4, FLOOR].map((line) => {
    const option = offered.get(line) ?? null;
    const refusal = option ? null : (position.refusals[group.color]?.[String(line + 1)] ?? null);
    const there = board.lines[line]?.count ?? 0;
    return { line, option, refusal, filled: there + (option?.placed ?? 0), size: line === FLOOR ? 0 : line + 1 };
  });
}

/** A tile or the marker that is not there yet. */
export interface Ghosts {
  /** Spaces of the line, counted from the wall's side. */
  line: { row: number; spaces: number[]; color: Color } | null;
  /** Tiles that would land on the floor's spaces, in order; the marker first. */
  floor: (Color | "marker")[];
  /** Cells of the wall that the complete line could take, and the points of the best. */
  wall: { row: number; columns: number[]; color: Color; points: number } | null;
  /** What the floor would cost more. */
  cost: number;
  /** The line would be complete, but no column could take its tile (gray wall). */
  stuck: boolean;
}

export function ghosts(option: Option, board: BoardInfo, spaces: number): Ghosts | null {
  const move = read(option.move);
  if (move?.kind !== "draft") return null;
  const row = move.line;
  const placed = option.placed ?? 0;
  const there = board.lines[row]?.count ?? 0;
  const columns = option.columns ?? [];
  const used = total(board.floor) + (board.marker ? 1 : 0);
  const fallen: (Color | "marker")[] = Array<Color>(option.dropped ?? 0).fill(move.color);
  if (option.marker) fallen.unshift("marker");
  return {
    line: row === FLOOR || !placed ? null : { row, color: move.color, spaces: Array.from({ length: placed }, (_, index) => there + index) },
    floor: fallen.slice(0, Math.max(0, spaces - used)),
    wall: option.completes && columns.length ? { row, columns, color: move.color, points: option.points ?? 0 } : null,
    cost: option.cost ?? 0,
    stuck: !!option.completes && columns.length === 0,
  };
}

/** What a display sends to the center when one color of it is taken; nothing if it is the center itself. */
export function sent(position: Position, group: Group): number[] {
  if (group.source === CENTER) return [0, 0, 0, 0, 0];
  const counts = [...(position.displays[group.source - 1] ?? [])];
  counts[indexOf(group.color)] = 0;
  return counts;
}

export function countOf(position: Position, group: Group): number {
  const counts = group.source === CENTER ? position.center : position.displays[group.source - 1];
  return counts?.[indexOf(group.color)] ?? 0;
}

/** A cell of the wall that may be chosen. */
export interface Choice {
  move: string;
  row: number;
  column: number;
  points: number;
}

/** The cells among which a tiling choice is to be made. */
export function cellsOf(options: readonly Option[]): Choice[] {
  return options.flatMap((option) => {
    const move = read(option.move);
    return move?.kind === "tile" ? [{ move: option.move, row: move.row, column: move.column, points: option.points ?? 0 }] : [];
  });
}

/** What a line would become: "3/3"; in full also what it brings after the round and costs: "3/3 · +2 · −1". */
export function badge({ filled, size, option }: Target, full: boolean): string {
  const parts = [`${filled}/${size}`];
  if (full && option?.completes && option.points) parts.push(`+${option.points}`);
  if (full && option?.cost) parts.push(`−${option.cost}`);
  return parts.join(" · ");
}
