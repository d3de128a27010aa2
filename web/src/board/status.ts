/** The words of the status line: what is going on, and what is expected of whom. */

import { colorName, countName, moveName, resultSaid, signed } from "./announce";
import type { Hand } from "./hand.svelte";
import { present } from "./colors";
import { CENTER, read, type Group } from "./moves";
import { countOf } from "./preview";
import type { HintMove, TableProps } from "./props";
import { optionsOf } from "./selection";
import type { Shown } from "./shown.svelte";
import type { Stage } from "./stage.svelte";
import type { Position } from "../net/messages";
import { m } from "../paraglide/messages.js";

type Props = Pick<TableProps, "table" | "readonly" | "sending" | "isNew">;
type Facts = Pick<Shown, "position" | "names" | "mine" | "settled" | "choosing" | "waiting"> & { stage: Pick<Stage, "bonus" | "scoring"> };
type Doing = Pick<Hand, "active" | "note" | "pending" | "selection" | "choices" | "hint">;

/** What is going on now. */
export function statusSaid(props: Props, shown: Facts, hand: Doing): string {
  const { stage, position, settled, names, mine } = shown;
  const { selection } = hand;
  const { result } = props.table;
  if (stage.bonus) return { rows: m.board_bonus_rows, columns: m.board_bonus_columns, colors: m.board_bonus_colors }[stage.bonus]();
  if (stage.scoring) return m.board_scoring({ round: position.round });
  if (hand.note) return hand.note;
  if (hand.pending) return props.sending ?? m.board_sending();
  if (selection.asked !== null) return m.board_confirm();
  if (selection.held && hand.active) return heldSaid(position, selection.held);
  if (selection.source !== null) return askColor(position, selection.source);
  if (hand.hint && hand.choices.length) return hintSaid(position, hand.hint);
  if (hand.hint) return hintSaid(position, hand.hint);
  if (hand.choices[0]) return m.board_choose_cell({ row: hand.choices[0].row + 1 });
  if (shown.choosing.length && settled) return m.board_chosen_all();
  if (result && settled) return resultSaid(result, names, mine);
  if (position.phase === "e") return m.board_over();
  if (hand.active && props.isNew) return firstSaid();
  if (hand.active && mine.length === 1) return m.your_turn();
  return waitingSaid(props, shown);
}

/** What is in the hand: "2 blue in hand: choose a line". */
export function heldSaid(position: Position, held: Group): string {
  return m.board_held({ tiles: countName(held.color, countOf(position, held)) });
}

/** What to do, for somebody who has never moved: by finger or by mouse. */
export function firstSaid(): string {
  return globalThis.matchMedia?.("(pointer: coarse)").matches ? m.first_tap() : m.first_click();
}

/** Which color, of the display whose key was typed: "Display 3: B blue, R red?". */
export function askColor(position: Pick<Position, "center" | "displays">, source: number): string {
  const display = source === CENTER ? m.board_center() : m.board_display({ number: source });
  const counts = source === CENTER ? position.center : (position.displays[source - 1] ?? []);
  const colors = present(counts).map(({ color }) => `${color} ${colorName(color)}`);
  return m.board_choose_color({ display, colors: colors.join(", ") });
}

export function hintSaid(position: Position, { move, margin }: HintMove): string {
  const found = read(move);
  const taken = found?.kind === "draft" ? (optionsOf(position.options, found).get(found.line)?.taken ?? 0) : 0;
  return m.board_hint_margin({ move: moveName(m.board_hint(), move, taken), margin: signed(margin) });
}

function waitingSaid({ table, readonly }: Props, { waiting, names, settled, mine }: Facts): string {
  const seat = waiting.find((each) => each >= 0);
  if (seat === undefined || !names[seat] || (!settled && mine.includes(seat))) return "";
  const thinks = table.seats[seat]?.kind === "computer" && !readonly;
  return (thinks ? m.board_thinking : m.board_turn_of)({ name: names[seat] });
}
