/**
 * Positions, moves and deals as text. A position is one line, canonical and complete enough to play on from:
 *
 *     std B2YK/BYR2/B3R/BYRW/RK2W F 0:-/-/-/-/-:5/5/5/5/5:- 0:-/-/-/-/-:5/5/5/5/5:- B13Y17R15K17W18 d1 1@1
 *
 * The sentences of the faults are those of the Python package.
 */
import { Fault } from "./fault";
import {
  ACTION_NAMES,
  ACTIONS,
  CENTER,
  COLOR_LETTERS,
  COLORS,
  COLUMNS,
  LONGEST_LINE,
  MARKER_LETTER,
  NO_ROUND_LIMIT,
  NOBODY,
  OVER,
  PHASES,
  ROWS,
  SOURCES,
  STATE,
  WALLS,
} from "./generated/bindings";
import type { Fields } from "./record";
import { fieldsOf, newState, type Rules, type State } from "./rules";
import { faultSentence, quoted } from "./wording";

/** Tiles by color. */
export type Counts = readonly number[];
type Record = Fields<typeof STATE>;

const SHOWN = 60;
const TILES = new RegExp(`^${[...COLOR_LETTERS].map((letter) => `(?:(${letter})([1-9][0-9]?)?)?`).join("")}$`);
const ROW = new RegExp(`^[1-5${COLOR_LETTERS}]*$`);
const ACTION_NUMBERS: ReadonlyMap<string, number> = new Map(ACTION_NAMES.map((name, number) => [name, number]));
const EVERY_TABLE = [2, 3, 4];
const EVERY_COLOR = [...Array(COLORS).keys()];
const EVERY_ROW = [...Array(ROWS).keys()];
const EVERY_COLUMN = [...Array(COLUMNS).keys()];

/** Tiles as text. */
function writeTiles(counts: Counts, marker = false): string {
  const text = counts.map((count, color) => (count ? COLOR_LETTERS[color]! + (count > 1 ? count : "") : "")).join("");
  return (marker ? MARKER_LETTER : "") + text || "-";
}

/** Tiles from text; `where` says in a fault where they stand. */
function readTiles(text: string, where: string): Counts {
  if (text === "-") return EVERY_COLOR.map(() => 0);
  const match = TILES.exec(text);
  const counts = match && EVERY_COLOR.map((color) => (match[2 * color + 1] ? Number(match[2 * color + 2] ?? 1) : 0));
  if (!counts || !text || match.includes("1"))
    throw new Fault(
      `cannot read ${quoted(text)} in ${where} as tiles: expected - or colors in the order ${COLOR_LETTERS}, each once, a count of 2 or more behind it`,
    );
  return counts;
}

/** Tiles that the starting-player marker may lie with. */
function readMarkedTiles(text: string, where: string): { tiles: Counts; marker: boolean } {
  const marker = text.startsWith(MARKER_LETTER);
  return { tiles: readTiles(marker ? text.slice(1) || "-" : text, where), marker };
}

/** The spelling of an action, as in 3B4. */
export function writeMove(action: number): string {
  const name = ACTION_NAMES[action];
  if (name === undefined) throw new Fault(`there is no action number ${action}: expected 0 to ${ACTIONS - 1}`);
  return name;
}

/** The action that is spelled so; undefined if none is. */
export function findMove(text: string): number | undefined {
  return ACTION_NUMBERS.get(text);
}

/** The action that is spelled so. */
export function readMove(text: string): number {
  const action = findMove(text);
  if (action === undefined)
    throw new Fault(
      `cannot read ${quoted(text)} as a move: expected a source 1-9 or c, a color B Y R K W and a line 1-5 or f (as in 3B4), or t, a row 1-5 and a column 1-5 (as in t35)`,
    );
  return action;
}

/** The spelling of a deal: the tiles of each display. */
export function writeDeal(displays: readonly Counts[]): string {
  return `=${displays.map((tiles) => writeTiles(tiles)).join("/")}`;
}

/** The tiles of each display in a deal that is spelled so. */
export function readDeal(text: string): Counts[] {
  if (typeof text !== "string" || !text.startsWith("="))
    throw new Fault(`cannot read ${quoted(text)} as a deal: expected = and the displays, as in =B2YK/...`);
  const displays = text.slice(1).split("/", SOURCES);
  if (displays.length >= SOURCES) throw new Fault(`cannot read ${quoted(start(text))} ... as a deal: more than ${SOURCES - 1} displays`);
  return displays.map((tiles) => readTiles(tiles, `the deal ${quoted(text)}`));
}

/** The deal that filled the displays of a state which nobody has drafted from. */
export function dealOf(state: State): Counts[] {
  const fields = fieldsOf(state);
  return [...Array(displaysFor(fields.get("players"))).keys()].map((at) => countsOf(fields, "displays", at + 1));
}

/** The letter that a position line has for a state's phase. */
export function phaseLetter(fields: Record): (typeof PHASES)[keyof typeof PHASES] {
  return PHASES[String(fields.get("phase")) as keyof typeof PHASES];
}

/** The number of a phase that has a letter. */
export function phaseOf(letter: string): number {
  return Number(Object.entries(PHASES).find(([, each]) => each === letter)![0]);
}

/** The position line of a state. */
export function writePosition(state: State): string {
  const fields = fieldsOf(state);
  const phase = fields.get("phase");
  const seats = [...Array(fields.get("players")).keys()];
  return [
    WALLS[fields.get("gray")],
    writeDeal(dealOf(state)).slice(1),
    writeTiles(countsOf(fields, "displays", CENTER), fields.get("marker") === NOBODY),
    ...seats.map((seat) => writeBoard(fields, seat)),
    writeTiles(countsOf(fields, "bag")),
    phaseLetter(fields) + (phase === OVER ? "-" : fields.get("seat") + 1),
    `${fields.get("round_number")}@${fields.get("starter") + 1}`,
  ].join(" ");
}

function countsOf(fields: Record, name: "displays" | "bag" | "floor", ...index: number[]): Counts {
  return EVERY_COLOR.map((color) => fields.get(name, ...index, color));
}

function writeBoard(fields: Record, seat: number): string {
  const line = (row: number): Counts =>
    EVERY_COLOR.map((color) => (fields.get("line_color", seat, row) === color ? fields.get("line_count", seat, row) : 0));
  const lines = EVERY_ROW.map((row) => writeTiles(line(row))).join("/");
  const rows = EVERY_ROW.map((row) => writeRow(fields, seat, row)).join("/");
  return `${fields.get("score", seat)}:${lines}:${rows}:${writeTiles(countsOf(fields, "floor", seat), fields.get("marker") === seat)}`;
}

/** The letter of the color in a cell of a wall; none if it is empty. */
export function cellOf(fields: Record, seat: number, row: number, column: number): string | undefined {
  return [...COLOR_LETTERS].find((_, color) => (fields.get("wall", seat, color) >> (COLUMNS * row + column)) & 1);
}

function writeRow(fields: Record, seat: number, row: number): string {
  return EVERY_COLUMN.map((column) => cellOf(fields, seat, row, column) ?? " ")
    .join("")
    .replace(/ +/g, (empty) => String(empty.length));
}

/** The state that a position line stands for, checked to be possible; its random stream is at 0. */
export function readPosition(line: string, rules: Rules): State {
  const { state, round, markers } = readAnyPosition(line);
  const canonical = canonicalLine(line);
  if (line !== canonical) throw new Fault(`cannot read ${quoted(line)}: this position is written ${quoted(canonical)}`);
  const { state: complete, faults } = rules.complete(state, round, markers);
  if (faults.length) throw new Fault(`impossible position ${quoted(line)}: ${faults.map(faultSentence).join("; ")}`);
  return complete;
}

/** What a readable line says, possible or not; round and markers apart, because a state has no room for impossible ones. */
export function readAnyPosition(line: string): { state: State; round: number; markers: number } {
  const parts = fieldsOfLine(line);
  const state = newState();
  const fields = fieldsOf(state);
  const [wall, displays, center] = parts as [string, string, string];
  const [bag, turn, round] = parts.slice(-3) as [string, string, string];
  const boards = parts.slice(3, -3);
  if (!(WALLS as readonly string[]).includes(wall)) throw new Fault(`cannot read ${quoted(wall)} as a wall: expected std or gray`);
  fields.set("players", boards.length);
  fields.set("gray", WALLS.indexOf(wall as (typeof WALLS)[number]));
  fields.set("marker", NOBODY);
  fields.set("max_rounds", NO_ROUND_LIMIT);
  const offered = readMarkedTiles(center, "the center");
  setCounts(fields, "displays", offered.tiles, CENTER);
  setTurn(fields, turn);
  const number = setRound(fields, round);
  for (const [at, text] of displays.split("/").entries()) setCounts(fields, "displays", readTiles(text, `display ${at + 1}`), at + 1);
  const held = boards.map((text, seat) => setBoard(fields, seat, text, `board ${seat + 1}`));
  setCounts(fields, "bag", readTiles(bag, "the bag"));
  if (held.includes(true)) fields.set("marker", held.indexOf(true));
  return { state, round: number, markers: [offered.marker, ...held].filter(Boolean).length };
}

function fieldsOfLine(line: string): string[] {
  if (typeof line !== "string") throw new Fault(`cannot read ${quoted(line)} as a position: expected a text`);
  const length = line.length > LONGEST_LINE ? [...line].length : 0;
  if (length > LONGEST_LINE) throw new Fault(`cannot read ${quoted(start(line))} ... as a position: ${length} characters are too many`);
  const parts = line.split(" ");
  const displays = parts.length > 1 ? parts[1]!.split("/").length : 0;
  const players = playersWith(displays);
  if (displays > 1 && !players) throw new Fault(`cannot read ${quoted(parts[1])} as displays: expected 5, 7 or 9 of them, not ${displays}`);
  if (!players || parts.length !== players + 6)
    throw new Fault(
      `cannot read ${quoted(line)} as a position: expected wall, displays, center, a board for each seat, bag, turn and round with one blank between them`,
    );
  return parts;
}

function setCounts(fields: Record, name: "displays" | "bag" | "floor", counts: Counts, ...index: number[]): void {
  for (const [color, count] of counts.entries()) fields.set(name, count, ...index, color);
}

function setTurn(fields: Record, text: string): void {
  const match = /^(?:([dtr])([1-4])|(e)-)$/.exec(text);
  if (!match) throw new Fault(`cannot read ${quoted(text)} as a turn: expected d, t or r and a seat 1-4, or e-`);
  fields.set("phase", phaseOf((match[1] ?? match[3])!));
  fields.set("seat", Number(match[2] ?? 1) - 1);
}

function setRound(fields: Record, text: string): number {
  const match = /^([1-9][0-9]{0,4})@([1-4])$/.exec(text);
  if (!match) throw new Fault(`cannot read ${quoted(text)} as a round: expected its number, @ and the seat that starts it`);
  fields.set("round_number", Number(match[1]));
  fields.set("starter", Number(match[2]) - 1);
  return Number(match[1]);
}

/** Reads a board; says whether it has the marker. */
function setBoard(fields: Record, seat: number, text: string, where: string): boolean {
  const parts = text.split(":");
  if (parts.length !== 4) throw new Fault(`cannot read ${quoted(text)} as ${where}: expected score:lines:rows:floor`);
  const [score, lines, rows, floor] = parts as [string, string, string, string];
  if (!/^(?:0|[1-9][0-9]{0,3})$/.test(score)) throw new Fault(`cannot read ${quoted(score)} in ${where} as a score`);
  fields.set("score", Number(score), seat);
  const { tiles, marker } = readMarkedTiles(floor, `the floor of ${where}`);
  setCounts(fields, "floor", tiles, seat);
  for (const [row, part] of five(lines, `the lines of ${where}`).entries()) setLine(fields, seat, row, part, where);
  for (const [row, part] of five(rows, `the rows of ${where}`).entries()) setRow(fields, seat, row, part, where);
  return marker;
}

function five(text: string, where: string): string[] {
  const parts = text.split("/");
  if (parts.length !== ROWS) throw new Fault(`cannot read ${quoted(text)} in ${where}: expected ${ROWS} parts with / between them`);
  return parts;
}

function setLine(fields: Record, seat: number, row: number, text: string, where: string): void {
  const counts = readTiles(text, `the lines of ${where}`);
  const colors = EVERY_COLOR.filter((color) => counts[color]);
  if (colors.length > 1) throw new Fault(`cannot read ${quoted(text)} in the lines of ${where}: a line holds one color`);
  const color = colors[0] ?? 0;
  fields.set("line_color", color, seat, row);
  fields.set("line_count", counts[color]!, seat, row);
}

function setRow(fields: Record, seat: number, row: number, text: string, where: string): void {
  const cells = text.replace(/[1-5]/g, (digit) => " ".repeat(Number(digit)));
  if (!ROW.test(text) || cells.length !== COLUMNS)
    throw new Fault(`cannot read ${quoted(text)} in the rows of ${where}: expected letters for tiles and digits for empty cells, 5 in all`);
  for (const [column, cell] of [...cells].entries()) {
    if (cell === " ") continue;
    const color = COLOR_LETTERS.indexOf(cell);
    fields.set("wall", fields.get("wall", seat, color) | (1 << (COLUMNS * row + column)), seat, color);
  }
}

/** A readable line as it is to be written: nothing beside a marker but tiles, and one digit for a run of empty cells. */
function canonicalLine(line: string): string {
  const sum = (digits: string): string => String([...digits].reduce((cells, digit) => cells + Number(digit), 0));
  const unpadded = (text: string): string => (text === `${MARKER_LETTER}-` ? MARKER_LETTER : text);
  const board = (text: string): string => {
    const [score, lines, rows, floor] = text.split(":") as [string, string, string, string];
    return [score, lines, rows.replace(/[1-5]+/g, sum), unpadded(floor)].join(":");
  };
  return line
    .split(" ")
    .map((part) => (part.includes(":") ? board(part) : unpadded(part)))
    .join(" ");
}

/** How many displays a game with so many players uses. */
export function displaysFor(players: number): number {
  return 2 * players + 1;
}

/** How many play a game that uses so many displays. */
export function playersWith(displays: number): number | undefined {
  return EVERY_TABLE.find((each) => displaysFor(each) === displays);
}

function start(text: string): string {
  return [...text].slice(0, SHOWN).join("");
}
