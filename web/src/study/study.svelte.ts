/** A game being looked at: its tree, and where I am in it. For replay, analysis and learning alike. */

import type { Frame } from "../board";
import type { AskPosition, Looked } from "../local/positions";
import { GameNode } from "./tree";

/** Whoever knows the rules: the server, or an engine beside the page. What cannot be is refused by a `RefusalError`. */
export interface Positions {
  position(ask: AskPosition): Promise<Looked>;
}

/** The last version given to a frame. Versions rise over all games, so that a board that is given another game jumps to it. */
let versions = 0;

export class Study {
  /** The line being looked at: from the start, through where I am, to its end. */
  line: readonly GameNode[] = $state.raw([]);
  ply = $state(0);
  /** Rises by one with a step forward, which a board plays, and by two with anything else, which it simply shows. */
  version = $state((versions += 2));
  readonly here: GameNode = $derived(this.line[this.ply]!);

  constructor(
    readonly root: GameNode,
    private readonly positions: Positions,
  ) {
    this.line = root.line();
  }

  /** A game that begins with a position; with `deal`, after the tiles that are due were dealt. */
  static async from(positions: Positions, position: string, deal = false): Promise<Study> {
    return new Study(new GameNode((await positions.position({ position, deal })).position), positions);
  }

  /** The last step of the line being looked at. */
  get last(): number {
    return this.line.length - 1;
  }

  /** What a board shows of where I am. */
  get frame(): Frame {
    const log = this.line.slice(0, this.ply + 1).flatMap(({ happening }) => happening ?? []);
    return { version: this.version, position: this.here.position, log };
  }

  /** Goes to any node of the tree; where the line leads through it, the line stays. */
  go(node: GameNode): void {
    if (node === this.here) return;
    this.version = versions += node.parent === this.here ? 1 : 2;
    if (this.line[node.ply] !== node) this.line = node.line();
    this.ply = node.ply;
  }

  /** Goes to a step of the line, or as near to it as there is one. */
  to(ply: number): void {
    const node = this.line[Math.min(this.last, Math.max(0, ply))];
    if (node) this.go(node);
  }

  next(): void {
    this.to(this.ply + 1);
  }

  back(): void {
    this.to(this.ply - 1);
  }

  /** Goes to the beginning of a round. */
  toRound(round: number): void {
    const found = this.line.findIndex(({ position }) => position.round >= round);
    this.to(found < 0 ? this.last : found);
  }

  /** Plays a move here, as a variation where another one follows already; says whether that is where I am now. */
  async play(move: string): Promise<boolean> {
    const known = this.here.by(move);
    if (!known) return this.add({ moves: [move] });
    this.go(known);
    return true;
  }

  /** Deals by chance what is due here. */
  deal(): Promise<boolean> {
    return this.add({ deal: true });
  }

  private async add(ask: Omit<AskPosition, "position">): Promise<boolean> {
    const from = this.here;
    const { position, happenings } = await this.positions.position({ position: from.position.line, ...ask });
    const node = from.add(position, happenings.at(-1) ?? null);
    // Whoever went elsewhere meanwhile stays there.
    if (from !== this.here) return false;
    this.go(node);
    return true;
  }
}
