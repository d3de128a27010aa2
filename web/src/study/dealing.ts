/** A deal that somebody chooses tile by tile: displays are filled in order, from the bag and then from the lid. */

import { writeDeal } from "../engine/notation";
import type { Position } from "../net/messages";

const ON_DISPLAY = 4;

export class Dealing {
  constructor(
    private readonly position: Pick<Position, "bag" | "lid" | "displays">,
    /** The color numbers, in the order in which displays are filled. */
    readonly tiles: readonly number[] = [],
  ) {}

  /** How many tiles there are to deal. */
  get wanted(): number {
    return Math.min(this.position.displays.length * ON_DISPLAY, sum(this.position.bag) + sum(this.position.lid));
  }

  get isComplete(): boolean {
    return this.tiles.length >= this.wanted;
  }

  /** How many of each color can still be dealt: the lid counts only where the bag does not suffice. */
  get left(): number[] {
    const { bag, lid } = this.position;
    const short = sum(bag) < this.wanted;
    const used = countsOf(this.tiles);
    const fromLid = sum(used.map((count, color) => Math.max(0, count - bag[color]!)));
    const lidIsOpen = short && fromLid < this.wanted - sum(bag);
    return bag.map((count, color) => {
      if (this.isComplete) return 0;
      const inBag = Math.max(0, count - used[color]!);
      const inLid = lid[color]! - Math.max(0, used[color]! - count);
      return inBag + (lidIsOpen ? inLid : 0);
    });
  }

  /** The displays as they are filled so far. */
  get displays(): number[][] {
    return this.position.displays.map((_, index) => this.tiles.slice(index * ON_DISPLAY, (index + 1) * ON_DISPLAY));
  }

  with(color: number): Dealing {
    return this.left[color] ? new Dealing(this.position, [...this.tiles, color]) : this;
  }

  without(index: number): Dealing {
    return new Dealing(
      this.position,
      this.tiles.filter((_, at) => at !== index),
    );
  }

  /** Fills what is left by chance; `draw` gives a number from 0 to 1. */
  filled(draw: () => number = Math.random): Dealing {
    let dealing: Dealing = this; // eslint-disable-line @typescript-eslint/no-this-alias
    while (!dealing.isComplete) {
      const { bag } = dealing.position;
      const used = countsOf(dealing.tiles);
      const inBag = bag.map((count, color) => Math.max(0, count - used[color]!));
      const from = sum(inBag) ? inBag : dealing.left;
      let drawn = Math.floor(draw() * sum(from));
      dealing = dealing.with(from.findIndex((count) => (drawn -= count) < 0));
    }
    return dealing;
  }

  /** The deal as a record has it. */
  get text(): string {
    return writeDeal(this.displays.map(countsOf));
  }
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}

function countsOf(tiles: readonly number[]): number[] {
  const counts = [0, 0, 0, 0, 0];
  for (const color of tiles) counts[color]! += 1;
  return counts;
}
