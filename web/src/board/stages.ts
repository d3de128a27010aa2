/** The states between two positions: what the server says happened, laid on the state before, piece by piece. */

import type { Bonus, BoardInfo, DraftInfo, FallInfo, FloorScored, HappeningInfo, Position, TilingInfo } from "../net/messages";
import { indexOf, total } from "./colors";
import { CENTER, FLOOR } from "./moves";

const NONE = [0, 0, 0, 0, 0];

function withBoard(position: Position, seat: number, change: (board: BoardInfo) => BoardInfo): Position {
  return { ...position, boards: position.boards.map((board, index) => (index === seat ? change(board) : board)) };
}

function add(counts: readonly number[], color: string, many: number): number[] {
  return counts.map((count, index) => (index === indexOf(color) ? count + many : count));
}

/** What a floor costs by the printed numbers of its taken spaces. */
function withPenalty(board: BoardInfo, penalties: readonly number[]): BoardInfo {
  const taken = total(board.floor) + (board.marker ? 1 : 0);
  return { ...board, penalty: penalties.slice(0, taken).reduce((sum, cost) => sum + cost, 0) };
}

/** Nobody can act on a state in between. */
function inert(position: Position): Position {
  return { ...position, options: [], refusals: {} };
}

/** After tiles were taken and put down, before anything is scored. */
export function afterDraft(position: Position, seat: number, drafted: DraftInfo): Position {
  const { source, color, line, placed, dropped, to_lid } = drafted;
  let { center, displays } = position;
  if (source === CENTER) {
    center = center.map((count, index) => (index === indexOf(color) ? 0 : count));
  } else {
    const from = displays[source - 1] ?? NONE;
    center = center.map((count, index) => count + (index === indexOf(color) ? 0 : (from[index] ?? 0)));
    displays = displays.map((counts, index) => (index === source - 1 ? NONE : counts));
  }
  const next = { ...inert(position), center, displays, marker: position.marker && !drafted.marker };
  return withBoard(next, seat, (board) => {
    const lines = board.lines.map((there, row) =>
      line !== FLOOR && row === line && placed ? { color, count: there.count + placed } : there,
    );
    const floor = add(board.floor, color, dropped - to_lid);
    return withPenalty({ ...board, lines, floor, marker: board.marker || drafted.marker }, position.penalties);
  });
}

/** After one complete line was dealt with. */
export function afterTiling(position: Position, event: TilingInfo | FallInfo): Position {
  return withBoard(position, event.seat, (board) => {
    const lines = board.lines.map((line, row) => (row === event.row ? { color: null, count: 0 } : line));
    if (event.type === "fell") {
      const floor = add(board.floor, event.color, event.count - event.to_lid);
      return withPenalty({ ...board, lines, floor }, position.penalties);
    }
    const wall = board.wall.map((row, index) =>
      index === event.row ? row.slice(0, event.column) + event.color + row.slice(event.column + 1) : row,
    );
    return { ...board, lines, wall, score: board.score + event.points };
  });
}

/** After a floor was scored and cleared; the marker stays with its holder for a moment more. */
export function afterFloor(position: Position, floor: FloorScored): Position {
  return withBoard(position, floor.seat, (board) => ({
    ...board,
    score: board.score - floor.lost,
    floor: NONE,
    penalty: 0,
  }));
}

/** After the marker went back to the middle. */
export function afterMarker(position: Position): Position {
  return { ...position, marker: true, boards: position.boards.map((board) => ({ ...board, marker: false })) };
}

export function afterDeal(position: Position, displays: number[][]): Position {
  return { ...position, displays };
}

export function afterBonus(position: Position, bonus: Bonus, points: number): Position {
  return withBoard(position, bonus.seat, (board) => ({ ...board, score: board.score + points }));
}

/** Whether something is scored in it, that is, a round ends. */
export function scores(happening: HappeningInfo): boolean {
  return !!(happening.tiling?.length || happening.floors?.length || happening.bonuses?.length);
}
