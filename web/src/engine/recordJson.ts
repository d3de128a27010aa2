/** Records as plain data for JSON. */
import { Fault } from "./fault";
import { readDeal, readMove } from "./notation";
import { DEEPEST_VARIATION, HIGHEST_GLYPH, UNKNOWN } from "./generated/bindings";
import { frame } from "./recordReader";
import { checkRecord, type Entry, type GameRecord, otherTags, UNKNOWN_DATE } from "./recordWriter";
import { quoted } from "./wording";

type Data = Readonly<Record<string, unknown>>;

const SHOWN = 40;
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
    rounds: roundsOf(record.entries),
    result: record.result,
    tags: { Event: record.event, Date: record.date, ...record.tags },
    ...(record.comments.length ? { comments: record.comments } : {}),
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

/** The record in a JSON text, not yet replayed. */
export function readJson(text: string): GameRecord {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch (error) {
    const start = [...text.slice(0, 2 * SHOWN)].slice(0, SHOWN).join("");
    throw new Fault(`cannot read ${quoted(start)} as JSON: ${(error as Error).message}`, { cause: error });
  }
  return recordFrom(data);
}

function recordFrom(data: unknown): GameRecord {
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
  const record: GameRecord = {
    wall,
    names,
    entries: entriesOf(get(data, "rounds", "list"), 0),
    result,
    event: texts.get("Event") ?? UNKNOWN,
    date: texts.get("Date") ?? UNKNOWN_DATE,
    comments: "comments" in fields ? strings(data, "comments") : [],
    tags: otherTags(texts),
  };
  checkRecord(record);
  return record;
}

function entriesOf(rounds: readonly unknown[], depth: number): Entry[] {
  if (depth > DEEPEST_VARIATION) throw new Fault(`variations are nested deeper than ${DEEPEST_VARIATION}`);
  return rounds.flatMap((item, at) => {
    if (!KINDS.dict(item)) throw new Fault(`cannot read ${quoted(item)} as a round: expected an object`);
    const head = "starter" in item ? [headOf(item, at + 1, depth)] : [];
    const moves = get(item, "moves", "list").map((move): Entry => {
      const play = KINDS.str(move) ? move : get(move, "move", "str");
      readMove(play);
      return { play, ...notesFrom(KINDS.str(move) ? {} : (move as Data), depth) };
    });
    return [...head, ...moves];
  });
}

function headOf(item: Data, number: number, depth: number): Entry {
  const deal = item["deal"] ?? null;
  if (deal !== null && !KINDS.str(deal)) throw new Fault(`cannot read ${quoted(deal)} as 'deal': expected a text or null`);
  const round = "round" in item ? get(item, "round", "int") : number;
  const head = { round, starter: get(item, "starter", "int") - 1 };
  if (deal !== null) readDeal(deal);
  return { play: deal, head, ...notesFrom(item, depth) };
}

function notesFrom(item: Data, depth: number): Pick<Entry, "glyphs" | "comments" | "variations"> {
  const glyphs = "glyphs" in item ? get(item, "glyphs", "list") : [];
  if (!glyphs.every((glyph): glyph is number => KINDS.int(glyph) && glyph >= 0 && glyph <= HIGHEST_GLYPH))
    throw new Fault(`cannot read ${quoted(glyphs)} as 'glyphs': expected numbers from 0 to ${HIGHEST_GLYPH}`);
  const variations = "variations" in item ? get(item, "variations", "list") : [];
  if (!variations.every(KINDS.list)) throw new Fault(`cannot read ${quoted(variations)} as 'variations': expected lists of rounds`);
  return {
    glyphs,
    comments: "comments" in item ? strings(item, "comments") : [],
    variations: variations.map((variation) => entriesOf(variation, depth + 1)),
  };
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
