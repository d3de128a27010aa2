import { afterEach, describe, expect, it } from "vitest";
import { displayName, floorName, groupName, happeningSaid, lineName, moveName, sheetSaid, signed, whyName } from "./announce";
import { clockface } from "./clocks.svelte";
import { fixture } from "./fixtures";
import { sheets } from "./history";
import { targets } from "./preview";
import { overwriteGetLocale } from "../paraglide/runtime.js";

const position = fixture("middle2")[1]!.position;
const board = position.boards[0]!;

afterEach(() => overwriteGetLocale(() => "en"));

describe("what a screen reader hears", () => {
  it("a display", () => expect(displayName(2, position.displays[1]!)).toBe("Display 2: 2 blue, 1 yellow, 1 red"));
  it("an empty display", () => expect(displayName(1, position.displays[0]!)).toBe("Display 1: empty"));
  it("a group", () =>
    expect(groupName(position, { source: 2, color: "B" })).toBe("2 blue from display 2, sends 1 yellow, 1 red to the center"));
  it("a group in the center with the marker", () =>
    expect(groupName(position, { source: 0, color: "W" })).toBe("4 white from the center, with the starting-player marker"));
  it("a line and what would become of it", () => {
    const [first] = targets(position, board, { source: 2, color: "B" });
    expect(lineName(board, 0, first!)).toBe(
      "Line 1: empty, becomes 1 of 1, completes it, +1 point at the end of the round, 1 tile falls to the floor, costs 1 point",
    );
    expect(lineName(board, 4, null)).toBe("Line 5: 3 of 5 red");
  });
  it("a line that is closed, and why", () => {
    const all = targets(position, board, { source: 2, color: "B" });
    expect(lineName(board, 2, all[2]!)).toBe("Line 3: empty, blue is already on this row of the wall");
    expect(lineName(board, 4, all[4]!)).toBe("Line 5: 3 of 5 red, line 5 already holds red");
  });
  it("the floor with its cost", () => {
    const floor = targets(position, board, { source: 2, color: "B" })[5]!;
    expect(floorName(board, floor)).toBe("Floor: empty, all 2 to the floor, costs 2 points");
  });
  it("an unknown reason is still a sentence", () => expect(whyName({ code: "surprise" }, 0)).toBe("not possible here"));
  it("a move", () => expect(moveName("Ana", "2B4", 3)).toBe("Ana: 3 blue, display 2 → line 4"));
  it("a move to the floor", () => expect(moveName("Ana", "cKf", 1)).toBe("Ana: 1 black, center → floor"));
  it("what another did", () => {
    expect(happeningSaid("Ana", fixture("middle3")[1]!.log.at(-1)!)).toMatch(/takes the starting-player marker/);
  });
  it("the end of a round", () => {
    const { log, position } = fixture("scoring2")[1]!;
    const said = sheetSaid(sheets(log, position)[0]!, ["Ana", "Bruno"]);
    expect(said).toBe("End of round 3. Ana: +18 for the wall, −2 for the floor, now 16. Bruno: +9 for the wall, −4 for the floor, now 14");
  });
  it("Spanish agrees in number", () => {
    overwriteGetLocale(() => "es");
    expect(displayName(2, [2, 1, 1, 0, 0])).toBe("Expositor 2: 2 azules, 1 amarilla, 1 roja");
  });
  it("Dutch inflects", () => {
    overwriteGetLocale(() => "nl");
    expect(moveName("Ana", "2Y4", 2)).toBe("Ana: 2 gele, schijf 2 → lijn 4");
  });
});

it("clocks read as people read them", () => {
  expect(clockface(61_000)).toBe("1:01");
  expect(clockface(9_430)).toBe("9.4");
  expect(clockface(3_600_000)).toBe("1:00:00");
  expect(clockface(-5)).toBe("0.0");
});

it.each([
  ["en", "+3.5", "−2", "9.4"],
  ["es", "+3,5", "−2", "9,4"],
] as const)("numbers have the decimal sign of %s", (language, more, less, time) => {
  overwriteGetLocale(() => language);
  expect([signed(3.46), signed(-2.04), signed(0.01), clockface(9_430)]).toEqual([more, less, "0", time]);
});
