/** Game records, read, written and made from a game; the same text and the same JSON as the Python package has. */
import { fieldsOf, type Rules, type State } from "./rules";
import { OVER, UNKNOWN } from "./generated/bindings";
import { readJson } from "./recordJson";
import { parseRecord } from "./recordReader";
import { type Entry, type GameRecord, UNKNOWN_DATE } from "./recordWriter";
import { endReason, isDecision, played, replay } from "./replay";
import { leftStripped } from "./white";

export { jsonOf } from "./recordJson";
export { splitRecords } from "./recordReader";
export { type Entry, type GameRecord, writeRecord } from "./recordWriter";
export { startOf, steps } from "./replay";

/** What a record says beside deals and moves. */
export interface About {
  readonly names: readonly string[];
  readonly event?: string;
  readonly date?: string;
  /** The position line that the game started from, if it was not a fresh game. */
  readonly position?: string | undefined;
  /** How a game ended that was not played to its end. */
  readonly gaveUp?: "resigned" | "time" | undefined;
  readonly tags?: Readonly<Record<string, string>>;
}

/** The one record in a text or a JSON text, replayed and checked. */
export function readRecord(text: string, rules: Rules): GameRecord {
  const record = leftStripped(text).startsWith("{") ? readJson(text) : parseRecord(text);
  replay(record, rules);
  return record;
}

/** The record of a game: its state before the first deal, or where it was taken up, and all moves and deals since. */
export function recordOf(start: State, plays: readonly string[], about: About, rules: Rules): GameRecord {
  const entries: Entry[] = [];
  const add = (play: string | null, state: State): Entry => {
    const fields = fieldsOf(state);
    const head = { round: fields.get("round_number"), starter: fields.get("starter") };
    const entry = { play, glyphs: [], comments: [], variations: [], ...(play === null || play.startsWith("=") ? { head } : {}) };
    entries.push(entry);
    return entry;
  };
  if (isDecision(start)) add(null, start);
  let place = { state: start, moves: 0 };
  for (const play of plays) place = played(place, add(play, place.state), false, rules);
  const fields = fieldsOf(place.state);
  const reason = fields.get("phase") === OVER ? endReason(place.state, rules) : about.gaveUp;
  const tags: Record<string, string> = { ...about.tags };
  if (about.position !== undefined) tags["Position"] = about.position;
  if (reason !== undefined && reason !== "row") tags["Termination"] = reason;
  return {
    wall: fields.get("gray") ? "gray" : "std",
    names: about.names,
    entries,
    result: reason === undefined ? null : about.names.map((_, seat) => fields.get("score", seat)),
    event: about.event ?? UNKNOWN,
    date: about.date ?? UNKNOWN_DATE,
    comments: [],
    tags,
  };
}
