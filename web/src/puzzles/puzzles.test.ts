import { readFileSync } from "node:fs";
import { inflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { THEMES } from "../engine/generated/bindings";
import { dailyOf, dayOf, fits, kindOf, nextOf, type Puzzle } from "./puzzles";
import { BEGINNER, rated } from "./rating";

const puzzles = inflateSync(readFileSync(new URL("../../../src/azulejos/analysis/puzzles.deflate", import.meta.url)))
  .toString()
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Puzzle);

const made = (id: string, rating: number): Puzzle => ({ id, rating, position: "std -/-/-/-/- -", solutions: ["cB1"], theme: "floor" });
const some = Array.from({ length: 300 }, (_, number) => made(`p${number}`, 600 + 5 * number));

describe("the puzzles that ship", () => {
  it("have themes and kinds that can be chosen", () => {
    for (const puzzle of puzzles) {
      expect(THEMES).toContain(puzzle.theme);
      const { players, wall } = kindOf(puzzle);
      expect([2, 3, 4]).toContain(players);
      expect(["std", "gray"]).toContain(wall);
      expect(fits(puzzle, { theme: puzzle.theme, players, wall })).toBe(true);
      expect(fits(puzzle, { theme: null, players: players === 2 ? 3 : 2, wall: null })).toBe(false);
    }
  });
});

describe("the puzzle of the day", () => {
  it("is the same all day, in whatever order the puzzles come, and another one on most days", () => {
    const days = Array.from({ length: 50 }, (_, day) => dayOf(new Date(2026, 10, 1 + day, 23, 59)));
    expect(days[0]).toBe("2026-11-01");
    const chosen = days.map((day) => dailyOf(some, day)!.id);
    expect(chosen).toEqual(days.map((day) => dailyOf(some.toReversed(), day)!.id));
    expect(new Set(chosen).size).toBeGreaterThan(35);
    for (const id of chosen) expect(some.find((each) => each.id === id)!.rating).toBeLessThanOrEqual(1800);
  });

  it("stays when other puzzles come or go", () => {
    const chosen = dailyOf(some, "2026-11-16")!;
    expect(dailyOf([...some.filter((each, at) => each === chosen || at % 2), made("far", 2500)], "2026-11-16")).toBe(chosen);
    expect(dailyOf([], "2026-11-16")).toBeNull();
  });
});

describe("the next puzzle", () => {
  it("fits the rating and was not seen", () => {
    const seen = new Set(some.filter(({ rating }) => Math.abs(rating - 1200) < 100).map(({ id }) => id));
    for (const drawn of [0, 0.5, 0.999]) {
      const next = nextOf(some, 1200, seen, drawn)!;
      expect(seen.has(next.id)).toBe(false);
      expect(Math.abs(next.rating - 1200)).toBeLessThan(200);
    }
  });

  it("comes again when all were seen, and is none if there are none", () => {
    expect(nextOf(some, 1200, new Set(some.map(({ id }) => id)), 0)).not.toBeNull();
    expect(nextOf([], 1200, new Set(), 0.5)).toBeNull();
  });
});

describe("a person's rating", () => {
  it("rises by what is solved and falls by what is not, less and less", () => {
    const first = rated(BEGINNER, 1200, true);
    expect(first.rating).toBeGreaterThan(BEGINNER.rating);
    expect(first.deviation).toBeLessThan(BEGINNER.deviation);
    expect(rated(BEGINNER, 1200, false).rating).toBeLessThan(BEGINNER.rating);
    const sure = { rating: 1200, deviation: 60 };
    expect(rated(sure, 1200, true).rating - 1200).toBeLessThan(first.rating - 1200);
    expect(rated(sure, 2000, true).rating).toBeGreaterThan(rated(sure, 800, true).rating);
  });

  it("finds somebody's strength", () => {
    let strength = BEGINNER;
    let lot = 1;
    for (let turn = 0; turn < 400; turn++) {
      lot = (lot * 48271) % 2147483647;
      const solves = lot / 2147483647 < 1 / (1 + 10 ** ((strength.rating - 1750) / 400));
      strength = rated(strength, strength.rating, solves);
    }
    expect(Math.abs(strength.rating - 1750)).toBeLessThan(150);
  });
});
