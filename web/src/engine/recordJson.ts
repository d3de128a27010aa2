/** Records as plain data for JSON. */
import { Fault, RecordFault, type Why } from "./fault";
import { soundPart } from "./jsonPart";
import { readDeal, readMove } from "./notation";
import { DEEPEST_VARIATION, HIGHEST_GLYPH, UNKNOWN } from "./generated/bindings";
import { frame, Notes, type Parsed } from "./recordReader";
import { checkEntry, checkRecord, type Entry, type GameRecord, otherTags, UNKNOWN_DATE } from "./recordWriter";
import { quoted } from "./wording";

type Data = Readonly<Record<string, unknown>>;

const SHOWN = 40;
const SHOWN_PIECE = 20;
const FORMAT = 1;
/** What Python calls the kinds of values. */
const KINDS = {
  int: (value: unknown): value is number => Number.isInteger(value),
  str: (value: unknown): value is string => typeof value === "string",
  list: (value: unknown): value is unknown[] => Array.isArray(value),
  dict: (value: unknown): value is Data => typeof value === "object" && value !== null && !Array.isArray(value),
};
type Kind = keyof typeof KINDS;
type Value<K extends Kind> = (typeof KINDS)[K] extends (value: unknown) => value is infer V ? V : never;

/** The record as plain data for JSON. */
export function jsonOf(record: GameRecord): Data {
  return {
    v: FORMAT,
    wall: record.wall,
    players: record.names,
    tags: { Event: record.event, Date: record.date, ...record.tags },
    ...(record.comments.length ? { comments: record.comments } : {}),
    rounds: roundsOf(record.entries),
    result: record.result,
  };
}

function roundsOf(entries: readonly Entry[]): Data[] {
  const rounds: { moves: unknown[] }[] = [];
  for (const entry of entries) {
    const notes = notesOf(entry);
    if (entry.head) {
      const { round, starter } = entry.head;
      rounds.push(Object.assign({ round, deal: entry.play, starter: starter + 1 }, notes, { moves: [] }));
      continue;
    }
    if (!rounds.length) rounds.push({ moves: [] }); // a variation that begins in the middle of a round
    rounds.at(-1)!.moves.push(Object.keys(notes).length ? { move: entry.play, ...notes } : entry.play);
  }
  return rounds;
}

function notesOf(entry: Entry): Data {
  return {
    ...(entry.glyphs.length ? { glyphs: entry.glyphs } : {}),
    ...(entry.comments.length ? { comments: entry.comments } : {}),
    ...(entry.variations.length ? { variations: entry.variations.map(roundsOf) } : {}),
  };
}

/** What can be read of the record in a JSON text, which may break off or be damaged. */
export function parseJson(text: string): Parsed {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch (error) {
    const { closed, rest } = soundPart(text);
    const why: Why = rest ? { kind: "unread", text: shown(rest, SHOWN_PIECE) } : { kind: "cut" };
    const fault = new RecordFault(`cannot read ${quoted(shown(text, SHOWN))} as JSON: ${(error as Error).message}`, why);
    try {
      return { record: recordFrom(JSON.parse(closed)).record, fault };
    } catch {
      throw fault; // the damage is before there is a game
    }
  }
  return recordFrom(data);
}

/** So many characters of a text. */
function shown(text: string, most: number): string {
  return [...text.slice(0, 2 * most)].slice(0, most).join("");
}

function recordFrom(data: unknown): Parsed {
  const format = get(data, "v", "int");
  if (format !== FORMAT) throw new Fault(`cannot read a record of format ${format}: expected ${FORMAT}`);
  const names = strings(data, "players");
  if (names.length < 2 || names.length > 4) throw new Fault(`'players' lists ${names.length} names: expected 2, 3 or 4`);
  const tagged: [string, string][] = [
    ["Wall", get(data, "wall", "str")],
    ["Players", String(names.length)],
  ];
  const { wall } = frame(new Map(tagged));
  const fields = data as Data;
  const result = fields["result"] ?? null;
  if (result !== null && !(KINDS.list(result) && result.every(KINDS.int)))
    throw new Fault(`cannot read ${quoted(result)} as 'result': expected null or a list of scores`);
  const tags = new Map("tags" in fields ? Object.entries(get(data, "tags", "dict")) : []);
  if (![...tags.values()].every(KINDS.str)) throw new Fault(`cannot read ${quoted(fields["tags"])} as 'tags': expected texts`);
  const texts = tags as Map<string, string>;
  const comments = "comments" in fields ? strings(data, "comments") : [];
  const entries: Entry[] = [];
  const notes = new Notes();
  let fault: RecordFault | null = null;
  try {
    notes.count("comments", comments.length);
    addEntries(entries, get(data, "rounds", "list"), 0, notes);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    fault = error instanceof RecordFault ? error : new RecordFault(error.message, { kind: "misfit" });
  }
  const record: GameRecord = {
    wall,
    names,
    entries,
    result,
    event: texts.get("Event") ?? UNKNOWN,
    date: texts.get("Date") ?? UNKNOWN_DATE,
    comments,
    tags: otherTags(texts),
  };
  checkRecord(record);
  return { record, fault };
}

/** Adds the entries of rounds one by one, so that those before a fault stay. */
function addEntries(entries: Entry[], rounds: readonly unknown[], depth: number, notes: Notes): void {
  if (depth > DEEPEST_VARIATION) throw new Fault(`variations are nested deeper than ${DEEPEST_VARIATION}`);
  const add = (entry: Entry): void => {
    checkEntry(entry);
    entries.push(entry);
  };
  for (const [at, item] of rounds.entries()) {
    if (!KINDS.dict(item)) throw new Fault(`cannot read ${quoted(item)} as a round: expected an object`);
    if ("starter" in item) add(headOf(item, at + 1, depth, notes));
    for (const move of get(item, "moves", "list")) {
      const play = KINDS.str(move) ? move : get(move, "move", "str");
      spelled(readMove, play);
      add({ play, ...notesFrom(KINDS.str(move) ? {} : (move as Data), depth, notes) });
    }
  }
}

function entriesOf(rounds: readonly unknown[], depth: number, notes: Notes): Entry[] {
  const entries: Entry[] = [];
  addEntries(entries, rounds, depth, notes);
  return entries;
}

/** Makes sure that a text is a move or a deal. */
function spelled(read: (text: string) => unknown, text: string): void {
  try {
    read(text);
  } catch (error) {
    throw error instanceof Fault ? new RecordFault(error.message, { kind: "unread", text: shown(text, SHOWN_PIECE) }) : error;
  }
}

function headOf(item: Data, number: number, depth: number, notes: Notes): Entry {
  const deal = item["deal"] ?? null;
  if (deal !== null && !KINDS.str(deal)) throw new Fault(`cannot read ${quoted(deal)} as 'deal': expected a text or null`);
  const round = "round" in item ? get(item, "round", "int") : number;
  const head = { round, starter: get(item, "starter", "int") - 1 };
  if (deal !== null) spelled(readDeal, deal);
  return { play: deal, head, ...notesFrom(item, depth, notes) };
}

function notesFrom(item: Data, depth: number, notes: Notes): Pick<Entry, "glyphs" | "comments" | "variations"> {
  const glyphs = "glyphs" in item ? get(item, "glyphs", "list") : [];
  if (!glyphs.every((glyph): glyph is number => KINDS.int(glyph) && glyph >= 0 && glyph <= HIGHEST_GLYPH))
    throw new Fault(`cannot read ${quoted(glyphs)} as 'glyphs': expected numbers from 0 to ${HIGHEST_GLYPH}`);
  const variations = "variations" in item ? get(item, "variations", "list") : [];
  if (!variations.every(KINDS.list)) throw new Fault(`cannot read ${quoted(variations)} as 'variations': expected lists of rounds`);
  const comments = "comments" in item ? strings(item, "comments") : [];
  notes.count("glyphs", glyphs.length);
  notes.count("comments", comments.length);
  notes.count("variations", variations.length);
  return { glyphs, comments, variations: variations.map((variation) => entriesOf(variation, depth + 1, notes)) };
}

function get<K extends Kind>(data: unknown, name: string, kind: K): Value<K> {
  const value = KINDS.dict(data) ? (Object.hasOwn(data, name) ? data[name] : undefined) : data;
  if (!KINDS.dict(data) || !KINDS[kind](value)) throw new Fault(`cannot read ${quoted(value)} as ${quoted(name)}: expected ${kind}`);
  return value as Value<K>;
}

function strings(data: unknown, name: string): string[] {
  const values = get(data, name, "list");
  if (!values.every(KINDS.str)) throw new Fault(`cannot read ${quoted(values)} as ${quoted(name)}: expected texts`);
  return values;
}
