/** What somebody asks of a table becomes an event, or is refused. As `azulejos.server.tables.commands`. */
import {
  type ComeBack,
  type Open,
  type Play,
  type Rename,
  type Resign,
  SUBSTITUTE_LEVEL,
  type Substitute,
  type TakeHint,
  type Undo,
} from "../net/messages";
import { RefusalError } from "../net/api";
import { cleanName } from "./names";
import type { Table, TableEvent } from "./table";

export type Command = Play | Undo | Resign | Substitute | ComeBack | Rename | TakeHint | Open;

/** The event that a command leads to; throws `RefusalError`. Whether a move is legal is seen when the table lets it happen. */
export function decide(table: Table, command: Command): TableEvent {
  const { seat } = command;
  if (!table.people.includes(seat)) throw new RefusalError("not_your_seat", { seat });
  if (table.result && command.type !== "rename") throw new RefusalError("game_over");
  switch (command.type) {
    case "play":
      checkTurn(table, command);
      return { type: "decided", seat, move: command.move };
    case "hint":
      if (!table.hints) throw new RefusalError("no_hints");
      checkVersion(table, command);
      return { type: "assisted", seat };
    case "undo": {
      checkFresh(table, command);
      const { from, to } = table.game.checkUndo(seat, table.isAlone(seat));
      const moves = table.game.decisions.slice(from, to).reduce((sum, { plays }) => sum + plays, 0);
      return { type: "undone", seat, moves };
    }
    case "substitute":
      if (!table.isPerson(seat)) throw new RefusalError("seat_not_absent", { seat });
      return { type: "substituted", seat, level: command.level ?? SUBSTITUTE_LEVEL };
    case "come_back":
      checkSubstituted(table, seat);
      return { type: "came_back", seat };
    case "resign":
      if (table.seats[seat]!.resigned) throw new RefusalError("seat_resigned", { seat });
      return { type: "resigned", seat };
    case "rename":
      return { type: "renamed", seat, name: cleanName(command.name) };
    case "open":
      throw new RefusalError("no_lobby");
  }
}

/** Refuses what was decided before something changed that matters to this seat. */
function checkVersion(table: Table, { seat, version }: { seat: number; version: number }): void {
  if (version < table.freshSince[seat]! || version > table.version) throw new RefusalError("stale_version", { version: table.version });
}

/** Refuses what is out of date, or where a computer decides. */
function checkFresh(table: Table, command: { seat: number; version: number }): void {
  checkVersion(table, command);
  if (!table.isPerson(command.seat)) throw new RefusalError("not_your_turn", { seat: command.seat });
}

function checkTurn(table: Table, command: { seat: number; version: number }): void {
  checkFresh(table, command);
  if (!table.waiting.includes(command.seat)) throw new RefusalError("not_your_turn", { seat: command.seat });
}

function checkSubstituted(table: Table, seat: number): void {
  const { resigned, substitute } = table.seats[seat]!;
  if (resigned) throw new RefusalError("seat_resigned", { seat });
  if (substitute == null) throw new RefusalError("not_substituted", { seat });
  if (table.left.length && !table.left[seat]) throw new RefusalError("out_of_time", { seat });
}
