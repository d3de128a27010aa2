/** Game records, read, written and made from a game; the same text and the same JSON as the Python package has. */
import { Fault, RecordFault } from "./fault";
import { fieldsOf, type Rules, type State } from "./rules";
import { OVER, UNKNOWN } from "./generated/bindings";
import { parseJson } from "./recordJson";
import { type Parsed, parseText } from "./recordReader";
import { type Entry, type GameRecord, UNKNOWN_DATE } from "./recordWriter";
import { endReason, isDecision, type Place, played, replay, startOf, steps, whereIs } from "./replay";
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
  const { record, fault } = parsed(text);
  if (fault) throw fault;
  replay(record, rules);
  return record;
}

function parsed(text: string): Parsed {
  return leftStripped(text).startsWith("{") ? parseJson(text) : parseText(text);
}

/** Tags that say something of the whole game, and so may be wrong of a part of it. */
const DOUBTFUL_TAGS = ["Termination", "DealSecret"];

/**
 * The record in a text or a JSON text as far as it is a game, and where and why it goes no further.
 *
 * What comes back can be read and replayed. A text without one valid move or deal throws what is wrong with it.
 */
export function readValidPart(text: string, rules: Rules): Parsed {
  const { record: read, fault } = parsed(text);
  let why = fault ?? misfitOf(() => replay(read, rules));
  if (!why) return { record: read, fault: null };
  const tags = Object.fromEntries(Object.entries(read.tags).filter(([name]) => !DOUBTFUL_TAGS.includes(name)));
  const record = { ...read, tags };
  const entries: Entry[] = [];
  let place: Place = { state: startOf(record, rules), moves: 0 };
  const stopped = misfitOf(() => {
    for (const step of steps(record, rules)) {
      entries.push(step.entry);
      place = step;
    }
  });
  if (stopped) why = stopped;
  else if (fault) why = new RecordFault(fault.message, fault.why, whereIs(place));
  if (entries.every(({ play }) => play === null)) throw why;
  const fields = fieldsOf(place.state);
  const result = fields.get("phase") === OVER ? record.names.map((_, seat) => fields.get("score", seat)) : null;
  return { record: { ...record, entries, result }, fault: why };
}

/** Why something cannot be followed; null if it can. */
function misfitOf(follow: () => unknown): RecordFault | null {
  try {
    follow();
    return null;
  } catch (error) {
    if (error instanceof RecordFault) return error;
    if (error instanceof Fault) return new RecordFault(error.message, { kind: "misfit" });
    throw error;
  }
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
