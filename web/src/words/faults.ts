/** What is wrong with a position, in the page's language: the rules say which fault it is and what its sentence names. */
import { colorName, countName } from "../board/announce";
import { COLORS } from "../board/colors";
import * as codes from "../engine/generated/bindings";
import { DISPLAY_SIZE, FLOOR_SPACES, HIGHEST_SCORE, NO_ROUND_LIMIT, TILES_PER_COLOR } from "../engine/generated/bindings";
import { m } from "../paraglide/messages.js";

type Wording = (first: number, second: number, third: number) => string;

const color = (index: number): string => colorName(COLORS[index]!);
/** People count places and seats from 1. */
const seat = (index: number): string => m.seat_number({ number: index + 1 });

const FAULTS: Readonly<Record<number, Wording>> = {
  [codes.FAULT_TOO_MANY_TILES]: (tiles, index) =>
    m.fault_too_many_tiles({ tiles: countName(COLORS[index]!, tiles), most: TILES_PER_COLOR }),
  [codes.FAULT_NO_MARKER]: () => m.fault_no_marker(),
  [codes.FAULT_SEVERAL_MARKERS]: (markers) => m.fault_several_markers({ markers }),
  [codes.FAULT_FULL_DISPLAY]: (display, tiles) => m.fault_full_display({ number: display + 1, tiles, most: DISPLAY_SIZE }),
  [codes.FAULT_NO_SUCH_ROUND]: (round) => m.fault_no_such_round({ round, most: NO_ROUND_LIMIT }),
  [codes.FAULT_NO_SUCH_SEAT]: (number, players) => m.fault_no_such_seat({ player: seat(number), players }),
  [codes.FAULT_NO_SUCH_STARTER]: (number, players) => m.fault_no_such_starter({ player: seat(number), players }),
  [codes.FAULT_SCORE_TOO_HIGH]: (score) => m.fault_score_too_high({ score, most: HIGHEST_SCORE }),
  [codes.FAULT_FULL_FLOOR]: (tiles) => m.fault_full_floor({ tiles, most: FLOOR_SPACES }),
  [codes.FAULT_TWICE_IN_ROW]: (index, row) => m.fault_twice_in_row({ color: color(index), row: row + 1 }),
  [codes.FAULT_TWICE_IN_COLUMN]: (index, column) => m.fault_twice_in_column({ color: color(index), column: column + 1 }),
  [codes.FAULT_WRONG_CELL]: (index, row, column) => m.fault_wrong_cell({ color: color(index), row: row + 1, column: column + 1 }),
  [codes.FAULT_FULL_LINE]: (tiles, line) => m.fault_full_line({ tiles, line: line + 1 }),
  [codes.FAULT_COLOR_ON_ROW]: (index, line, row) => m.fault_color_on_row({ color: color(index), line: line + 1, row: row + 1 }),
  [codes.FAULT_LINE_NOT_TILED]: (line) => m.fault_line_not_tiled({ line: line + 1 }),
  [codes.FAULT_ROW_TOO_SOON]: (row) => m.fault_row_too_soon({ row: row + 1 }),
  [codes.FAULT_ROW_TOO_FAST]: (tiles, row, rounds) => m.fault_row_too_fast({ count: tiles, row: row + 1, rounds }),
  [codes.FAULT_ROW_TOO_FAST_FOR_ONE]: (tiles, row) => m.fault_row_too_fast_for_one({ count: tiles, row: row + 1 }),
  [codes.FAULT_NOTHING_TO_DRAFT]: () => m.fault_nothing_to_draft(),
  [codes.FAULT_SHORT_DISPLAY]: (display) => m.fault_short_display({ number: display + 1, size: DISPLAY_SIZE }),
  [codes.FAULT_UNFILLED_DISPLAY]: (display) => m.fault_unfilled_display({ number: display + 1, size: DISPLAY_SIZE }),
  [codes.FAULT_FULL_CENTER]: (count, touched) => m.fault_full_center({ count, touched, most: DISPLAY_SIZE - 1 }),
  [codes.FAULT_NOT_STARTED]: (first, starter) => m.fault_not_started({ player: seat(first), starter: seat(starter) }),
  [codes.FAULT_MARKER_TAKEN]: () => m.fault_marker_taken(),
  [codes.FAULT_FALLEN_TOO_SOON]: () => m.fault_fallen_too_soon(),
  [codes.FAULT_LINE_TOO_SOON]: (line) => m.fault_line_too_soon({ line: line + 1 }),
  [codes.FAULT_TILES_LEFT]: () => m.fault_tiles_left(),
  [codes.FAULT_MARKER_AWAY]: () => m.fault_marker_away(),
  [codes.FAULT_FLOOR_NOT_EMPTY]: () => m.fault_floor_not_empty(),
  [codes.FAULT_CHOICE_ON_COLORED]: () => m.fault_choice_on_colored(),
  [codes.FAULT_NO_CHOICE]: (number) => m.fault_no_choice({ player: seat(number) }),
  [codes.FAULT_OTHER_STARTER]: (first, starter) => m.fault_other_starter({ player: seat(first), starter: seat(starter) }),
  [codes.FAULT_STALLED]: () => m.fault_stalled(),
};

/** The sentence of a fault, from its row of numbers: which one, whose board, and what it names. */
export function faultText([code, , ...numbers]: readonly number[]): string {
  return FAULTS[code!]!(numbers[0] ?? 0, numbers[1] ?? 0, numbers[2] ?? 0);
}
