// @vitest-environment happy-dom
import { flushSync, mount, tick, unmount } from "svelte";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { Rules } from "../engine/rules";
import { House, ME, rulesFromFile, sensible } from "../heard/house";
import { decide } from "../local/commands";
import { pace } from "../local/pace.svelte";
import { recordText, type Replay, replayOfText } from "../local/replay";
import { api } from "../net/api";
import { after } from "../net/live";
import type { Setup, Welcome } from "../net/messages";
import { keepTable, ownTable } from "../net/own";
import { lastSpoken, spokenSince } from "../parts/spoken.svelte";
import { settings } from "../settings/settings.svelte";
import { router } from "../shell/router.svelte";
import { gameIn, unpacked } from "../study/link";
import AfterGame from "./AfterGame.svelte";
import PaceBar from "./PaceBar.svelte";
import { goOn } from "./rematch";
import TableRoom from "./TableRoom.svelte";

const asked = vi.hoisted((): { replay: () => Promise<unknown> } => ({ replay: () => Promise.reject(new Error("nobody asked")) }));
vi.mock("../local/tables", () => ({
  replayOfTable: () => asked.replay(),
  isKept: () => Promise.resolve(true),
  localRecord: () => Promise.resolve("the record"),
}));

const [RUI, EVA] = [1, 2];
const SEATS: Setup["seats"] = ["Ana", "Rui", "Eva"].map((name) => ({ kind: "here", name }));
let rules: Rules;
let shown: Record<string, unknown> | null = null;
let begun = 0;

beforeAll(async () => {
  rules = await rulesFromFile();
});
beforeEach(() => {
  vi.useFakeTimers();
  Object.assign(settings, { language: "en", speed: "instant", sounds: false, confirm: false, name: "Ana", vibration: true });
  localStorage.clear();
  begun = lastSpoken();
});
afterEach(async () => {
  if (shown) await unmount(shown);
  shown = null;
  document.body.replaceChildren();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const house = (): House => new House(rules, { wall: "std", seats: SEATS, starter: 0 }, 5, "room");
const said = (): string[] => spokenSince(begun).map(({ text }) => text);
const press = (...keys: string[]): void =>
  keys.forEach((key) => {
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    flushSync();
  });

async function wait(milliseconds = 20): Promise<void> {
  await vi.advanceTimersByTimeAsync(milliseconds);
  flushSync();
}

/** Opens the page of a table. */
async function sit(at: House): Promise<void> {
  vi.stubGlobal("WebSocket", function open() {
    return at;
  });
  shown = mount(TableRoom, { target: document.body, props: { id: "room", secrets: ["me"] } });
  at.onopen?.();
  await wait();
}

/** My move, and those of the others. */
function play(at: House): void {
  at.happen({ type: "decided", seat: ME, move: sensible(at.options(ME)) });
  at.letPlay();
}

describe("what was played while I was away", () => {
  const away = (): House => {
    const at = house();
    play(at);
    keepTable("room", { secrets: ["me"], seen: 1 });
    return at;
  };

  it("is shown move by move when I come back", async () => {
    const at = away();
    asked.replay = () => Promise.resolve<Replay>(replayOfText(rules, recordText(rules, at.table)));
    await sit(at);
    await wait();
    expect(said()).toEqual([expect.stringMatching(/^Rui: /), expect.stringMatching(/^Eva: /), "Your turn"]);
    expect(ownTable("room")?.seen).toBe(3);
  });

  it("keeps the table itself waiting for no more than a moment", async () => {
    asked.replay = () => new Promise(() => undefined);
    await sit(away());
    expect(document.querySelector(".table")).toBeNull();
    await wait(1500);
    expect(document.querySelector(".table")).not.toBeNull();
    expect(said()).toEqual(["Your turn"]);
  });
});

it("tiles in my hand go back when an opponent takes back the move before", async () => {
  const at = house();
  await sit(at);
  play(at);
  await wait();
  const [source, color] = sensible(at.options(ME)).replace("c", "0");
  press(source!, color!);
  expect(document.querySelectorAll("[aria-pressed=true]")).toHaveLength(1);
  at.happen(decide(at.table, { type: "undo", seat: EVA, version: at.table.version }));
  await wait();
  expect(document.querySelectorAll("[aria-pressed=true], .line.lit")).toHaveLength(0);
  at.letPlay();
  await wait();
  expect(said().slice(-2)).toEqual([expect.stringMatching(/^Eva: /), "Your turn"]);
  expect(document.querySelectorAll("[aria-pressed=true], .line.lit")).toHaveLength(0);
});

it.each([true, false])("my turn is felt if I want that: %s", async (vibration) => {
  const vibrate = vi.fn();
  vi.stubGlobal("navigator", Object.assign(Object.create(navigator), { vibrate, userActivation: { hasBeenActive: true } }));
  settings.vibration = vibration;
  const at = house();
  await sit(at);
  at.happen({ type: "decided", seat: ME, move: sensible(at.options(ME)) });
  at.letPlay(1);
  await wait();
  expect(vibrate).not.toHaveBeenCalled();
  at.letPlay();
  await wait();
  expect(vibrate).toHaveBeenCalledTimes(vibration ? 1 : 0);
});

describe("a rematch", () => {
  it("that somebody else wants is offered over the result", async () => {
    const go = vi.spyOn(router, "go").mockImplementation(() => undefined);
    const at = house();
    await sit(at);
    for (const seat of [RUI, EVA]) at.happen({ type: "resigned", seat });
    await wait();
    const dialog = document.querySelector("dialog")!;
    const named = (name: string) => [...dialog.querySelectorAll("button")].find(({ textContent }) => textContent === name);
    expect([!!named("Rematch"), !!named("Join")]).toEqual([true, false]);
    at.happen({ type: "rematched", table: "next" });
    await wait();
    expect(dialog.textContent).toContain("The next game is ready.");
    expect(named("Rematch")).toBeUndefined();
    named("Join")!.click();
    await wait();
    expect(go).toHaveBeenCalledExactlyOnceWith("/t/next");
  });

  it.each([
    [false, 0],
    [true, 1],
  ])("takes the links along by which friends are invited again; with the same tiles (%s) a friend has seat %i", async (same, seat) => {
    vi.spyOn(router, "go").mockImplementation(() => undefined);
    const { info } = house().table;
    vi.spyOn(api, "look").mockResolvedValue({ table: { ...info, same_tiles: same } } as Welcome);
    keepTable("room", { secrets: ["me"], invitations: [{ seat: 1, secret: "rui" }] });
    await goOn("room", "next");
    expect(ownTable("next")).toMatchObject({ secrets: ["me"], invitations: [{ seat, secret: "rui" }], over: false, seen: 0 });
  });
});

it("a game that only this browser has is shared with itself in the link", async () => {
  vi.useRealTimers();
  const writeText = vi.spyOn(navigator.clipboard, "writeText").mockResolvedValue();
  const at = new House(rules, { wall: "std", seats: SEATS, starter: 0 }, 5);
  for (const seat of [RUI, EVA]) at.happen({ type: "resigned", seat });
  const live = after(null, at.table.welcome(0))!;
  shown = mount(AfterGame, { target: document.body, props: { live, next: null, onrematch: () => undefined } });
  flushSync();
  [...document.querySelectorAll("button")].find(({ textContent }) => textContent === "Share")!.click();
  await vi.waitFor(() => expect(writeText).toHaveBeenCalledOnce());
  const link = new URL(writeText.mock.lastCall![0]);
  expect(link.pathname).toBe("/analysis");
  expect(await unpacked(gameIn(link.search, link.hash)!)).toBe("the record");
  await vi.waitFor(() => expect(said()).toEqual(["Copied."]));
});

it("computers among themselves are paused, moved on and hurried by their bar", async () => {
  const step = vi.spyOn(pace, "step");
  shown = mount(PaceBar, { target: document.body });
  flushSync();
  const [toggle, forward] = document.querySelectorAll("button");
  expect(toggle!.getAttribute("aria-label")).toBe("Pause");
  toggle!.click();
  flushSync();
  expect([pace.paused, toggle!.getAttribute("aria-label")]).toEqual([true, "Run"]);
  forward!.click();
  expect(step).toHaveBeenCalledOnce();
  const speed = document.querySelector("select")!;
  vi.spyOn(speed, "querySelector").mockReturnValue(speed.options[2]!); // this DOM does not know which option is chosen
  speed.dispatchEvent(new Event("change", { bubbles: true }));
  await tick();
  expect(pace.speed).toBe("fast");
  await unmount(shown);
  shown = null;
  expect(pace.paused).toBe(false); // the next table begins by itself
  pace.speed = "normal";
});
