import { describe, expect, it } from "vitest";
import { draftFlights, markerFlights, tilingFlights } from "./diff";
import { fixture } from "./fixtures";
import { arrange } from "./floor";
import { sheets } from "./history";
import { next } from "./playback";
import { complete, gather, LONGEST, run, script } from "./scoring";
import * as stages from "./stages";

const GAMES = ["scoring2", "scoring3", "scoring4", "end2", "end3", "end4"];

describe.each(GAMES)("from one state to the next: %s", (name) => {
  const [before, after] = fixture(name) as [ReturnType<typeof fixture>[0], ReturnType<typeof fixture>[0]];
  const happening = after.log.at(-1)!;
  const scored = gather([happening]);
  const drafted = stages.afterDraft(before.position, happening.seat!, happening.drafted!);

  it("piece by piece leads to exactly what the server says", () => {
    let position = scored.tiling.reduce(stages.afterTiling, drafted);
    position = scored.floors.reduce(stages.afterFloor, position);
    position = stages.afterMarker(position);
    for (const bonus of scored.bonuses) position = stages.afterBonus(position, bonus, bonus.points);
    if (scored.deal) position = stages.afterDeal(position, scored.deal);
    expect(position.boards).toEqual(after.position.boards);
    expect(position.displays).toEqual(after.position.displays);
    expect(position.center).toEqual(after.position.center);
    expect(position.marker).toBe(after.position.marker);
  });

  it("the table of numbers adds up", () => {
    const [numbers] = sheets(after.log, after.position);
    expect(numbers?.round).toBe(before.position.round);
    expect(numbers?.rows.map((row) => row.before)).toEqual(drafted.boards.map((board) => board.score));
    expect(numbers?.rows.map((row) => row.after)).toEqual(after.position.boards.map((board) => board.score));
  });

  it("takes no longer than it may", () => {
    const without = { ...scored, bonuses: [] };
    for (const speed of ["normal", "fast", "instant"] as const) {
      const plan = script(drafted, without, speed);
      expect(plan.lasts).toBeLessThanOrEqual(LONGEST[speed]);
      for (const beat of plan.beats) expect(beat.at).toBeLessThanOrEqual(plan.lasts);
    }
  });

  it("beats come in order, rows from the top, all players at once", () => {
    const { beats } = script(drafted, scored, "normal");
    expect(beats.map(({ at }) => at)).toEqual(beats.map(({ at }) => at).sort((one, other) => one - other));
    const slides = beats.flatMap((beat) => (beat.kind === "slide" ? [beat.events.map(({ row }) => row)] : []));
    for (const rows of slides) expect(new Set(rows).size).toBe(1);
    expect(slides.flat().length).toBe(scored.tiling.length);
    expect(slides.map(([row]) => row)).toEqual(slides.map(([row]) => row).sort());
  });

  it("bonuses, one kind at a time, are what the server says", () => {
    const { beats } = script(drafted, scored, "normal");
    for (const bonus of scored.bonuses) {
      const sum = beats
        .flatMap((beat) => (beat.kind === "bonus" ? beat.bonuses : []))
        .filter((each) => each.bonus.seat === bonus.seat)
        .reduce((total, { points }) => total + points, 0);
      expect(sum).toBe(bonus.points);
    }
  });

  it("what is outlined for a bonus is as many as the server counts", () => {
    for (const bonus of scored.bonuses) {
      const { wall } = after.position.boards[bonus.seat]!;
      for (const kind of ["rows", "columns", "colors"] as const) expect(complete(wall, kind).length).toBe(bonus[kind]);
    }
  });

  it("the outlined runs are as long as what they score", () => {
    let position = drafted;
    for (const event of scored.tiling) {
      position = stages.afterTiling(position, event);
      if (event.type !== "tiled") continue;
      const wall = position.boards[event.seat]!.wall;
      expect(run(wall, event.row, event.column, "across").length).toBe(Math.max(1, event.horizontal));
      expect(run(wall, event.row, event.column, "down").length).toBe(Math.max(1, event.vertical));
    }
  });

  it("every tile taken has a way to go", () => {
    const flights = draftFlights(before.position, happening).filter(({ piece }) => piece === happening.drafted!.color);
    expect(flights.length).toBe(happening.drafted!.taken);
    expect(new Set(flights.map(({ to }) => to[0])).size).toBe(flights.length);
  });
});

it("the worst round of four players stays within six seconds, or two", () => {
  const { position } = fixture("scoring4")[0]!;
  const tiling = [0, 1, 2, 3].flatMap((seat) =>
    [0, 1, 2, 3, 4].map((row) => ({ type: "tiled" as const, seat, row, column: 2, color: "B", horizontal: 3, vertical: 3, points: 6 })),
  );
  const floors = [0, 1, 2, 3].map((seat) => ({ seat, penalty: 14, lost: 14 }));
  const boards = position.boards.map((board) => ({ ...board, floor: [2, 2, 1, 1, 1] }));
  const full = { tiling, floors, bonuses: [], deal: position.displays };
  expect(script({ ...position, boards }, full, "normal").lasts).toBeLessThanOrEqual(6000);
  expect(script({ ...position, boards }, full, "normal").lasts).toBeGreaterThan(3000);
  expect(script({ ...position, boards }, full, "fast").lasts).toBeLessThanOrEqual(2000);
  expect(script({ ...position, boards }, full, "instant").lasts).toBe(0);
});

it("a move in the middle of a round is exactly what the server says", () => {
  for (const name of ["middle2", "middle3", "middle4"]) {
    const [before, after] = fixture(name);
    const { seat, drafted } = after!.log.at(-1)!;
    const position = stages.afterDraft(before!.position, seat!, drafted!);
    expect(position.boards).toEqual(after!.position.boards);
    expect(position.center).toEqual(after!.position.center);
    expect(position.marker).toBe(after!.position.marker);
  }
});

describe("ways", () => {
  it("the rest of a display goes to the center", () => {
    const [before, after] = fixture("middle4");
    const flights = draftFlights(before!.position, after!.log.at(-1)!);
    expect(flights.filter(({ to }) => to[0]?.startsWith("c")).map(({ piece }) => piece)).toEqual(["Y", "R", "W"]);
  });
  it("a line that fits nowhere goes to the floor", () => {
    const { position } = fixture("gray2")[1]!;
    const fell = { type: "fell" as const, seat: 1, row: 1, color: "B", count: 2, to_lid: 0 };
    expect(tilingFlights(position, fell).map(({ to }) => to[0])).toEqual(["f1.2", "f1.3"]);
  });
  it("the marker goes home from where it lies", () => {
    const { position } = fixture("gray2")[1]!;
    const orders = position.boards.map((board) => arrange([], board));
    expect(markerFlights(position, orders)[0]?.from[0]).toBe("f1.0");
  });
});

describe("which frame comes next", () => {
  const [first, second] = fixture("middle2");
  const bare = { ...second!, log: first!.log };
  it("nothing new", () => expect(next(first!, [first!]).do).toBe("rest"));
  it("the next one is played", () => expect(next(first!, [first!, second!])).toEqual({ do: "play", frame: second }));
  it("what only is to be shown is shown", () => expect(next(first!, [bare]).do).toBe("jump"));
  it("a gap is jumped over", () => expect(next(first!, [{ ...second!, version: 90 }]).do).toBe("jump"));
  it("back is a jump", () => expect(next(second!, [first!])).toEqual({ do: "jump", frame: first }));
  it("an undo of the same version number shows the other position", () => {
    expect(next(second!, [{ ...first!, version: second!.version }]).do).toBe("jump");
  });
});
