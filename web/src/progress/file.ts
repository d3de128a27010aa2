/** Progress as one file, to be taken to another browser and put together with what is there. */

import { RefusalError } from "../net/api";
import { isAnswer, isStrength, type PuzzleProgress } from "../puzzles/training.svelte";
import { isGame, type PlayedGame } from "./games";

/** What somebody has reached. */
export interface Progress {
  readonly games: readonly PlayedGame[];
  readonly puzzles: PuzzleProgress;
}

const FORMAT = "azulejos-progress";
const VERSION = 1;
/** A file with all that a browser keeps is a good deal smaller. */
export const MOST_BYTES = 4_000_000;

/** The text of the file. */
export function progressText({ games, puzzles }: Progress): string {
  return JSON.stringify({ format: FORMAT, version: VERSION, games, puzzles });
}

/** What a file holds; throws `RefusalError` if anything in it is not as it should be. */
export function readProgress(text: string): Progress {
  if (text.length > MOST_BYTES) throw new RefusalError("too_large");
  const { format, version, games, puzzles } = parsed(text) as Record<string, unknown>;
  if (format !== FORMAT || typeof version !== "number") throw new RefusalError("foreign_progress");
  if (version > VERSION) throw new RefusalError("newer_progress");
  const { strength, answers } = (puzzles ?? {}) as Record<string, unknown>;
  if (!isStrength(strength)) throw new RefusalError("damaged_progress", { part: "puzzles.strength" });
  return { games: checked("games", games, isGame), puzzles: { strength, answers: checked("puzzles.answers", answers, isAnswer) } };
}

function parsed(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null) return value;
  } catch {
    // said below
  }
  throw new RefusalError("foreign_progress");
}

function checked<T>(part: string, list: unknown, is: (value: unknown) => value is T): readonly T[] {
  if (!Array.isArray(list)) throw new RefusalError("damaged_progress", { part });
  const bad = list.findIndex((each) => !is(each));
  if (bad >= 0) throw new RefusalError("damaged_progress", { part: `${part}[${bad}]` });
  return list as T[];
}
