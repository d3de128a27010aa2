import { beforeEach, describe, expect, it, vi } from "vitest";
import type { RefusalError } from "../net/api";
import type { TableInfo } from "../net/messages";
import { type Answer, merged } from "../puzzles/training.svelte";
import { BEGINNER } from "../puzzles/rating";
import { errorText } from "../words/refusals";
import { scale } from "./chart";
import { gameAt } from "./count";
import { MOST_BYTES, type Progress, progressText, readProgress } from "./file";
import { game } from "./fake";
import { PEOPLE } from "./games";
import { levelOf, placeAfter } from "./level";
import { byLevel, levelLosing, runningLoss } from "./tally";

beforeEach(() => vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => undefined }));

const answer = (id: string, time: number, rating = 1200): Answer => ({ id, time, rating, solved: true });
const some: Progress = {
  games: [game("a"), game("b", { loss: { win: 0.05, margin: 1.5, moves: 30 } })],
  puzzles: { strength: BEGINNER, answers: [answer("p", 5)] },
};

/** The code of what a text is refused for, and whether it is said in words. */
function refused(text: string): string {
  try {
    readProgress(text);
  } catch (error) {
    expect(errorText(error)).not.toContain("undefined");
    const { code, args } = error as RefusalError;
    return [code, ...Object.values(args)].join(" ");
  }
  return "";
}

describe("a file of progress", () => {
  it("is read as it was written", () => expect(readProgress(progressText(some))).toEqual(some));

  it.each([
    ["no JSON", "foreign_progress"],
    ["", "foreign_progress"],
    ["7", "foreign_progress"],
    ["null", "foreign_progress"],
    ["[]", "foreign_progress"],
    ['{"format":"other","version":1}', "foreign_progress"],
    ['{"format":"azulejos-progress","version":2,"surprise":[]}', "newer_progress"],
    ['{"format":"azulejos-progress","version":1,"games":[]}', "damaged_progress puzzles.strength"],
    [progressText(some).slice(0, -9), "foreign_progress"],
    [" ".repeat(MOST_BYTES + 1), "too_large"],
  ])("that is none is refused: %.40s", (text, code) => expect(refused(text)).toBe(code));

  it("with anything wrong in it is refused as a whole, with the place", () => {
    const broken = (changes: object): string => refused(progressText({ ...some, ...changes }));
    expect(broken({ games: [game("a"), { ...game("b"), outcome: "drawn" }] })).toBe("damaged_progress games[1]");
    expect(broken({ games: { length: 1 } })).toBe("damaged_progress games");
    expect(broken({ games: [game("x".repeat(65))] })).toBe("damaged_progress games[0]");
    expect(broken({ games: [game("a", { seat: 2 })] })).toBe("damaged_progress games[0]");
    expect(broken({ games: [game("a", { loss: { win: 2, margin: 1, moves: 1 } })] })).toBe("damaged_progress games[0]");
    expect(broken({ puzzles: { strength: BEGINNER, answers: [answer("p", NaN)] } })).toBe("damaged_progress puzzles.answers[0]");
  });
});

describe("puzzles of two browsers", () => {
  const [own, other] = [
    { rating: 1300, deviation: 60 },
    { rating: 1500, deviation: 90 },
  ];

  it("are put together, each with its first answer, with the rating of the last one", () => {
    const found = merged(
      { strength: own, answers: [answer("p", 1), answer("r", 3)] },
      { strength: other, answers: [answer("q", 2), answer("p", 4)] },
    );
    expect(found.answers.map(({ id, time }) => [id, time])).toEqual([
      ["p", 1],
      ["q", 2],
      ["r", 3],
    ]);
    expect(found.strength).toBe(other);
    expect(merged(found, { strength: other, answers: [answer("q", 2), answer("p", 4)] })).toEqual(found);
  });

  it("of an unused one change nothing", () => {
    const used = { strength: own, answers: [answer("p", 1)] };
    expect(merged(used, { strength: BEGINNER, answers: [] })).toEqual(used);
  });
});

describe("a finished table", () => {
  const here = { kind: "here", name: "Ana" } as const;
  const computer = (level: number) => ({ kind: "computer", name: "", level }) as const;
  const table = (changes: Partial<TableInfo> = {}): TableInfo => ({
    id: "t",
    wall: "gray",
    created: "",
    commitment: "",
    seats: [computer(8), here, computer(100)],
    result: { reason: "row", winners: [1], scores: [40, 50, 30] },
    ...changes,
  });
  const at = (changes: Partial<TableInfo>, seats = [1], setUp = false) => gameAt(table(changes), seats, setUp, 9);

  it("is a game against the strongest", () => {
    expect(at({})).toEqual(game("t", { time: 9, seat: 1, players: 3, wall: "gray", level: 100 }));
  });

  it("is lost, shared or won by the seat that was mine", () => {
    expect(at({ result: { reason: "row", winners: [0], scores: [] } })?.outcome).toBe("lost");
    expect(at({ result: { reason: "row", winners: [0, 1], scores: [] } })?.outcome).toBe("shared");
  });

  it("does not count while it goes on, with several people here, or for a watcher", () => {
    expect(at({ result: null })).toBeNull();
    expect(at({}, [0, 1])).toBeNull();
    expect(at({}, [])).toBeNull();
  });

  it("is counted apart with help of any kind", () => {
    for (const changes of [{ assisted: true }, { same_tiles: true }, { seats: [computer(1), { ...here, substitute: 3 }] }])
      expect(at(changes)?.apart).toBe(true);
    expect(at({}, [1], true)?.apart).toBe(true);
    expect(at({ seats: [computer(1), { ...here, substitute: 3, resigned: true }] })?.apart).toBe(false);
  });

  it("with other people, or a program of somebody else, is at no level", () => {
    expect(at({ seats: [computer(8), here, { kind: "friend", name: "Bo" }] })?.level).toBe(PEOPLE);
    expect(at({ seats: [{ kind: "computer", name: "own" }, here] })?.level).toBe(PEOPLE);
  });
});

describe("added up", () => {
  const games = [game("a", { level: 1 }), game("b", { outcome: "lost" }), game("c", { apart: true }), game("d", { level: PEOPLE })];

  it("games are by level, the strongest first, without those apart", () => {
    expect(byLevel(games)).toEqual([
      { level: 2, counts: { won: 0, shared: 0, lost: 1 } },
      { level: 1, counts: { won: 1, shared: 0, lost: 0 } },
      { level: PEOPLE, counts: { won: 1, shared: 0, lost: 0 } },
    ]);
  });

  it("the next level is offered after a win against the strongest that was beaten", () => {
    const [won, lost] = [game("e", { level: 3 }), game("f", { level: 3, outcome: "lost" })];
    expect(levelOf([...games, won])).toBe(4);
    expect(placeAfter(won, [...games, won])).toBe(4);
    expect(placeAfter(lost, [...games, won, lost])).toBeNull();
    expect(placeAfter(games[0]!, [...games, won])).toBeNull(); // there are stronger ones that were beaten
    expect(placeAfter(game("g", { level: 100 }), [game("g", { level: 100 })])).toBeNull();
  });

  it("losses go over the last games, move by move", () => {
    const lost = (margin: number, moves: number) => ({ win: 0, margin, moves });
    expect(runningLoss([lost(4, 10), lost(1, 20), lost(7, 10)], 2)).toEqual([4, 2, 3]);
    expect([99, 0].map(levelLosing)).toEqual([1, 100]);
  });

  it("a scale has round numbers around all values", () => {
    expect(scale([1.2, 3.7], 0)).toEqual([0, 2, 4]);
    expect(scale([1210, 1390])).toEqual([1200, 1300, 1400]);
    expect(scale([1200])).toEqual([1200, 1220]);
    expect(scale([0], 0)).toEqual([0, 0.01]);
  });
});
