import { describe, expect, it } from "vitest";
import { edited, emptySketch, lineOf, MARKER, markerAt, readSketch, supply, withPhase, withPlayers } from "./sketch";

const EMPTY = "0:-/-/-/-/-:5/5/5/5/5:-";
const MIDDLE = "gray -/-/YKW2/R2W2/YW3 YK 0:R/R/W2/-/R:BK3/4B/R4/2R2/5:FR3 5:-/-/-/-/K4:R2K1/Y3B/1Y3/W4/5:BW B7Y12R4K11W6 d2 3@2";

describe("a line of text", () => {
  it.each([
    MIDDLE,
    `std -/-/-/-/- F ${EMPTY} ${EMPTY} B20Y20R20K20W20 r2 6@2`,
    `std -/-/-/-/- F 9:-/-/-/-/-:BYRKW/5/5/5/5:- ${EMPTY} B19Y19R19K19W19 e- 6@2`,
    `std B4/Y4/R4/K4/W4/B4/Y4 F ${EMPTY} ${EMPTY} ${EMPTY} B12Y12R16K16W16 d1 1@1`,
    `std -/-/-/-/- W 240:-/-/-/-/-:5/5/5/5/5:FK7 ${EMPTY} B20Y20R20K13W19 d1 6@1`,
    // what cannot be is kept as well
    `gray B6/-/-/-/- W 999:-/-/B4/-/-:BB3/B4/5/5/5:B8 ${EMPTY} Y20R20K20W19 d1 32767@2`.replace(" W ", " FW "),
  ])("leads to a sketch and back: %s", (line) => {
    const { sketch, fitted } = readSketch(line);
    expect([lineOf(sketch), fitted]).toEqual([line, false]);
  });

  it.each([
    ["another bag", MIDDLE.replace("B7", "B20"), MIDDLE.replace("B7", "B16")],
    ["no marker", MIDDLE.replace(":FR3", ":R3"), MIDDLE.replace(":FR3", ":R3").replace(" YK ", " FYK ")],
    ["two markers", MIDDLE.replace(" YK ", " FYK "), MIDDLE],
    ["a seat that is not there", MIDDLE.replace("d2 3@2", "d4 3@3"), MIDDLE],
    ["a round without end", MIDDLE.replace("3@2", "40000@2"), MIDDLE.replace("3@2", "32767@2")],
  ])("is made to fit where it has %s", (_, line, expected) => {
    const { sketch, fitted } = readSketch(line);
    expect([lineOf(sketch), fitted]).toEqual([expected, true]);
  });

  it.each(["", "nonsense", MIDDLE.replace("gray", "blue"), MIDDLE.replace("/YW3", ""), "std ".repeat(400)])("is refused: %j", (line) =>
    expect(() => readSketch(line)).toThrow("cannot read"),
  );
});

describe("bag and lid", () => {
  it("share what lies nowhere else", () => {
    const sketch = edited(emptySketch(2, "std"), (copy) => {
      copy.plates[0] = ["B", "B", "B", "Y"];
      copy.lid = [5, 0, 20, 0, 0];
    });
    expect(supply(sketch)).toEqual({ outside: [3, 1, 0, 0, 0], lid: [5, 0, 20, 0, 0], bag: [12, 19, 0, 20, 20] });
  });

  it("give way to what lies on the table, and come back", () => {
    const lid = edited(emptySketch(2, "std"), (copy) => (copy.lid[0] = 20));
    const taken = edited(lid, (copy) => (copy.center[0] = 15));
    expect(supply(taken)).toMatchObject({ lid: [5, 0, 0, 0, 0], bag: [0, 20, 20, 20, 20] });
    expect(supply(edited(taken, (copy) => (copy.center[0] = 0)))).toEqual(supply(lid));
  });

  it("are empty where there are too many tiles", () => {
    const sketch = edited(emptySketch(2, "std"), (copy) => (copy.center[4] = 25));
    expect(supply(sketch)).toMatchObject({ lid: [0, 0, 0, 0, 0], bag: [20, 20, 20, 20, 0] });
  });
});

describe("a table for others", () => {
  it("keeps the boards that stay, and all tiles in the game", () => {
    const { sketch } = readSketch(MIDDLE);
    const four = withPlayers(sketch, 4);
    expect([four.plates.length, four.boards.length]).toEqual([9, 4]);
    expect(four.boards.slice(0, 2)).toEqual(sketch.boards);
    expect(lineOf(withPlayers(four, 2))).toBe(lineOf(sketch));
  });

  it("loses seats, and the marker comes back to the center", () => {
    const three = edited(withPlayers(emptySketch(2, "std"), 3), (copy) => {
      copy.boards[2]!.floor[0] = MARKER;
      copy.seat = copy.starter = 2;
    });
    expect(markerAt(three)).toBe(2);
    const two = withPlayers(three, 2);
    expect([markerAt(two), two.seat, two.starter]).toEqual([null, 1, 1]);
  });
});

it("has nobody but the starter to move before a deal", () => {
  const sketch = edited(emptySketch(3, "std"), (copy) => (copy.starter = 2));
  expect(withPhase(sketch, "r").seat).toBe(2);
  expect(withPhase(sketch, "t").seat).toBe(0);
});
