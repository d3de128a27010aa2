import { describe, expect, it } from "vitest";
import { fakePosition } from "../net/fake";
import type { HappeningInfo } from "../net/messages";
import { lastDraft, logLines, rounds, sheets, sinceMine } from "./history";

const draft = (move: string, seat: number, more: Partial<HappeningInfo> = {}): HappeningInfo => ({
  move,
  seat,
  drafted: { source: 1, color: "B", line: 0, taken: 1, placed: 1, dropped: 0, to_lid: 0, marker: false },
  ...more,
});
const tiled = (seat: number, points: number) => ({
  ...{ type: "tiled" as const, seat, row: 0, column: 0, color: "B" },
  ...{ horizontal: points, vertical: 0, points },
});
const floors = [
  { seat: 0, penalty: 2, lost: 1 },
  { seat: 1, penalty: 0, lost: 0 },
];
const deal: HappeningInfo = { move: "=B4", seat: null, deal: [] };
const LOG = [
  draft("1B1", 0),
  draft("cB1", 1, { tiling: [tiled(0, 1), tiled(1, 3)], floors }),
  deal,
  draft("2B1", 1),
  draft("cW1", 0, { tiling: [tiled(0, 5)], floors }),
  deal,
  draft("3B1", 0),
];
const [board] = fakePosition().boards;
const boards = [10, 8].map((score) => ({ ...board!, score }));

describe("the moves so far", () => {
  it("fall into rounds, deals are not listed", () => {
    const found = rounds(LOG, { round: 3, phase: "d" });
    expect(found.map(({ number, moves }) => [number, ...moves.map(({ move }) => move)])).toEqual([
      [1, "1B1", "cB1"],
      [2, "2B1", "cW1"],
      [3, "3B1"],
    ]);
  });

  it("may begin in any round, and end with the game", () => {
    expect(rounds([], { round: 4, phase: "d" }).map(({ number }) => number)).toEqual([4]);
    expect(rounds(LOG.slice(0, 5), { round: 6, phase: "e" }).map(({ number }) => number)).toEqual([5, 6]);
  });

  it("tell the last draft, also after moves were taken back; a new round has none yet", () => {
    expect(lastDraft([])).toBeNull();
    expect(lastDraft(LOG.slice(0, 1))?.seat).toBe(0);
    expect(lastDraft(LOG.slice(0, 2))).toBeNull();
    expect(lastDraft(LOG.slice(0, 3))).toBeNull();
    expect(lastDraft(LOG.slice(0, 4))?.seat).toBe(1);
    expect(lastDraft(LOG)?.seat).toBe(0);
  });

  it("tell every number of every round that has ended, from the present scores back", () => {
    const found = sheets(LOG, fakePosition({ round: 3, boards }));
    expect(found.map(({ round, rows }) => [round, ...rows.map(({ before, after }) => [before, after])])).toEqual([
      [2, [6, 10], [8, 8]],
      [1, [6, 6], [5, 8]],
    ]);
  });

  it("count tiles of a round that has not ended out, but show no sheet of it", () => {
    const log = [...LOG, { move: "t11", seat: 0, tiling: [tiled(0, 4)] }];
    const found = sheets(log, fakePosition({ round: 3, phase: "t", boards }));
    expect(found.map(({ round, rows }) => [round, rows[0]?.after])).toEqual([
      [2, 6],
      [1, 2],
    ]);
  });

  it("are listed with what else happened in its place, and with what each round brought", () => {
    const position = fakePosition({ round: 3, boards });
    const undone = { key: 1, what: "undone" as const, moves: 1, seat: 1, at: 1 };
    const away = { key: 2, what: "away" as const, seat: 1, at: LOG.length };
    const [first, second, third] = logLines(rounds(LOG, position), sheets(LOG, position), [undone, away], LOG);
    const brief = (part: typeof first) =>
      part!.lines.map(({ move, news, row }) => move?.move ?? news?.what ?? `${row!.seat}: ${row!.after}`);
    expect(brief(first)).toEqual(["1B1", "undone", "cB1", "0: 6", "1: 8"]);
    expect(brief(second)).toEqual(["2B1", "cW1", "0: 10", "1: 8"]);
    expect(brief(third)).toEqual(["3B1", "away"]);
  });

  it("are followed by what happened before some of them were taken back", () => {
    const position = fakePosition({ round: 3, boards });
    const joined = { key: 1, what: "joined" as const, seat: 1, at: 2 };
    const undone = { key: 2, what: "undone" as const, moves: 1, seat: 1, at: 1 };
    const [first] = logLines(rounds(LOG, position), [], [joined, undone], LOG);
    expect(first!.lines.map(({ move, news }) => move?.move ?? news?.what)).toEqual(["1B1", "joined", "undone", "cB1"]);
  });

  it("since my own are the others' only", () => {
    expect(sinceMine(LOG.slice(0, 4), [0]).map(({ move }) => move)).toEqual(["cB1", "2B1"]);
    expect(sinceMine(LOG, [0])).toEqual([]);
  });
});
