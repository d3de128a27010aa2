import { describe, expect, it } from "vitest";
import { RefusalError } from "../net/api";
import { fakePosition } from "../net/fake";
import type { AskPosition, Looked } from "../local/positions";
import type { Step } from "../local/replay";
import { freshPosition, fromAddress, inAddress } from "./line";
import { Study, type Positions } from "./study.svelte";
import { type GameNode, nodeAt, treeOf } from "./tree";

/** Knows one rule: a position is the moves that lead to it. */
class FakePositions implements Positions {
  asked: AskPosition[] = [];
  deals = 0;

  position(ask: AskPosition): Promise<Looked> {
    this.asked.push(ask);
    const [move = ask.deal ? `=${(this.deals += 1)}` : ""] = ask.moves ?? [];
    if (move === "9K9") return Promise.reject(new RefusalError("bad_move"));
    const position = fakePosition({ line: `${ask.position} ${move}`.trim() });
    return Promise.resolve({ position, happenings: move ? [{ move, seat: move.startsWith("=") ? null : 0 }] : [] });
  }
}

const STEPS: Step[] = [
  { happening: { move: "=a", seat: null }, position: fakePosition({ line: "dealt" }) },
  ...["1B1", "2Y1", "=b", "3R1"].map((move, index) => ({
    happening: { move, seat: move.startsWith("=") ? null : index % 2 },
    position: fakePosition({ line: move, round: index < 2 ? 1 : 2 }),
  })),
];

function opened(): { study: Study; positions: FakePositions } {
  const positions = new FakePositions();
  return { study: new Study(treeOf(STEPS)!, positions), positions };
}

const line = (study: Study): string[] => study.line.map(({ happening }) => happening?.move ?? "");

describe("a record", () => {
  it("becomes one line, from its first position to its last", () => {
    const { study } = opened();
    expect(line(study)).toEqual(["=a", "1B1", "2Y1", "=b", "3R1"]);
    expect([study.ply, study.last, study.here]).toEqual([0, 4, study.root]);
    expect(treeOf([])).toBeNull();
  });

  it("is walked to its ends and not beyond", () => {
    const { study } = opened();
    study.back();
    expect(study.ply).toBe(0);
    study.to(99);
    study.next();
    expect(study.here.position.line).toBe("3R1");
    study.toRound(2);
    expect(study.here.position.line).toBe("=b");
    study.toRound(7);
    expect(study.ply).toBe(4);
    study.toRound(1);
    expect(study.ply).toBe(0);
  });
});

describe("what a board is shown", () => {
  const after = (move: (study: Study) => void, at = 1): number => {
    const { study } = opened();
    study.to(at);
    const { version } = study.frame;
    move(study);
    return study.frame.version - version;
  };

  it("follows the last frame after a step forward, and only then", () => {
    expect(after((study) => study.next())).toBe(1);
    expect(after((study) => study.to(3))).toBe(2);
    expect(after((study) => study.back())).toBe(2);
    expect(after((study) => study.back(), 0)).toBe(0);
    expect(after(() => undefined)).toBe(0);
  });

  it("never seems to follow a frame of another game", () => {
    const first = opened().study;
    first.next();
    expect(opened().study.frame.version).toBeGreaterThan(first.frame.version + 1);
  });

  it("is the position and all that led to it", () => {
    const { study } = opened();
    study.to(2);
    expect([study.frame.position.line, study.frame.log.map(({ move }) => move)]).toEqual(["2Y1", ["=a", "1B1", "2Y1"]]);
  });
});

describe("a move", () => {
  it("is asked for once and becomes the end of a new line", async () => {
    const { study, positions } = opened();
    study.next();
    expect(await study.play("4W4")).toBe(true);
    expect(positions.asked).toEqual([{ position: "1B1", moves: ["4W4"] }]);
    expect(line(study)).toEqual(["=a", "1B1", "4W4"]);
    study.back();
    expect(await study.play("4W4")).toBe(true);
    expect(positions.asked).toHaveLength(1);
  });

  it("that is the game's own leads along the game", async () => {
    const { study, positions } = opened();
    await study.play("1B1");
    expect([positions.asked.length, study.ply, study.last]).toEqual([0, 1, 4]);
  });

  it("that is refused changes nothing", async () => {
    const { study } = opened();
    await expect(study.play("9K9")).rejects.toThrow("bad_move");
    expect([study.ply, study.last]).toEqual([0, 4]);
  });

  it("whose answer comes late does not pull anybody away, and is kept", async () => {
    const { study, positions } = opened();
    const slow = study.play("4W4");
    study.to(4);
    expect(await slow).toBe(false);
    expect(study.ply).toBe(4);
    study.to(0);
    await study.play("4W4");
    expect(positions.asked).toHaveLength(1);
  });

  it("asked for twice at once is one variation", async () => {
    const { study } = opened();
    await Promise.all([study.play("4W4"), study.play("4W4")]);
    expect(study.root.variations).toHaveLength(2);
  });
});

it("deals by chance, another variation each time", async () => {
  const study = await Study.from(new FakePositions(), "fresh", true);
  expect([study.here.position.line, study.frame.log]).toEqual(["fresh =1", []]);
  await study.deal();
  study.back();
  await study.deal();
  expect(study.root.variations.map(({ happening }) => happening?.move)).toEqual(["=2", "=3"]);
});

describe("a place", () => {
  async function grown(): Promise<{ root: GameNode; study: Study }> {
    const { study } = opened();
    study.to(2);
    for (const move of ["4W4", "5K5", "1R1"]) await study.play(move);
    study.back();
    await study.play("2R2");
    return { root: study.root, study };
  }

  it("is written in few letters and found again, everywhere", async () => {
    const { root, study } = await grown();
    expect(study.here.place()).toBe("2.1.1.1.0");
    const all = (node: GameNode): GameNode[] => [node, ...node.variations.flatMap(all)];
    for (const node of all(root)) expect(nodeAt(root, node.place())).toBe(node);
    expect(root.line().map((node) => node.place())).toEqual(["0", "1", "2", "3", "4"]);
  });

  it("from an address may be anything", async () => {
    const { root } = await grown();
    for (const nonsense of ["", "x", "-3", "0.9.4", "NaN.1"]) expect(nodeAt(root, nonsense)).toBe(root);
    expect(nodeAt(root, "1e9").position.line).toBe("3R1");
    expect(nodeAt(root, "2.5.9").position.line).toBe("2Y1");
  });

  it("in another variation is gone to with its own line; on this one the line stays", async () => {
    const { root, study } = await grown();
    study.to(2);
    expect(line(study)).toEqual(["=a", "1B1", "2Y1", "4W4", "5K5", "2R2"]);
    study.next();
    expect(study.here.happening?.move).toBe("4W4");
    study.go(nodeAt(root, "4"));
    expect(line(study)).toEqual(["=a", "1B1", "2Y1", "=b", "3R1"]);
  });
});

it("writes positions into an address and back", () => {
  const fresh = freshPosition(2, "std");
  expect(fresh).toBe("std -/-/-/-/- F 0:-/-/-/-/-:5/5/5/5/5:- 0:-/-/-/-/-:5/5/5/5/5:- B20Y20R20K20W20 r1 1@1");
  expect(inAddress(fresh)).not.toContain(" ");
  expect(fromAddress(`  ${inAddress(fresh)}\n`)).toBe(fresh);
});
