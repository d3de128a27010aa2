/** What is wrong with a position being set up, and where. */
import { COLORS } from "../board/colors";
import * as codes from "../engine/generated/bindings";
import { COLUMNS, DISPLAY_SIZE, NOBODY, ROWS } from "../engine/generated/bindings";
import type { Rules } from "../engine/rules";
import { faultText } from "../words/faults";
import { keyOf, type Place } from "./places";
import { markerAt, MARKER, type Sketch, stateOf } from "./sketch";

/** The part of the page at which a fault is told: the offer, a board, whose turn it is, or the bag. */
export type Part = "offer" | "turn" | "supply" | `board-${number}`;

/** Fields that are no places for tiles. */
export type Field = "phase" | "seat" | "starter" | "round" | `score-${number}` | `supply-${number}`;

export interface Fault {
  readonly part: Part;
  /** The places and fields that it is about, by their keys; none if it is about all of its part. */
  readonly at: readonly string[];
  readonly text: string;
}

const range = (count: number): number[] => [...Array(count).keys()];

/** Everything that the rules have against a position; nothing if it can be. */
export function faultsOf(sketch: Sketch, rules: Rules): Fault[] {
  return rules.complete(stateOf(sketch), sketch.round, 1).faults.map((row) => located(sketch, row));
}

function located(sketch: Sketch, row: readonly number[]): Fault {
  const [code, seat, ...numbers] = row as [number, number, number, number, number];
  const part: Part = seat === NOBODY ? partOf(code) : `board-${seat}`;
  const place = PLACES[code] ?? (() => []);
  return { part, at: place(sketch, numbers, seat).map((each) => (typeof each === "string" ? each : keyOf(each))), text: faultText(row) };
}

const TURN: readonly number[] = [
  codes.FAULT_NO_SUCH_ROUND,
  codes.FAULT_NO_SUCH_SEAT,
  codes.FAULT_NO_SUCH_STARTER,
  codes.FAULT_NOT_STARTED,
  codes.FAULT_OTHER_STARTER,
  codes.FAULT_CHOICE_ON_COLORED,
  codes.FAULT_NO_CHOICE,
  codes.FAULT_STALLED,
];

function partOf(code: number): Part {
  if (code === codes.FAULT_TOO_MANY_TILES) return "supply";
  return TURN.includes(code) ? "turn" : "offer";
}

type Numbers = readonly [number, number, number];
type Finder = (sketch: Sketch, numbers: Numbers, seat: number) => readonly (Place | Field)[];

const plate: Finder = (sketch, [display]) =>
  range(Math.max(DISPLAY_SIZE, sketch.plates[display]?.length ?? 0)).map((slot) => ({ kind: "display", display, slot }));
const center: Finder = () => [...COLORS.map((color) => ({ kind: "center", color }) as const), { kind: "marker" }];
const marker: Finder = (sketch) => {
  const seat = markerAt(sketch);
  if (seat === null) return [{ kind: "marker" }];
  return [{ kind: "floor", seat, space: sketch.boards[seat]!.floor.indexOf(MARKER) }];
};
const line: Finder = (_, [row], seat) => [{ kind: "line", seat, row }];
const cells = (seat: number, rows: readonly number[], columns: readonly number[]): Place[] =>
  rows.flatMap((row) => columns.map((column) => ({ kind: "cell", seat, row, column }) as const));
const full = (sketch: Sketch, seat: number, row: number): Place[] =>
  cells(seat, [row], range(COLUMNS)).filter((place) => place.kind === "cell" && sketch.boards[seat]!.wall[row]![place.column]);
const same = (sketch: Sketch, seat: number, rows: readonly number[], columns: readonly number[], color: number): Place[] =>
  cells(seat, rows, columns).filter(
    (place) => place.kind === "cell" && sketch.boards[seat]!.wall[place.row]![place.column] === COLORS[color],
  );
const floor: Finder = (sketch, _, seat) =>
  sketch.boards[seat]!.floor.flatMap((slot, space) => (slot ? [{ kind: "floor", seat, space } as const] : []));

/** Where the faults are, each from the numbers that its sentence names. */
const PLACES: Readonly<Record<number, Finder>> = {
  [codes.FAULT_TOO_MANY_TILES]: (_, [, color]) => [`supply-${color}`],
  [codes.FAULT_NO_MARKER]: marker,
  [codes.FAULT_SEVERAL_MARKERS]: marker,
  [codes.FAULT_FULL_DISPLAY]: plate,
  [codes.FAULT_NO_SUCH_ROUND]: () => ["round"],
  [codes.FAULT_NO_SUCH_SEAT]: () => ["seat"],
  [codes.FAULT_NO_SUCH_STARTER]: () => ["starter"],
  [codes.FAULT_SCORE_TOO_HIGH]: (_, __, seat) => [`score-${seat}`],
  [codes.FAULT_FULL_FLOOR]: floor,
  [codes.FAULT_TWICE_IN_ROW]: (sketch, [color, row], seat) => same(sketch, seat, [row], range(COLUMNS), color),
  [codes.FAULT_TWICE_IN_COLUMN]: (sketch, [color, column], seat) => same(sketch, seat, range(ROWS), [column], color),
  [codes.FAULT_WRONG_CELL]: (_, [, row, column], seat) => cells(seat, [row], [column]),
  [codes.FAULT_FULL_LINE]: (sketch, [, row], seat) => line(sketch, [row, 0, 0], seat),
  [codes.FAULT_COLOR_ON_ROW]: (sketch, [color, row], seat) => [
    { kind: "line", seat, row },
    ...same(sketch, seat, [row], range(COLUMNS), color),
  ],
  [codes.FAULT_LINE_NOT_TILED]: line,
  [codes.FAULT_ROW_TOO_SOON]: (sketch, [row], seat) => full(sketch, seat, row),
  [codes.FAULT_ROW_TOO_FAST]: (sketch, [, row], seat) => full(sketch, seat, row),
  [codes.FAULT_ROW_TOO_FAST_FOR_ONE]: (sketch, [, row], seat) => full(sketch, seat, row),
  [codes.FAULT_NOTHING_TO_DRAFT]: center,
  [codes.FAULT_SHORT_DISPLAY]: plate,
  [codes.FAULT_UNFILLED_DISPLAY]: plate,
  [codes.FAULT_FULL_CENTER]: center,
  [codes.FAULT_NOT_STARTED]: () => ["seat", "starter"],
  [codes.FAULT_MARKER_TAKEN]: marker,
  [codes.FAULT_FALLEN_TOO_SOON]: floor,
  [codes.FAULT_LINE_TOO_SOON]: line,
  [codes.FAULT_TILES_LEFT]: (sketch) => [
    ...sketch.plates.flatMap((slots, display) =>
      slots.flatMap((slot, at) => (slot ? [{ kind: "display", display, slot: at } as const] : [])),
    ),
    ...COLORS.filter((_, color) => sketch.center[color]).map((color) => ({ kind: "center", color }) as const),
  ],
  [codes.FAULT_MARKER_AWAY]: marker,
  [codes.FAULT_FLOOR_NOT_EMPTY]: floor,
  [codes.FAULT_CHOICE_ON_COLORED]: () => ["phase"],
  [codes.FAULT_NO_CHOICE]: () => ["phase", "seat"],
  [codes.FAULT_OTHER_STARTER]: () => ["starter"],
  [codes.FAULT_STALLED]: () => ["phase"],
};
