/** The graph of a review: where its lines, rounds, deals and marks lie. */

import type { Mark } from "../engine/judge";
import type { Review } from "../engine/review";
import type { What } from "./numbers";

/** The box that a graph is drawn in. */
export interface Box {
  readonly width: number;
  readonly height: number;
  /** Room at the sides, above and below, for signs and numbers. */
  readonly left: number;
  readonly right: number;
  readonly above: number;
  readonly below: number;
}

export interface Band {
  readonly round: number;
  readonly x: number;
  readonly width: number;
}

/** A deal: from what was expected before it to what came. */
export interface Bar {
  readonly at: number;
  readonly x: number;
  readonly y: number;
  readonly height: number;
  readonly good: boolean;
}

export interface Dot {
  readonly at: number;
  readonly x: number;
  readonly y: number;
  readonly mark: Exclude<Mark, "">;
}

export interface Drawn {
  /** For each seat the path of its line; empty as long as nothing is known. */
  readonly lines: readonly string[];
  /** Whether a seat's line is more than a first sight everywhere. */
  readonly sure: boolean;
  readonly bands: readonly Band[];
  readonly bars: readonly Bar[];
  readonly dots: readonly Dot[];
  /** Values that are ruled and labelled. */
  readonly rules: readonly { readonly value: number; readonly y: number }[];
  /** The area between a seat's line and the middle. */
  readonly area: string;
}

/** Points in steps of which an axis of margins goes. */
const MARGIN_STEP = 10;

/** The middle of a place. */
export function xOf(at: number, total: number, { width, left, right }: Box): number {
  return left + ((width - left - right) * at) / Math.max(1, total - 1);
}

/** The place that is nearest to a point. */
export function placeAt(x: number, total: number, { width, left, right }: Box): number {
  const share = (x - left) / Math.max(1, width - left - right);
  return Math.min(total - 1, Math.max(0, Math.round(share * (total - 1))));
}

/** How far an axis of margins reaches to both sides. */
function reach(review: Review, seat: number): number {
  let most = MARGIN_STEP;
  for (let at = 0; at < review.total; at += 1) most = Math.max(most, Math.abs(review.value(at)?.margin[seat] ?? 0));
  return Math.ceil(most / MARGIN_STEP) * MARGIN_STEP;
}

/** Everything that is drawn, for one seat above the others. */
export function draw(review: Review, what: What, seat: number, box: Box): Drawn {
  const { total, game } = review;
  const high = what === "win" ? 1 : reach(review, seat);
  const low = what === "win" ? 0 : -high;
  const tall = box.height - box.above - box.below;
  const y = (value: number): number => box.above + tall * (1 - (Math.min(high, Math.max(low, value)) - low) / (high - low));
  const x = (at: number): number => xOf(at, total, box);
  const valueOf = (at: number, of: number): number | undefined => review.value(at)?.[what][of];
  const path = (of: number): string => {
    const points = [...Array(total).keys()].flatMap((at) => {
      const value = valueOf(at, of);
      return value === undefined ? [] : [`${x(at).toFixed(1)} ${y(value).toFixed(1)}`];
    });
    return points.length ? `M${points.join("L")}` : "";
  };
  const lines = Array.from({ length: game.players }, (_, of) => path(of));
  const middle = y(what === "win" ? 1 / game.players : 0);
  const known = [...Array(total).keys()].filter((at) => review.value(at));
  const own = lines[seat] ?? "";
  const area = own && `${own}L${x(known.at(-1)!).toFixed(1)} ${middle.toFixed(1)}L${x(known[0]!).toFixed(1)} ${middle.toFixed(1)}Z`;
  const levels = what === "win" ? [0, 0.5, 1] : [low, 0, high];
  return {
    lines,
    sure: review.done === total,
    bands: bandsOf(review, box),
    bars: game.steps.flatMap((_, at) => {
      const deal = review.deal(at);
      if (!deal) return [];
      const [before, after] = [y(deal.expected[what][seat]!), y(deal.after[what][seat]!)];
      return { at, x: (x(at) + x(at + 1)) / 2, y: Math.min(before, after), height: Math.abs(before - after), good: after <= before };
    }),
    dots: game.steps.flatMap((_, at) => {
      const decision = review.decision(at);
      if (!decision?.mark || decision.seat !== seat) return [];
      return { at: at + 1, x: x(at + 1), y: y(valueOf(at + 1, seat) ?? decision.played.value[what][seat]!), mark: decision.mark };
    }),
    rules: levels.map((value) => ({ value, y: y(value) })),
    area,
  };
}

function bandsOf({ game, total }: Review, box: Box): Band[] {
  const starts = game.steps.flatMap(({ round }, at) => (round === game.steps[at - 1]?.round ? [] : [{ round, at }]));
  return starts.map(({ round, at }, index) => {
    const left = at === 0 ? box.left : xOf(at, total, box);
    const next = starts[index + 1];
    const right = next ? xOf(next.at, total, box) : box.width - box.right;
    return { round, x: left, width: right - left };
  });
}
