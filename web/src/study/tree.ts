/** A game as a tree: what was played, and what might have been. */

import type { Step } from "../local/replay";
import type { HappeningInfo, Position } from "../net/messages";

/** A position of a game, what led to it, and what follows. */
export class GameNode {
  /** How many moves and deals lead here. */
  readonly ply: number;
  /** What follows; the first is the main line. */
  readonly variations: GameNode[] = [];
  /** What somebody wrote about it. */
  comment = "";

  constructor(
    readonly position: Position,
    /** The move or the deal that led here; none where a game was set up. */
    readonly happening: HappeningInfo | null = null,
    readonly parent: GameNode | null = null,
  ) {
    this.ply = parent ? parent.ply + 1 : 0;
  }

  /** What follows by a move or a deal, if it is known. */
  by(move: string): GameNode | undefined {
    return this.variations.find((node) => node.happening?.move === move);
  }

  /** Adds what follows, as a new variation unless it is there already. */
  add(position: Position, happening: HappeningInfo | null): GameNode {
    const known = happening && this.by(happening.move);
    if (known) return known;
    const node = new GameNode(position, happening, this);
    this.variations.push(node);
    return node;
  }

  /** The nodes from the start up to this one. */
  path(): GameNode[] {
    const path = this.parent?.path() ?? [];
    path.push(this);
    return path;
  }

  /** The whole line through this node: from the start, and on along the main line. */
  line(): GameNode[] {
    const line = this.path();
    for (let next = this.variations[0]; next; next = next.variations[0]) line.push(next);
    return line;
  }

  /**
   * Where this node is, short enough for an address: so many steps along the main line, then which variation, then so
   * many steps along that, and so on. `7` is the seventh step of a game, `7.1.2` is in a variation that begins there.
   */
  place(): string {
    const parts = [0];
    for (const node of this.path()) {
      const variation = node.parent?.variations.indexOf(node) ?? 0;
      if (variation) parts.push(variation, 0);
      else if (node.parent) parts.push((parts.pop() ?? 0) + 1);
    }
    return parts.join(".");
  }
}

/** The node at a place; as near to it as the tree goes, since an address may say anything. */
export function nodeAt(root: GameNode, place: string): GameNode {
  let node = root;
  for (const [index, part] of place.split(".").entries()) {
    if (index % 2) {
      const variation = node.variations[Number(part)];
      if (!variation) break;
      node = variation;
    } else for (let left = Number(part); left > 0 && node.variations[0]; left -= 1) node = node.variations[0];
  }
  return node;
}

/** The main line of a record, from its first position on. */
export function treeOf(steps: readonly Step[]): GameNode | null {
  const [first, ...rest] = steps;
  if (!first) return null;
  const root = new GameNode(first.position, first.happening);
  let node = root;
  for (const { position, happening } of rest) node = node.add(position, happening);
  return root;
}
