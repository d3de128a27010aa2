import { describe, expect, it } from "vitest";
import { fakeEvent, fakePlayed, fakePosition, fakeTable, fakeWelcome } from "./fake";
import { KEPT, after, type Live, mineToAct } from "./live";
import type { Outgoing } from "./messages";

function told(...messages: Outgoing[]): Live {
  const live = messages.reduce<Live | null>(after, null);
  if (!live) throw new Error("nothing is known");
  return live;
}

describe("the state of a table", () => {
  it("knows nothing before the welcome", () => {
    expect(after(null, fakePlayed(1, "1B1", 0))).toBeNull();
  });

  it("appends a frame for every event, so that moves can be shown one after the other", () => {
    const live = told(fakeWelcome(3), fakePlayed(4, "1B1", 0), fakePlayed(5, "2Y1", 1));
    expect(live.frames.map((frame) => frame.version)).toEqual([3, 4, 5]);
    expect(live.log.map((entry) => entry.move)).toEqual(["1B1", "2Y1"]);
  });

  it("keeps only a tail of frames", () => {
    const events = Array.from({ length: 100 }, (_, index) => fakePlayed(index + 1, "1B1", 0));
    const live = told(fakeWelcome(0), ...events);
    expect(live.frames).toHaveLength(KEPT);
    expect(live.frames.at(-1)?.version).toBe(100);
    expect(live.log).toHaveLength(100);
  });

  it("takes moves out of the log when they are taken back", () => {
    const undone = fakeEvent(6, { type: "undone", seat: 0, moves: 2 });
    const live = told(fakeWelcome(3), fakePlayed(4, "1B1", 0), fakePlayed(5, "2Y1", 1), undone);
    expect(live.log).toEqual([]);
    expect(live.frames.map((frame) => frame.log.length)).toEqual([0, 1, 2, 0]);
  });

  it("starts afresh with a second welcome", () => {
    const live = told(fakeWelcome(3), fakePlayed(4, "1B1", 0), fakeWelcome(9));
    expect(live.frames.map((frame) => frame.version)).toEqual([9]);
  });
});

describe("whose turn it is", () => {
  it("is mine only at my seats", () => {
    expect(mineToAct(told(fakeWelcome(1, { waiting: [1] })))).toEqual([]);
    expect(mineToAct(told(fakeWelcome(1, { waiting: [0] })))).toEqual([0]);
  });

  it("is nobody's after the end, and not mine while a computer plays for me", () => {
    const result = { reason: "row" as const, winners: [0], scores: [1, 0] };
    expect(mineToAct(told(fakeWelcome(1, { table: fakeTable({ result }) })))).toEqual([]);
    const seats = [
      { kind: "here" as const, name: "Ana", substitute: 3 },
      { kind: "computer" as const, name: "" },
    ];
    expect(mineToAct(told(fakeWelcome(1, { table: fakeTable({ seats }) })))).toEqual([]);
  });

  it("may be several seats' at once while tiling on the gray wall", () => {
    const position = fakePosition({ phase: "t" });
    expect(mineToAct(told(fakeWelcome(1, { position, you: { seats: [0, 1] }, waiting: [0, 1] })))).toEqual([0, 1]);
  });
});
