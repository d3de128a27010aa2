/** A game being looked at: its tree, and where I am in it. For replay, review, analysis and learning alike. */

import type { Frame } from "../board";
import { DEEPEST_VARIATION } from "../engine/generated/bindings";
import { RefusalError } from "../net/api";
import type { AskPosition, Looked } from "../local/positions";
import type { Step } from "../local/replay";
import { GameNode, type Row, rowsOf } from "./tree";

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
  /** Rises with every change of the tree or of what is written in it. */
  revision = $state(0);
  /** What is shown for a moment beyond where I am: the moves of a line somebody points at. */
  ahead: readonly Step[] = $state.raw([]);
  /** What was deleted last, to be put back. */
  #removed: { node: GameNode; putBack: () => void }[] = $state.raw([]);

  readonly here: GameNode = $derived.by(() => this.line[this.ply - this.root.ply]!);
  /** The whole tree as a list. */
  readonly rows: readonly Row[] = $derived.by(() => {
    void this.revision;
    return rowsOf(this.root);
  });

  constructor(
    readonly root: GameNode,
    private readonly positions: Positions,
  ) {
    this.line = root.line();
    this.ply = root.ply;
  }

  /** A game that begins with a position; with `deal`, after the tiles that are due were dealt. */
  static async from(positions: Positions, position: string, deal = false): Promise<Study> {
    const study = new Study(new GameNode((await positions.position({ position })).position), positions);
    if (deal) await study.deal();
    study.revision = 0; // nobody has tried anything yet
    return study;
  }

  /** The last step of the line being looked at. */
  get last(): number {
    return this.root.ply + this.line.length - 1;
  }

  /** Where a game is opened: at its first decision. */
  get first(): GameNode {
    return this.root.ply < 0 ? (this.root.variations[0] ?? this.root) : this.root;
  }

  /** What a board shows: where I am, or what is pointed at. */
  get frame(): Frame {
    const log = this.line.slice(0, this.ply - this.root.ply + 1).flatMap(({ happening }) => happening ?? []);
    const position = this.ahead.at(-1)?.position ?? this.here.position;
    return { version: this.version, position, log: [...log, ...this.ahead.flatMap(({ happening }) => happening ?? [])] };
  }

  // ---- going about ----

  /** Goes to any node of the tree; where the line leads through it, the line stays. */
  go(node: GameNode): void {
    this.peek([]);
    if (node === this.here) return;
    this.version = versions += node.parent === this.here ? 1 : 2;
    if (this.line[node.ply - this.root.ply] !== node) this.line = node.line();
    this.ply = node.ply;
  }

  /** Goes to a step of the line, or as near to it as there is one. */
  to(ply: number): void {
    const node = this.line[Math.min(this.last, Math.max(this.root.ply, ply)) - this.root.ply];
    if (node) this.go(node);
  }

  next(): void {
    this.to(this.ply + 1);
  }

  back(): void {
    this.to(this.ply - 1);
  }

  toStart(): void {
    this.to(Math.max(0, this.root.ply));
  }

  toEnd(): void {
    this.to(this.last);
  }

  /** Goes to the beginning of a round. */
  toRound(round: number): void {
    const found = this.line.findIndex(({ position }) => position.phase !== "r" && position.round >= round);
    if (found < 0) this.toEnd();
    else this.to(found + this.root.ply);
  }

  /** To the next round, or to the beginning of this one and then to the one before. */
  byRound(step: 1 | -1): void {
    const { round } = this.here.position;
    if (step > 0) return this.toRound(round + 1);
    const begins = this.here.isDeal || this.here === this.root;
    if (begins && round <= this.first.position.round) this.toStart();
    else this.toRound(begins ? round - 1 : round);
  }

  /** To the next or the last alternative to the move that led here; says whether there is one. */
  sibling(step: 1 | -1): boolean {
    const siblings = this.here.parent?.variations ?? [];
    const found = siblings[siblings.indexOf(this.here) + step];
    if (found) this.go(found);
    return !!found;
  }

  /** Back to where this variation leaves its line; on the main line nothing happens. */
  leave(): void {
    const turn = this.here.path().findLast((node) => node.parent && node.parent.variations[0] !== node);
    if (turn?.parent) {
      this.go(turn.parent);
      this.line = turn.parent.line();
    }
  }

  /** Shows what would follow, without playing it. */
  peek(steps: readonly Step[]): void {
    if (!steps.length && !this.ahead.length) return;
    this.version = versions += 2;
    this.ahead = steps;
  }

  // ---- the tree ----

  /** Plays a move or a given deal here, as a variation where another one follows already; says whether that is where I am now. */
  async play(move: string): Promise<boolean> {
    const known = this.here.by(move);
    if (!known) return this.add({ moves: [move] });
    this.go(known);
    return true;
  }

  /** Plays a whole line that is known to be possible. */
  playAll(steps: readonly Step[]): void {
    this.#mayBranch();
    let node = this.here;
    for (const { position, happening } of steps) node = node.add(position, happening);
    this.#changed();
    this.go(node);
  }

  /** Deals by chance what is due here. */
  deal(): Promise<boolean> {
    return this.add({ deal: true });
  }

  /** The deal of this round in the game itself, where another one is possible. */
  get dealt(): string | null {
    const { round, phase } = this.here.position;
    if (phase !== "r") return null;
    void this.revision;
    const found = this.root.line().find((node) => node.isDeal && node.position.round === round);
    return found?.happening?.move ?? null;
  }

  /** Puts the variation that I am in before its alternatives; with `all`, up to the main line. */
  promote(all = false): void {
    for (const node of this.here.path().reverse()) {
      if (node.promote() && !all) break;
    }
    this.#changed();
  }

  get isMain(): boolean {
    void this.revision;
    return this.here.depth === 0;
  }

  /** Deletes where I am, with all that follows. */
  remove(): void {
    const node = this.here;
    if (!node.parent) return;
    const { parent } = node;
    this.go(parent);
    this.#removed = [...this.#removed, { node, putBack: node.remove() }];
    this.line = parent.line();
    this.#changed();
  }

  get removable(): boolean {
    return this.here !== this.root;
  }

  get mayPutBack(): boolean {
    return this.#removed.length > 0;
  }

  /** Puts back what was deleted last, and goes there. */
  putBack(): void {
    const last = this.#removed.at(-1);
    if (!last) return;
    this.#removed = this.#removed.slice(0, -1);
    last.putBack();
    this.#changed();
    this.go(last.node);
  }

  /** Writes about where I am. */
  write(note: string): void {
    if (note === this.here.note) return;
    this.here.note = note;
    this.#changed();
  }

  /** Sets the mark of the move that led here, or takes it away. */
  mark(glyph: number): void {
    this.here.glyphs = this.here.glyphs.includes(glyph) ? [] : [glyph];
    this.#changed();
  }

  /** What a record could not hold is not begun. */
  #mayBranch(): void {
    if (this.here.variations.length && this.here.depth >= DEEPEST_VARIATION) throw new RefusalError("too_deep");
  }

  #changed(): void {
    this.revision += 1;
  }

  private async add(ask: Omit<AskPosition, "position">): Promise<boolean> {
    const from = this.here;
    this.#mayBranch();
    const { position, happenings } = await this.positions.position({ position: from.position.line, ...ask });
    const node = from.add(position, happenings.at(-1) ?? null);
    this.#changed();
    // Whoever went elsewhere meanwhile stays there.
    if (from !== this.here) return false;
    this.go(node);
    return true;
  }
}
