/** Games as others read them: step by step, and as the text of a record. */
import { DEAL_DUE } from "../engine/generated/bindings";
import { dealOf, writeDeal } from "../engine/notation";
import { recordOf, writeRecord } from "../engine/records";
import { type Rules, type State, fieldsOf } from "../engine/rules";
import type { HappeningInfo, Replay, Step } from "../net/messages";
import { positionOf } from "./position";
import type { Table } from "./table";

/** A deal or a move, and the state after it. */
interface Moment {
  readonly after: State;
  readonly happening: HappeningInfo;
}

/** All deals and moves of a game in order. */
function moments({ game }: Table): Moment[] {
  const found = [dealt(game.first)];
  for (const { undealt: after, state, happening } of game.played) {
    found.push({ after, happening: { ...happening, deal: null } });
    if (fieldsOf(after).get("phase") === DEAL_DUE) found.push(dealt(state));
  }
  return found;
}

/** A deal, as the first position after it tells it. */
function dealt(after: State): Moment {
  return { after, happening: { move: writeDeal(dealOf(after)), seat: null } };
}

/** Every step of a game so far. */
export function replayOf(rules: Rules, table: Table): Replay {
  const all: Step[] = moments(table).map(({ after, happening }) => ({ happening, position: positionOf(rules, after) }));
  return { wall: table.making.setup.wall, names: table.names(""), steps: all, result: table.result?.scores ?? null, table: table.id };
}

/** The text of a game's record so far; with the secret of the deals when it is over. */
export function recordText(rules: Rules, table: Table): string {
  const { result, making, dealer, game } = table;
  const plays = moments(table).map(({ happening }) => happening.move);
  const record = recordOf(
    game.undealt,
    plays,
    {
      names: table.names("?"),
      event: "Azulejos",
      date: making.created.slice(0, 10).replaceAll("-", "."),
      gaveUp: result?.reason === "resigned" || result?.reason === "time" ? result.reason : undefined,
      tags: { DealCommitment: dealer.commitment, ...(result ? { DealSecret: dealer.secret } : {}) },
    },
    rules,
  );
  return writeRecord(record);
}
