import { expect, test } from "vitest";
import { FULL_STRENGTH } from "../engine/opponents";
import { apart, levelChoice, levelName, levelNote, OPPONENTS, recordedName, seatName } from "./names";

test("equal names are numbered, others stay", () => {
  expect(apart(["Ana", "Casual", "Casual", "Rui"])).toEqual(["Ana", "Casual 1", "Casual 2", "Rui"]);
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
  expect(seatName({ kind: "computer", name: "", level: FULL_STRENGTH }, 1)).toBe("Full strength");
  expect(recordedName("net", 0)).toBe("Full strength");
  expect(recordedName("bot:net", 0)).toBe("Full strength");
  expect(recordedName("level8", 0)).toBe("Master");
  expect(recordedName("level0", 0)).toBe("level0");
  expect(recordedName("Annet", 0)).toBe("Annet");
});
