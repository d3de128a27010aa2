/** The end of a round as a timed script: all players in parallel, row by row. */

import type { Bonus, FallInfo, FloorScored, HappeningInfo, Position, TilingInfo } from "../net/messages";
import { COLORS, total } from "./colors";
import type { Speed } from "./props";

/** All that is scored at one time, of however many happenings. */
export interface Scored {
  tiling: (TilingInfo | FallInfo)[];
  floors: FloorScored[];
  bonuses: Bonus[];
  deal: number[][] | null;
}

export function gather(happenings: readonly HappeningInfo[]): Scored {
  return {
    tiling: happenings.flatMap((happening) => happening.tiling ?? []),
    floors: happenings.flatMap((happening) => happening.floors ?? []),
    bonuses: happenings.flatMap((happening) => happening.bonuses ?? []),
    deal: happenings.at(-1)?.deal ?? null,
  };
}

export type BonusKind = "rows" | "columns" | "colors";
/** What one of each is worth; the sum is checked against what the server says. */
const WORTH: Record<BonusKind, number> = { rows: 2, columns: 7, colors: 10 };
const KINDS: BonusKind[] = ["rows", "columns", "colors"];

/** Something to show at a time, in milliseconds from the start. */
export type Beat = { at: number } & (
  | { kind: "pulse"; row: number; seats: number[] }
  | { kind: "slide"; events: (TilingInfo | FallInfo)[]; lasts: number }
  | { kind: "run"; way: "across" | "down"; events: TilingInfo[] }
  | { kind: "gain"; events: TilingInfo[] }
  | { kind: "space"; space: number; seats: number[] }
  | { kind: "floor"; floors: FloorScored[] }
  | { kind: "marker"; lasts: number }
  | { kind: "deal"; lasts: number }
  | { kind: "bonus"; bonus: BonusKind; bonuses: { bonus: Bonus; count: number; points: number }[] }
);

export interface Script {
  beats: Beat[];
  lasts: number;
}

const ROW = 780;
const SPACE = 70;
const FLOOR_END = 420;
const MARKER = 320;
const DEAL = 480;
const BONUS = 1100;
/** The longest a round may take, apart from the bonuses at the end of the game. */
export const LONGEST = { normal: 6000, fast: 2000, instant: 0 } as const;
const FACTOR: Record<Speed, number> = { normal: 1, fast: 0.32, instant: 0 };

export function script(before: Position, scored: Scored, speed: Speed): Script {
  const beats: Beat[] = [];
  let at = 0;
  for (let row = 0; row < 5; row++) at = rowBeats(beats, at, row, scored.tiling);
  if (scored.floors.length) at = floorBeats(beats, at, before, scored);
  if (scored.floors.length) {
    beats.push({ at, kind: "marker", lasts: MARKER });
    at += MARKER;
  }
  if (scored.deal) {
    beats.push({ at, kind: "deal", lasts: DEAL });
    at += DEAL;
  }
  at = bonusBeats(beats, at, scored.bonuses);
  const factor = FACTOR[speed];
  const scale = (beat: Beat): Beat =>
    "lasts" in beat ? { ...beat, at: beat.at * factor, lasts: beat.lasts * factor } : { ...beat, at: beat.at * factor };
  return { beats: beats.map(scale), lasts: at * factor };
}

function rowBeats(beats: Beat[], at: number, row: number, tiling: readonly (TilingInfo | FallInfo)[]): number {
  const events = tiling.filter((event) => event.row === row);
  if (!events.length) return at;
  const tiled = events.filter((event) => event.type === "tiled");
  const across = tiled.filter((event) => event.horizontal > 1);
  const down = tiled.filter((event) => event.vertical > 1);
  beats.push({ at, kind: "pulse", row, seats: events.map((event) => event.seat) });
  beats.push({ at: at + 130, kind: "slide", events, lasts: 270 });
  if (across.length) beats.push({ at: at + 400, kind: "run", way: "across", events: across });
  if (down.length) beats.push({ at: at + (across.length ? 560 : 400), kind: "run", way: "down", events: down });
  if (tiled.length) beats.push({ at: at + (down.length && across.length ? 640 : 480), kind: "gain", events: tiled });
  return at + ROW;
}

/** How many spaces of a floor are taken when it is scored, lines that fell included. */
function floorSpaces(before: Position, scored: Scored, seat: number): number {
  const board = before.boards[seat];
  if (!board) return 0;
  const fallen = scored.tiling.filter((event) => event.type === "fell" && event.seat === seat) as FallInfo[];
  const more = fallen.reduce((sum, event) => sum + event.count - event.to_lid, 0);
  return Math.min(before.penalties.length, total(board.floor) + (board.marker ? 1 : 0) + more);
}

function floorBeats(beats: Beat[], at: number, before: Position, scored: Scored): number {
  const taken = scored.floors.map((floor) => ({ seat: floor.seat, spaces: floorSpaces(before, scored, floor.seat) }));
  const most = Math.max(0, ...taken.map(({ spaces }) => spaces));
  for (let space = 0; space < most; space++) {
    const seats = taken.filter(({ spaces }) => spaces > space).map(({ seat }) => seat);
    beats.push({ at: at + space * SPACE, kind: "space", space, seats });
  }
  beats.push({ at: at + most * SPACE, kind: "floor", floors: scored.floors });
  return at + (most ? most * SPACE + FLOOR_END : 0);
}

function bonusBeats(beats: Beat[], at: number, bonuses: readonly Bonus[]): number {
  for (const kind of KINDS) {
    const won = bonuses
      .filter((bonus) => bonus[kind] > 0)
      .map((bonus) => ({ bonus, count: bonus[kind], points: bonus[kind] * WORTH[kind] }));
    if (!won.length) continue;
    beats.push({ at, kind: "bonus", bonus: kind, bonuses: won });
    at += BONUS;
  }
  return at;
}

/** The unbroken run through a cell of a wall, for its outline. */
export function run(wall: readonly string[], row: number, column: number, way: "across" | "down"): [number, number][] {
  const [down, across] = way === "down" ? [1, 0] : [0, 1];
  const filled = (r: number, c: number): boolean => (wall[r]?.[c] ?? ".") !== ".";
  let [r, c] = [row, column];
  while (filled(r - down, c - across)) [r, c] = [r - down, c - across];
  const cells: [number, number][] = [];
  for (; filled(r, c); r += down, c += across) cells.push([r, c]);
  return cells;
}

/** What a bonus was given for, as groups of cells to outline: rows, columns, or the five tiles of a color. */
export function complete(wall: readonly string[], kind: BonusKind): [number, number][][] {
  const FIVE = [0, 1, 2, 3, 4];
  const at = (row: number, column: number): string => wall[row]?.[column] ?? ".";
  const cells = FIVE.flatMap((row) => FIVE.map((column): [number, number] => [row, column]));
  const sets =
    kind === "colors"
      ? COLORS.map((color) => cells.filter(([row, column]) => at(row, column) === color))
      : FIVE.map((line) => cells.filter(([row, column]) => (kind === "rows" ? row : column) === line));
  return sets.filter((set) => set.length === 5 && set.every(([row, column]) => at(row, column) !== "."));
}
