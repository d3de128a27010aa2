/** What page and worker say to each other. */
import type { Explanation, Look, Played, Value } from "./analyst";
import type { State } from "./rules";
import type { Limits, Report } from "./thinker";

/** What an opponent is to think about. */
export interface Choice {
  readonly kind: "choose";
  readonly state: State;
  /** Who thinks: the number of an opponent. */
  readonly opponent: number;
  /** How long; as the opponent thinks by itself without it. */
  readonly limits: Limits | null;
  /** From 0 to 1: what an opponent that leaves something to chance draws. */
  readonly drawn: number;
}

/** What a review wants to know, and how many positions to look at for a decision. */
export type Inquiry = { readonly nodes: number } & (
  | { readonly kind: "sketch"; readonly states: readonly State[] }
  | { readonly kind: "look"; readonly state: State; readonly played: Played }
  | { readonly kind: "explain"; readonly state: State; readonly played: readonly number[]; readonly best: readonly number[] }
);

export type Question = { readonly id: number } & (Choice | Inquiry);

/** What the answer to each kind of question is. */
export interface Answers {
  readonly choose: Thought;
  readonly sketch: Value[];
  readonly look: Look;
  readonly explain: Explanation;
}

export type ToWorker =
  | { readonly type: "begin"; readonly module: WebAssembly.Module }
  | { readonly type: "prepare"; readonly players: number; readonly gray: boolean; readonly opponent: number }
  | { readonly type: "ask"; readonly question: Question }
  | { readonly type: "stop"; readonly id: number };

/** How far a network has come: it is on its way, there, or cannot be had, which file that is and why. */
export type Progress =
  | { readonly state: "loading"; readonly share: number }
  | { readonly state: "ready" }
  | { readonly state: "failed"; readonly file: string; readonly kind: "unloaded" | "damaged" };

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
  | { readonly type: "answer"; readonly id: number; readonly answer: Answers[keyof Answers] }
  | { readonly type: "failed"; readonly id: number; readonly reason: string };
