import { beforeEach, describe, expect, it, vi } from "vitest";
import { OPPONENTS } from "../engine/generated/bindings";
import { FULL_STRENGTH } from "../engine/opponents";
import { game } from "./fake";
import { keepGame, keepLoss, mergedGames, MOST_GAMES, PEOPLE, playedGames } from "./games";
import { numberAt, ownLevel, placeOf } from "./level";

/** A browser's store of its own for each test. */
let stored: Map<string, string>;
beforeEach(() => {
  stored = new Map();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  });
});

describe("the own level", () => {
  it("is the first for whoever never won", () => {
    expect(ownLevel()).toBe(1);
    keepGame(game("a", { outcome: "lost", level: 5 }));
    keepGame(game("b", { outcome: "shared", level: 5 }));
    keepGame(game("c", { apart: true, level: 5 }));
    keepGame(game("d", { level: PEOPLE }));
    expect(ownLevel()).toBe(1);
  });

  it("is one above the strongest that was beaten, and never more than there are", () => {
    keepGame(game("a", { level: 4 }));
    keepGame(game("b", { level: 2 }));
    expect(ownLevel()).toBe(5);
    keepGame(game("c", { level: FULL_STRENGTH }));
    expect(ownLevel()).toBe(OPPONENTS.length);
    expect(numberAt(OPPONENTS.length)).toBe(FULL_STRENGTH);
  });

  it("knows the opponents in their order", () => {
    expect(OPPONENTS.map(({ number }) => placeOf(number))).toEqual(OPPONENTS.map((_, at) => at + 1));
  });
});

describe("games", () => {
  it("are counted once", () => {
    expect(keepGame(game("a"))).toBe(true);
    expect(keepGame(game("a", { outcome: "lost" }))).toBe(true);
    expect(playedGames()).toEqual([game("a")]);
  });

  it("get what a review says of their seat", () => {
    keepGame(game("a", { seat: 1 }));
    keepLoss("a", (seat) => ({ win: 0.1 * seat, margin: 2 * seat, moves: 20 }));
    keepLoss("b", () => ({ win: 0, margin: 0, moves: 1 }));
    expect(playedGames()).toEqual([game("a", { seat: 1, loss: { win: 0.1, margin: 2, moves: 20 } })]);
  });

  it("that are damaged in the browser's store are left out", () => {
    stored.set("azulejos.progress", JSON.stringify([game("a"), { id: "b" }, null, { ...game("c"), players: 7 }]));
    expect(playedGames().map(({ id }) => id)).toEqual(["a"]);
    stored.set("azulejos.progress", "nonsense");
    expect(playedGames()).toEqual([]);
  });

  it("of two browsers are put together without doubling, in their order", () => {
    const loss = { win: 0.1, margin: 2, moves: 20 };
    const [own, others] = [
      [game("a", { time: 1 }), game("c", { time: 3 })],
      [game("c", { time: 3, loss }), game("b", { time: 2 })],
    ];
    const merged = mergedGames(own, others);
    expect(merged.map(({ id }) => id)).toEqual(["a", "b", "c"]);
    expect(merged[2]!.loss).toEqual(loss);
    expect(mergedGames(merged, others)).toEqual(merged);
  });

  it("are no more than fit", () => {
    const many = Array.from({ length: MOST_GAMES + 5 }, (_, time) => game(`g${time}`, { time }));
    expect(mergedGames(many.slice(0, 10), many)).toEqual(many.slice(5));
  });
});
