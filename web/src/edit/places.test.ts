import { describe, expect, it } from "vitest";
import { after, keyOf, type Place, press, put, take } from "./places";
import { edited, emptySketch, MARKER, markerAt, type Sketch } from "./sketch";

const STD = emptySketch(2, "std");
const GRAY = emptySketch(2, "gray");
const slot = (display: number, at: number): Place => ({ kind: "display", display, slot: at });
const line = (row: number): Place => ({ kind: "line", seat: 1, row });
const cell = (row: number, column: number): Place => ({ kind: "cell", seat: 0, row, column });
const floor = (space: number, seat = 0): Place => ({ kind: "floor", seat, space });
const lineAt = (sketch: Sketch, row: number) => sketch.boards[1]!.lines[row];

describe("a press", () => {
  it("puts a tile on a plate where one points, changes it, and takes it away", () => {
    const blue = press(STD, slot(2, 1), "B");
    expect(blue.plates[2]).toEqual([null, "B", null, null]);
    const red = press(blue, slot(2, 1), "R");
    expect(red.plates[2]).toEqual([null, "R", null, null]);
    expect(press(red, slot(2, 1), "R")).toEqual(STD);
    expect(press(red, slot(2, 1), null)).toEqual(STD);
  });

  it("leaves the position it began with as it was", () => {
    press(STD, slot(0, 0), "B");
    expect(STD).toEqual(emptySketch(2, "std"));
  });

  it("adds to the center what is in hand, and takes of the pile that is pressed", () => {
    const two = press(press(STD, { kind: "center", color: "W" }, "K"), { kind: "center", color: "B" }, "K");
    expect(two.center).toEqual([0, 0, 0, 2, 0]);
    expect(press(two, { kind: "center", color: "K" }, null).center).toEqual([0, 0, 0, 1, 0]);
    expect(press(two, { kind: "center", color: "B" }, null).center).toEqual([0, 0, 0, 2, 0]);
  });

  it("fills a line up to the space under a mouse, and a second one empties that space", () => {
    const three = press(STD, line(3), "Y", 2);
    expect(lineAt(three, 3)).toEqual({ color: "Y", count: 3 });
    expect(lineAt(press(three, line(3), "Y", 2), 3)).toEqual({ color: "Y", count: 2 });
    expect(lineAt(press(three, line(3), "Y", 0), 3)).toEqual({ color: "Y", count: 1 });
    expect(lineAt(press(three, line(3), "W", 3), 3)).toEqual({ color: "W", count: 4 });
    expect(lineAt(press(three, line(3), null, 1), 3)).toEqual({ color: "Y", count: 1 });
    expect(lineAt(press(three, line(3), null, 0), 3)).toEqual({ color: null, count: 0 });
  });

  it("adds a tile to a line under a finger, and a full line begins anew", () => {
    const one = press(STD, line(1), "R");
    const two = press(one, line(1), "R");
    expect([lineAt(one, 1)?.count, lineAt(two, 1)?.count]).toEqual([1, 2]);
    expect(press(two, line(1), "R")).toEqual(STD);
    expect(lineAt(press(two, line(1), "K"), 1)).toEqual({ color: "K", count: 2 });
    expect(press(one, line(1), null)).toEqual(STD);
    expect(press(STD, line(1), null)).toEqual(STD);
  });

  it("sets a cell of the colored wall to its own color, whatever is in hand", () => {
    const set = press(STD, cell(1, 0), "R");
    expect(set.boards[0]!.wall[1]).toEqual(["W", null, null, null, null]);
    expect(press(set, cell(1, 0), "B")).toEqual(STD);
    expect(press(set, cell(1, 0), null)).toEqual(STD);
  });

  it("sets a cell of the gray wall to what is in hand", () => {
    const set = press(GRAY, cell(1, 0), "R");
    expect(set.boards[0]!.wall[1]![0]).toBe("R");
    expect(press(set, cell(1, 0), "B").boards[0]!.wall[1]![0]).toBe("B");
    expect(press(set, cell(1, 0), "R")).toEqual(GRAY);
  });

  it("moves the one marker, and takes it back to the center", () => {
    const first = press(STD, floor(2), MARKER);
    const second = press(first, floor(0, 1), MARKER);
    expect([markerAt(first), markerAt(second)]).toEqual([0, 1]);
    expect(second.boards[0]!.floor.every((each) => each === null)).toBe(true);
    expect(press(second, { kind: "marker" }, MARKER)).toEqual(STD);
    expect(press(second, floor(0, 1), null)).toEqual(STD);
    expect(press(second, floor(0, 1), "B").boards[1]!.floor[0]).toBe("B");
  });

  it.each([slot(0, 0), line(2), cell(0, 0)])("does not put the marker where it cannot lie: %j", (place) => {
    expect(press(STD, place, MARKER)).toBe(STD);
  });
});

describe("a letter", () => {
  it("goes along a plate and on to the next one", () => {
    let [sketch, place] = [STD, slot(0, 2)];
    for (const color of ["B", "Y", "R"] as const) [sketch, place] = [put(sketch, place, color), after(sketch, place)];
    expect(sketch.plates.slice(0, 2)).toEqual([
      [null, null, "B", "Y"],
      ["R", null, null, null],
    ]);
    expect(place).toEqual(slot(1, 1));
    expect(after(STD, slot(4, 3))).toEqual(slot(4, 3));
  });

  it("finds its color in a row of the colored wall, and stays; on the gray wall it goes on", () => {
    const set = put(STD, cell(1, 4), "W");
    expect(set.boards[0]!.wall[1]![0]).toBe("W");
    expect(put(set, cell(1, 4), "W")).toEqual(set);
    expect([after(STD, cell(1, 2)), after(GRAY, cell(1, 2)), after(GRAY, cell(1, 4))]).toEqual([cell(1, 2), cell(1, 3), cell(1, 4)]);
  });

  it("adds to a line up to its end", () => {
    let sketch = STD;
    for (let count = 0; count < 5; count += 1) sketch = put(sketch, line(2), "K");
    expect(lineAt(sketch, 2)).toEqual({ color: "K", count: 3 });
  });
});

it("takes the tile beside a full plate away, and the others move up", () => {
  const five = edited(STD, (copy) => (copy.plates[0] = ["B", "B", "Y", "R", "W"]));
  expect(take(five, slot(0, 1)).plates[0]).toEqual(["B", "Y", "R", "W"]);
});

it("names every place differently", () => {
  const places: Place[] = [
    slot(1, 2),
    slot(2, 1),
    { kind: "center", color: "B" },
    { kind: "marker" },
    line(1),
    cell(1, 2),
    cell(2, 1),
    floor(1),
  ];
  expect(new Set(places.map(keyOf)).size).toBe(places.length);
});
