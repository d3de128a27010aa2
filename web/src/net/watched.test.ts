// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { RefusalError } from "./api";
import { FakeWire, fakeEvent, fakeWelcome } from "./fake";
import type { Undone } from "./messages";
import { WatchedTable } from "./watched.svelte";

let wire: FakeWire;
let watched: WatchedTable;

/** The versions that undos were asked for. */
const undos = (): unknown[] => wire.sent.filter((message) => message["type"] === "undo").map((message) => message["version"]);
const undone = (version: number) => fakeEvent(version, { type: "undone", seat: 0, moves: 2 });

beforeEach(() => {
  watched = new WatchedTable("abc", ["s".repeat(32)], (address) => (wire = new FakeWire(address)));
  wire.onopen?.();
  wire.say(fakeWelcome(5));
});
afterEach(() => watched.close());

describe("undo", () => {
  it("pressed again at the same sight is one wish", () => {
    for (let press = 0; press < 4; press += 1) void watched.undo(0);
    expect(undos()).toEqual([5]);
  });

  it("pressed again when it was seen to happen is another, even before the answer", () => {
    void watched.undo(0);
    wire.say(undone(6));
    void watched.undo(0);
    expect(undos()).toEqual([5, 6]);
  });

  it("can be asked again after a refusal", async () => {
    const first = watched.undo(0);
    wire.say({ type: "refused", code: "busy", id: "m1" });
    await first;
    expect(watched.trouble?.code).toBe("busy");
    void watched.undo(0);
    expect(undos()).toEqual([5, 5]);
  });
});

it("what happened besides moves is there again after a reload", () => {
  wire.say(undone(6));
  wire.say({ type: "emoted", seat: 1, emote: "wow" });
  const noted = [{ version: 6, moves: 0, what: undone(6).what as Undone }];
  const whats = ({ news }: WatchedTable): string[] => news.map(({ what }) => what);
  wire.say(fakeWelcome(6, { noted })); // a gap: nothing is told twice, and nothing forgotten
  expect(whats(watched)).toEqual(["undone", "emoted"]);
  watched.close();
  watched = new WatchedTable("abc", [], (address) => (wire = new FakeWire(address)));
  wire.onopen?.();
  wire.say(fakeWelcome(6, { noted }));
  expect(whats(watched)).toEqual(["undone"]);
});

describe("a hint", () => {
  const moves = [{ move: "1B1", margin: 1, win: [0.6, 0.4], line: ["1B1"] }];
  const told = (): unknown[] => wire.sent.filter((message) => message["type"] === "hint").map((message) => message["version"]);

  it("is found here, told to the table, and then shown until something is played", async () => {
    const find = vi.fn(() => Promise.resolve(moves));
    const taking = watched.takeHint(0, find);
    void watched.takeHint(0, find); // impatience
    await vi.waitFor(() => expect(told()).toEqual([5]));
    expect(watched.hint).toBeNull();
    wire.say(fakeEvent(6, { type: "assisted", seat: 0 }));
    wire.say({ type: "accepted", id: "m1", version: 6 });
    await taking;
    expect(watched.hint).toEqual(moves);
    await watched.takeHint(0, find); // it stands there already
    expect(find).toHaveBeenCalledTimes(1);
    wire.say(undone(7));
    expect(watched.hint).toBeNull();
  });

  it("that comes too late is not shown", async () => {
    const taking = watched.takeHint(0, () => Promise.resolve(moves));
    await vi.waitFor(() => expect(told()).toEqual([5]));
    wire.say({ type: "refused", code: "stale_version", id: "m1" });
    await taking;
    expect([watched.hint, watched.trouble?.code]).toEqual([null, "stale_version"]);
  });

  it("that is not found is not told, and why", async () => {
    await watched.takeHint(0, () => Promise.reject(new RefusalError("no_computer")));
    expect([told(), watched.trouble?.code, watched.hinting]).toEqual([[], "no_computer", false]);
  });
});
