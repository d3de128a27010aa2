/** Sentences about the table, in the page's language: names of buttons, the log, what a screen reader hears. */

import type { BoardInfo, HappeningInfo, Option, Position, Refusal, Result } from "../net/messages";
import { m } from "../paraglide/messages.js";
import { getLocale } from "../paraglide/runtime.js";
import { isColor, present, type Color } from "./colors";
import { CENTER, FLOOR, read, type Group } from "./moves";
import { countOf, sent, type Target } from "./preview";
import type { News } from "../net/news";
import { EMOTES } from "../words/emotes";
import type { Sheet, SheetRow } from "./history";
import type { Missing } from "./selection";

const COLOR = { B: m.board_color_b, Y: m.board_color_y, R: m.board_color_r, K: m.board_color_k, W: m.board_color_w };
const COUNT = { B: m.board_count_b, Y: m.board_count_y, R: m.board_count_r, K: m.board_count_k, W: m.board_count_w };
/** Refusals name colors in English; the page words them itself. */
const SPELLED: Record<string, Color> = { blue: "B", yellow: "Y", red: "R", black: "K", white: "W" };

export const colorName = (color: Color): string => COLOR[color]();
export const countName = (color: Color, count: number): string => COUNT[color]({ count });

/** "2 blue, 1 red"; the marker first where it is. */
function tilesName(counts: readonly number[], marker = false): string {
  const named = present(counts).map(({ color, count }) => countName(color, count));
  return (marker ? [m.board_marker(), ...named] : named).join(", ");
}

export function displayName(number: number, counts: readonly number[]): string {
  const tiles = tilesName(counts);
  return tiles ? m.board_display_holds({ number, tiles }) : m.board_display_empty({ number });
}

export function centerName(position: Position): string {
  const tiles = tilesName(position.center, position.marker);
  return tiles ? m.board_center_holds({ tiles }) : m.board_center_empty();
}

/** "2 blue from display 3, sends 1 red, 1 white to the center". */
export function groupName(position: Position, group: Group): string {
  const tiles = countName(group.color, countOf(position, group));
  if (group.source === CENTER) {
    return position.marker ? m.board_group_center_marker({ tiles }) : m.board_group_center({ tiles });
  }
  const rest = tilesName(sent(position, group));
  const number = group.source;
  return rest ? m.board_group_display_sends({ tiles, number, rest }) : m.board_group_display({ tiles, number });
}

function sourceName(source: number): string {
  return source === CENTER ? m.board_source_center() : m.board_source_display({ number: source });
}

/** Why a line does not take the tiles held. */
export function whyName(refusal: Refusal | null, line: number): string {
  const spelled = SPELLED[String(refusal?.arguments?.["color"] ?? "")];
  const color = spelled ? colorName(spelled) : "";
  if (refusal?.code === "line_full") return m.board_why_line_full({ line: line + 1 });
  if (refusal?.code === "other_color") return m.board_why_other_color({ line: line + 1, color });
  if (refusal?.code === "color_on_row") return m.board_why_color_on_row({ color });
  return m.board_why_not();
}

/** Why an action did nothing. */
export function missingName(missing: Missing): string {
  switch (missing.what) {
    case "tiles":
      return m.board_missing_tiles();
    case "source":
      if (missing.source === CENTER) return m.board_center_empty();
      return missing.exists ? m.board_display_empty({ number: missing.source }) : m.board_missing_display({ number: missing.source });
    case "color":
      return m.board_missing_color({ color: colorName(missing.color), source: sourceName(missing.source) });
    case "place":
      return (missing.anywhere ? m.board_missing_place : m.board_missing_everywhere)({ color: colorName(missing.color) });
  }
}

/** What a move would do, piece by piece. */
function effects(option: Option, target: Pick<Target, "filled" | "size">): string[] {
  const said: string[] = [];
  if (target.size) said.push(m.board_line_becomes({ filled: target.filled, size: target.size }));
  if (option.completes) {
    said.push(m.board_line_completes());
    said.push(option.columns?.length ? m.board_points_now({ points: option.points ?? 0 }) : m.board_stuck());
  }
  if (option.marker) said.push(m.board_takes_marker());
  if (option.dropped) said.push(m.board_falls({ count: option.dropped }));
  if (option.cost) said.push(m.board_costs({ cost: option.cost }));
  return said;
}

/** A line of the own board: its state, and with tiles in hand what would become of it. */
export function lineName(board: BoardInfo, row: number, target: Target | null): string {
  const line = board.lines[row];
  const color = line?.color;
  const state =
    line?.count && isColor(color)
      ? m.board_line_holds({ line: row + 1, count: line.count, color: colorName(color) })
      : m.board_line_empty({ line: row + 1 });
  if (!target) return state;
  return [state, ...(target.option ? effects(target.option, target) : [whyName(target.refusal, row)])].join(", ");
}

export function floorName(board: BoardInfo, target: Target | null): string {
  const tiles = tilesName(board.floor, board.marker);
  const state = tiles ? m.board_floor_holds({ tiles, cost: board.penalty }) : m.board_floor_empty();
  if (!target?.option) return state;
  const all = m.board_floor_offer({ count: target.option.taken ?? 0 });
  return [state, all, ...effects({ ...target.option, dropped: 0 }, target)].join(", ");
}

export function wallRowName(board: BoardInfo, row: number): string {
  const cells = [...(board.wall[row] ?? "")].flatMap((cell, column) =>
    isColor(cell) ? [m.board_wall_at({ color: colorName(cell), column: column + 1 })] : [],
  );
  return cells.length ? m.board_wall_row({ row: row + 1, tiles: cells.join(", ") }) : m.board_wall_row_empty({ row: row + 1 });
}

/** "Ana: 3 blue, display 2 → line 4". */
export function moveName(name: string, text: string, taken: number): string {
  const move = moveWords(text, taken);
  return move ? m.board_log_named({ name, move }) : name;
}

function moveWords(text: string, taken: number): string {
  const move = read(text);
  if (!move) return "";
  if (move.kind === "tile") return m.board_log_tile({ row: move.row + 1, column: move.column + 1 });
  const tiles = countName(move.color, taken);
  const source = sourceName(move.source);
  return move.line === FLOOR ? m.board_log_floor({ tiles, source }) : m.board_log_line({ tiles, source, line: move.line + 1 });
}

export function entryName(name: string, happening: HappeningInfo): string {
  const move = choiceWords(happening);
  return move ? m.board_log_named({ name, move }) : name;
}

/** What somebody did, where it is plain who: "3 blue, display 2 → line 4". */
export function choiceWords({ move, drafted }: HappeningInfo): string {
  const said = moveWords(move, drafted?.taken ?? 0);
  return said && drafted?.marker ? `${said}, ${m.board_takes_marker()}` : said;
}

/** What another player did, for the ear. */
export function happeningSaid(name: string, happening: HappeningInfo): string {
  const said = entryName(name, happening);
  const { dropped = 0, line } = happening.drafted ?? {};
  return dropped && line !== FLOOR ? `${said}, ${m.board_falls({ count: dropped })}` : said;
}

const NEWS = {
  joined: m.board_news_joined,
  away: m.board_news_away,
  here: m.board_news_here,
  replaced: m.board_news_replaced,
  returned: m.board_news_returned,
  resigned: m.board_news_resigned,
  out_of_time: m.board_news_out_of_time,
  assisted: m.board_news_assisted,
};

/** "Ana took back a move", "Bo is away". */
export function newsSaid(news: News, names: readonly string[]): string {
  const name = names[news.seat] ?? "";
  if (news.what === "undone") return m.board_news_undone({ name, count: Math.max(1, news.moves) });
  if (news.what === "named") return m.board_news_named({ name: news.name });
  return news.what === "emoted" ? `${name}: ${EMOTES[news.emote]()}` : NEWS[news.what]({ name });
}

/** A number with its sign, at most one decimal, as the language writes it. */
export function signed(number: number): string {
  return new Intl.NumberFormat(getLocale(), { signDisplay: "exceptZero", maximumFractionDigits: 1 }).format(number).replace("-", "−");
}

/** What the end of a round brought a player. */
export function rowSaid(row: SheetRow, names: readonly string[]): string {
  const gained = row.tiles.reduce((sum, tile) => sum + (tile.type === "tiled" ? tile.points : 0), 0);
  const words = { name: names[row.seat] ?? "", gained: signed(gained), lost: signed(-row.lost), after: row.after };
  return row.bonus ? m.board_score_said_bonus({ ...words, bonus: signed(row.bonus.points) }) : m.board_score_said(words);
}

/** The end of a round in one sentence a player. */
export function sheetSaid(sheet: Sheet, names: readonly string[]): string {
  return [m.board_scoring({ round: sheet.round }), ...sheet.rows.map((row) => rowSaid(row, names))].join(". ");
}

export function resultSaid(result: Result, names: readonly string[], mine: readonly number[]): string {
  const winners = result.winners.map((seat) => names[seat] ?? "");
  if (winners.length > 1) return m.board_won_shared({ names: winners.join(", ") });
  if (mine.length === 1 && mine[0] === result.winners[0]) return m.board_won_you();
  return m.board_won({ name: winners[0] ?? "" });
}
