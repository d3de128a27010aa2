// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FakeWire, fakeEvent, fakeWelcome } from "./fake";
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
