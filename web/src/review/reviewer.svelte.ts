/** The review beside a game: kept ones are there at once, others are worked out by workers of their own while one looks. */

import { type Line, Stopped } from "../engine/analyst";
import { Engine } from "../engine/client";
import { DEFAULT_NODES, FEWEST_NODES } from "../engine/generated/bindings";
import { type Amount, Judge, type Mark } from "../engine/judge";
import { Module } from "../engine/module";
import { ownModule, ownRules } from "../engine/own";
import { type Asked, type Followed, follow, Review } from "../engine/review";
import { fieldsOf } from "../engine/rules";
import type { Advice } from "../study/advisor.svelte";
import type { OpenGame } from "../study/open";
import { along } from "../study/own";
import { recordOf } from "../study/record";
import type { GameNode } from "../study/tree";
import { keepFindings, keptFindings, keyOf } from "./kept";

/** More workers than this take memory that a phone may not have. */
const MOST_WORKERS = 2;

/** How many positions to look at for each decision, as an address says it; the usual number if it says none. */
export function nodesIn(text: string | null): number {
  const nodes = Math.floor(Number(text));
  return nodes >= FEWEST_NODES && nodes < DEFAULT_NODES ? nodes : DEFAULT_NODES;
}

export class Reviewer {
  /** What is known so far; null before anybody wanted to know. */
  review: Review | null = $state.raw(null);
  /** Rises with everything that is found out. */
  revision = $state(0);
  running = $state(false);
  /** Why there is no review. */
  failed: unknown = $state.raw(null);
  /** The step whose better move somebody wants to find; the answer is hidden meanwhile. */
  finding: number | null = $state(null);

  readonly #nodes: number;
  #game: { readonly followed: Followed; readonly line: readonly GameNode[]; readonly judge: Judge; readonly key: string } | null =
    $state.raw(null);
  #engines: Engine[] = [];
  #stop: AbortController | null = null;
  #focus = 0;

  constructor(nodes = DEFAULT_NODES) {
    this.#nodes = nodes;
  }

  /** What an address says to have the same again; nothing for the usual number of positions. */
  get setting(): string {
    return this.#nodes === DEFAULT_NODES ? "" : String(this.#nodes);
  }

  /** Takes a game whose main line is to be reviewed, and what is kept of it; variations that are tried later change nothing. */
  async open({ study, about }: OpenGame): Promise<void> {
    this.close();
    const rules = await ownRules();
    const followed = follow(recordOf(study.root, about, rules), rules);
    const judge = new Judge(new Module(await ownModule()));
    const key = keyOf(followed, this.#nodes);
    this.#game = { followed, line: study.root.line(), judge, key };
    const findings = await keptFindings(key, followed);
    this.review = findings && new Review(followed, judge, findings);
  }

  /** Where in the game a node is; null beside the line that was played. */
  at(node: GameNode): number | null {
    const at = this.#game?.line.indexOf(node) ?? -1;
    return at < 0 ? null : at;
  }

  /** The node before a step. */
  node(at: number): GameNode | undefined {
    return this.#game?.line[at];
  }

  /** The mark of the move that led to a node. */
  markOf(node: GameNode): Mark {
    void this.revision;
    const at = this.at(node);
    return (at && this.review?.decision(at - 1)?.mark) || "";
  }

  /** The node after the next mistake of a seat, or after the one before; none if there is none. */
  mistake(from: GameNode, seat: number, step: 1 | -1): GameNode | undefined {
    const start = from.path().findLast((node) => this.at(node) !== null);
    const line = this.#game?.line ?? [];
    const marked = line.filter((node, at) => this.markOf(node) && this.#game?.followed.steps[at - 1]?.seat === seat);
    const here = start ? line.indexOf(start) : 0;
    const ahead = marked.filter((node) => (step > 0 ? line.indexOf(node) > here : line.indexOf(node) < here));
    return step > 0 ? (ahead[0] ?? marked[0]) : (ahead.at(-1) ?? marked.at(-1));
  }

  /** What somebody looks at is found out first. */
  focus(at: number | null): void {
    if (at !== null) this.#focus = at;
  }

  /** Finds out what is missing. */
  async start(): Promise<void> {
    if (!this.#game || this.running || this.review?.complete) return;
    const { followed, judge, key } = this.#game;
    const review = this.review ?? new Review(followed, judge);
    const stop = new AbortController();
    this.#stop = stop;
    this.review = review;
    this.running = true;
    this.failed = null;
    const count = Math.max(1, Math.min(MOST_WORKERS, navigator.hardwareConcurrency, review.total));
    this.#engines = Array.from({ length: count }, () => new Engine());
    try {
      const tell = (): void => void (this.revision += 1);
      await review.run(
        this.#engines.map((engine) => this.#asked(engine)),
        () => this.#focus,
        tell,
        stop.signal,
      );
      if (review.findings) await keepFindings(key, review.findings);
    } catch (error) {
      if (!(error instanceof Stopped) && this.#stop === stop) this.failed = error;
    } finally {
      if (this.#stop === stop) this.stop();
    }
  }

  /** Stops; what is known stays, and can be gone on with. */
  stop(): void {
    this.#stop?.abort();
    this.#stop = null;
    this.running = false;
    for (const engine of this.#engines) engine.close(); // and with it the memory is given back
    this.#engines = [];
  }

  /** Stops and forgets the game. */
  close(): void {
    this.stop();
    this.review = null;
    this.finding = null;
    this.#game = null;
  }

  /** What the review knows of a position, as the engine beside it tells it; null if it knows nothing. */
  async advice(node: GameNode): Promise<Advice | null> {
    const at = this.at(node);
    const look = at === null ? null : this.review?.look(at);
    if (!this.#game || at === null || !look?.lines.length) return null;
    const state = this.#game.followed.steps[at]?.before ?? this.#game.followed.end;
    const { judge } = this.#game;
    const worth = ({ value }: Line): number => judge.worth(value, fieldsOf(state).get("seat"));
    const [best, ...others] = look.lines as [Line, ...Line[]];
    const sorted = [best, ...others.sort((one, other) => worth(other) - worth(one))];
    const rules = await ownRules();
    const lines = sorted.map(({ value, actions }) => ({ ...value, steps: along(rules, state, actions) }));
    return { nodes: this.#nodes, solved: look.exact, lines };
  }

  /** What a move costs that somebody tries instead of the one that was played at a step, and whether that is a mistake, too. */
  async tried(at: number, action: number): Promise<{ loss: Amount; mark: Mark }> {
    const { followed, judge } = this.#game!;
    const { before, seat } = followed.steps[at]!;
    const known = this.review!.look(at)!;
    const own = known.lines.find((line) => line.actions[0] === action);
    const engine = new Engine();
    try {
      const look = own ? { ...known, played: own } : await this.#asked(engine).look(before, action, new AbortController().signal);
      const loss = judge.loss({ seat, expected: look.lines[0]!.value, got: look.played!.value });
      return { loss, mark: judge.mark(loss) };
    } finally {
      engine.close();
    }
  }

  #asked(engine: Engine): Asked {
    const nodes = this.#nodes;
    return {
      sketch: (states, signal) => engine.inquire({ kind: "sketch", nodes, states }, signal),
      look: (state, played, signal) => engine.inquire({ kind: "look", nodes, state, played }, signal),
      explain: (state, played, best, signal) => engine.inquire({ kind: "explain", nodes, state, played, best }, signal),
    };
  }
}
