/** What a person has done with puzzles so far, kept in the browser. */

import { read, write } from "../settings/local";
import type { Puzzle } from "./puzzles";
import { BEGINNER, rated, type Strength } from "./rating";

/** An answer that counted. */
export interface Answer {
  readonly id: string;
  readonly solved: boolean;
  /** The person's rating after it. */
  readonly rating: number;
  /** When, in milliseconds since 1970. */
  readonly time: number;
}

/** All that is kept. */
export interface PuzzleProgress {
  readonly strength: Strength;
  /** The oldest first. */
  readonly answers: readonly Answer[];
}

const KEY = "puzzles";
/** More are not kept; their puzzles may come again. */
const MOST_ANSWERS = 5000;
const LONGEST_ID = 64;

export class Training implements PuzzleProgress {
  strength: Strength = $state.raw(BEGINNER);
  /** The oldest first. */
  answers: readonly Answer[] = $state.raw([]);
  readonly seen: ReadonlySet<string> = $derived(new Set(this.answers.map(({ id }) => id)));
  readonly solved: number = $derived(this.answers.filter(({ solved }) => solved).length);
  /** How many of the last answers in a row were right. */
  readonly streak: number = $derived(this.answers.length - 1 - this.answers.findLastIndex(({ solved }) => !solved));

  constructor() {
    const { strength, answers } = (read(KEY) ?? {}) as { strength?: unknown; answers?: unknown };
    if (isStrength(strength)) this.strength = strength;
    if (Array.isArray(answers)) this.answers = answers.filter(isAnswer);
  }

  /** Counts the first answer to a puzzle; says by how much the rating changed, null if it was answered before. */
  answer({ id, rating }: Puzzle, solved: boolean, time: number): number | null {
    if (this.seen.has(id)) return null;
    const before = Math.round(this.strength.rating);
    this.strength = rated(this.strength, rating, solved);
    const after = Math.round(this.strength.rating);
    this.answers = [...this.answers, { id, solved, rating: after, time }].slice(-MOST_ANSWERS);
    this.#keep();
    return after - before;
  }

  /** Takes what was done elsewhere, too; says whether that is kept. */
  merge(other: PuzzleProgress): boolean {
    const { strength, answers } = merged(this, other);
    this.strength = strength;
    this.answers = answers;
    return this.#keep();
  }

  #keep(): boolean {
    return write(KEY, { strength: this.strength, answers: this.answers });
  }
}

/** Answers of both, to each puzzle the first one; the rating of whoever answered last. */
export function merged(own: PuzzleProgress, other: PuzzleProgress): PuzzleProgress {
  const sorted = [...own.answers, ...other.answers].sort((one, next) => one.time - next.time);
  const first = new Map<string, Answer>();
  for (const answer of sorted) if (!first.has(answer.id)) first.set(answer.id, answer);
  const last = ({ answers }: PuzzleProgress): number => Math.max(0, ...answers.map(({ time }) => time));
  const { strength } = last(other) > last(own) ? other : own;
  return { strength, answers: [...first.values()].slice(-MOST_ANSWERS) };
}

/** Whether a value out of a file or the browser's store is a strength. */
export function isStrength(value: unknown): value is Strength {
  const { rating, deviation } = (value ?? {}) as Partial<Record<keyof Strength, unknown>>;
  return isNumber(rating) && isNumber(deviation) && deviation > 0;
}

/** Whether a value out of a file or the browser's store is an answer. */
export function isAnswer(value: unknown): value is Answer {
  const { id, solved, rating, time } = (value ?? {}) as Partial<Record<keyof Answer, unknown>>;
  return typeof id === "string" && id.length <= LONGEST_ID && typeof solved === "boolean" && isNumber(rating) && isNumber(time);
}

function isNumber(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}
