import { describe, expect, it } from "vitest";
import { fixture } from "./fixtures";
import { NOTHING, offerOf, reduce, type Offer, type Outcome, type Selection } from "./selection";

// std -/B2YR/-/BYRK/- FRKW4 : displays 2 and 4 have tiles, red, black and white lie in the center; seat 1 drafts.
const position = fixture("middle2")[1]!.position;
const offer = offerOf(position, false);

function keys(text: string, from: Offer = offer): Outcome {
  let outcome: Outcome = { selection: NOTHING };
  for (const key of text.split(" ")) outcome = reduce(outcome.selection, { type: "key", key }, from);
  return outcome;
}

describe("three keys make a move", () => {
  it("display, color, line", () => expect(keys("2 b 1").move).toBe("2B1"));
  it("0 is the center, capitals count too", () => expect(keys("0 W 3").move).toBe("cW3"));
  it("F is the floor", () => expect(keys("4 k f").move).toBe("4Kf"));
  it("an empty display is not taken", () => expect(keys("1").selection).toEqual(NOTHING));
  it("a color that is not there is not taken", () => expect(keys("2 k").selection.held).toBeNull());
  it("a digit after a digit chooses another display", () => expect(keys("2 4 k").selection.held).toEqual({ source: 4, color: "K" }));
  it("with tiles in hand 1-5 are lines, 0 is the center again", () => {
    expect(keys("2 b 0").selection).toEqual({ ...NOTHING, source: 0 });
  });
  it("another color of the same display changes hands", () => expect(keys("2 b y").selection.held).toEqual({ source: 2, color: "Y" }));
  it("F without tiles in hand does nothing", () => expect(keys("f").move).toBeUndefined());
  it("a wrong key says why", () => {
    expect(keys("1").missing).toEqual({ what: "source", source: 1, exists: true });
    expect(keys("9").missing).toEqual({ what: "source", source: 9, exists: false });
    expect(keys("2 k").missing).toEqual({ what: "color", color: "K", source: 2 });
    expect(keys("b").missing).toEqual({ what: "place", color: "B", anywhere: true });
    expect(keys("f").missing).toEqual({ what: "tiles" });
  });
  it("tiles that are put back lie flat", () => expect(keys("2 b Escape").selection).toEqual(NOTHING));
  it("taking tiles says so, for the focus", () => expect(keys("2 b").taken).toEqual({ source: 2, color: "B" }));
  it("a color that lies in one place needs no digit", () => expect(keys("w").selection.held).toEqual({ source: 0, color: "W" }));
  it("a color in two places needs one", () => expect(keys("b").selection.held).toBeNull());
  it("Escape puts back and says what", () => expect(keys("2 b Escape").released).toEqual({ source: 2, color: "B" }));
});

describe("pressing", () => {
  const group = { source: 2, color: "B" } as const;
  const held: Selection = { ...NOTHING, held: group, pointed: group };

  it("takes a group, a second time puts it back", () => {
    const once = reduce(NOTHING, { type: "press", group }, offer);
    expect(once.selection.held).toEqual(group);
    expect(reduce(once.selection, { type: "press", group }, offer).selection.held).toBeNull();
  });
  it("another group changes hands at once", () => {
    const other = { source: 4, color: "K" } as const;
    expect(reduce(held, { type: "press", group: other }, offer).selection.held).toEqual(other);
  });
  it("a line that was not offered is refused and the tiles stay in hand", () => {
    const outcome = reduce(held, { type: "place", line: 4 }, offer);
    expect(outcome.move).toBeUndefined();
    expect(outcome.refused).toEqual({ group, line: 4 });
    expect(outcome.selection.held).toEqual(group);
  });
  it("a line without tiles in hand says what is missing", () => {
    expect(reduce(NOTHING, { type: "place", line: 0 }, offer)).toEqual({ selection: NOTHING, missing: { what: "tiles" } });
  });
  it("every move offered can be made by hand", () => {
    for (const { move } of position.options) {
      const source = move[0] === "c" ? "0" : move[0];
      expect(keys(`${source} ${move[1]} ${move[2]}`).move).toBe(move);
    }
  });
  it("asks once more with the confirm setting", () => {
    const careful = offerOf(position, true);
    const first = reduce(held, { type: "place", line: 0 }, careful);
    expect(first.move).toBeUndefined();
    expect(first.selection.asked).toBe(0);
    expect(reduce(first.selection, { type: "place", line: 0 }, careful).move).toBe("2B1");
    expect(reduce(first.selection, { type: "place", line: 5 }, careful).selection.asked).toBe(5);
  });
  it("pointing never takes anything", () => {
    const pointed = reduce(NOTHING, { type: "point", group }, offer).selection;
    expect(pointed.pointed).toEqual(group);
    expect(pointed.held).toBeNull();
  });
});
