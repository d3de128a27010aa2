/** What a screen reader says of the places of a position being set up. */
import { colorName } from "../board/announce";
import { indexOf } from "../board/colors";
import { m } from "../paraglide/messages.js";
import { type Piece, type Place, printedAt } from "./places";
import { MARKER, markerAt, type Sketch } from "./sketch";

/** What one can hold. */
export function pieceName(piece: Piece): string {
  if (piece === null) return m.edit_eraser();
  return piece === MARKER ? m.board_marker() : colorName(piece);
}

function lying(piece: Piece): string {
  return piece === null ? m.edit_empty() : pieceName(piece);
}

/** A place and what lies there. */
export function placeName(sketch: Sketch, place: Place): string {
  switch (place.kind) {
    case "display":
      return m.edit_slot({
        number: place.display + 1,
        slot: place.slot + 1,
        what: lying(sketch.plates[place.display]?.[place.slot] ?? null),
      });
    case "center":
      return m.edit_center({ color: colorName(place.color), count: sketch.center[indexOf(place.color)]! });
    case "marker":
      return markerAt(sketch) === null ? m.board_center_holds({ tiles: m.board_marker() }) : m.edit_marker_away();
    case "line": {
      const { color, count } = sketch.boards[place.seat]!.lines[place.row]!;
      const line = place.row + 1;
      return color ? m.board_line_holds({ line, count, color: colorName(color) }) : m.board_line_empty({ line });
    }
    case "cell":
      return m.edit_cell({ row: place.row + 1, column: place.column + 1, what: cellName(sketch, place) });
    case "floor":
      return m.edit_space({ space: place.space + 1, what: lying(sketch.boards[place.seat]!.floor[place.space] ?? null) });
  }
}

function cellName({ boards, wall }: Sketch, { seat, row, column }: Place & { kind: "cell" }): string {
  const there = boards[seat]!.wall[row]![column] ?? null;
  if (there || wall === "gray") return lying(there);
  return m.edit_printed({ color: colorName(printedAt(row, column)) });
}
