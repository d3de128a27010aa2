import { describe, expect, it } from "vitest";
import { RefusalError } from "../net/api";
import { fakePosition } from "../net/fake";
import type { AskPosition, Looked } from "../local/positions";
import type { Step } from "../local/replay";
import { freshPosition, fromAddress, inAddress } from "./line";
import { Study, type Positions } from "./study.svelte";
import { GameNode, graft, nodeAt, rowsOf } from "./tree";

/** Knows one rule: a position is the moves that lead to it. */
class FakePositions implements Positions {
  asked: AskPosition[] = [];
  deals = 0;
  phase: "d" | "r" = "d";

  position(ask: AskPosition): Promise<Looked> {
    this.asked.push(ask);
    const [move = ask.deal ? `=${(this.deals += 1)}` : ""] = ask.moves ?? [];
    if (move === "9K9") return Promise.reject(new RefusalError("bad_move"));
    const position = fakePosition({ line: `${ask.position} ${move}`.trim(), phase: move ? "d" : this.phase });
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

function treeOf([first, ...rest]: readonly Step[]): GameNode {
  const root = new GameNode(first!.position, first!.happening);
  let node = root;
  for (const { position, happening } of rest) node = node.add(position, happening);
  return root;
}

function opened(): { study: Study; positions: FakePositions } {
  const positions = new FakePositions();
  return { study: new Study(treeOf(STEPS), positions), positions };
}

const line = (study: Study): string[] => study.line.map(({ happening }) => happening?.move ?? "");

describe("a record", () => {
  it("becomes one line, from its first position to its last", () => {
    const { study } = opened();
    expect(line(study)).toEqual(["=a", "1B1", "2Y1", "=b", "3R1"]);
    expect([study.ply, study.last, study.here]).toEqual([0, 4, study.root]);
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

it("deals by chance, another variation each time, and begins before the first deal", async () => {
  const positions = new FakePositions();
  positions.phase = "r";
  const study = await Study.from(positions, "fresh", true);
  expect([study.ply, study.root.ply, study.here.position.line, study.revision]).toEqual([0, -1, "fresh =1", 0]);
  study.back();
  await study.deal();
  expect(study.root.variations.map(({ happening }) => happening?.move)).toEqual(["=1", "=2"]);
  expect(study.here.place()).toBe("-1.1.0");
  expect(nodeAt(study.root, "-1.1.0")).toBe(study.here);
  expect(nodeAt(study.root, "")).toBe(study.first);
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

describe("variations", () => {
  /** The game 1B1 2Y1 =b 3R1; instead of 2Y1 also 4W4, and instead of that 5K5 with 1R1 behind it. */
  async function grown(): Promise<Study> {
    const { study } = opened();
    for (const moves of [["4W4"], ["5K5", "1R1"]]) {
      study.to(0);
      study.go(study.root.variations[0]!);
      for (const move of moves) await study.play(move);
    }
    return study;
  }
  const shown = (study: Study): string[] => study.rows.map(({ node, depth }) => ">".repeat(depth) + (node.happening?.move ?? ""));

  it("are listed behind the move in whose place they stand", async () => {
    expect(shown(await grown())).toEqual(["1B1", "2Y1", ">4W4", ">5K5", ">1R1", "=b", "3R1"]);
  });

  it("are gone through with keys: alternatives, and back to where they begin", async () => {
    const study = await grown();
    study.back();
    expect([study.sibling(-1), study.here.happening?.move]).toEqual([true, "4W4"]);
    expect([study.sibling(-1), study.here.happening?.move]).toEqual([true, "2Y1"]);
    expect([study.sibling(-1), study.here.happening?.move]).toEqual([false, "2Y1"]);
    study.go(nodeAt(study.root, "1.2.1"));
    study.leave();
    expect([study.here.place(), line(study)]).toEqual(["1", ["=a", "1B1", "2Y1", "=b", "3R1"]]);
  });

  it("are put before the others, or made the main line", async () => {
    const study = await grown();
    expect(study.isMain).toBe(false);
    study.promote();
    expect([shown(study)[1], study.isMain, study.here.place()]).toEqual(["5K5", true, "3"]);
    study.go(nodeAt(study.root, "1.1.2"));
    await study.play("2B2");
    study.promote(true);
    expect(study.root.line().map(({ happening }) => happening?.move)).toEqual(["=a", "1B1", "2Y1", "=b", "3R1", "2B2"]);
  });

  it("are deleted and put back where they were, one after the other", async () => {
    const study = await grown();
    const before = shown(study);
    study.remove(); // 1R1
    study.remove(); // 5K5
    expect([study.here.happening?.move, study.last]).toEqual(["1B1", 4]);
    study.back();
    study.remove(); // the start stays
    study.next();
    study.remove();
    expect([shown(study), study.here]).toEqual([[], study.root]);
    for (let count = 0; count < 3; count += 1) study.putBack();
    expect([shown(study), study.here.happening?.move, study.mayPutBack]).toEqual([before, "1R1", false]);
  });

  it("are not nested deeper than a record can hold", async () => {
    const { study } = opened();
    for (let depth = 0; depth < 32; depth += 1) {
      await study.play("4W4");
      await study.play("1B1");
      study.back();
    }
    expect(study.here.depth).toBe(32);
    await expect(study.play("5W5")).rejects.toThrow("too_deep");
    expect(() => study.playAll([])).toThrow("too_deep");
  });

  it("find the deal of the game itself again", () => {
    const { study } = opened();
    study.next();
    const due = study.here.add(fakePosition({ phase: "r", round: 2 }), { move: "4W4", seat: 0 });
    expect(study.dealt).toBeNull();
    study.go(due);
    expect(study.dealt).toBe("=b");
  });

  it("stay when the game that they belong to has gone on", () => {
    const [mine, longer] = [treeOf(STEPS.slice(0, 3)), treeOf(STEPS)];
    mine.add(fakePosition(), { move: "4W4", seat: 0 });
    graft(mine, longer);
    expect(rowsOf(mine).map(({ node }) => node.happening?.move)).toEqual(["1B1", "4W4", "2Y1", "=b", "3R1"]);
  });
});

describe("what is written", () => {
  it("is kept by lines, without what a record cannot hold", () => {
    const node = new GameNode(fakePosition());
    node.note = "  Blocks  row 2. \n\nOr {so} ";
    expect([node.note, node.comments]).toEqual(["Blocks row 2.\nOr (so)", ["Blocks row 2.", "Or (so)"]]);
  });

  it("does not touch what programs wrote, nor show it", () => {
    const node = new GameNode(fakePosition());
    node.comments = ["[%clk 0:09:41] [%eval +3.2] Hm.", "Well"];
    expect(node.note).toBe("Hm.\nWell");
    node.note = "Good";
    expect(node.comments).toEqual(["[%clk 0:09:41] [%eval +3.2]", "Good"]);
  });

  it("counts as a change, as marks do", () => {
    const { study } = opened();
    study.write("");
    expect(study.revision).toBe(0);
    study.write("So");
    study.mark(2);
    study.mark(4);
    expect([study.revision, study.here.glyphs]).toEqual([3, [4]]);
    study.mark(4);
    expect(study.here.glyphs).toEqual([]);
  });
});

describe("rounds", () => {
  it("are gone to by one, back first to their own beginning", () => {
    const { study } = opened();
    study.byRound(1);
    expect(study.here.happening?.move).toBe("=b");
    study.byRound(1);
    expect(study.here.happening?.move).toBe("3R1");
    study.byRound(-1);
    expect(study.here.happening?.move).toBe("=b");
    study.byRound(-1);
    expect(study.ply).toBe(0);
    study.byRound(-1);
    expect(study.ply).toBe(0);
  });
});

describe("what is pointed at", () => {
  it("is shown beyond where one is, and gone again", () => {
    const { study } = opened();
    const { version } = study.frame;
    study.peek([{ position: fakePosition({ line: "ahead" }), happening: { move: "5K5", seat: 0 } }]);
    expect([study.frame.position.line, study.frame.log.at(-1)?.move, study.here]).toEqual(["ahead", "5K5", study.root]);
    expect(study.frame.version).toBeGreaterThan(version + 1);
    study.next();
    expect([study.frame.position.line, study.frame.log.length]).toEqual(["1B1", 2]);
  });

  it("is played as a whole", () => {
    const { study } = opened();
    study.playAll(["5K5", "1R1"].map((move) => ({ position: fakePosition({ line: move }), happening: { move, seat: 0 } })));
    expect([study.here.position.line, study.here.place()]).toEqual(["1R1", "0.1.1"]);
  });
});

it("writes positions into an address and back", () => {
  const fresh = freshPosition(2, "std");
  expect(fresh).toBe("std -/-/-/-/- F 0:-/-/-/-/-:5/5/5/5/5:- 0:-/-/-/-/-:5/5/5/5/5:- B20Y20R20K20W20 r1 1@1");
  expect(inAddress(fresh)).not.toContain(" ");
  expect(fromAddress(`  ${inAddress(fresh)}\n`)).toBe(fresh);
});
