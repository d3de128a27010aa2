// @vitest-environment happy-dom
import { readFileSync } from "node:fs";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { compile, Module } from "../engine/module";
import { Rules } from "../engine/rules";
import { Editing } from "./editing.svelte";
import { type Arrow, type Box, nextBox } from "./navigation";
import type { Place } from "./places";
import { emptySketch, MARKER } from "./sketch";

const SLOT: Place = { kind: "display", display: 0, slot: 0 };
let rules: Rules;
let editing: Editing;

beforeAll(async () => {
  rules = new Rules(
    new Module(await compile(readFileSync(new URL("../engine/generated/azulejos.wasm", `file://${import.meta.filename}`)))),
  );
});

beforeEach(() => {
  editing = new Editing(rules, emptySketch(2, "std"));
});

const key = (name: string, more: KeyboardEventInit = {}) => new KeyboardEvent("keydown", { key: name, cancelable: true, ...more });
const typed = (name: string, place: Place = SLOT) => {
  const event = key(name);
  editing.key(event, place);
  return event.defaultPrevented;
};

describe("undo and redo", () => {
  it("go back and forth, and a new change ends the way forth", () => {
    editing.press(SLOT);
    editing.held = "R";
    editing.press(SLOT);
    editing.undo();
    expect(editing.sketch.plates[0]![0]).toBe("B");
    editing.redo();
    expect(editing.sketch.plates[0]![0]).toBe("R");
    editing.undo();
    editing.undo();
    expect([editing.canUndo, editing.canRedo]).toEqual([false, true]);
    editing.clear(); // changes nothing
    expect(editing.canRedo).toBe(true);
    editing.take({ kind: "marker" }); // nor does this
    expect(editing.canRedo).toBe(true);
    editing.deal();
    expect([editing.canUndo, editing.canRedo]).toEqual([true, false]);
    editing.clear();
    expect(editing.sketch).toEqual(emptySketch(2, "std"));
  });

  it("have the usual keys", () => {
    editing.press(SLOT);
    editing.history(key("z"));
    expect(editing.canUndo).toBe(true);
    editing.history(key("z", { ctrlKey: true }));
    expect([editing.canUndo, editing.canRedo]).toEqual([false, true]);
    editing.history(key("Z", { metaKey: true, shiftKey: true }));
    editing.history(key("z", { ctrlKey: true }));
    editing.history(key("y", { ctrlKey: true }));
    expect([editing.canUndo, editing.canRedo]).toEqual([true, false]);
  });
});

describe("a key on a place", () => {
  it("puts and takes, and says what lies there now", () => {
    expect(typed("y")).toBe(true);
    expect([editing.sketch.plates[0]![0], editing.said]).toEqual(["Y", "Display 1, tile 1: yellow"]);
    expect(typed("Delete")).toBe(true);
    expect([editing.sketch.plates[0]![0], editing.said]).toEqual([null, "Display 1, tile 1: empty"]);
    typed("F", { kind: "floor", seat: 1, space: 0 });
    expect(editing.sketch.boards[1]!.floor[0]).toBe(MARKER);
  });

  it("is left to the browser where it means nothing here", () => {
    expect([typed("q"), typed("Tab"), typed("Enter")]).toEqual([false, false, false]);
    const copying = key("b", { ctrlKey: true });
    editing.key(copying, SLOT);
    expect([copying.defaultPrevented, editing.canUndo]).toEqual([false, false]);
  });
});

describe("an arrow", () => {
  const box = (left: number, top: number, width = 10, height = 10): Box => ({ left, top, right: left + width, bottom: top + height });
  //  0 1 2
  //  3   4
  const BOXES = [box(0, 0), box(20, 0), box(40, 0), box(0, 20, 30), box(40, 20)];
  const next = (from: number, arrow: Arrow) => {
    const others = BOXES.filter((_, at) => at !== from);
    return BOXES.indexOf(others[nextBox(arrow, BOXES[from]!, others)]!);
  };

  it.each<[number, Arrow, number]>([
    [0, "ArrowRight", 1],
    [1, "ArrowRight", 2],
    [2, "ArrowRight", -1],
    [2, "ArrowLeft", 1],
    [2, "ArrowDown", 4],
    [1, "ArrowDown", 3],
    [4, "ArrowLeft", 3],
    [4, "ArrowUp", 2],
    [3, "ArrowDown", -1],
  ])("from %i, %s leads to %i", (from, arrow, to) => expect(next(from, arrow)).toBe(to));
});
