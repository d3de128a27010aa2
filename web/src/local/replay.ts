/** A local game as others read it: step by step, and as the text of a record. */
import { DEAL_DUE } from "../engine/generated/bindings";
import { writeDeal } from "../engine/notation";
import { type Entry, writeRecord } from "../engine/records";
import { type Rules, type State, fieldsOf } from "../engine/rules";
import type { HappeningInfo, Replay, Step } from "../net/messages";
import { displaysOf, positionOf } from "./position";
import type { Table } from "./table";

/** A move or a deal, the state before it and the one after it. */
interface Moment {
  readonly before: State;
  readonly after: State;
  readonly happening: HappeningInfo;
}

/** All deals and moves of a game in order. */
function moments(table: Table): Moment[] {
  const { undealt, first, played } = table.game;
  const found = [dealt(undealt, first)];
  for (const { undealt: after, state, happening } of played) {
    const before = found.at(-1)!.after;
    found.push({ before, after, happening: { ...happening, deal: null } });
    if (fieldsOf(after).get("phase") === DEAL_DUE) found.push(dealt(after, state));
  }
  return found;
}

function dealt(before: State, after: State): Moment {
  return { before, after, happening: { move: writeDeal(displaysOf(after)), seat: null } };
}

/** Every step of a game so far. */
export function replayOf(rules: Rules, table: Table): Replay {
  const steps: Step[] = moments(table).map(({ after, happening }) => ({ happening, position: positionOf(rules, after) }));
  return { wall: table.making.setup.wall, names: table.names(""), steps, result: table.result?.scores ?? null, table: table.id };
}

/** The record of a game so far; with the secret of the deals when it is over. */
export function recordOf(table: Table): string {
  const { result, making } = table;
  const entries: Entry[] = moments(table).map(({ before, happening: { move, seat } }) => {
    const f = fieldsOf(before);
    const head = seat === null ? { head: { round: f.get("round_number"), starter: f.get("starter") } } : {};
    return { play: move, glyphs: [], comments: [], variations: [], ...head };
  });
  const tags: Record<string, string> = { DealCommitment: table.dealer.commitment };
  if (result) tags["DealSecret"] = table.dealer.secret;
  if (result && result.reason !== "row") tags["Termination"] = result.reason;
  return writeRecord({
    wall: making.setup.wall,
    names: table.names("?"),
    entries,
    result: result?.scores ?? null,
    event: "Azulejos",
    date: making.created.slice(0, 10).replaceAll("-", "."),
    comments: [],
    tags,
  });
}
