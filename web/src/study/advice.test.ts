import { flushSync } from "svelte";
import { describe, expect, it } from "vitest";
import { type Advice, Advisor, type Search } from "./advisor.svelte";
import { Dealing } from "./dealing";

interface Asked {
  position: string;
  tell: (advice: Advice) => void;
  signal: AbortSignal;
  answer: (advice: Advice) => void;
}

function asking(): { advisor: Advisor; asked: Asked[] } {
  const asked: Asked[] = [];
  const search: Search = (position, tell, signal) => new Promise((answer) => asked.push({ position, tell, signal, answer }));
  return { advisor: new Advisor(search), asked };
}

const advice = (nodes: number): Advice => ({ nodes, solved: false, lines: [] });
const settled = async (): Promise<void> => {
  await new Promise((resolve) => setTimeout(resolve));
  flushSync();
};

describe("the engine beside a study", () => {
  it("tells what it finds and stops when somebody steps on", async () => {
    const { advisor, asked } = asking();
    advisor.follow("one");
    asked[0]!.tell(advice(100));
    expect([advisor.advice?.nodes, advisor.thinking]).toEqual([100, true]);
    advisor.follow("two");
    expect([asked[0]!.signal.aborted, advisor.advice, asked.map(({ position }) => position)]).toEqual([true, null, ["one", "two"]]);
    asked[0]!.answer(advice(120)); // too late: this is about another position
    await settled();
    expect([advisor.advice, advisor.thinking]).toEqual([null, true]);
    asked[1]!.answer(advice(500));
    await settled();
    expect([advisor.advice?.nodes, advisor.thinking]).toEqual([500, false]);
  });

  it("knows again what it has looked at", async () => {
    const { advisor, asked } = asking();
    advisor.follow("one");
    asked[0]!.answer(advice(500));
    await settled();
    advisor.follow("two");
    asked[1]!.tell(advice(50));
    advisor.follow("one");
    expect([advisor.advice?.nodes, advisor.thinking, asked.length]).toEqual([500, false, 2]);
    advisor.follow("two"); // it was left too early: what was found is shown, and looked at again
    expect([advisor.advice?.nodes, advisor.thinking]).toEqual([50, true]);
    asked[2]!.tell(advice(10));
    expect(advisor.advice?.nodes).toBe(50);
  });

  it("is silent where nobody has to decide, and says why it fails", async () => {
    const advisor = new Advisor(() => Promise.reject(new Error("no engine")));
    advisor.follow("one");
    await settled();
    expect([(advisor.failed as Error).message, advisor.thinking]).toEqual(["no engine", false]);
    advisor.follow(null);
    expect([advisor.failed, advisor.advice]).toEqual([null, null]);
  });
});

describe("a deal that is chosen", () => {
  const displays = Array.from({ length: 5 }, () => [0, 0, 0, 0, 0]);

  it("fills the displays in order, and takes a tile back", () => {
    let dealing = new Dealing({ displays, bag: [20, 20, 20, 20, 20], lid: [0, 0, 0, 0, 0] });
    for (const color of [0, 0, 1, 3, 2]) dealing = dealing.with(color);
    expect(dealing.displays.slice(0, 2)).toEqual([[0, 0, 1, 3], [2]]);
    expect(dealing.without(1).tiles).toEqual([0, 1, 3, 2]);
    expect([dealing.isComplete, dealing.wanted]).toEqual([false, 20]);
    const filled = dealing.filled(() => 0);
    expect([filled.isComplete, filled.left]).toEqual([true, [0, 0, 0, 0, 0]]);
    expect(filled.text).toBe("=B2YK/B3R/B4/B4/B4");
  });

  it("takes from the lid only what the bag lacks, and all of the bag", () => {
    const position = { displays, bag: [3, 0, 10, 0, 0], lid: [5, 5, 0, 5, 5] };
    let dealing = new Dealing(position);
    expect(dealing.left).toEqual([8, 5, 10, 5, 5]);
    for (let count = 0; count < 5; count += 1) dealing = dealing.with(1);
    expect(dealing.left).toEqual([8, 0, 10, 5, 5]);
    for (const color of [3, 3]) dealing = dealing.with(color);
    expect(dealing.left).toEqual([3, 0, 10, 0, 0]);
    expect(dealing.with(4)).toBe(dealing);
    const { tiles } = dealing.filled(() => 0.999);
    expect([0, 1, 2, 3, 4].map((color) => tiles.filter((tile) => tile === color).length)).toEqual([3, 5, 10, 2, 0]);
  });

  it("is short when bag and lid are", () => {
    const dealing = new Dealing({ displays, bag: [2, 0, 0, 0, 1], lid: [0, 3, 0, 0, 0] });
    expect([dealing.wanted, dealing.filled().text.slice(0, 4)]).toEqual([6, "=" + dealing.filled().text.slice(1, 4)]);
    expect(dealing.filled().displays.map((tiles) => tiles.length)).toEqual([4, 2, 0, 0, 0]);
  });
});
