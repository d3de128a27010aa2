import { describe, expect, it } from "vitest";
import type { Look, Value } from "../engine/analyst";
import { DEFAULT_NODES } from "../engine/generated/bindings";
import type { Judge, Row } from "../engine/judge";
import { type Asked, type Followed, Review } from "../engine/review";
import { lossIn } from "../progress/loss";
import { draw, placeAt, xOf } from "./graph";
import { nodesIn } from "./reviewer.svelte";

const BOX = { width: 300, height: 120, left: 40, right: 8, above: 8, below: 18 };
const value = (win: number): Value => ({ win: [win, 1 - win], margin: [40 * win - 20, 20 - 40 * win] });
const line = (action: number, win: number) => ({ value: value(win), visits: 1, actions: [action] });

/** Whoever judges here thinks in whole numbers. */
const judge = {
  loss: ({ seat, expected, got }: Row) => ({ win: expected.win[seat!]! - got.win[seat!]!, margin: 0 }),
  effects: ({ expected, got }: Row) => got.win.map((win, seat) => ({ win: win - expected.win[seat]!, margin: 0 })),
  mark: ({ win }: { win: number }) => (win > 0.15 ? "blunder" : ""),
  receipts: () => [],
} as unknown as Judge;

/** A deal and three decisions; the second one throws away much. */
const game: Followed = {
  players: 2,
  end: new Uint8Array(256),
  fault: null,
  cut: false,
  steps: [null, 0, 1, 0].map((seat, at) => ({
    round: at < 3 ? 1 : 2,
    before: new Uint8Array(256).fill(at),
    play: "",
    action: seat === null ? null : at,
    seat,
    forced: false,
  })),
};

const FOUND: Look[] = [
  { best: value(0.5), error: value(0), played: null, lines: [], exact: false, dealt: value(0.6) },
  { best: value(0.6), error: null, played: line(1, 0.6), lines: [line(1, 0.6)], exact: false, dealt: null },
  { best: value(0.6), error: null, played: line(2, 0.8), lines: [line(9, 0.6), line(2, 0.8)], exact: false, dealt: null },
  { best: value(0.8), error: null, played: line(3, 0.8), lines: [line(3, 0.8)], exact: true, dealt: null },
  { best: value(1), error: null, played: null, lines: [], exact: true, dealt: null },
];

function asked(order: string[]): Asked {
  return {
    sketch: (states) => Promise.resolve(states.map(() => value(0.5))),
    look: (state, played) => {
      const at = state === game.end ? 4 : typeof played === "number" ? played : 0;
      order.push(`look ${at}`);
      return Promise.resolve(FOUND[at]!);
    },
    explain: (_, played, best) => {
      order.push(`explain ${played[0]} ${best[0]}`);
      const reasons = [{ code: "floor", seat: 1, row: 0, points: 3 }] as const;
      return Promise.resolve({ reasons, lines: [played, best] as const });
    },
  };
}

async function reviewed(focus = 0, order: string[] = []): Promise<Review> {
  const review = new Review(game, judge);
  await review.run(
    [asked(order)],
    () => focus,
    () => undefined,
    new AbortController().signal,
  );
  return review;
}

describe("a review", () => {
  it("begins with what is looked at, and ends with reasons", async () => {
    const order: string[] = [];
    const review = await reviewed(2, order);
    expect(order).toEqual(["look 2", "explain 2 9", "look 3", "look 4", "look 1", "look 0"]);
    expect(review.complete).toBe(true);
    expect(review.decision(2)).toMatchObject({ seat: 1, mark: "blunder", best: { actions: [9] } });
    expect(review.reasons(2)).toHaveLength(1);
    expect(review.deal(0)?.luck[0]?.win).toBeCloseTo(0.1);
  });

  it("shows a first sight of everything before anything is known", async () => {
    const review = new Review(game, judge);
    const stop = new AbortController();
    await review.run(
      [asked([])],
      () => 0,
      () => stop.abort(),
      stop.signal,
    );
    expect(review.value(4)).toEqual(value(0.5));
    expect(review.isKnown(4)).toBe(false);
    expect(review.findings).toBeNull();
  });

  it("says what moves cost before it knows why", () => {
    const review = new Review(game, judge, { looks: FOUND, reasons: game.steps.map(() => null) });
    expect(review.complete).toBe(false);
    expect(review.receipts()).not.toBeNull();
    expect(lossIn(review, 1)?.win).toBeCloseTo(0.2);
    expect(lossIn(new Review(game, judge), 1)).toBeNull();
  });

  it("is the same again from what was kept", async () => {
    const { findings } = await reviewed();
    const again = new Review(game, judge, findings);
    expect(again.complete).toBe(true);
    expect(again.decision(2)?.mark).toBe("blunder");
  });
});

describe("the graph", () => {
  it("has a band for each round, a bar for each deal and a dot for each mark of the seat", async () => {
    const review = await reviewed();
    const drawn = draw(review, "win", 1, BOX);
    expect(drawn.bands.map(({ round }) => round)).toEqual([1, 2]);
    expect(drawn.bars).toEqual([expect.objectContaining({ at: 0, good: false })]);
    expect(drawn.dots).toEqual([expect.objectContaining({ at: 3, mark: "blunder" })]);
    expect(draw(review, "win", 0, BOX).dots).toEqual([]);
    expect(draw(review, "margin", 0, BOX).rules.map((rule) => rule.value)).toEqual([-20, 0, 20]);
  });

  it("knows which place is pointed at", () => {
    for (const at of [0, 1, 5, 9]) expect(placeAt(xOf(at, 10, BOX) + 1, 10, BOX)).toBe(at);
    expect(placeAt(-50, 10, BOX)).toBe(0);
    expect(placeAt(5000, 10, BOX)).toBe(9);
  });
});

it("takes only sensible numbers of positions from an address", () => {
  expect([null, "", "x", "3", "-5", "1e9", "200.7"].map(nodesIn)).toEqual([...Array<number>(6).fill(DEFAULT_NODES), 200]);
});
