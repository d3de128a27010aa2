/** A position being set up: what lies where, possible or not. A line of text leads to one and back. */
import { type Color, COLORS, indexOf } from "../board/colors";
import {
  CENTER,
  COLUMNS,
  DISPLAY_SIZE,
  FLOOR_SPACES,
  MAX_PLAYERS,
  NO_ROUND_LIMIT,
  NOBODY,
  ROWS,
  TILES_PER_COLOR,
  WALLS,
} from "../engine/generated/bindings";
import { cellOf, displaysFor, phaseLetter, phaseOf, readAnyPosition, writePosition } from "../engine/notation";
import { fieldsOf, newState, type State, type Wall } from "../engine/rules";

/** The starting-player marker, beside the letters of the colors. */
export const MARKER = "marker";
export type Slot = Color | null;
/** Tiles by color, in the order of the colors. */
export type Counts = number[];
export type Phase = "d" | "t" | "r" | "e";

export interface SketchLine {
  color: Slot;
  count: number;
}

export interface SketchBoard {
  score: number;
  lines: SketchLine[];
  wall: Slot[][];
  /** What lies on each space; the marker may lie beside a full floor. */
  floor: (Slot | typeof MARKER)[];
}

export interface Sketch {
  wall: Wall;
  plates: Slot[][];
  center: Counts;
  boards: SketchBoard[];
  /** What is wished in the lid; tiles that lie elsewhere are taken from it last. All others are in the bag. */
  lid: Counts;
  phase: Phase;
  /** The seat to act. */
  seat: number;
  /** The seat that starts this round, or has started it. */
  starter: number;
  round: number;
}

export const FEWEST_PLAYERS = 2;
export const MOST_PLAYERS = MAX_PLAYERS;
export const LAST_ROUND = NO_ROUND_LIMIT;
/** Longer than any score, so that one that is too high can be said to be. */
export const MOST_POINTS = 999;

const range = (count: number): number[] => [...Array(count).keys()];
const noTiles = (): Counts => COLORS.map(() => 0);
const emptySlots = (count: number): null[] => Array<null>(count).fill(null);

function emptyBoard(): SketchBoard {
  return {
    score: 0,
    lines: range(ROWS).map(() => ({ color: null, count: 0 })),
    wall: range(ROWS).map(() => emptySlots(COLUMNS)),
    floor: emptySlots(FLOOR_SPACES),
  };
}

/** A fresh game without any tiles on the table. */
export function emptySketch(players: number, wall: Wall): Sketch {
  return {
    wall,
    plates: range(displaysFor(players)).map(() => emptySlots(DISPLAY_SIZE)),
    center: noTiles(),
    boards: range(players).map(emptyBoard),
    lid: noTiles(),
    phase: "d",
    seat: 0,
    starter: 0,
    round: 1,
  };
}

/** The same position with a change made to a copy of it. */
export function edited(sketch: Sketch, change: (copy: Sketch) => void): Sketch {
  const copy = structuredClone(sketch);
  change(copy);
  return copy;
}

/** The same boards at a table for more or fewer. */
export function withPlayers(sketch: Sketch, players: number): Sketch {
  const empty = emptySketch(players, sketch.wall);
  return edited(sketch, (copy) => {
    copy.plates = empty.plates.map((slots, at) => copy.plates[at] ?? slots);
    copy.boards = empty.boards.map((board, at) => copy.boards[at] ?? board);
    copy.seat = Math.min(copy.seat, players - 1);
    copy.starter = Math.min(copy.starter, players - 1);
  });
}

/** The same position in another phase. Before a deal, and after the game, nobody but the starter can be meant. */
export function withPhase(sketch: Sketch, phase: Phase): Sketch {
  return edited(sketch, (copy) => {
    copy.phase = phase;
    if (phase === "r") copy.seat = copy.starter;
  });
}

/** The seat that has the marker; null while it lies in the center. */
export function markerAt({ boards }: Sketch): number | null {
  const seat = boards.findIndex(({ floor }) => floor.includes(MARKER));
  return seat < 0 ? null : seat;
}

/** How many tiles of each color lie on the table and on boards. */
function elsewhere({ plates, center, boards }: Sketch): Counts {
  const counts = [...center];
  const add = (slot: Slot | typeof MARKER, count = 1) => {
    if (slot && slot !== MARKER) counts[indexOf(slot)]! += count;
  };
  for (const slot of plates.flat()) add(slot);
  for (const { lines, wall, floor } of boards) {
    for (const { color, count } of lines) add(color, count);
    for (const slot of [...wall.flat(), ...floor]) add(slot);
  }
  return counts;
}

/** What is left of each color for lid and bag. */
export function supply(sketch: Sketch): { bag: Counts; lid: Counts; outside: Counts } {
  const outside = elsewhere(sketch);
  const rest = outside.map((count) => Math.max(0, TILES_PER_COLOR - count));
  const lid = rest.map((count, color) => Math.min(count, sketch.lid[color]!));
  return { outside, lid, bag: rest.map((count, color) => count - lid[color]!) };
}

/** The record that the rules look at; what follows from its other fields is not in it. */
export function stateOf(sketch: Sketch): State {
  const state = newState();
  const fields = fieldsOf(state);
  const { bag, lid } = supply(sketch);
  const set = (name: "displays" | "floor" | "bag" | "lid", counts: Counts, ...at: number[]) =>
    counts.forEach((count, color) => fields.set(name, count, ...at, color));
  const counted = (slots: readonly (string | null)[]): Counts => COLORS.map((color) => slots.filter((slot) => slot === color).length);
  fields.set("players", sketch.boards.length);
  fields.set("gray", WALLS.indexOf(sketch.wall));
  fields.set("phase", phaseOf(sketch.phase));
  fields.set("seat", sketch.seat);
  fields.set("starter", sketch.starter);
  fields.set("round_number", sketch.round);
  fields.set("max_rounds", NO_ROUND_LIMIT);
  fields.set("marker", markerAt(sketch) ?? NOBODY);
  set("displays", sketch.center, CENTER);
  set("bag", bag);
  set("lid", lid);
  sketch.plates.forEach((slots, at) => set("displays", counted(slots), at + 1));
  sketch.boards.forEach(({ score, lines, wall, floor }, seat) => {
    fields.set("score", score, seat);
    set("floor", counted(floor), seat);
    lines.forEach(({ color, count }, row) => {
      fields.set("line_color", color ? indexOf(color) : 0, seat, row);
      fields.set("line_count", count, seat, row);
    });
    COLORS.forEach((color, index) => {
      const bits = wall.flat().reduce((sum, slot, at) => (slot === color ? sum | (1 << at) : sum), 0);
      fields.set("wall", bits, seat, index);
    });
  });
  return state;
}

/** The position line, also of what cannot be. */
export function lineOf(sketch: Sketch): string {
  return writePosition(stateOf(sketch));
}

/** What a state that was dealt or read holds. */
export function sketchOf(state: State): Sketch {
  const fields = fieldsOf(state);
  const players = fields.get("players");
  const marker = fields.get("marker");
  const counts = (name: "displays" | "floor" | "bag", ...at: number[]) => COLORS.map((_, color) => fields.get(name, ...at, color));
  const slots = (tiles: Counts, size: number): Slot[] => {
    const lying = COLORS.flatMap((color, index) => Array<Slot>(tiles[index]!).fill(color));
    return [...lying, ...emptySlots(Math.max(0, size - lying.length))];
  };
  const boards = range(players).map((seat): SketchBoard => {
    const holds = marker === seat;
    return {
      score: fields.get("score", seat),
      lines: range(ROWS).map((row) => {
        const count = fields.get("line_count", seat, row);
        return { color: count ? COLORS[fields.get("line_color", seat, row)]! : null, count };
      }),
      wall: range(ROWS).map((row) => range(COLUMNS).map((column) => (cellOf(fields, seat, row, column) as Color | undefined) ?? null)),
      floor: [...(holds ? ([MARKER] as const) : []), ...slots(counts("floor", seat), FLOOR_SPACES - Number(holds))],
    };
  });
  const phase: Phase = phaseLetter(fields);
  const sketch: Sketch = {
    wall: WALLS[fields.get("gray")]!,
    plates: range(displaysFor(players)).map((at) => slots(counts("displays", at + 1), DISPLAY_SIZE)),
    center: counts("displays", CENTER),
    boards,
    lid: noTiles(),
    phase,
    seat: fields.get("seat"),
    starter: fields.get("starter"),
    round: fields.get("round_number"),
  };
  const bag = counts("bag");
  return { ...sketch, lid: elsewhere(sketch).map((count, color) => Math.max(0, TILES_PER_COLOR - count - bag[color]!)) };
}

/** What a line of text says, made to fit where it says what cannot be shown: another bag, no marker, a seat that is not there. */
export function readSketch(line: string): { sketch: Sketch; fitted: boolean } {
  const { state, round, markers } = readAnyPosition(line);
  const fields = fieldsOf(state);
  const last = fields.get("players") - 1;
  const read = sketchOf(state);
  const sketch = {
    ...read,
    round: Math.min(round, LAST_ROUND),
    seat: Math.min(read.seat, last),
    starter: Math.min(read.starter, last),
  };
  const bag = supply(sketch).bag;
  const other = COLORS.some((_, color) => fields.get("bag", color) !== bag[color]);
  return {
    sketch,
    fitted: other || markers !== 1 || sketch.round !== round || sketch.seat !== read.seat || sketch.starter !== read.starter,
  };
}
