/** States and what happens to them in the words of the protocol, as `azulejos.server.protocol.position` says them. */
import {
  ACTION_NAMES,
  COLORS,
  COLOR_LETTERS,
  COLOR_NAMES,
  COLUMNS,
  FLOOR_SPACES,
  HAPPENED_BONUS,
  HAPPENED_DRAFTED,
  HAPPENED_FELL,
  HAPPENED_FLOOR_SCORED,
  HAPPENED_TILED,
  NOBODY,
  PATTERN,
  PENALTY,
  PLACES,
  REFUSALS,
  ROWS,
  SOURCE_LETTERS,
  SPACE_COST,
} from "../engine/generated/bindings";
import { cellOf, dealOf, phaseLetter, writePosition } from "../engine/notation";
import { type Rules, type State, type Refusal as RefusalNumbers, fieldsOf } from "../engine/rules";
import type { BoardInfo, Bonus, FallInfo, FloorScored, HappeningInfo, Option, Position, Refusal, TilingInfo } from "../net/messages";

const COLOR_NUMBERS = numbers(COLORS);
const ROW_NUMBERS = numbers(ROWS);
const COLUMN_NUMBERS = numbers(COLUMNS);
const EMPTY = ".";

/** Everything that can be seen in a state, and what may be played. */
export function positionOf(rules: Rules, state: State): Position {
  const f = fieldsOf(state);
  const players = f.get("players");
  const phase = phaseLetter(f);
  return {
    line: writePosition(state),
    wall: f.get("gray") ? "gray" : "std",
    pattern: f.get("gray") ? null : PATTERN.map((row) => row.map((color) => COLOR_LETTERS[color]).join("")),
    penalties: [...SPACE_COST],
    displays: dealOf(state).map((tiles) => [...tiles]),
    center: COLOR_NUMBERS.map((color) => f.get("displays", 0, color)),
    marker: f.get("marker") === NOBODY,
    boards: numbers(players).map((seat) => boardOf(state, seat)),
    bag: COLOR_NUMBERS.map((color) => f.get("bag", color)),
    lid: COLOR_NUMBERS.map((color) => f.get("lid", color)),
    phase,
    seat: phase === "e" ? null : f.get("seat"),
    round: f.get("round_number"),
    starter: f.get("starter"),
    last_round: rules.isLastRound(state),
    options: optionsOf(rules, state),
    refusals: closedLinesOf(rules, state),
  };
}

/** One player's board. */
export function boardOf(state: State, seat: number): BoardInfo {
  const f = fieldsOf(state);
  const floor = COLOR_NUMBERS.map((color) => f.get("floor", seat, color));
  const marker = f.get("marker") === seat;
  const occupied = floor.reduce((sum, count) => sum + count, marker ? 1 : 0);
  return {
    score: f.get("score", seat),
    lines: ROW_NUMBERS.map((row) => {
      const count = f.get("line_count", seat, row);
      return { color: count ? COLOR_LETTERS[f.get("line_color", seat, row)]! : null, count };
    }),
    wall: ROW_NUMBERS.map((row) => COLUMN_NUMBERS.map((column) => cellOf(f, seat, row, column) ?? EMPTY).join("")),
    floor,
    marker,
    penalty: PENALTY[Math.min(occupied, FLOOR_SPACES)]!,
  };
}

/** The legal moves of a state and what they would do. */
export function optionsOf(rules: Rules, state: State): Option[] {
  return rules.previews(state).map(({ action, taken, placed, marker, cost, completes, columns, points }) => ({
    move: ACTION_NAMES[action]!,
    taken,
    placed,
    dropped: taken - placed,
    marker,
    cost,
    completes,
    columns: COLUMN_NUMBERS.filter((column) => (columns >> column) & 1),
    points,
  }));
}

function closedLinesOf(rules: Rules, state: State): Position["refusals"] {
  const closed: Position["refusals"] = {};
  for (const [color, line, reason, first, second] of rules.closedLines(state) as [number, number, number, number, number][]) {
    const refusal = refusalOf([reason, first, second, 0]);
    if (refusal) (closed[COLOR_LETTERS[color]!] ??= {})[String(line + 1)] = refusal;
  }
  return closed;
}

/** Why the rules do not allow something; null if they do. */
export function refusalOf([reason, ...values]: RefusalNumbers): Refusal | null {
  const worded = (REFUSALS as Readonly<Record<number, readonly string[]>>)[reason];
  if (!worded) return null;
  const [code, ...names] = worded as [string, ...string[]];
  return { code, arguments: Object.fromEntries(names.map((name, at) => [name, named(name, values[at] ?? 0)])) };
}

function named(name: string, value: number): string | number {
  if (name === "color") return COLOR_NAMES[value]!;
  if (name === "source") return SOURCE_LETTERS[value]!;
  return (PLACES as readonly string[]).includes(name) ? value + 1 : value;
}

/** What a move did, from the rows that the rules wrote; `dealt` is the state after the deal that followed. */
export function happeningOf(action: number, rows: readonly (readonly number[])[], dealt: State | null): HappeningInfo {
  const happening: HappeningInfo = { move: ACTION_NAMES[action]!, seat: rows[0]![1]! };
  const tiling: (TilingInfo | FallInfo)[] = [];
  const floors: FloorScored[] = [];
  const bonuses: Bonus[] = [];
  for (const [kind, seat, a, b, c, d, e, f, g] of rows as [number, number, number, number, number, number, number, number, number][]) {
    if (kind === HAPPENED_DRAFTED) {
      const dropped = d - e;
      happening.drafted = {
        source: a,
        color: COLOR_LETTERS[b]!,
        line: c,
        taken: d,
        placed: e,
        dropped,
        to_lid: dropped - f,
        marker: g === 1,
      };
    } else if (kind === HAPPENED_TILED) {
      tiling.push({ type: "tiled", seat, row: a, column: b, color: COLOR_LETTERS[c]!, horizontal: d, vertical: e, points: d + e });
    } else if (kind === HAPPENED_FELL) {
      tiling.push({ type: "fell", seat, row: a, color: COLOR_LETTERS[c]!, count: a + 1, to_lid: a + 1 - b });
    } else if (kind === HAPPENED_FLOOR_SCORED) floors.push({ seat, penalty: a, lost: b });
    else if (kind === HAPPENED_BONUS) bonuses.push({ seat, rows: a, columns: b, colors: c, points: d });
  }
  if (tiling.length) happening.tiling = tiling;
  if (floors.length) happening.floors = floors;
  if (bonuses.length) happening.bonuses = bonuses;
  if (dealt) happening.deal = dealOf(dealt).map((tiles) => [...tiles]);
  return happening;
}

/** The numbers from 0 on, so many. */
export function numbers(count: number): number[] {
  return [...Array(count).keys()];
}
