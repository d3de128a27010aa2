/** Which tile travels from where to where. Spots are names of places; the page finds them by their `data-spot`. */

import type { FallInfo, HappeningInfo, Position, TilingInfo } from "../net/messages";
import { present, total, type Color } from "./colors";
import { CENTER, FLOOR, type Group } from "./moves";
import { sent } from "./preview";

export type Piece = Color | "marker";

/** One tile on its way. Spots are tried in order: the first that is on the page counts. */
export interface Flight {
  piece: Piece;
  from: string[];
  to: string[];
  /** Which tile of its group, for a small delay between them. */
  index: number;
}

export const spot = {
  display: (source: number, color: string, index: number): string => `d${source}${color}${index}`,
  plate: (source: number): string => `d${source}`,
  center: (color: string): string => `c${color}`,
  middle: "c",
  marker: "cM",
  line: (seat: number, row: number, space: number): string => `l${seat}.${row}.${space}`,
  wall: (seat: number, row: number, column: number): string => `w${seat}.${row}.${column}`,
  floor: (seat: number, space: number): string => `f${seat}.${space}`,
  seat: (seat: number): string => `s${seat}`,
};

/** The flights of a draft, seen from the position before it. */
export function draftFlights(position: Position, happening: HappeningInfo): Flight[] {
  const { drafted, seat } = happening;
  const board = seat === null ? undefined : position.boards[seat];
  if (!drafted || seat === null || !board) return [];
  const flights: Flight[] = [];
  const home = spot.seat(seat);
  let space = total(board.floor) + (board.marker ? 1 : 0);
  const toFloor = (): string[] => [spot.floor(seat, space++), home];
  if (drafted.marker) flights.push({ piece: "marker", from: [spot.marker, spot.middle], to: toFloor(), index: 0 });
  const there = drafted.line === FLOOR ? 0 : (board.lines[drafted.line]?.count ?? 0);
  for (let index = 0; index < drafted.taken; index++) {
    const kept = index < drafted.taken - drafted.to_lid;
    const to = index < drafted.placed ? [spot.line(seat, drafted.line, there + index), home] : kept ? toFloor() : [home];
    flights.push({ piece: drafted.color as Color, from: fromSource(drafted as Group, index), to, index });
  }
  return flights.concat(restFlights(position, drafted as Group));
}

function fromSource(group: Group, index: number): string[] {
  return group.source === CENTER
    ? [spot.center(group.color), spot.middle]
    : [spot.display(group.source, group.color, index), spot.plate(group.source)];
}

/** The tiles that a display sends to the center. */
function restFlights(position: Position, group: Group): Flight[] {
  return present(sent(position, group)).flatMap(({ color, count }) =>
    Array.from({ length: count }, (_, index) => ({
      piece: color,
      from: [spot.display(group.source, color, index), spot.plate(group.source)],
      to: [spot.center(color), spot.middle],
      index,
    })),
  );
}

/** A tile from its line to the wall, or a whole line to the floor. */
export function tilingFlights(position: Position, event: TilingInfo | FallInfo): Flight[] {
  const home = spot.seat(event.seat);
  const line = (space: number): string[] => [spot.line(event.seat, event.row, space), home];
  const color = event.color as Color;
  if (event.type === "tiled") {
    return [{ piece: color, from: line(0), to: [spot.wall(event.seat, event.row, event.column), home], index: 0 }];
  }
  const board = position.boards[event.seat];
  const used = board ? total(board.floor) + (board.marker ? 1 : 0) : 0;
  return Array.from({ length: event.count - event.to_lid }, (_, index) => ({
    piece: color,
    from: line(index),
    to: [spot.floor(event.seat, used + index), home],
    index,
  }));
}

/** The marker from its holder to the middle; none if nobody holds it. */
export function markerFlights(position: Position, orders: readonly (readonly string[])[]): Flight[] {
  const seat = position.boards.findIndex((board) => board.marker);
  if (seat < 0) return [];
  const space = Math.max(0, orders[seat]?.indexOf("marker") ?? 0);
  return [{ piece: "marker", from: [spot.floor(seat, space), spot.seat(seat)], to: [spot.marker, spot.middle], index: 0 }];
}
