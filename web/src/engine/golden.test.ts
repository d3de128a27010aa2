/** TypeScript reads the golden file of the notation as it says; Python's tests ask the same of Python. */
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { Fault } from "./fault";
import { MOST_NOTES } from "./generated/bindings";
import { compile, Module } from "./module";
import { readDeal, readMove, readPosition, writeDeal, writeMove, writePosition } from "./notation";
import { type Entry, jsonOf, readRecord, readValidPart, recordOf, splitRecords, startOf, steps, writeRecord } from "./records";
import { Rules } from "./rules";

interface Wrong {
  given: string;
  fault: string;
}

interface Golden {
  positions: { line: string; state: string }[];
  "wrong positions": Wrong[];
  moves: string[];
  "wrong moves": Wrong[];
  deals: { deal: string; displays: number[][] }[];
  "wrong deals": Wrong[];
  records: { given: string; text?: string; json: unknown; end: string }[];
  "wrong records": Wrong[];
  "valid parts": { given: string; text?: string; fault: string | null }[];
}

const FILE = new URL("../../../tests/golden/notation.json", import.meta.url);
const golden = JSON.parse(readFileSync(FILE, "utf8")) as Golden;

let rules: Rules;
beforeAll(async () => {
  rules = new Rules(new Module(await compile(readFileSync(new URL("./generated/azulejos.wasm", import.meta.url)))));
});

/** What is said of a text that cannot be read; of JSON that is none only what both languages say. */
function faultOf(read: (text: string) => unknown, given: string): string {
  try {
    read(given);
  } catch (fault) {
    if (!(fault instanceof Fault)) throw fault;
    return fault.message.replace(/( as JSON: ).*/s, "$1");
  }
  return "";
}

describe("positions", () => {
  it("are read to the same state and written as the same line", () => {
    for (const { line, state } of golden.positions) {
      const read = readPosition(line, rules);
      expect(Buffer.from(read).toString("base64"), line).toBe(state);
      expect(writePosition(read)).toBe(line);
    }
  });

  it("that cannot be are refused with the same sentence", () => {
    for (const { given, fault } of golden["wrong positions"]) expect(faultOf((line) => readPosition(line, rules), given)).toBe(fault);
  });
});

describe("moves and deals", () => {
  it("are read and written", () => {
    for (const [number, move] of golden.moves.entries()) {
      expect(readMove(move)).toBe(number);
      expect(writeMove(number)).toBe(move);
    }
    for (const { deal, displays } of golden.deals) {
      expect(readDeal(deal)).toEqual(displays);
      expect(writeDeal(displays)).toBe(deal);
    }
  });

  it("that are none are refused with the same sentence", () => {
    for (const { given, fault } of golden["wrong moves"]) expect(faultOf(readMove, given)).toBe(fault);
    for (const { given, fault } of golden["wrong deals"]) expect(faultOf(readDeal, given)).toBe(fault);
  });
});

describe("records", () => {
  it("are read, written in both forms and replayed to the same position", () => {
    for (const { given, text = given, json, end } of golden.records) {
      const record = readRecord(given, rules);
      expect(writeRecord(record)).toBe(text);
      expect(jsonOf(record)).toEqual(json);
      expect(readRecord(JSON.stringify(json), rules)).toEqual(record);
      expect(writePosition([...steps(record, rules)].at(-1)!.state)).toBe(end);
    }
  });

  it("are made from a game as Python makes them", () => {
    const played = ({ play, head }: Entry): Entry => ({ play, ...(head ? { head } : {}), glyphs: [], comments: [], variations: [] });
    for (const { given } of golden.records) {
      const record = readRecord(given, rules);
      const { Position: position, Termination: ended, ...tags } = record.tags;
      const { names, event, date } = record;
      const gaveUp = ended === "resigned" ? ended : undefined;
      const plays = record.entries.flatMap(({ play }) => play ?? []);
      const made = recordOf(startOf(record, rules), plays, { names, event, date, position, gaveUp, tags }, rules);
      expect(made).toEqual({ ...record, entries: record.entries.map(played), comments: [] });
    }
  });

  it("of one file are told apart", () => {
    const all = golden.records.map(({ given }) => readRecord(given, rules));
    const texts = golden.records.map(({ given, text = given }) => text);
    const lines = golden.records.map(({ json }) => `${JSON.stringify(json)}\n`);
    for (const [at, end] of ["\n", "\r\n", "\r"].entries()) {
      const file = "\ufeff" + (at ? texts : lines).join("\n").replaceAll("\n", end);
      expect([...splitRecords(file)].map((each) => readRecord(each, rules))).toEqual(all);
    }
  });

  it("are read in time that grows with their length", () => {
    const count = MOST_NOTES / 2; // two comments each
    const [deal, moves] = ["=BYKW/YRK2/Y2RK/BRKW/YR2W", "1B1 2Y1"];
    const long = `[Wall "std"]\n[Players "2"]\n[Result "*"]\n\nR1@1 ${deal} ${moves} ${"( 3Y2 5R2 {why} $1 ) {x} ".repeat(count)} *`;
    const record = readRecord(long, rules);
    expect(record.entries.at(-1)!.variations).toHaveLength(count);
    expect(readRecord(writeRecord(record), rules)).toEqual(record);
  });

  it("that are damaged are read as far as they are valid, with the same reason", () => {
    for (const { given, text, fault } of golden["valid parts"]) {
      let found: string | undefined;
      const said = faultOf((damaged) => {
        const part = readValidPart(damaged, rules);
        found = writeRecord(part.record);
        if (part.fault) throw part.fault;
      }, given);
      expect({ found, said }, given).toEqual({ found: text, said: fault ?? "" });
    }
  });

  it("that cannot be are refused with the same sentence", () => {
    for (const { given, fault } of golden["wrong records"]) expect(faultOf((text) => readRecord(text, rules), given)).toBe(fault);
  });
});
