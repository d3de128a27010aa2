import { expect, test } from "vitest";
import { FULL_STRENGTH } from "../engine/opponents";
import { levelChoice, levelName, levelNote, numberedNames, OPPONENTS, recordedNames, seatNames } from "./names";

const FILES = import.meta.glob<Record<string, unknown>>("../../messages/*.json", { eager: true, import: "default" });

test("equal names are numbered, others stay", () => {
  expect(recordedNames(["Ana", "Casual", "Casual", "Rui"])).toEqual(["Ana", "Casual 1", "Casual 2", "Rui"]);
});

test("levels have numbers, and full strength after them has none", () => {
  const choices = OPPONENTS.map((level) => levelChoice(level, 900 + 100 * level));
  expect(choices[0]).toBe("1 – Beginner (rating 1000)");
  expect(choices[7]).toBe("8 – Master (rating 1700)");
  expect(choices.at(-1)).toBe(`Full strength (rating ${900 + 100 * FULL_STRENGTH})`);
});

test("what has no rating is offered without one", () => {
  expect(levelChoice(FULL_STRENGTH, null)).toBe("Full strength");
});

test("every computer has a name and a note of its own", () => {
  expect(new Set(OPPONENTS.map(levelName)).size).toBe(OPPONENTS.length);
  expect(new Set(OPPONENTS.map(levelNote)).size).toBe(OPPONENTS.length);
  expect(OPPONENTS.map(levelNote)).not.toContain("");
});

test("full strength is called so at a table and in a record", () => {
  expect(seatNames([{ kind: "computer", name: "", level: FULL_STRENGTH }], [])).toEqual(["Full strength"]);
  expect(recordedNames(["net", "level8", "level0", "Annet"])).toEqual(["Full strength", "Master", "level0", "Annet"]);
  expect(recordedNames(["bot:net"])).toEqual(["Full strength"]);
});

test("whoever has no name is You on their own page, and to others what brought them to the table", () => {
  const person = { kind: "here" as const, name: "", level: null, joined: true };
  const friend = { ...person, kind: "friend" as const };
  expect(seatNames([person, friend], [0])).toEqual(["You", "Friend"]);
  expect(seatNames([friend, person], [0])).toEqual(["You", "Host"]);
  expect(seatNames([{ ...person, name: "Ana" }, friend, friend], [0])).toEqual(["Ana", "Friend 1", "Friend 2"]);
  expect(seatNames([person, person, person], [0, 1, 2])).toEqual(["Host", "Guest 1", "Guest 2"]);
  expect(recordedNames(["?", "level1"], [0])).toEqual(["You", "Beginner"]);
  expect(recordedNames(["", "Rui"])).toEqual(["Guest", "Rui"]);
});

test("the seats of a position in which nobody sits are numbered", () => {
  expect(numberedNames(["?", "Rui"])).toEqual(["Player 1", "Rui"]);
});

test("sentences that change for You look for the word that the language has", () => {
  expect(Object.keys(FILES)).toHaveLength(7);
  for (const [file, messages] of Object.entries(FILES)) {
    const wanted = [...JSON.stringify(messages).matchAll(/"name=([^",]+)/g)].map(([, word]) => word);
    expect(new Set(wanted), file).toEqual(new Set(["*", messages["seat_you"]]));
  }
});
