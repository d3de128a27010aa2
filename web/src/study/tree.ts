/** A game as a tree: what was played, and what might have been. */

import type { HappeningInfo, Position } from "../net/messages";

/** Clocks and values that programs write into comments, such as `[%eval +3.2]`. */
const COMMAND = /\[%[^\]]*\]/g;

/** A position of a game, what led to it, and what follows. */
export class GameNode {
  /** How many moves and deals lead here from the first decision; -1 where the first deal is still due. */
  readonly ply: number;
  /** What follows; the first is the main line. */
  readonly variations: GameNode[] = [];
  /** What was written about it, as a record has it. */
  comments: readonly string[] = [];
  /** Marks such as `$2`, a mistake, by their numbers. */
  glyphs: readonly number[] = [];

  constructor(
    readonly position: Position,
    /** The move or the deal that led here; none where a game was set up. */
    readonly happening: HappeningInfo | null = null,
    readonly parent: GameNode | null = null,
  ) {
    this.ply = parent ? parent.ply + 1 : position.phase === "r" ? -1 : 0;
  }

  /** The comments as people write them: a line for each, without what only programs read. */
  get note(): string {
    return this.comments
      .map((comment) => words(comment.replace(COMMAND, "")))
      .filter(Boolean)
      .join("\n");
  }

  set note(text: string) {
    const commands = words(this.comments.flatMap((comment) => comment.match(COMMAND) ?? []).join(" "));
    // A record ends a comment at the first brace.
    const lines = text.replaceAll("{", "(").replaceAll("}", ")").split("\n").map(words);
    this.comments = [commands, ...lines].filter(Boolean);
  }

  /** Whether tiles were dealt here. */
  get isDeal(): boolean {
    return !!this.happening?.move.startsWith("=");
  }

  /** How many times the way here left the first variation. */
  get depth(): number {
    return this.path().filter((node) => node.parent && node.parent.variations[0] !== node).length;
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
    const path: GameNode[] = [this];
    for (let node = this.parent; node; node = node.parent) path.push(node);
    return path.reverse();
  }

  /** The whole line through this node: from the start, and on along the main line. */
  line(): GameNode[] {
    const line = this.path();
    for (let next = this.variations[0]; next; next = next.variations[0]) line.push(next);
    return line;
  }

  /** Puts this variation before the others; false if it comes first already. */
  promote(): boolean {
    const siblings = this.parent?.variations ?? [];
    const index = siblings.indexOf(this);
    if (index < 1) return false;
    siblings.splice(index, 1);
    siblings.unshift(this);
    return true;
  }

  /** Takes this node with all that follows out of the tree; the answer puts it back. */
  remove(): () => void {
    const siblings = this.parent?.variations;
    const index = siblings?.indexOf(this) ?? -1;
    if (!siblings || index < 0) return () => undefined;
    siblings.splice(index, 1);
    return () => void siblings.splice(index, 0, this);
  }

  /**
   * Where this node is, short enough for an address: so many steps along the main line, then which variation, then so
   * many steps along that, and so on. `7` is the seventh step of a game, `7.1.2` is in a variation that begins there.
   */
  place(): string {
    const path = this.path();
    const parts = [path[0]!.ply];
    for (const node of path) {
      const variation = node.parent?.variations.indexOf(node) ?? 0;
      if (variation) parts.push(variation, 0);
      else if (node.parent) parts.push((parts.pop() ?? 0) + 1);
    }
    return parts.join(".");
  }
}

function words(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

/** The node at a place; as near to it as the tree goes, since an address may say anything. */
export function nodeAt(root: GameNode, place: string): GameNode {
  let node = root;
  for (const [index, part] of place.split(".").entries()) {
    if (index % 2) {
      const variation = node.variations[Number(part)];
      if (!variation) break;
      node = variation;
    } else for (let left = Number(part) - (index ? 0 : root.ply); left > 0 && node.variations[0]; left -= 1) node = node.variations[0];
  }
  return node;
}

/** Adds to a tree what another one has on its main line; both begin with the same position. */
export function graft(root: GameNode, played: GameNode): void {
  let node = root;
  for (const { position, happening } of played.line().slice(1)) node = node.add(position, happening);
}

/** A line of the list in which a tree is shown. */
export interface Row {
  readonly node: GameNode;
  /** How deep in variations it is; 0 on the main line. */
  readonly depth: number;
  /** Whether a variation begins here. */
  readonly begins: boolean;
}

/** The whole tree as a list: behind each move its alternatives, then what follows it. */
export function rowsOf(root: GameNode): Row[] {
  const rows: Row[] = [];
  const follow = (from: GameNode, depth: number): void => {
    for (let node = from; node.variations[0]; node = node.variations[0]) {
      const [main, ...others] = node.variations as [GameNode, ...GameNode[]];
      rows.push({ node: main, depth, begins: false });
      for (const other of others) {
        rows.push({ node: other, depth: depth + 1, begins: true });
        follow(other, depth + 1);
      }
    }
  };
  follow(root, 0);
  return rows;
}
