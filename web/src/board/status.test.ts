import { describe, expect, it } from "vitest";
import { fakeTable } from "../net/fake";
import { fixture } from "./fixtures";
import { NOTHING } from "./selection";
import { statusSaid } from "./status";

const position = fixture("middle2").at(-1)!.position;

const NOW = {
  stage: { bonus: null, scoring: false },
  position,
  table: fakeTable({
    seats: [
      { kind: "here", name: "Ana" },
      { kind: "computer", name: "Bruno" },
    ],
  }),
  names: ["Ana", "Bruno"],
  mine: [0],
  settled: true,
  active: false,
  readonly: false,
  note: null,
  pending: null,
  selection: NOTHING,
  choices: [],
  choosing: [],
  hint: null,
  waiting: [],
};

function said(more: object = {}): string {
  const now = { ...NOW, ...more };
  return statusSaid(now, now, now);
}

describe("the status line", () => {
  it("whose turn it is", () => {
    expect(said({ active: true, waiting: [0] })).toBe("Your turn");
    expect(said({ waiting: [1] })).toBe("Bruno is thinking");
    expect(said({ waiting: [1], readonly: true })).toBe("Bruno’s turn");
    expect(said({ mine: [0, 1], active: true, waiting: [0] })).toBe("Ana’s turn");
  });
  it("what to do, to somebody who has never moved", () => {
    expect(said({ active: true, waiting: [0], isNew: true })).toBe("Click tiles of one color, then a line");
    expect(said({ waiting: [1], isNew: true })).toBe("Bruno is thinking");
  });
  it("nothing of my turn while tiles still fly", () => expect(said({ settled: false, waiting: [0] })).toBe(""));
  it("what is in hand, then what is asked, then that it is on its way", () => {
    const held = { ...NOTHING, held: { source: 2, color: "B" as const } };
    expect(said({ active: true, selection: held })).toBe("2 blue in hand: choose a line");
    expect(said({ active: true, selection: { ...held, asked: 0 } })).toBe("Press again to play");
    expect(said({ active: true, selection: { ...held, asked: 0 }, pending: "2B1" })).toBe("Sending…");
  });
  it("a refusal before all that", () => expect(said({ note: "no", pending: "2B1", waiting: [1] })).toBe("no"));
  it("which color of the display that was typed", () =>
    expect(said({ selection: { ...NOTHING, source: 4 } })).toMatch(/^Display 4: which color\? (?:[BYRKW] [a-z]+(?:, )?)+$/));
  it("a hint with its margin to one decimal", () =>
    expect(said({ hint: { move: "2B1", margin: 1.26, win: [0.5, 0.5], line: [] }, active: true })).toBe(
      "Hint: 2 blue, display 2 → line 1 (+1.3)",
    ));
});
