/** The page's tables against the server's: what `tests/server/page_tables.py` wrote down, both say. */
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { Module, compile } from "../engine/module";
import { Rules } from "../engine/rules";
import { recordText, replayOfText } from "./replay";
import { type Making, Table, type TableEvent } from "./table";

interface Golden {
  making: Making;
  events: TableEvent[];
  said: Record<string, unknown>[];
  record: string;
}

const read = (path: string) => readFileSync(new URL(path, import.meta.url));
const GAMES = JSON.parse(read("../../../tests/golden/page_tables.json").toString()) as Golden[];
let rules: Rules;

beforeAll(async () => {
  rules = new Rules(new Module(await compile(read("../engine/generated/azulejos.wasm"))));
});

/** What a message has beside what the golden file says of it must be what a server leaves out: a default. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, each]) => [key, plain(each)] as const)
      .filter(([, each]) => !isDefault(each)),
  );
}

function isDefault(value: unknown): boolean {
  if (value === null || value === undefined || value === false || value === 0 || value === "") return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}

describe.each(GAMES.map((game, at) => [at, game] as const))("game %i", (_, { making, events, said, record }) => {
  it("goes as it goes at a server", () => {
    let table = Table.make(rules, making);
    const wanted = new Map(said.map((each) => [each["version"], each]));
    for (const event of events) {
      ({ table } = table.after(event));
      const expected = wanted.get(table.version);
      if (!expected) continue;
      const { log, noted, ...rest } = table.welcome(0);
      expect(plain("log" in expected ? { ...rest, log, noted } : rest)).toEqual(plain(expected));
    }
    expect(wanted.has(table.version)).toBe(true);
  });

  it("has the same record, and a replay with all its steps", () => {
    const table = Table.rebuilt(rules, making, events);
    expect(recordText(rules, table)).toBe(record);
    const { steps } = replayOfText(rules, recordText(rules, table));
    const moves = steps.flatMap(({ happening }) => (happening && happening.seat !== null ? [happening.move] : []));
    expect(moves).toEqual(table.game.log.map(({ move }) => move));
    expect(steps.at(-1)!.position.line).toBe(table.welcome(0).position.line);
  });
});
