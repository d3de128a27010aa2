// @vitest-environment happy-dom
import { flushSync, mount, tick, unmount } from "svelte";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { OPPONENTS } from "../engine/generated/bindings";
import { RefusalError } from "../net/api";
import type { NewTable } from "../net/messages";
import { FULL_STRENGTH } from "../engine/opponents";
import NewGame from "./NewGame.svelte";

const local = vi.hoisted(() => ({ createTable: vi.fn() }));
vi.mock("../local/tables", () => local);

const PATIENCE = { timeout: 20_000 };
let shown: Record<string, unknown> | null = null;
let asked: NewTable[] = [];

function answer(_address: string, init: RequestInit): Promise<Response> {
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

async function submit(): Promise<void> {
  document.querySelector("form")!.dispatchEvent(new SubmitEvent("submit", { bubbles: true, cancelable: true }));
  await vi.waitFor(() => expect(document.querySelector("[role=alert]")).not.toBeNull(), PATIENCE);
}

it("offers the levels and, after them, full strength, each with its rating", () => {
  expect(options()).toHaveLength(OPPONENTS.length);
  expect(options().at(-1)).toBe(`Full strength (rating ${OPPONENTS.at(-1)!.rating})`);
  expect(options()[0]).toBe("1 – Beginner (rating 1000)");
  expect(select().selectedOptions[0]?.text).toContain("1 – Beginner");
});

it("makes a table of this browser's own against a computer", async () => {
  local.createTable.mockRejectedValue(new RefusalError("storage_full"));
  await choose(OPPONENTS.length - 1);
  expect(document.querySelectorAll(".seat .note")[1]?.textContent).toContain("The strongest here");
  await submit();
  expect(asked).toHaveLength(0);
  expect(local.createTable).toHaveBeenCalledOnce();
  expect((local.createTable.mock.calls[0]![0] as NewTable).seats[1]).toEqual({ kind: "computer", level: FULL_STRENGTH });
  expect(document.querySelector("[role=alert]")!.textContent).toContain("no room left");
});

it("asks the server for a table with a friend", async () => {
  const friend = document.querySelectorAll<HTMLInputElement>('input[value="friend"]')[1]!;
  friend.checked = true;
  friend.dispatchEvent(new Event("change", { bubbles: true }));
  await tick();
  await submit();
  expect(asked.map(({ seats }) => seats[1]?.kind)).toEqual(["friend"]);
});
