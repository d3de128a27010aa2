/** Games as an earlier version of the page has stored them: rows of the browser's database, and the records it made of them. */
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { Module, compile } from "../engine/module";
import { Rules } from "../engine/rules";
import { recordText } from "./replay";
import { FORMAT, type Kept } from "./store";
import { Table, type TableEvent } from "./table";

interface Saved {
  tables: Kept[];
  events: { table: string; version: number; event: TableEvent }[];
  records: Record<string, string>;
}

const read = (path: string) => readFileSync(new URL(path, import.meta.url));
const { tables, events, records } = JSON.parse(read("../../../tests/golden/saved_games.json").toString()) as Saved;
let rules: Rules;

beforeAll(async () => {
  rules = new Rules(new Module(await compile(read("../engine/generated/azulejos.wasm"))));
});

const eventsOf = (id: string) => events.flatMap(({ table, event }) => (table === id ? [event] : []));

describe.each(tables.map((kept) => [kept.names.join(" and "), kept] as const))("an old game of %s", (_, kept) => {
  it("is the same game today", () => {
    expect(kept.format).toBe(FORMAT);
    const table = Table.rebuilt(rules, kept, eventsOf(kept.id));
    expect(recordText(rules, table)).toBe(records[kept.id]);
    expect(table.summary).toEqual(kept.summary);
  });

  it("with a damaged event is none", () => {
    const all = eventsOf(kept.id);
    const at = all.findLastIndex(({ type }) => type === "decided");
    const damaged = all.map((event, version) => (version === at ? ({ ...event, move: "9Z9" } as TableEvent) : event));
    expect(() => Table.rebuilt(rules, kept, damaged)).toThrow();
  });
});
