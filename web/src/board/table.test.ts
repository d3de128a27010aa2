// @vitest-environment happy-dom
import { flushSync, mount, tick, unmount } from "svelte";
import { afterEach, describe, expect, it, vi } from "vitest";
import { fakeTable } from "../net/fake";
import Heard from "../parts/Heard.svelte";
import { fixture } from "./fixtures";
import { DEFAULT_SETTINGS, type TableProps } from "./props";
import Table from "./Table.svelte";

let shown: Record<string, unknown>[] = [];

function table(more: Partial<TableProps> = {}, name = "middle2", seat = 0): void {
  const frames = more.frames ?? fixture(name).slice(-1);
  const seats = frames[0]!.position.boards.map((_, index) => ({
    kind: index === seat ? ("here" as const) : ("computer" as const),
    name: ["Ana", "Bruno", "Carla", "Dirk"][index]!,
  }));
  const props: TableProps = {
    table: { id: "t", wall: frames[0]!.position.wall, created: "", commitment: "", seats },
    frames,
    you: { seats: [seat], undo: [seat] },
    settings: { ...DEFAULT_SETTINGS, speed: "instant", sounds: false },
    ...more,
  };
  shown.push(mount(Table, { target: document.body, props }), mount(Heard, { target: document.body }));
  flushSync();
}

const button = (name: RegExp): HTMLButtonElement => {
  const found = [...document.querySelectorAll("button")].find((each) => name.test(each.getAttribute("aria-label") ?? ""));
  if (!found) throw new Error(`no button ${name}`);
  return found;
};
const press = (key: string): void => {
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  flushSync();
};
const click = async (element: HTMLElement): Promise<void> => {
  element.click();
  await tick();
  flushSync();
};

afterEach(() => {
  for (const each of shown) void unmount(each);
  shown = [];
  document.body.replaceChildren();
});

describe("the table", () => {
  it("two clicks make a move", async () => {
    const onplay = vi.fn();
    table({ onplay });
    await click(button(/^2 blue from display 2/));
    expect(button(/^2 blue from display 2/).getAttribute("aria-pressed")).toBe("true");
    await click(button(/^Line 1: empty, becomes 1 of 1/));
    expect(onplay).toHaveBeenCalledExactlyOnceWith("2B1", 0);
  });

  it("so do three keys", () => {
    const onplay = vi.fn();
    table({ onplay });
    for (const key of "0w3") press(key);
    expect(onplay).toHaveBeenCalledExactlyOnceWith("cW3", 0);
  });

  it("without the shortcuts setting they do not", () => {
    const onplay = vi.fn();
    table({ onplay, settings: { ...DEFAULT_SETTINGS, speed: "instant", shortcuts: false } });
    for (const key of "0w3") press(key);
    expect(onplay).not.toHaveBeenCalled();
  });

  it("a closed line plays nothing and says why", async () => {
    const onplay = vi.fn();
    table({ onplay });
    await click(button(/^2 blue from display 2/));
    await click(button(/^Line 2/));
    expect(onplay).not.toHaveBeenCalled();
    expect(document.querySelector(".status")?.textContent).toContain("line 2 is full");
    expect(document.querySelector("[aria-live]")?.textContent).toContain("line 2 is full");
  });

  it("a refused move can be made again", async () => {
    const onplay = vi.fn(() => false);
    table({ onplay });
    for (const key of "0w3") press(key);
    await tick();
    flushSync();
    for (const key of "0w3") press(key);
    expect(onplay).toHaveBeenCalledTimes(2);
  });

  it("while a move is on its way nothing else can be sent", () => {
    const onplay = vi.fn();
    table({ onplay });
    for (const key of "0w30w4") press(key);
    expect(onplay).toHaveBeenCalledTimes(1);
  });

  it("it is not my turn: nothing can be taken", async () => {
    const onplay = vi.fn();
    table({ onplay }, "middle2", 1);
    await click(button(/^2 blue from display 2/));
    for (const key of "0w3") press(key);
    expect(onplay).not.toHaveBeenCalled();
    expect(document.querySelector(".lit")).toBeNull();
  });

  it("readonly has no lines to press", () => {
    table({ readonly: true });
    expect(document.querySelector("[data-line]")).toBeNull();
  });

  it("U asks for the undo of my seat", () => {
    const onundo = vi.fn();
    table({ onundo });
    press("u");
    expect(onundo).toHaveBeenCalledExactlyOnceWith(0);
  });

  it("not while a move is on its way: it would be refused, or take back the one before", () => {
    const onundo = vi.fn();
    table({ onundo, onplay: vi.fn() });
    for (const key of "0w3u") press(key);
    expect(onundo).not.toHaveBeenCalled();
  });

  it("every display is a group, every color in it a button", () => {
    table();
    const group = document.querySelector('[role="group"][aria-label="Display 2: 2 blue, 1 yellow, 1 red"]');
    expect(group?.querySelectorAll("button").length).toBe(3);
  });

  it("on the gray wall a lit cell is chosen for its own seat", async () => {
    const onplay = vi.fn();
    const frames = fixture("gray2").slice(-1);
    const { boards, options } = frames[0]!.position;
    table({ onplay, frames, you: { seats: [1], choosing: [{ seat: 1, chosen: [], board: boards[1]!, options }] } }, "gray2", 1);
    await click(button(/^blue to row 2, column 1: \+2/));
    expect(onplay).toHaveBeenCalledExactlyOnceWith("t21", 1);
  });

  it("seen for the first time it shows the last move", () => {
    table({ frames: fixture("middle2").slice(-1) });
    expect(document.querySelectorAll(".plate.last, .center.last")).toHaveLength(1);
  });

  it("seen for the first time after a round it shows how it was scored, and outlines nothing on the new plates", async () => {
    table({ frames: fixture("scoring2").slice(-1) });
    expect(document.querySelectorAll(".plate.last, .center.last")).toHaveLength(0);
    await click(button(/^Moves and scores/));
    expect(document.querySelector("dialog table")?.textContent).toContain("Scores of round");
  });

  it("the end of the game is told once, with every number, and again on demand", async () => {
    const result = { reason: "row" as const, winners: [0], scores: [56, 41] };
    table({ frames: fixture("end2").slice(-1), table: fakeTable({ result }) });
    const open = (): string => document.querySelector("dialog")?.textContent ?? "";
    await vi.waitFor(() => expect(open()).toContain("You won!"), { timeout: 20_000 });
    await click(button(/^Close/));
    expect(open()).toBe("");
    await click([...document.querySelectorAll("button")].find(({ textContent }) => textContent === "Result")!);
    expect(open()).toContain("Scores of round");
  });

  it("of several on a page the one used last has the keys", () => {
    const onplay = [vi.fn(), vi.fn()];
    onplay.forEach((each) => table({ onplay: each }));
    for (const key of "0w3") press(key);
    expect(onplay.map((each) => each.mock.calls.length)).toEqual([0, 1]);
    document.querySelector<HTMLElement>("[data-group]")?.focus();
    for (const key of "0w3") press(key);
    expect(onplay.map((each) => each.mock.calls.length)).toEqual([1, 1]);
  });
});
