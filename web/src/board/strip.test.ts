// @vitest-environment happy-dom
import { flushSync, mount, unmount } from "svelte";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { SeatInfo } from "../net/messages";
import { fixture } from "./fixtures";
import { DEFAULT_SETTINGS, type TableProps } from "./props";
import Table from "./Table.svelte";

const oninvite = vi.fn();
let shown: Record<string, unknown>;

function table(seats: SeatInfo[], more: Partial<TableProps> = {}, name = "middle4"): void {
  const frames = fixture(name).slice(-1);
  const { wall } = frames[0]!.position;
  const props: TableProps = {
    table: { id: "t", wall, created: "", commitment: "", seats },
    frames,
    you: { seats: [0] },
    settings: { ...DEFAULT_SETTINGS, speed: "instant", sounds: false },
    oninvite,
    ...more,
  };
  shown = mount(Table, { target: document.body, props });
  flushSync();
}

const chips = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>(".chip")];
const me: SeatInfo = { kind: "here", name: "Ana", joined: true };

beforeEach(() => oninvite.mockClear());
afterEach(() => {
  void unmount(shown);
  document.body.replaceChildren();
});

describe("the strip", () => {
  it("says who is away, has resigned or is replaced, to the eye and to the ear", () => {
    const friend = { kind: "friend", joined: true } as const;
    table([me, { ...friend, name: "Rui" }, { ...friend, name: "Eva", resigned: true }, { ...friend, name: "Max", substitute: 3 }], {
      present: [true, false, true, false],
    });
    const states = ["away", "resigned", "computer plays"];
    expect(chips().map((chip) => chip.querySelector<HTMLElement>(".state")?.dataset["text"])).toEqual(states);
    chips().forEach((chip, index) => expect(chip.ariaLabel ?? chip.getAttribute("aria-label")).toContain(states[index]));
  });

  it("says what the floor costs and how much time is left", () => {
    const seats = [me, ...["Rui", "Eva"].map((name) => ({ kind: "friend" as const, name, joined: true }))];
    table(seats, { clock: { left: [300_000, 61_000, 300_000], running: [] } }, "middle3");
    const [rui] = chips();
    expect(rui?.querySelector(".penalty")?.getAttribute("data-text")).toBe("−1");
    expect(rui?.querySelector(".clock")?.getAttribute("data-text")).toBe("1:01");
    expect(rui?.getAttribute("aria-label")).toMatch(/^Rui, .* costs 1.* 1:10 left$/);
  });

  it("tells computers of one level apart by a number that is never cut off", () => {
    table([me, ...[2, 2, 2].map((level) => ({ kind: "computer" as const, name: "", level }))]);
    expect(chips().map((chip) => chip.querySelector(".number")?.textContent)).toEqual([" 1", " 2", " 3"]);
  });

  it("draws every color in a shape of its own", () => {
    table([me, ...["Rui", "Eva", "Max"].map((name) => ({ kind: "friend" as const, name, joined: true }))], {}, "end4");
    const drawn = new Map(
      [...document.querySelectorAll(".mini path")].map((path) => [path.getAttribute("data-color"), path.getAttribute("d")]),
    );
    expect([...drawn.keys()].sort()).toEqual(["B", "K", "R", "W", "Y"]);
    expect(new Set(drawn.values()).size).toBe(5);
  });
});

describe("a friend who has not come yet", () => {
  const awaited = { kind: "friend", name: "Rui", joined: false } as const;

  it("is what the table waits for, with the link at hand", () => {
    table([me, awaited], { waiting: [1], present: [true, false] }, "start2");
    expect(document.querySelector(".status")?.textContent).toContain("Waiting for Rui to join");
    [...document.querySelectorAll("button")].find(({ textContent }) => textContent === "Invite")?.click();
    expect(oninvite).toHaveBeenCalledOnce();
  });

  it("does not keep me from my own move", () => {
    table([me, awaited], { waiting: [0], present: [true, false] }, "start2");
    expect(document.querySelector(".status")?.textContent).toContain("Your turn");
  });
});
