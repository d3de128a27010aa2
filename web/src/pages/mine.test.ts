import { expect, it } from "vitest";
import { newId } from "../local/ids";
import type { Kept } from "../local/store";
import type { OwnTable } from "../net/own";
import { resultText } from "../words/results";
import { myGames } from "./mine";

const RESULT = { reason: "row" as const, winners: [1], scores: [31, 54] };
const STANDING = { round: 3, scores: [12, 8], waiting: [1] };

function own(id: string, changes: Partial<OwnTable> = {}): OwnTable {
  return { id, secrets: ["s"], invitations: [], created: "2026-01-02", names: ["Ana", "Bo"], over: false, seen: 0, ...changes };
}

function kept(id: string, used: string, over = false): Kept {
  const summary = over ? { id, wall: "std" as const, created: used, names: ["Ana", "level2"], result: RESULT } : null;
  const setup = { wall: "std" as const, seats: [], starter: 0 };
  return { id, created: used, used, format: 1, names: ["Ana", "level2"], summary, setup, secret: "" };
}

it("says of every game of mine how it stands, wherever it is kept", () => {
  const [going, done] = [newId(), newId()];
  const tables = [own("served", { standing: STANDING }), own("lost", { gone: true }), own(going, { standing: STANDING, secrets: [] })];
  const games = myGames(
    [kept(going, "2026-01-04"), kept(done, "2026-01-03", true)],
    [...tables, own("ended", { over: true, result: RESULT })],
  );
  expect(games.slice(0, 2).map(({ id }) => id)).toEqual([going, done]);
  const states = Object.fromEntries(games.map(({ id, state }) => [id, state]));
  expect(states).toEqual({ [going]: "going", [done]: "over", served: "going", lost: "gone", ended: "over" });
  expect(games[0]).toMatchObject({ standing: STANDING, wall: "std" });
  expect(games.find(({ id }) => id === "served")).toMatchObject({ standing: STANDING, names: ["Ana", "Bo"] });
});

it("lists no table that was only watched, and what cannot be read as such", () => {
  const games = myGames([{ id: newId(), unreadable: true }], [own("watched", { secrets: [] })]);
  expect(games.map(({ state }) => state)).toEqual(["unreadable"]);
});

it("names the winner's points first", () => {
  expect(resultText(RESULT, ["Ana", "Bo"], "en")).toContain("54–31");
});
