/** What page and worker say to each other. */
import type { State } from "./rules";
import type { Limits, Report } from "./thinker";

/** What is to be thought about. */
export interface Question {
  readonly id: number;
  readonly state: State;
  /** Who thinks: the number of an opponent. */
  readonly opponent: number;
  /** How long; as the opponent thinks by itself without it. */
  readonly limits: Limits | null;
  /** From 0 to 1: what an opponent that leaves something to chance draws. */
  readonly drawn: number;
}

export type ToWorker =
  | { readonly type: "begin"; readonly module: WebAssembly.Module }
  | { readonly type: "prepare"; readonly players: number; readonly gray: boolean; readonly opponent: number }
  | { readonly type: "ask"; readonly question: Question }
  | { readonly type: "stop"; readonly id: number };

/** How far a network has come: it is on its way, there, or cannot be had, and why. */
export type Progress =
  | { readonly state: "loading"; readonly share: number }
  | { readonly state: "ready" }
  | { readonly state: "failed"; readonly reason: string };

/** What was found. */
export interface Thought {
  readonly report: Report;
  /** The action to play. */
  readonly action: number;
  /** Whether rules of thumb stood in for a network that was not there. */
  readonly stoodIn: boolean;
}

export type FromWorker =
  | { readonly type: "network"; readonly name: string; readonly progress: Progress }
  | { readonly type: "news"; readonly id: number; readonly report: Report }
  | { readonly type: "answer"; readonly id: number; readonly thought: Thought }
  | { readonly type: "failed"; readonly id: number; readonly reason: string };
