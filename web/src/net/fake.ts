/** Pretended messages and a pretended socket, for tests only. */

import { PROTOCOL, type Event, type Happened, type Outgoing, type Position, type TableInfo, type Welcome } from "./messages";
import type { Wire } from "./socket";

/** A socket whose other end is the test. */
export class FakeWire implements Wire {
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: (() => void) | null = null;
  sent: Record<string, unknown>[] = [];
  closed = false;

  constructor(readonly address: string) {}

  send(text: string): void {
    this.sent.push(JSON.parse(text) as Record<string, unknown>);
  }

  close(): void {
    this.closed = true;
  }

  say(message: Outgoing): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }

  /** The last message of a type that was sent. */
  last(type: string): Record<string, unknown> {
    const found = this.sent.findLast((message) => message["type"] === type);
    if (!found) throw new Error(`nothing of type ${type} was sent`);
    return found;
  }
}

export function fakePosition(changes: Partial<Position> = {}): Position {
  const board = {
    score: 0,
    lines: [1, 2, 3, 4, 5].map(() => ({ color: null, count: 0 })),
    wall: Array<string>(5).fill("....."),
    floor: [0, 0, 0, 0, 0],
    marker: false,
    penalty: 0,
  };
  return {
    line: "",
    wall: "std",
    pattern: ["BYRKW", "WBYRK", "KWBYR", "RKWBY", "YRKWB"],
    penalties: [1, 1, 2, 2, 2, 3, 3],
    displays: Array.from({ length: 5 }, () => [1, 1, 1, 1, 0]),
    center: [0, 0, 0, 0, 0],
    marker: true,
    boards: [board, board],
    bag: [15, 15, 15, 15, 20],
    lid: [0, 0, 0, 0, 0],
    phase: "d",
    seat: 0,
    round: 1,
    starter: 0,
    last_round: false,
    options: [],
    refusals: {},
    ...changes,
  };
}

export function fakeTable(changes: Partial<TableInfo> = {}): TableInfo {
  return {
    id: "abc",
    wall: "std",
    created: "2026-11-15T10:00:00Z",
    seats: [
      { kind: "here", name: "Ana" },
      { kind: "computer", name: "", level: 2 },
    ],
    commitment: "c",
    ...changes,
  };
}

export function fakeWelcome(version: number, changes: Partial<Welcome> = {}): Welcome {
  return {
    type: "welcome",
    table: fakeTable(),
    version,
    position: fakePosition(),
    you: { seats: [0] },
    log: [],
    waiting: [0],
    present: [true, true],
    watchers: 0,
    protocol: PROTOCOL,
    ...changes,
  };
}

export function fakeEvent(version: number, what: Happened, changes: Partial<Event> = {}): Event {
  return {
    type: "event",
    version,
    what,
    table: fakeTable(),
    position: fakePosition(),
    you: { seats: [0] },
    waiting: [0],
    ...changes,
  };
}

/** A move and the event it made. */
export function fakePlayed(version: number, move: string, seat: number): Event {
  const drafted = { source: 1, color: move[1] ?? "B", line: 0, taken: 1, placed: 1, dropped: 0, to_lid: 0, marker: false };
  return fakeEvent(version, { type: "played", happenings: [{ move, seat, drafted }] });
}
