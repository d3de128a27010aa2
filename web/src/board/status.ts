/** The words of the status line: what is going on, and what is expected of whom. */

import { countName, moveName, resultSaid, signed } from "./announce";
import { CENTER, read } from "./moves";
import { countOf, type Choice } from "./preview";
import { optionsOf, type Selection } from "./selection";
import type { Stage } from "./stage.svelte";
import type { HintMove, Position, TableInfo } from "../net/messages";
import { m } from "../paraglide/messages.js";

export interface Situation {
  stage: Pick<Stage, "bonus" | "scoring">;
  position: Position;
  table: TableInfo;
  names: string[];
  mine: number[];
  /** Everything that happened has been shown. */
  settled: boolean;
  /** One of my seats can take tiles now. */
  active: boolean;
  readonly: boolean;
  /** Why something was refused, or another word asked for. */
  note: string | null;
  /** A move was sent and not yet answered. */
  pending: boolean;
  selection: Selection;
  /** The cell to choose next. */
  choice: Choice | null;
  /** Cells are being chosen, by me or by others. */
  choosing: boolean;
  hint: HintMove | null;
  waiting: number[];
}

/** The most pressing of all that could be said. */
export function statusSaid(now: Situation): string {
  const { stage, position, selection, settled, names, mine } = now;
  if (stage.bonus) return { rows: m.board_bonus_rows, columns: m.board_bonus_columns, colors: m.board_bonus_colors }[stage.bonus]();
  if (stage.scoring) return m.board_scoring({ round: position.round });
  if (now.note) return now.note;
  if (now.pending) return m.board_sending();
  if (selection.asked !== null) return m.board_confirm();
  if (selection.held && now.active) return m.board_held({ tiles: countName(selection.held.color, countOf(position, selection.held)) });
  if (selection.source !== null) return askColor(selection.source);
  if (now.choice) return m.board_choose_cell({ row: now.choice.row + 1 });
  if (now.choosing && settled) return m.board_chosen_all();
  if (now.table.result && settled) return resultSaid(now.table.result, names, mine);
  if (position.phase === "e") return m.board_over();
  if (now.hint) return hintSaid(position, now.hint);
  if (now.active && mine.length === 1) return m.board_your_turn();
  return waitingSaid(now);
}

/** Which color, of the display whose key was typed. */
export function askColor(source: number): string {
  const display = source === CENTER ? m.board_center() : m.board_display({ number: source });
  return m.board_choose_color({ display });
}

function hintSaid(position: Position, { move, margin }: HintMove): string {
  const found = read(move);
  const taken = found?.kind === "draft" ? (optionsOf(position.options, found).get(found.line)?.taken ?? 0) : 0;
  return m.board_hint_margin({ move: moveName(m.board_hint(), move, taken), margin: signed(Math.round(margin * 10) / 10) });
}

function waitingSaid({ waiting, names, settled, mine, table, readonly }: Situation): string {
  const seat = waiting.find((each) => each >= 0);
  if (seat === undefined || !names[seat] || (!settled && mine.includes(seat))) return "";
  const thinks = table.seats[seat]?.kind === "computer" && !readonly;
  return (thinks ? m.board_thinking : m.board_turn_of)({ name: names[seat] });
}
