/** A table that is on no server: for replay, analysis and learning. */

import type { Position, Result, TableInfo, You } from "../net/messages";

/** People at a table of this browser only. */
export function pretendTable(wall: "std" | "gray", names: readonly string[], result: Result | null = null): TableInfo {
  return {
    id: "",
    wall,
    created: "",
    seats: names.map((name) => ({ kind: "here", name, joined: true })),
    commitment: "",
    result,
  };
}

/** The position line in an address, where blanks become `_`. */
export function inAddress(line: string): string {
  return line.replaceAll(" ", "_");
}

/** And back; whatever white space people paste is one blank. */
export function fromAddress(text: string): string {
  return text.replaceAll("_", " ").replaceAll(/\s+/g, " ").trim();
}

/** A fresh game whose first deal is due. */
export function freshPosition(players: 2 | 3 | 4, wall: "std" | "gray"): string {
  const displays = Array<string>(2 * players + 1)
    .fill("-")
    .join("/");
  const boards = Array<string>(players).fill("0:-/-/-/-/-:5/5/5/5/5:-").join(" ");
  return `${wall} ${displays} F ${boards} B20Y20R20K20W20 r1 1@1`;
}

/** What may be done at these seats in a position that is on no table. */
export function pretendYou(position: Position, seats: number[]): You {
  const seat = position.seat;
  if (position.phase !== "t" || seat == null || !seats.includes(seat)) return { seats };
  const board = position.boards[seat];
  return { seats, choosing: board ? [{ seat, chosen: [], board, options: position.options }] : [] };
}
