/** What follows from the moves so far: the last one, the rounds, and how each was scored. Nobody need have watched. */

import type { Bonus, DraftInfo, FallInfo, HappeningInfo, Position, TilingInfo } from "../net/messages";
import type { News } from "../net/news";
import { gather, type Scored } from "./scoring";

/** A draft, to be outlined. */
export interface Drafted {
  seat: number;
  drafted: DraftInfo;
}

export function draftOf({ seat, drafted }: HappeningInfo): Drafted | null {
  return drafted && seat !== null ? { seat, drafted } : null;
}

/** The last draft of this round: it stays outlined until the next. */
export function lastDraft(log: readonly HappeningInfo[]): Drafted | null {
  const ended = log.findLastIndex((each) => each.floors?.length);
  const found = log.slice(ended + 1).findLast((each) => each.drafted);
  return found ? draftOf(found) : null;
}

/** The others' moves since the last one of mine; all of them while I have made none. */
export function sinceMine(log: readonly HappeningInfo[], mine: readonly number[]): HappeningInfo[] {
  const own = log.findLastIndex(({ seat }) => seat !== null && mine.includes(seat));
  return log.slice(own + 1).filter(({ seat }) => seat !== null);
}

export interface Round {
  number: number;
  moves: HappeningInfo[];
}

/** The moves by round, down to the round in which the position is. */
export function rounds(log: readonly HappeningInfo[], { round, phase }: Pick<Position, "round" | "phase">): Round[] {
  const parts: HappeningInfo[][] = [[]];
  for (const happening of log) {
    if (happening.seat !== null) parts.at(-1)?.push(happening);
    if (happening.floors?.length) parts.push([]);
  }
  if (phase === "e" && !parts.at(-1)?.length) parts.pop();
  return parts.map((moves, index) => ({ number: round - parts.length + 1 + index, moves }));
}

/** One player's line in the table of a round. */
export interface SheetRow {
  seat: number;
  before: number;
  tiles: (TilingInfo | FallInfo)[];
  penalty: number;
  lost: number;
  bonus: Bonus | null;
  after: number;
}

export interface Sheet {
  round: number;
  rows: SheetRow[];
}

/** Every number of the end of a round, from what was scored and the scores it led to. */
function sheet(round: number, scored: Scored, scores: readonly number[]): Sheet {
  const rows = scores.map((after, seat) => {
    const tiles = scored.tiling.filter((event) => event.seat === seat);
    const { penalty, lost } = scored.floors.find((each) => each.seat === seat) ?? { penalty: 0, lost: 0 };
    const bonus = scored.bonuses.find((each) => each.seat === seat) ?? null;
    const gained = tiles.reduce((sum, event) => sum + (event.type === "tiled" ? event.points : 0), 0);
    return { seat, before: after - gained + lost - (bonus?.points ?? 0), tiles, penalty, lost, bonus, after };
  });
  return { round, rows };
}

/** The sheets of all rounds that have ended, the latest first. */
export function sheets(log: readonly HappeningInfo[], position: Position): Sheet[] {
  let scores = position.boards.map((board) => board.score);
  return rounds(log, position)
    .reverse()
    .flatMap(({ number, moves }) => {
      const scored = gather(moves);
      const numbers = sheet(number, scored, scores);
      scores = numbers.rows.map(({ before }) => before);
      return scored.floors.length ? [numbers] : [];
    });
}

/** A line of the log: a move, what else happened, or what the end of the round brought a player. */
export interface LogLine {
  move?: HappeningInfo;
  news?: News;
  row?: SheetRow;
}

/** The log by round: moves, news where they happened, and at the end of a round what it brought everybody. */
export function logLines(
  all: readonly Round[],
  scored: readonly Sheet[],
  news: readonly News[],
  log: readonly HappeningInfo[],
): { number: number; lines: LogLine[] }[] {
  const waiting = news.filter(({ what }) => what !== "emoted");
  // What happened before an undo stands no later than the undo does.
  for (let last = waiting.length - 1; last > 0; last--) {
    const [one, next] = [waiting[last - 1]!, waiting[last]!];
    if (one.at > next.at) waiting[last - 1] = { ...one, at: next.at };
  }
  const until = (at: number): LogLine[] => {
    const due = waiting.findIndex((one) => one.at > at);
    return waiting.splice(0, due < 0 ? waiting.length : due).map((one) => ({ news: one }));
  };
  return all.map(({ number, moves }, index) => {
    const lines = moves.flatMap((move): LogLine[] => [...until(log.indexOf(move)), { move }]);
    const rows = scored.find(({ round }) => round === number)?.rows ?? [];
    const rest = index === all.length - 1 ? until(log.length) : [];
    return { number, lines: [...lines, ...rows.map((row) => ({ row })), ...rest] };
  });
}
