/** What a page knows about a table, and how each message changes it. No socket and no screen here. */

import type { Frame } from "../board";
import type { ClockTime, Event, HappeningInfo, Outgoing, TableInfo, You } from "./messages";

export interface Live {
  table: TableInfo;
  version: number;
  /** The last frames; the last one is the truth. */
  frames: Frame[];
  you: You;
  /** The moves that still stand, each with all that it did. */
  log: HappeningInfo[];
  waiting: number[];
  present: boolean[];
  watchers: number;
  clock: ClockTime | null;
}

/** So many frames are kept: enough for whatever can happen while a tab is in the background for a while. */
export const KEPT = 60;

/** The state after a message; the same object if the message changes nothing. */
export function after(live: Live | null, message: Outgoing): Live | null {
  switch (message.type) {
    case "welcome":
      return {
        table: message.table,
        version: message.version,
        frames: [{ version: message.version, position: message.position, log: message.log }],
        you: message.you,
        log: message.log,
        waiting: message.waiting,
        present: message.present,
        watchers: message.watchers,
        clock: message.clock ?? null,
      };
    case "event":
      return live && happened(live, message);
    case "resumed":
      return live && { ...live, you: message.you, present: message.present, watchers: message.watchers };
    case "present":
      return live && { ...live, present: message.present, watchers: message.watchers };
    default:
      return live;
  }
}

function happened(live: Live, event: Event): Live {
  const log = logAfter(live.log, event);
  const frame = { version: event.version, position: event.position, log };
  return {
    ...live,
    table: event.table,
    version: event.version,
    frames: [...live.frames, frame].slice(-KEPT),
    you: event.you,
    waiting: event.waiting,
    present: event.what.type === "joined" ? live.present.with(event.what.seat, true) : live.present,
    clock: event.clock ?? null,
    log,
  };
}

function logAfter(log: HappeningInfo[], { what }: Event): HappeningInfo[] {
  if (what.type === "undone") return log.slice(0, log.length - (what.moves ?? 0));
  return what.type === "played" ? [...log, ...what.happenings] : log;
}

/** The seats of mine that have to decide now. */
export function mineToAct(live: Live): number[] {
  if (live.table.result) return [];
  const mine = new Set(live.you.seats ?? []);
  return live.waiting.filter((seat) => mine.has(seat) && !live.table.seats[seat]?.substitute);
}
