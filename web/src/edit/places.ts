/** The places of a table where something can lie, and what a press, a letter or Delete does there. */
import { type Color, COLORS, indexOf } from "../board/colors";
import { DISPLAY_SIZE, FLOOR_SPACES, PATTERN } from "../engine/generated/bindings";
import { edited, MARKER, type Sketch, type Slot } from "./sketch";

/** What one holds: a tile, the marker, or nothing, which takes away. */
export type Piece = Color | typeof MARKER | null;
export const PIECES: readonly Piece[] = [...COLORS, MARKER, null];

export type Place =
  | { readonly kind: "display"; readonly display: number; readonly slot: number }
  | { readonly kind: "center"; readonly color: Color }
  | { readonly kind: "marker" }
  | { readonly kind: "line"; readonly seat: number; readonly row: number }
  | { readonly kind: "cell"; readonly seat: number; readonly row: number; readonly column: number }
  | { readonly kind: "floor"; readonly seat: number; readonly space: number };

/** More than there are tiles, so that too many can be said to be. */
const MOST_IN_CENTER = 99;

/** A name for a place, unlike any other's. */
export function keyOf(place: Place): string {
  switch (place.kind) {
    case "display":
      return `display-${place.display}-${place.slot}`;
    case "center":
      return `center-${place.color}`;
    case "marker":
      return "marker";
    case "line":
      return `line-${place.seat}-${place.row}`;
    case "cell":
      return `cell-${place.seat}-${place.row}-${place.column}`;
    case "floor":
      return `floor-${place.seat}-${place.space}`;
  }
}

/** The color that the colored wall has at a cell. */
export function printedAt(row: number, column: number): Color {
  return COLORS[PATTERN[row]![column]!];
}

/** Where a color is printed on a row of the colored wall. */
function printedColumn(row: number, color: Color): number {
  return PATTERN[row]!.findIndex((each) => each === indexOf(color));
}

/** Whether such a piece can lie at such a place at all. */
function takes(place: Place, piece: Piece): boolean {
  if (piece === MARKER) return ["center", "marker", "floor"].includes(place.kind);
  return piece === null || place.kind !== "marker";
}

/** Puts a piece at a place, in place of what lies there; in the center and in a line it comes to the others. */
export function put(sketch: Sketch, place: Place, piece: Color | typeof MARKER): Sketch {
  if (!takes(place, piece)) return sketch;
  return edited(sketch, (copy) => {
    if (piece === MARKER) moveMarker(copy, place);
    else putTile(copy, place, piece);
  });
}

function putTile(copy: Sketch, place: Place, color: Color): void {
  switch (place.kind) {
    case "display":
      copy.plates[place.display]![place.slot] = color;
      break;
    case "center":
      copy.center[indexOf(color)] = Math.min(MOST_IN_CENTER, copy.center[indexOf(color)]! + 1);
      break;
    case "line": {
      const { color: before, count } = copy.boards[place.seat]!.lines[place.row]!;
      const more = before === color ? Math.min(place.row + 1, count + 1) : Math.max(1, count);
      copy.boards[place.seat]!.lines[place.row] = { color, count: more };
      break;
    }
    case "cell": {
      const column = copy.wall === "std" ? printedColumn(place.row, color) : place.column;
      copy.boards[place.seat]!.wall[place.row]![column] = color;
      break;
    }
    case "floor":
      copy.boards[place.seat]!.floor[place.space] = color;
  }
}

/** There is one marker: it leaves the floor where it was. */
function moveMarker(copy: Sketch, place: Place): void {
  for (const board of copy.boards) board.floor = board.floor.map((slot) => (slot === MARKER ? null : slot));
  if (place.kind === "floor") copy.boards[place.seat]!.floor[place.space] = MARKER;
}

/** Takes away what lies at a place, or the last tile of several. The marker of a floor goes back to the center. */
export function take(sketch: Sketch, place: Place): Sketch {
  return edited(sketch, (copy) => {
    switch (place.kind) {
      case "display":
        clear(copy.plates[place.display]!, place.slot, DISPLAY_SIZE);
        break;
      case "center":
        copy.center[indexOf(place.color)] = Math.max(0, copy.center[indexOf(place.color)]! - 1);
        break;
      case "line":
        setLine(copy, place, copy.boards[place.seat]!.lines[place.row]!.count - 1);
        break;
      case "cell":
        copy.boards[place.seat]!.wall[place.row]![place.column] = null;
        break;
      case "floor":
        clear(copy.boards[place.seat]!.floor, place.space, FLOOR_SPACES);
    }
  });
}

/** What lies beside a full plate or floor moves up. */
function clear(slots: (Slot | typeof MARKER)[], at: number, size: number): void {
  if (slots.length > size) slots.splice(at, 1);
  else slots[at] = null;
}

function setLine(copy: Sketch, { seat, row }: { seat: number; row: number }, count: number, color?: Color): void {
  const before = copy.boards[seat]!.lines[row]!.color;
  copy.boards[seat]!.lines[row] = count > 0 ? { color: color ?? before, count } : { color: null, count: 0 };
}

/**
 * What a press with a piece in hand does. The piece is put where another or none lies, and what it would only repeat is
 * taken away, so that a second press undoes the first. In a line, a press on a space fills up to it; without one it adds a
 * tile, and a full line begins anew.
 */
export function press(sketch: Sketch, place: Place, piece: Piece, space?: number): Sketch {
  if (!takes(place, piece)) return sketch;
  if (piece === MARKER) return put(sketch, place, piece);
  if (place.kind === "line") return pressLine(sketch, place, piece, space);
  if (piece === null) return take(sketch, place);
  switch (place.kind) {
    case "display":
      return sketch.plates[place.display]![place.slot] === piece ? take(sketch, place) : put(sketch, place, piece);
    case "floor":
      return sketch.boards[place.seat]!.floor[place.space] === piece ? take(sketch, place) : put(sketch, place, piece);
    case "cell": {
      const there = sketch.boards[place.seat]!.wall[place.row]![place.column];
      // The colored wall has one color for each cell, whatever one holds.
      if (sketch.wall === "std") return there ? take(sketch, place) : put(sketch, place, printedAt(place.row, place.column));
      return there === piece ? take(sketch, place) : put(sketch, place, piece);
    }
    case "center":
    case "marker":
      return put(sketch, place, piece);
  }
}

function pressLine(sketch: Sketch, place: Place & { kind: "line" }, piece: Color | null, space?: number): Sketch {
  const { color, count } = sketch.boards[place.seat]!.lines[place.row]!;
  if (piece === null) return edited(sketch, (copy) => setLine(copy, place, Math.min(count, space ?? count - 1)));
  if (space === undefined) {
    const full = color === piece && count > place.row;
    return full ? edited(sketch, (copy) => setLine(copy, place, 0)) : put(sketch, place, piece);
  }
  const again = color === piece && count === space + 1;
  return edited(sketch, (copy) => setLine(copy, place, again ? space : space + 1, piece));
}

/** Where typing goes on after a letter: along a plate and on to the next one, along a floor, along a row of the gray wall. */
export function after(sketch: Sketch, place: Place): Place {
  switch (place.kind) {
    case "display":
      if (place.slot < DISPLAY_SIZE - 1) return { ...place, slot: place.slot + 1 };
      return place.display < sketch.plates.length - 1 ? { ...place, display: place.display + 1, slot: 0 } : place;
    case "floor":
      return place.space < sketch.boards[place.seat]!.floor.length - 1 ? { ...place, space: place.space + 1 } : place;
    case "cell":
      return sketch.wall === "gray" && place.column < COLORS.length - 1 ? { ...place, column: place.column + 1 } : place;
    default:
      return place;
  }
}
