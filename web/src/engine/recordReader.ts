/** Reading records from text: lenient about white space and unknown tags, strict about everything played. */
import { Fault, RecordFault } from "./fault";
import { DEEPEST_VARIATION, MOST_NOTES, RULES_VERSION, UNFINISHED, UNKNOWN } from "./generated/bindings";
import { readDeal, readMove } from "./notation";
import { checkRecord, type Entry, type GameRecord, type Head, otherTags, UNKNOWN_DATE } from "./recordWriter";
import type { Wall } from "./rules";
import { firstLine, leftStripped, rightStripped, stripped, WHITE, words } from "./white";
import { quoted } from "./wording";

const SHOWN = 20;
const TAG = new RegExp(
  `[${WHITE}]*\\[[${WHITE}]*([A-Za-z][A-Za-z0-9_]*)[${WHITE}]+"([^"\\\\]*(?:\\\\[^\\n][^"\\\\]*)*)"[${WHITE}]*\\][${WHITE}]*`,
  "y",
);
const TOKEN = new RegExp(`[${WHITE}]*(?:\\{([^{}]*)\\}|([()])|\\$([0-9]{1,3})(?![0-9])|([^${WHITE}{}()$]+))`, "y");
const HEAD = /^R([1-9][0-9]{0,4})@([1-4])$/;
const RESULT = /^[0-9]{1,4}(?:-[0-9]{1,4}){1,3}$/;

/** An entry that still grows. */
interface Growing extends Entry {
  readonly glyphs: number[];
  readonly comments: string[];
  readonly variations: Entry[][];
}

/** The texts of the single games of a file; a line of JSON is a game of its own. */
export function* splitRecords(file: string): Generator<string> {
  let chunk: string[] = [];
  let inMoves = false;
  let inComment = false;
  for (const line of withoutMark(file).split(/(?<=\r\n|\n|\r(?!\n))/)) {
    if (!chunk.length && (!stripped(line) || isJson(line))) {
      if (stripped(line)) yield line;
      continue;
    }
    if (!inComment && inMoves && leftStripped(line).startsWith("[")) {
      yield chunk.join("");
      chunk = [];
      inMoves = false;
    }
    const moves: string = inComment || inMoves ? line : readTags(line).rest;
    inMoves ||= !!stripped(moves);
    const opened = moves.lastIndexOf("{");
    const closed = moves.lastIndexOf("}");
    if (opened >= 0 || closed >= 0) inComment = opened > closed;
    chunk.push(line);
  }
  if (chunk.length) yield chunk.join("");
}

/** Whether a line is a whole game in JSON. */
function isJson(line: string): boolean {
  return line.startsWith("{") && rightStripped(line).endsWith("}") && line.includes('"v"');
}

/** What can be read of a record, not yet replayed, and why no more. */
export interface Parsed {
  readonly record: GameRecord;
  readonly fault: RecordFault | null;
}

/** The record in a text, not yet replayed. */
export function parseRecord(text: string): GameRecord {
  const { record, fault } = parseText(text);
  if (fault) throw fault;
  return record;
}

/** Counts what is written about the moves of a record. */
export class Notes {
  readonly #counts = { glyphs: 0, comments: 0, variations: 0 };

  /** So many more of a kind, if that is not too many. */
  count(what: "glyphs" | "comments" | "variations", more = 1): void {
    this.#counts[what] += more;
    if (this.#counts[what] > MOST_NOTES) throw new Fault(`a record has at most ${MOST_NOTES} ${what}`);
  }
}

/** What can be read of the record in a text; without any frame of a game there is nothing. */
export function parseText(text: string): Parsed {
  const { tags, rest } = readTags(text);
  const moves = new Movetext(rest);
  let fault = moves.read();
  const written = tags.get("Result") ?? UNFINISHED;
  try {
    const { wall, names } = frame(tags);
    if (!fault && written !== moves.result)
      fault = new RecordFault(`the tag Result says ${quoted(written)} but the moves end in ${quoted(moves.result)}`, { kind: "result" });
    const version = tags.get("Rules") ?? RULES_VERSION;
    if (version !== RULES_VERSION)
      throw new Fault(`cannot read a record of rules version ${quoted(version)}: expected ${quoted(RULES_VERSION)}`);
    const record: GameRecord = {
      wall,
      names,
      entries: moves.entries,
      result: RESULT.test(written) ? written.split("-").map(Number) : null,
      event: tags.get("Event") ?? UNKNOWN,
      date: tags.get("Date") ?? UNKNOWN_DATE,
      comments: moves.comments,
      tags: otherTags(tags),
    };
    checkRecord(record);
    return { record, fault };
  } catch (error) {
    throw fault ?? error; // no record of ours: then it is no wonder if its moves cannot be read
  }
}

function withoutMark(text: string): string {
  return text.startsWith("\ufeff") ? text.slice(1) : text;
}

function readTags(given: string): { tags: Map<string, string>; rest: string } {
  const text = withoutMark(given);
  const tags = new Map<string, string>();
  let at = 0;
  for (;;) {
    TAG.lastIndex = at;
    const match = TAG.exec(text);
    if (!match) break;
    const name = match[1]!;
    if (tags.has(name)) throw new Fault(`the tag ${quoted(name)} stands twice in one record`);
    tags.set(name, match[2]!.replace(/\\([^\n])/g, "$1"));
    at = TAG.lastIndex;
  }
  const rest = text.slice(at);
  if (leftStripped(rest).startsWith("["))
    throw new Fault(`cannot read ${quoted(firstLine(stripped(rest)))} as a tag: expected [Name "value"]`);
  return { tags, rest };
}

/** The wall and the names that tags say. */
export function frame(tags: ReadonlyMap<string, string>): { wall: Wall; names: string[] } {
  const wall = tags.get("Wall");
  if (wall !== "std" && wall !== "gray") throw new Fault(`the tag Wall is ${quoted(wall)}: expected 'std' or 'gray'`);
  const players = tags.get("Players");
  if (players !== "2" && players !== "3" && players !== "4")
    throw new Fault(`the tag Players is ${quoted(players)}: expected '2', '3' or '4'`);
  return { wall, names: [...Array(Number(players)).keys()].map((seat) => tags.get(`Player${seat + 1}`) ?? UNKNOWN) };
}

/** The part of a record behind its tags. */
class Movetext {
  readonly comments: string[] = [];
  result = UNFINISHED;
  #head: Head | undefined;
  #headComments: string[] = [];
  readonly #lines: Growing[][] = [[]];
  readonly #notes = new Notes();

  readonly #text: string;
  /** The piece of the text that is being read; empty at its end. */
  #piece = "";

  constructor(given: string) {
    this.#text = rightStripped(given);
  }

  /** Reads everything; what was read before a fault stays. */
  read(): RecordFault | null {
    try {
      this.#read();
      return null;
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      const isCut = !this.#piece || (this.#piece.startsWith("{") && !this.#piece.includes("}"));
      return new RecordFault(error.message, isCut ? { kind: "cut" } : { kind: "unread", text: this.#piece });
    }
  }

  #read(): void {
    let ended = false;
    let at = 0;
    while (at < this.#text.length) {
      TOKEN.lastIndex = at;
      const match = TOKEN.exec(this.#text);
      this.#piece = stripped(match?.[0] ?? shown(this.#text, at));
      if (!match) throw new Fault(`cannot read ${quoted(this.#piece)} in a record`);
      at = TOKEN.lastIndex;
      if (ended) throw new Fault(`${quoted(this.#piece)} stands behind the result ${quoted(this.result)}`);
      ended = this.#token(match);
    }
    this.#piece = "";
    if (this.#lines.length > 1) throw new Fault("a variation is not closed: expected )");
    this.#closeHead();
    if (!ended) throw new Fault("a record ends in its result or in *");
  }

  get entries(): readonly Entry[] {
    return this.#lines[0]!;
  }

  get #line(): Growing[] {
    return this.#lines.at(-1)!;
  }

  /** Takes in one token; true if it is the result. */
  #token([, comment, bracket, glyph, word]: RegExpExecArray): boolean {
    if (comment !== undefined) this.#comment(words(comment).join(" "));
    else if (bracket === "(") this.#open();
    else if (bracket === ")") this.#close();
    else if (glyph !== undefined) {
      this.#notes.count("glyphs");
      this.#last(`$${glyph}`).glyphs.push(Number(glyph));
    } else if (word === UNFINISHED || RESULT.test(word!)) {
      if (this.#lines.length > 1) throw new Fault(`the result ${quoted(word)} stands in a variation that is not closed: expected )`);
      this.result = word!;
      return true;
    } else this.#word(word!);
    return false;
  }

  #word(word: string): void {
    const head = HEAD.exec(word);
    if (head) {
      this.#closeHead();
      this.#head = { round: Number(head[1]), starter: Number(head[2]) - 1 };
    } else if (word.startsWith("=")) {
      if (!this.#head) throw new Fault(`the deal ${quoted(word)} has no head of a round, as in R1@1, before it`);
      readDeal(word);
      this.#openRound(word);
    } else {
      this.#closeHead();
      readMove(word);
      this.#line.push({ play: word, glyphs: [], comments: [], variations: [] });
    }
  }

  /** A head without a deal: the record starts in the middle of a round. */
  #closeHead(): void {
    if (this.#head) this.#openRound(null);
  }

  #openRound(play: string | null): void {
    this.#line.push({ play, head: this.#head!, glyphs: [], comments: this.#headComments, variations: [] });
    this.#head = undefined;
    this.#headComments = [];
  }

  #comment(comment: string): void {
    if (!comment) return;
    this.#notes.count("comments");
    if (this.#head) this.#headComments.push(comment);
    else if (this.#lines.length === 1 && !this.#line.length) this.comments.push(comment);
    else this.#last(`{${comment}}`).comments.push(comment);
  }

  #last(what: string): Growing {
    this.#closeHead();
    const last = this.#line.at(-1);
    if (!last) throw new Fault(`${quoted(what)} stands before any move`);
    return last;
  }

  #open(): void {
    this.#last("(");
    this.#notes.count("variations");
    if (this.#lines.length > DEEPEST_VARIATION) throw new Fault(`variations are nested deeper than ${DEEPEST_VARIATION}`);
    this.#lines.push([]);
  }

  #close(): void {
    this.#closeHead();
    if (this.#lines.length === 1) throw new Fault("')' without '('");
    const variation = this.#lines.pop()!;
    if (!variation.length) throw new Fault("a variation without a move: '()'");
    this.#line.at(-1)!.variations.push(variation);
  }
}

/** So many characters of a text. */
function shown(text: string, at: number): string {
  return [...text.slice(at, at + 2 * SHOWN)].slice(0, SHOWN).join("");
}
