import { describe, expect, it } from "vitest";
import { layout, READABLE, TOUCH, towards, type Box, type Layout } from "./layout";

/** What the page's own heading leaves: it stands at the side of a screen that is wide and very low. */
function room(width: number, height: number): [number, number] {
  return height <= 430 && width >= 560 ? [width - 48, height] : [width, height - (width < 600 ? 44 : 48)];
}
/** Too small for targets of 44 pixels with three or four players, and no reason to scroll. */
const TIGHT: [number, number][] = [
  [320, 568],
  [568, 320],
  [320, 454],
];
const SIZES: [number, number][] = [
  [360, 640],
  [375, 667],
  [390, 844],
  [412, 915],
  [667, 375],
  [740, 300],
  [844, 326],
  [844, 390],
  [932, 430],
  [960, 540],
  [600, 960],
  [768, 1024],
  [820, 1180],
  [1024, 768],
  [1180, 820],
  [1280, 720],
  [1280, 800],
  [1366, 768],
  [1920, 1080],
  [2560, 1440],
];
const ALL = [...TIGHT, ...SIZES];
/** Screens on which opponents' boards are complete. */
const TABLETS = SIZES.filter(([width, height]) => Math.min(width, height) >= 720);

function overlaps(places: Layout): number {
  let most = 0;
  places.plates.forEach((one, index) =>
    places.plates.slice(index + 1).forEach((other) => {
      most = Math.max(most, places.plate - Math.hypot(one.x - other.x, one.y - other.y));
    }),
  );
  return most;
}

/** How far down everything reaches. */
function depth(places: Layout): number {
  if (places.mode === "tall") {
    const above = places.opponents === "strip" ? places.strip : 7.1 * places.small + 44;
    return places.offer.height + places.board.height + above + places.status + 6;
  }
  if (places.mode === "flat") return Math.max(places.offer.height, places.board.height) + places.strip + 2;
  return Math.max(places.offer.height, places.board.height) + places.status + (places.opponents === "across" ? 7.1 * places.small + 44 : 0);
}

describe.each([2, 3, 4])("%i players", (players) => {
  it.each(ALL)("%i x %i: own board and all displays without scrolling", (width, height) => {
    const [across, down] = room(width, height);
    const places = layout(across, down, players);
    expect(places.fits).toBe(true);
    expect(depth(places)).toBeLessThanOrEqual(down + 0.5);
  });

  it.each(ALL)("%i x %i: nothing is wider than the room, no plates overlap, the center is free", (width, height) => {
    const [across, down] = room(width, height);
    const places = layout(across, down, players);
    expect(places.plates.length).toBe({ 2: 5, 3: 7, 4: 9 }[players]);
    expect(overlaps(places)).toBeLessThan(1.5);
    for (const { x, y } of places.plates) {
      expect(x - places.plate / 2).toBeGreaterThanOrEqual(-0.5);
      expect(x + places.plate / 2).toBeLessThanOrEqual(places.offer.width + 0.5);
      expect(y + places.plate / 2).toBeLessThanOrEqual(places.offer.height + 0.5);
    }
    const { center } = places;
    expect(center.y + center.height / 2).toBeLessThanOrEqual(places.offer.height + 0.5);
    expect(center.width).toBeLessThanOrEqual(places.offer.width + 0.5);
    const used = places.mode === "tall" ? places.board.width : places.offer.width + places.board.width;
    expect(used).toBeLessThanOrEqual(across);
  });

  it.each(SIZES)("%i x %i: tiles and lines are large enough for a finger", (width, height) => {
    const places = layout(...room(width, height), players);
    const { columns } = places.center;
    expect(places.plate / 2).toBeGreaterThanOrEqual(TOUCH - 0.5);
    expect(places.center.width / columns).toBeGreaterThanOrEqual(TOUCH - 0.5);
    expect((places.center.height / 6) * columns).toBeGreaterThanOrEqual(TOUCH - 0.5);
    expect(places.pitch).toBeGreaterThanOrEqual(TOUCH - 0.5);
    expect(places.floor).toBeGreaterThanOrEqual(TOUCH - 0.5);
  });

  it.each(SIZES.filter(([, height]) => height <= 430))("%i x %i: tiles are as large on the board as on the displays", (width, height) => {
    const { tile, cell } = layout(...room(width, height), players);
    expect(cell).toBeGreaterThanOrEqual(0.85 * tile);
    expect(cell).toBeGreaterThan(26);
  });

  it.each(TIGHT)("%i x %i: all of them are as large as fits", (width, height) => {
    const places = layout(...room(width, height), players);
    expect(Math.min(places.plate / 2, places.pitch, places.floor)).toBeGreaterThanOrEqual(27);
  });

  it.each(TABLETS)("%i x %i: opponents' boards can be read", (width, height) => {
    const places = layout(...room(width, height), players);
    expect(places.opponents).not.toBe("strip");
    expect(places.small).toBeGreaterThanOrEqual(READABLE);
  });

  it.each([
    [360, 640],
    [390, 844],
    [1280, 800],
  ])("%i x %i with text of double size: everything fits", (width, height) => {
    const [across, down] = room(width, height);
    expect(layout(across, down, players, 2).fits).toBe(true);
  });
});

describe("arrow keys", () => {
  const box = (x: number, y: number, width = 4): Box => ({ x, y, width, height: 4 });
  const places = [box(10, 2), box(30, 0), box(0, 20)];
  it("go to the nearest in that direction", () => expect(towards(box(0, 0), places, "ArrowRight")).toBe(0));
  it("go down", () => expect(towards(box(0, 0), places, "ArrowDown")).toBe(2));
  it("stay where nothing is", () => expect(towards(box(0, 0), places, "ArrowUp")).toBeNull());
  it("go from a wide floor to the line above it, and to no other", () =>
    expect(towards(box(0, 40, 100), [box(20, 30, 20), box(24, 20, 16), box(60, 10)], "ArrowUp")).toBe(0));
  it("do not turn round a corner", () => expect(towards(box(20, 30), [box(10, 0), box(18, 20)], "ArrowLeft")).toBeNull());
});
