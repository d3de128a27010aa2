// @vitest-environment happy-dom
import { flushSync, mount, tick, unmount } from "svelte";
import { afterEach, expect, it, vi } from "vitest";
import type { HintMove } from "../board";
import type { Comparison } from "../local/comparison";
import { FakeWire, fakeEvent, fakeWelcome } from "../net/fake";
import type { SeatInfo, Welcome } from "../net/messages";
import { WatchedTable } from "../net/watched.svelte";
import { spokenSince } from "../parts/spoken.svelte";
import Hints from "./Hints.svelte";
import LookUp from "./LookUp.svelte";

const HINT: HintMove[] = [{ move: "1B1", margin: 2, win: [1, 0], line: ["1B1"] }];
const COMPARED: Comparison = { move: "2R3", gain: 1.5, reasons: [{ code: "line_open", seat: 0, row: 3, points: 4 }] };
vi.mock("../local/positions", () => ({
  own: { hint: () => Promise.resolve(HINT), comparison: () => Promise.resolve(COMPARED) },
}));
const wires = vi.hoisted((): unknown[] => []);
vi.mock("../local/tables", () => ({ openLocal: () => wires[0] }));
vi.mock("../shell/router.svelte", () => ({ router: { route: { page: "replay", table: "local-1" }, query: "" } }));
vi.mock("./Game.svelte", () => ({ default: () => document.body.append("THE GAME") }));

let shown: Record<string, unknown> | null = null;
let watched: WatchedTable | null = null;

afterEach(() => {
  if (shown) void unmount(shown);
  watched?.close();
  document.body.replaceChildren();
});

function welcome(changes: Partial<Welcome["table"]> = {}, seat: Partial<SeatInfo> = {}): Welcome {
  const { table, ...rest } = fakeWelcome(4);
  const seats: SeatInfo[] = [
    { kind: "here", name: "Ana", joined: true, ...seat },
    { kind: "here", name: "Rui", joined: true },
  ];
  return { ...rest, table: { ...table, seats, ...changes }, you: { seats: [0] }, waiting: [0] };
}

function at(given: Welcome): { wire: FakeWire; ask: (seat: number) => void } {
  const wire = new FakeWire("");
  watched = new WatchedTable("abc", [], () => wire);
  wire.onopen?.();
  wire.say(given);
  shown = mount(Hints, { target: document.body, props: { watched } });
  flushSync();
  return { wire, ask: (shown as { ask: (seat: number) => void }).ask };
}

const button = (name: string): HTMLButtonElement | undefined =>
  [...document.querySelectorAll("button")].find((each) => each.textContent === name);
const said = (): string => document.querySelector(".note p")?.textContent ?? "";
const sent = (wire: FakeWire): unknown[] => wire.sent.filter(({ type }) => type === "hint");

it("asks before the first hint, tells the table, and then says what the move is better than", async () => {
  const { wire, ask } = at(welcome());
  ask(0);
  flushSync();
  expect(document.body.textContent).toContain("A hint marks this game as assisted.");
  expect(sent(wire)).toEqual([]);
  button("Take the hint")!.click();
  await vi.waitFor(() => expect(sent(wire)).toHaveLength(1));
  wire.say({ type: "accepted", id: String(wire.last("hint")["id"]), version: 5 });
  await vi.waitFor(() => expect(said()).toMatch(/^Worse: .*display 2 → line 3 \(−1.5\)\. Ana: line 4 stays open \(−4\)\.$/));
  expect(spokenSince(0).at(-1)?.text).toBe(said().replace(" → ", ", "));
  wire.say(fakeEvent(5, { type: "resigned", seat: 1 }));
  await tick();
  expect(said()).toBe("");
});

it("does not ask a second time", async () => {
  const { wire, ask } = at(welcome({}, { assisted: true }));
  ask(0);
  await vi.waitFor(() => expect(sent(wire)).toHaveLength(1));
  expect(document.querySelector("dialog")).toBeNull();
});

function lookUp(given: Welcome): FakeWire {
  const wire = new FakeWire("");
  wires[0] = wire;
  shown = mount(LookUp, { target: document.body });
  wire.onopen?.();
  wire.say(given);
  flushSync();
  return wire;
}

it("asks whoever looks up a game that they still play, and marks it", async () => {
  const wire = lookUp(welcome());
  expect(document.body.textContent).toContain("counts as a hint");
  expect(document.body.textContent).not.toContain("THE GAME");
  button("Look it up")!.click();
  expect(wire.last("hint")).toMatchObject({ seat: 0, version: 4 });
  wire.say({ type: "accepted", id: String(wire.last("hint")["id"]), version: 5 });
  await vi.waitFor(() => expect(document.body.textContent).toContain("THE GAME"));
});

it("shows no running game where hints are not allowed", () => {
  lookUp(welcome({ hints: false }));
  expect(document.body.textContent).toContain("hints are not allowed at this table");
  expect(button("Look it up")).toBeUndefined();
});

it("shows a game that is over at once", () => {
  lookUp(welcome({ result: { reason: "row", winners: [0], scores: [30, 20] } }));
  expect(document.body.textContent).toContain("THE GAME");
});
