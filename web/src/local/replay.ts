/** Games as others read them: step by step, and as the text of a record. */
import { DEAL_DUE } from "../engine/generated/bindings";
import { dealOf, readMove, writeDeal } from "../engine/notation";
import { readRecord, recordOf, steps, writeRecord } from "../engine/records";
import { type Rules, type State, fieldsOf } from "../engine/rules";
import { RefusalError } from "../net/api";
import type { HappeningInfo, Position } from "../net/messages";
import { happeningOf, positionOf } from "./position";
import type { Table } from "./table";

/** A step of a game: the deal or the move, and the position after it. */
export interface Step {
  /** None where a game was set up. */
  readonly happening: HappeningInfo | null;
  readonly position: Position;
}

/** A whole game. */
export interface Replay {
  readonly names: readonly string[];
  readonly steps: readonly Step[];
}

/** A step of a replay that takes no more than this; the floor is always legal, so that a game may be of any length. */
const MOST_STEPS = 1000;

/** A deal or a move, and the state after it; nothing happened at the start of a game that began in the middle of a round. */
interface Moment {
  readonly after: State;
  readonly happening: HappeningInfo | null;
}

/** All deals and moves of a game in order. */
function moments({ game }: Table): Moment[] {
  const found: Moment[] = [game.first === game.start ? { after: game.start, happening: null } : dealt(game.first)];
  for (const { undealt: after, state, happening } of game.played) {
    found.push({ after, happening: { ...happening, deal: null } });
    if (fieldsOf(after).get("phase") === DEAL_DUE) found.push(dealt(state));
  }
  return found;
}

/** A deal, as the first position after it tells it. */
function dealt(after: State): Moment & { happening: HappeningInfo } {
  return { after, happening: { move: writeDeal(dealOf(after)), seat: null } };
}

/** Every step of a record. */
export function replayOfText(rules: Rules, text: string): Replay {
  try {
    const record = readRecord(text, rules);
    if (record.entries.length > MOST_STEPS) throw new Error(`it has more than ${MOST_STEPS} steps`);
    const all = [...steps(record, rules)].map(({ entry: { play }, state, happened }): Step => {
      const happening = play === null ? null : play.startsWith("=") ? dealt(state).happening : happeningOf(readMove(play), happened, null);
      return { happening, position: positionOf(rules, state) };
    });
    return { names: record.names, steps: all };
  } catch (error) {
    throw new RefusalError("bad_record", { reason: (error as Error).message });
  }
}

/** The text of a game's record so far; with the secret of the deals when it is over. */
export function recordText(rules: Rules, table: Table): string {
  const { result, making, dealer, game } = table;
  const plays = moments(table).flatMap(({ happening }) => happening?.move ?? []);
  const record = recordOf(
    game.start,
    plays,
    {
      names: table.names("?"),
      event: "Azulejos",
      date: making.created.slice(0, 10).replaceAll("-", "."),
      position: making.setup.position || undefined,
      gaveUp: result?.reason === "resigned" || result?.reason === "time" ? result.reason : undefined,
      tags: { DealCommitment: dealer.commitment, ...(result ? { DealSecret: dealer.secret } : {}) },
    },
    rules,
  );
  return writeRecord(record);
}
