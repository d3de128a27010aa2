import { describe, expect, it } from "vitest";
import { layout, STATUS, STRIP, TOUCH, towards, type Layout } from "./layout";

/** What the page's own heading leaves. */
const HEADING = 40;
const SIZES: [number, number][] = [
  [360, 640],
  [375, 667],
  [390, 844],
  [412, 915],
  [768, 1024],
  [820, 1180],
  [1024, 768],
  [1280, 720],
  [1280, 800],
  [1366, 768],
  [1920, 1080],
  [2560, 1440],
];

function overlaps(places: Layout): number {
  let most = 0;
  places.plates.forEach((one, index) =>
    places.plates.slice(index + 1).forEach((other) => {
      most = Math.max(most, places.plate - Math.hypot(one.x - other.x, one.y - other.y));
    }),
  );
  return most;
}

describe.each([2, 3, 4])("%i players", (players) => {
  it.each(SIZES)("%i x %i: own board and all displays without scrolling", (width, height) => {
    const places = layout(width, height - HEADING, players);
    expect(places.fits).toBe(true);
    const sum = places.mode === "tall" ? places.offer.height + places.board.height + STRIP + STATUS + 6 : places.offer.height;
    expect(sum).toBeLessThanOrEqual(height - HEADING + 0.5);
  });

  it.each([[320, 568], ...SIZES] as [number, number][])("%i x %i: nothing is wider than the room, no plates overlap", (width, height) => {
    const places = layout(width, height - HEADING, players);
    expect(places.plates.length).toBe({ 2: 5, 3: 7, 4: 9 }[players]);
    expect(overlaps(places)).toBeLessThan(1.5);
    for (const { x, y } of places.plates) {
      expect(x - places.plate / 2).toBeGreaterThanOrEqual(-0.5);
      expect(x + places.plate / 2).toBeLessThanOrEqual(places.offer.width + 0.5);
      expect(y + places.plate / 2).toBeLessThanOrEqual(places.offer.height + 0.5);
    }
    const used = places.mode === "tall" ? places.board.width : places.offer.width + places.board.width;
    expect(used).toBeLessThanOrEqual(width);
  });

  it.each([[320, 568], ...SIZES] as [number, number][])("%i x %i: tiles and lines are large enough for a finger", (width, height) => {
    const places = layout(width, height - HEADING, players);
    expect(places.plate / 2).toBeGreaterThanOrEqual(TOUCH - 0.5);
    expect(places.center.width / 3).toBeGreaterThanOrEqual(TOUCH - 0.5);
    expect(places.center.height / 2).toBeGreaterThanOrEqual(TOUCH - 0.5);
    expect(places.pitch).toBeGreaterThanOrEqual(TOUCH - 0.5);
    expect(places.floor).toBeGreaterThanOrEqual(TOUCH - 0.5);
  });
});

describe("arrow keys", () => {
  const places = [
    { x: 0, y: 0 },
    { x: 10, y: 2 },
    { x: 30, y: 0 },
    { x: 0, y: 20 },
  ];
  it("go to the nearest in that direction", () => expect(towards({ x: 0, y: 0 }, places, "ArrowRight")).toBe(1));
  it("go down", () => expect(towards({ x: 0, y: 0 }, places, "ArrowDown")).toBe(3));
  it("stay where nothing is", () => expect(towards({ x: 0, y: 0 }, places, "ArrowUp")).toBeNull());
});
