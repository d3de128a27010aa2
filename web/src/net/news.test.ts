import { expect, it } from "vitest";
import { fakeEvent, fakeWelcome } from "./fake";
import { after } from "./live";
import type { Noted } from "./messages";
import { newsIn } from "./news";

const live = after(null, fakeWelcome(1))!;
const seats = live.table.seats.map((seat) => ({ ...seat, kind: "friend" as const, joined: true }));
const joined = { ...live, table: { ...live.table, seats }, present: seats.map(() => true) };

it("an undo is told where the log now ends", () => {
  const log = [
    { move: "1B1", seat: 0 },
    { move: "2B1", seat: 1 },
  ];
  const [news] = newsIn({ ...live, log }, fakeEvent(2, { type: "undone", seat: 1, moves: 1 }));
  expect(news).toEqual({ what: "undone", seat: 1, moves: 1, at: 1 });
});

it("who goes and who comes back is told, of people who were there before", () => {
  const gone = { type: "present" as const, present: [true, false], watchers: 0 };
  expect(newsIn(joined, gone)).toEqual([{ what: "away", seat: 1, at: joined.log.length }]);
  expect(newsIn({ ...joined, present: [true, false] }, { ...gone, present: [true, true] })).toMatchObject([{ what: "here", seat: 1 }]);
  const computers = { ...joined, table: { ...joined.table, seats: seats.map((seat) => ({ ...seat, kind: "computer" as const })) } };
  expect(newsIn(computers, gone)).toEqual([]);
});

it.each([
  ["joined", "joined"],
  ["substituted", "replaced"],
  ["came_back", "returned"],
  ["resigned", "resigned"],
  ["timed_out", "out_of_time"],
  ["assisted", "assisted"],
] as const)("%s is told as %s", (type, what) => {
  expect(newsIn(live, fakeEvent(2, { type, seat: 1, level: 3 }))).toMatchObject([{ what, seat: 1 }]);
});

it("who has just joined is not told to be here again", () => {
  const seats = live.table.seats.map((seat) => ({ ...seat, kind: "friend" as const, joined: true }));
  const came = { ...fakeEvent(2, { type: "joined", seat: 1 }), table: { ...live.table, seats } };
  const known = after({ ...live, present: [true, false] }, came);
  expect(newsIn(known, { type: "present", present: [true, true], watchers: 0 })).toEqual([]);
});

it("who came is told by name, but nobody is told their own", () => {
  expect(live.you.seats).toEqual([0]);
  const named = fakeEvent(2, { type: "renamed", seat: 1, name: "Bo" });
  expect(newsIn(live, named)).toMatchObject([{ what: "named", seat: 1, name: "Bo" }]);
});

it("what a table remembers is told where it happened, and after a gap only what was missed", () => {
  const noted = [
    { version: 1, moves: 0, what: { type: "joined", seat: 1 } },
    { version: 2, moves: 0, what: { type: "renamed", seat: 1, name: "Bo" } },
    { version: 3, moves: 0, what: { type: "renamed", seat: 0, name: "Ana" } },
    { version: 6, moves: 2, what: { type: "undone", seat: 0, moves: 1 } },
  ] satisfies Noted[];
  const undone = { what: "undone", seat: 0, moves: 1, at: 2 };
  const welcome = fakeWelcome(7, { noted });
  expect(newsIn(null, welcome)).toEqual([{ what: "joined", seat: 1, at: 0 }, { what: "named", seat: 1, name: "Bo", at: 0 }, undone]);
  expect(newsIn({ ...live, version: 5 }, welcome)).toEqual([undone]);
});

it("moves, my own coming and my own name are no news", () => {
  expect(newsIn(live, fakeEvent(2, { type: "joined", seat: 0 }))).toEqual([]);
  expect(newsIn(live, fakeEvent(2, { type: "renamed", seat: 0, name: "Bo" }))).toEqual([]);
  expect(newsIn(live, fakeEvent(2, { type: "played", happenings: [] }))).toEqual([]);
});
