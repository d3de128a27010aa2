/** What the coach thinks with: a worker of its own, so that it never keeps a computer waiting. */

import type { Explanation, Look } from "../engine/analyst";
import { Engine } from "../engine/client";
import { Judge } from "../engine/judge";
import { Module } from "../engine/module";
import { ownModule, ownRules } from "../engine/own";
import type { Rules, State } from "../engine/rules";

/** A quarter of what a review looks at: it calls nine of ten moves the same, and a slow phone still answers within a second. */
const NODES = 2000;
/** The coach leaves with its table: people think long about a move, and a worker that has to start again would be late. */
const IDLE_MILLISECONDS = 86_400_000;

export interface Mind {
  readonly rules: Rules;
  readonly judge: Pick<Judge, "loss" | "mark" | "worth">;
  /** Fetches and starts what is needed for positions like this one. */
  warm(state: State): Promise<unknown>;
  look(state: State, action: number, signal: AbortSignal): Promise<Look>;
  explain(state: State, played: readonly number[], best: readonly number[], signal: AbortSignal): Promise<Explanation>;
  close(): void;
}

export async function ownMind(): Promise<Mind> {
  const engine = new Engine(undefined, undefined, undefined, IDLE_MILLISECONDS);
  return {
    rules: await ownRules(),
    judge: new Judge(new Module(await ownModule())),
    warm: (state) => engine.inquire({ kind: "sketch", nodes: NODES, states: [state] }, new AbortController().signal),
    look: (state, action, signal) => engine.inquire({ kind: "look", nodes: NODES, state, played: action }, signal),
    explain: (state, played, best, signal) => engine.inquire({ kind: "explain", nodes: NODES, state, played, best }, signal),
    close: () => engine.close(),
  };
}
