import { describe, expect, it } from "vitest";
import { fixture } from "./fixtures";
import { arrange, fallen } from "./floor";
import { read, write } from "./moves";
import { badge, countOf, ghosts, sent, targets } from "./preview";

const position = fixture("middle2")[1]!.position;
const board = position.boards[0]!;

describe("what the lines would become", () => {
  const blue = targets(position, board, { source: 2, color: "B" });
  it("are six places, the floor last", () => expect(blue.map(({ line }) => line)).toEqual([0, 1, 2, 3, 4, 5]));
  it("an open line shows its count after the move", () => {
    expect(blue[0]).toMatchObject({ filled: 1, size: 1 });
    expect(blue[0]!.option?.move).toBe("2B1");
  });
  it("a closed one says why, in the server's words", () => {
    expect(blue[1]!.refusal?.code).toBe("line_full");
    expect(blue[2]!.refusal?.code).toBe("color_on_row");
    expect(blue[4]!.refusal?.code).toBe("other_color");
  });
  it("the floor is always offered", () => expect(blue[5]!.option?.move).toBe("2Bf"));
  it("each is offered or refused, for every group", () => {
    position.displays.forEach((counts, index) =>
      counts.forEach((count, color) => {
        if (!count) return;
        const group = { source: index + 1, color: "BYRKW"[color] as "B" };
        for (const { option, refusal } of targets(position, board, group)) expect(!!option).toBe(!refusal);
      }),
    );
  });
});

describe("ghosts", () => {
  const option = (move: string) => position.options.find((each) => each.move === move)!;
  it("overflow lands on the floor with its exact cost", () => {
    const seen = ghosts(option("2B1"), board, 7)!;
    expect(seen.line).toEqual({ row: 0, color: "B", spaces: [0] });
    expect(seen.floor).toEqual(["B"]);
    expect(seen.cost).toBe(1);
    expect(seen.wall).toMatchObject({ row: 0, columns: [0], color: "B", points: 1 });
  });
  it("the marker comes first from the center", () => {
    expect(ghosts(option("cW3"), board, 7)!.floor).toEqual(["marker", "W"]);
  });
  it("no more ghosts than spaces", () => {
    const full = { ...board, floor: [0, 0, 6, 0, 0] };
    expect(ghosts(option("cWf"), full, 7)!.floor).toEqual(["marker"]);
  });
});

describe("small things", () => {
  it("a display sends its other colors", () => expect(sent(position, { source: 2, color: "B" })).toEqual([0, 1, 1, 0, 0]));
  it("the center sends nothing", () => expect(sent(position, { source: 0, color: "W" })).toEqual([0, 0, 0, 0, 0]));
  it("counts a group", () => expect(countOf(position, { source: 0, color: "W" })).toBe(4));
  it("moves are written as they are read", () => {
    for (const { move } of position.options) {
      const found = read(move);
      expect(found?.kind === "draft" && write(found, found.line)).toBe(move);
    }
    expect(read("t35")).toEqual({ kind: "tile", row: 2, column: 4 });
    for (const bad of ["", "=B2YK", "0B1", "3G1", "3B6", "t60"]) expect(read(bad)).toBeNull();
  });
  it("fallen tiles lie in the order in which moves brought them, since the last count", () => {
    const drafted = { source: 0, color: "W", line: 0, taken: 3, placed: 1, dropped: 2, to_lid: 0, marker: true };
    const floors = [{ seat: 0, penalty: 1, lost: 1 }];
    const log = [
      { move: "1Kf", seat: 0, drafted: { ...drafted, color: "K" }, floors },
      { move: "1Rf", seat: 0, drafted: { ...drafted, color: "R", dropped: 1, marker: false } },
      { move: "1Bf", seat: 1, drafted: { ...drafted, color: "B", marker: false } },
      { move: "cW1", seat: 0, drafted: { ...drafted, to_lid: 1 } },
      { move: "t11", seat: 1, tiling: [{ type: "fell" as const, seat: 0, row: 1, color: "Y", count: 2, to_lid: 0 }] },
    ];
    expect(fallen(log, 0)).toEqual(["R", "marker", "W", "Y", "Y"]);
    expect(fallen(log.slice(0, 1), 0)).toEqual([]);
  });
  it("fallen tiles keep their order, new ones come after", () => {
    const first = arrange([], { floor: [0, 0, 0, 0, 2], marker: false });
    expect(first).toEqual(["W", "W"]);
    const second = arrange(first, { floor: [1, 0, 0, 0, 2], marker: true });
    expect(second).toEqual(["W", "W", "marker", "B"]);
    expect(arrange(second, { floor: [0, 0, 0, 0, 0], marker: true })).toEqual(["marker"]);
  });
});

describe("the badge of a line", () => {
  const option = { move: "2B1", taken: 3, placed: 2, dropped: 1, completes: true, points: 2, cost: 1, columns: [0] };
  const target = { line: 0, filled: 3, size: 3, option, refusal: null };
  it("says what it becomes", () => expect(badge(target, false)).toBe("3/3"));
  it("says all where nothing can be pointed at", () => expect(badge(target, true)).toBe("3/3 · +2 · −1"));
  it("says no points before a line is full", () => {
    expect(badge({ ...target, filled: 2, option: { ...option, completes: false, points: 0, cost: 0 } }, true)).toBe("2/3");
  });
});
