// @vitest-environment happy-dom
import { flushSync, mount, tick, unmount } from "svelte";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { LevelInfo, NewTable } from "../net/messages";
import { FULL_STRENGTH } from "../words/names";
import NewGame from "./NewGame.svelte";

const levels: LevelInfo[] = [
  { level: 8, name: "master", rating: 2035 },
  { level: FULL_STRENGTH, name: "full strength", rating: 2704 },
];
const PATIENCE = { timeout: 20_000 };
let shown: Record<string, unknown> | null = null;
let asked: NewTable[] = [];

function answer(address: string, init: RequestInit): Promise<Response> {
  if (address === "/api/levels") return Promise.resolve(Response.json(levels));
  asked.push(JSON.parse(init.body as string) as NewTable);
  return Promise.resolve(Response.json({ code: "busy" }, { status: 503 }));
}

const select = (): HTMLSelectElement => document.querySelector(".seat select")!;
const options = (): string[] => [...select().options].map((option) => option.text);

async function choose(index: number): Promise<void> {
  const list = select();
  list.selectedIndex = index;
  list.querySelector = () => list.selectedOptions[0]; // this DOM does not know which option is `:checked`
  list.dispatchEvent(new Event("change", { bubbles: true }));
  await tick();
}

beforeEach(() => {
  asked = [];
  vi.stubGlobal("fetch", vi.fn(answer));
  shown = mount(NewGame, { target: document.body });
  flushSync();
});

afterEach(() => {
  if (shown) void unmount(shown);
  document.body.replaceChildren();
  vi.unstubAllGlobals();
});

it("offers the levels and, after them, full strength with the rating that the server tells", async () => {
  await vi.waitFor(() => expect(options().at(-1)).toBe("Full strength (rating 2704)"), PATIENCE);
  expect(options()).toHaveLength(FULL_STRENGTH);
  expect(options()[7]).toBe("8 – Master (rating 2035)");
  expect(options()[0]).toBe("1 – Beginner");
  expect(select().selectedOptions[0]?.text).toBe("2 – Casual");
});

it("asks for a table with full strength as a number", async () => {
  await choose(FULL_STRENGTH - 1);
  expect(document.querySelectorAll(".seat .note")[1]?.textContent).toContain("The strongest here");
  document.querySelector("form")!.dispatchEvent(new SubmitEvent("submit", { bubbles: true, cancelable: true }));
  await vi.waitFor(() => expect(document.querySelector("[role=alert]")).not.toBeNull(), PATIENCE);
  expect(asked).toHaveLength(1);
  expect(asked[0]?.seats[1]).toEqual({ kind: "computer", level: FULL_STRENGTH });
});
