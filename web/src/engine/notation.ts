/** Positions, moves and deals as text. */
import { ACTION_NAMES, COLORS, COLOR_LETTERS, COLUMNS, DEAL_DUE, DRAFTING, NOBODY, OVER, ROWS, TILING } from "./generated/bindings";
import type { Fields } from "./record";
import { type State, fieldsOf } from "./rules";
import type { STATE } from "./generated/bindings";

const NUMBERS = new Map<string, number>(ACTION_NAMES.map((name, action) => [name, action]));
const PHASES: Readonly<Record<number, string>> = { [DRAFTING]: "d", [TILING]: "t", [DEAL_DUE]: "r", [OVER]: "e" };
const EACH = { color: [...Array(COLORS).keys()], row: [...Array(ROWS).keys()], column: [...Array(COLUMNS).keys()] };

/** A move as it is written. */
export function writeMove(action: number): string {
  return ACTION_NAMES[action]!;
}

/** The action that is written so; undefined if none is. */
export function findMove(text: string): number | undefined {
  return NUMBERS.get(text);
}

/** Tiles by color, as in `B2YK`. */
export function writeTiles(counts: readonly number[], marker = false): string {
  const tiles = counts.map((count, color) => (count ? COLOR_LETTERS[color]! + (count > 1 ? String(count) : "") : "")).join("");
  return (marker ? "F" : "") + tiles || "-";
}

/** A deal as it is written. */
export function writeDeal(displays: readonly (readonly number[])[]): string {
  return `=${displays.map((display) => writeTiles(display)).join("/")}`;
}

/** The position line of a state. */
export function writePosition(state: State): string {
  const f = fieldsOf(state);
  const players = f.get("players");
  const phase = f.get("phase");
  const marker = f.get("marker");
  const tiles = (source: number) => EACH.color.map((color) => f.get("displays", source, color));
  return [
    f.get("gray") ? "gray" : "std",
    [...Array(2 * players + 1).keys()].map((display) => writeTiles(tiles(display + 1))).join("/"),
    writeTiles(tiles(0), marker === NOBODY),
    ...[...Array(players).keys()].map((seat) => writeBoard(f, seat, marker === seat)),
    writeTiles(EACH.color.map((color) => f.get("bag", color))),
    `${PHASES[phase]}${phase === OVER ? "-" : f.get("seat") + 1}`,
    `${f.get("round_number")}@${f.get("starter") + 1}`,
  ].join(" ");
}

function writeBoard(f: Fields<typeof STATE>, seat: number, marker: boolean): string {
  const lines = EACH.row.map((row) => {
    const count = f.get("line_count", seat, row);
    return count ? COLOR_LETTERS[f.get("line_color", seat, row)]! + (count > 1 ? String(count) : "") : "-";
  });
  const rows = EACH.row.map((row) => {
    const cells = EACH.column.map((column) => cellOf(f, seat, row, column) ?? ".").join("");
    return cells.replaceAll(/\.+/g, (empty) => String(empty.length));
  });
  const floor = EACH.color.map((color) => f.get("floor", seat, color));
  return `${f.get("score", seat)}:${lines.join("/")}:${rows.join("/")}:${writeTiles(floor, marker)}`;
}

/** The letter of the color in a cell of a wall; none if it is empty. */
export function cellOf(f: Fields<typeof STATE>, seat: number, row: number, column: number): string | undefined {
  return [...COLOR_LETTERS].find((_, color) => (f.get("wall", seat, color) >> (COLUMNS * row + column)) & 1);
}
