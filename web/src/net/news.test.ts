import { expect, it } from "vitest";
import { fakeEvent, fakeWelcome } from "./fake";
import { after } from "./live";
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

it("moves, names and the first view are no news", () => {
  expect(newsIn(null, fakeWelcome(1))).toEqual([]);
  expect(newsIn(live, fakeEvent(2, { type: "renamed", seat: 0, name: "Bo" }))).toEqual([]);
  expect(newsIn(live, fakeEvent(2, { type: "played", happenings: [] }))).toEqual([]);
});
