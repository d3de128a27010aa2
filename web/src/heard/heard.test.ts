// @vitest-environment happy-dom
/**
 * Whole games as they are heard, written down in tests/golden/heard_*.txt for people to read.
 *
 * `npm run heard` writes them anew; what changed is then to be read before it is kept.
 */
import { mount, unmount } from "svelte";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import type { Rules } from "../engine/rules";
import { decide } from "../local/commands";
import type { Setup } from "../net/messages";
import TableRoom from "../pages/TableRoom.svelte";
import Heard from "../parts/Heard.svelte";
import { settings } from "../settings/settings.svelte";
import { House, ME, rulesFromFile, sensible } from "./house";
import { Listener, plain } from "./listener";

const houses = vi.hoisted((): { now: unknown } => ({ now: null }));
vi.mock("../local/tables", () => ({ openLocal: () => houses.now, isKept: () => Promise.resolve(true) }));
vi.mock("../local/positions", () => ({
  own: {
    hint: () => Promise.resolve([{ move: sensible((houses.now as House).options(ME)), margin: 1.5, win: [1, 0], line: [] }]),
    comparison: () => Promise.resolve(null),
  },
}));

let rules: Rules;
let shown: Record<string, unknown>[] = [];
let listener: Listener;

beforeAll(async () => {
  rules = await rulesFromFile();
});
beforeEach(() => {
  Object.assign(settings, { language: "en", speed: "instant", sounds: false, confirm: false, name: "Ana" });
  localStorage.clear();
});
afterEach(() => {
  listener.stop();
  for (const each of shown) void unmount(each);
  document.body.replaceChildren();
});

/** Sits down at a table. */
async function sit(setup: Setup, seed: number, id?: string, mine?: number[]): Promise<House> {
  const house = new House(rules, setup, seed, id, mine);
  houses.now = house;
  vi.stubGlobal("WebSocket", function open() {
    return house;
  });
  listener = new Listener();
  const target = document.body;
  shown = [mount(Heard, { target }), mount(TableRoom, { target, props: { id: house.table.id, secrets: ["me"] } })];
  house.onopen?.();
  await listener.listen();
  return house;
}

/** Makes the move that seems best, by its keys; on the gray wall takes the first place that is offered. */
async function move(house: House): Promise<void> {
  if (house.table.you.choosing?.length) return listener.press("Enter");
  const seat = house.table.waiting.find((each) => house.mine.includes(each))!;
  await listener.press(...sensible(house.options(seat)).replace("c", "0"));
}

/** Something happens, and what is said of it is heard. */
async function happens(what: string, does: () => void): Promise<void> {
  listener.write(`- ${what}`);
  does();
  await listener.listen();
}

function press(name: string): void {
  [...document.querySelectorAll<HTMLElement>("dialog button, button")].find((each) => plain(each) === name)!.click();
}

/** Plays to the end of the game, or so many moves of mine. */
async function play(house: House, most = Infinity): Promise<void> {
  for (let count = 0; count < most && !house.table.result; count++) {
    house.letPlay();
    await listener.listen();
    const { version } = house.table;
    if (house.table.result) return;
    await move(house);
    if (house.table.version === version) throw new Error(`nothing came of what was typed:\n${listener.transcript.slice(-2000)}`);
  }
}

const heard = (name: string): Promise<void> => expect(listener.transcript).toMatchFileSnapshot(`../../../tests/golden/heard_${name}.txt`);

it.each([
  ["colored_wall", "std"],
  ["gray_wall", "gray"],
] as const)("a whole game on the %s", async (name, wall) => {
  const seats: Setup["seats"] = [{ kind: "here" }, { kind: "computer", level: 1 }];
  await play(await sit({ wall, seats, starter: 0 }, 1));
  await heard(name);
});

it("a whole game with friends", async () => {
  const [rui, eva] = [1, 2];
  const seats: Setup["seats"] = [{ kind: "here", name: "Ana" }, { kind: "friend" }, { kind: "friend" }];
  const house = await sit({ wall: "std", seats, starter: 0 }, 2, "heard");
  await happens("Rui comes", () => house.happen({ type: "joined", seat: rui }));
  await happens("and says his name", () => house.happen({ type: "renamed", seat: rui, name: "Rui" }));
  await happens("Eva does both", () => {
    house.happen({ type: "joined", seat: eva });
    house.happen({ type: "renamed", seat: eva, name: "Eva" });
  });
  await listener.press("9", "l", "1", "y", "b", "Escape");
  await play(house, 1);
  await listener.press("u");
  await play(house, 1);
  await happens("Rui moves", () => house.letPlay(1));
  await happens("and takes it back", () => house.happen(decide(house.table, { type: "undo", seat: rui, version: house.table.version })));
  await happens("Rui moves again, and Eva", () => house.letPlay());
  await happens("Rui sends a reaction", () => house.tell({ type: "emoted", seat: rui, emote: "well_played" }));
  await happens("so do I", () => house.tell({ type: "emoted", seat: ME, emote: "thanks" }));
  await listener.press("m", "h");
  await happens("I take the hint", () => press("Take the hint"));
  await play(house, 1);
  await happens("Eva loses her connection", () => house.appear(eva, false));
  await happens("Rui has her replaced", () => house.happen({ type: "substituted", seat: eva, level: 3 }));
  await play(house, 2);
  await happens("Eva is there again", () => house.appear(eva, true));
  await happens("and plays again", () => house.happen({ type: "came_back", seat: eva }));
  await play(house);
  await happens("Rui asks for a rematch", () => house.happen({ type: "rematched", table: "next" }));
  await heard("with_friends");
});

it("a round at one device on the gray wall", async () => {
  const seats: Setup["seats"] = [
    { kind: "here", name: "Ana" },
    { kind: "here", name: "Rui" },
  ];
  const house = await sit({ wall: "gray", seats, starter: 0 }, 3, undefined, [0, 1]);
  while (house.table.game.round === 1) {
    const curtain = document.querySelector<HTMLElement>(".curtain button");
    if (curtain) await happens(`${plain(curtain)}, it is said`, () => curtain.click());
    else await move(house);
  }
  await heard("at_one_device");
});

it("what happens besides moves", async () => {
  const [rui, eva] = [1, 2];
  const seats: Setup["seats"] = [
    { kind: "here", name: "Ana" },
    { kind: "friend", name: "Rui" },
    { kind: "friend", name: "Eva" },
  ];
  settings.confirm = true;
  const clock = { seconds: 600, increment: 0, at_zero: "computer" as const };
  const house = await sit({ wall: "std", seats, starter: 0, clock }, 4, "heard");
  for (const seat of [rui, eva]) house.happen({ type: "joined", seat });
  await listener.press(...sensible(house.options(ME)).replace("c", "0"), "Escape");
  await listener.press(...sensible(house.options(ME)).replace("c", "0"), "Enter");
  await happens("Rui's time is up", () => house.happen({ type: "timed_out", seat: rui }));
  await happens("a computer moves for him, and Eva resigns", () => {
    house.letPlay(1);
    house.happen({ type: "resigned", seat: eva });
  });
  await happens("a computer moves for her", () => house.letPlay());
  await happens("the network is lost", () => house.onclose?.());
  await happens("I try again, and it is there", () => {
    press("Try again");
    house.onopen?.();
  });
  await happens("Rui has me replaced", () => house.happen({ type: "substituted", seat: ME, level: 3 }));
  await happens("I come back", () => press("Take my seat back"));
  await happens("Rui comes back", () => house.happen({ type: "came_back", seat: rui }));
  await happens("I resign", () => house.happen({ type: "resigned", seat: ME }));
  await heard("besides_moves");
});
