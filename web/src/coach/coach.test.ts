import { readFileSync } from "node:fs";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { Stopped, type Look, type Value } from "../engine/analyst";
import { ACTION_NAMES } from "../engine/generated/bindings";
import { Judge } from "../engine/judge";
import { Module, compile } from "../engine/module";
import { readMove } from "../engine/notation";
import { Rules } from "../engine/rules";
import { Table } from "../local/table";
import { type Live, after } from "../net/live";
import { Coach, type Verdict } from "./coach.svelte";
import type { Mind } from "./mind";
import { isAsBad, leastMark, pupilAt } from "./strictness";
import { summaryText } from "./words";

let rules: Rules;
let judge: Judge;
/** What each move loses of the chance to win; the others lose nothing. */
let losses: Record<string, number>;
let looked: string[];
let warming: Promise<void>;
/** While there is one, whoever looks waits for it. */
let gate: Promise<void> | null;
let coach: Coach;

const value = (win: number): Value => ({ win: [win, 1 - win], margin: [40 * win, -40 * win] });

const mind: Mind = {
  get rules() {
    return rules;
  },
  get judge() {
    return judge;
  },
  warm: () => warming,
  async look(state, action, signal): Promise<Look> {
    await gate;
    if (signal.aborted) throw new Stopped();
    looked.push(ACTION_NAMES[action]!);
    const loss = losses[ACTION_NAMES[action]!] ?? 0;
    const line = (win: number, first: number) => ({ value: value(win), visits: 1, actions: [first] });
    const best = loss
      ? line(
          0.6,
          rules.legalActions(state).find((each) => each !== action)!,
        )
      : line(0.6, action);
    const played = line(0.6 - loss, action);
    return { best: best.value, error: null, played, lines: [best, line(0.6 - loss / 2, action)], exact: false, dealt: null };
  },
  explain: () => Promise.resolve({ reasons: [{ code: "floor", seat: 0, row: 0, points: 3 }], lines: [[], []] }),
  close: () => undefined,
};

beforeAll(async () => {
  const module = await compile(readFileSync(new URL("../engine/generated/azulejos.wasm", import.meta.url)));
  rules = new Rules(new Module(module));
  judge = new Judge(new Module(module));
});
beforeEach(() => {
  vi.useFakeTimers();
  losses = {};
  looked = [];
  gate = null;
  warming = Promise.resolve();
  coach = new Coach(() => Promise.resolve(mind));
});
afterEach(() => vi.useRealTimers());

/** A table against a computer of the page's own. */
class Game {
  table: Table;
  live: Live;

  constructor(seed = "a", wall: "std" | "gray" = "std") {
    const seats = [
      { kind: "here" as const, name: "Ana" },
      { kind: "computer" as const, level: 2 },
    ];
    const making = { id: `local-${seed}`, created: "", setup: { wall, seats, starter: 0, clock: null }, secret: seed.repeat(64) };
    ({ table: this.table } = Table.make(rules, making).after({ type: "started" }));
    this.live = after(null, this.table.welcome(0))!;
  }

  get options(): string[] {
    return this.live.frames.at(-1)!.position.options.map(({ move }) => move);
  }

  do(event: Parameters<Table["after"]>[0]): void {
    ({ table: this.table } = this.table.after(event));
    this.live = after(this.live, this.table.welcome(0))!;
    coach.follow(this.live);
  }

  play(move: string): void {
    this.do({ type: "decided", seat: this.table.game.waiting[0]!, move });
  }

  /** The person makes a move; the coach is asked. */
  ask(move: string, least: "blunder" | "mistake" | "inaccuracy" = "mistake"): Promise<Verdict> {
    return coach.consider(this.live, move, 0, least);
  }
}

const settled = () => vi.advanceTimersByTimeAsync(0);

describe("how strict it is", () => {
  it("follows the level, or what was chosen", () => {
    expect([1, 3, 4, 6, 7, 9].map((level) => leastMark("auto", level))).toEqual([
      "blunder",
      "blunder",
      "mistake",
      "mistake",
      "inaccuracy",
      "inaccuracy",
    ]);
    expect(leastMark("inaccuracy", 1)).toBe("inaccuracy");
    expect(leastMark("off", 9)).toBeNull();
    expect([isAsBad("", "inaccuracy"), isAsBad("mistake", "blunder"), isAsBad("blunder", "mistake")]).toEqual([false, false, true]);
  });

  it("has nothing to say where people play with each other", () => {
    const { live } = new Game();
    expect(pupilAt(live)).toBe(0);
    const [me, other] = live.table.seats;
    const at = (seats: typeof live.table.seats, mine: number[]) => pupilAt({ table: { ...live.table, seats }, you: { seats: mine } });
    expect(at([me!, { ...other!, kind: "friend" }], [0])).toBeNull();
    expect(at([me!, { ...other!, kind: "here" }], [0, 1])).toBeNull();
    expect(at([{ ...me!, substitute: 3 }, other!], [0])).toBeNull();
    expect(at(live.table.seats, [])).toBeNull();
  });
});

describe("a move", () => {
  it("is not spoken of before it was made", async () => {
    const game = new Game();
    await coach.warm(game.live);
    coach.follow(game.live);
    await coach.reach(game.live);
    expect([coach.objection, coach.summary, coach.looking, looked]).toEqual([null, null, false, []]);
  });

  it("that is good enough is played at once", async () => {
    const game = new Game();
    const [move] = game.options;
    losses[move!] = 0.12;
    expect(await game.ask(move!, "blunder")).toBe("play");
    expect(coach.objection).toBeNull();
  });

  it.each(["play", "back"] as const)("that is bad waits for the person, who says %s", async (verdict) => {
    const game = new Game();
    const [better, move] = game.options;
    losses[move!] = 0.12;
    const asked = game.ask(move!);
    await settled();
    expect(coach.objection).toMatchObject({ mark: "mistake", played: { move }, better: { move: better }, reasons: [{ code: "floor" }] });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(coach.objection).not.toBeNull();
    if (verdict === "play") coach.keep();
    else coach.takeBack();
    expect(await asked).toBe(verdict);
    expect(coach.objection).toBeNull();
  });

  it("is played when the coach takes too long, and what it finds out then is not said", async () => {
    const game = new Game();
    const [, move] = game.options;
    losses[move!] = 0.5;
    let open = (): void => undefined;
    gate = new Promise((resolve) => (open = resolve));
    const asked = game.ask(move!);
    await vi.advanceTimersByTimeAsync(1000);
    expect(await asked).toBe("play");
    open();
    await settled();
    expect([looked, coach.objection]).toEqual([[move], null]);
  });

  it("is judged late where the engine has yet to start, and played when that takes too long", async () => {
    const game = new Game();
    const [, move] = game.options;
    losses[move!] = 0.5;
    let open = (): void => undefined;
    warming = gate = new Promise((resolve) => (open = resolve));
    void coach.warm(game.live);
    const asked = game.ask(move!);
    await vi.advanceTimersByTimeAsync(3500);
    expect([coach.looking, coach.objection]).toEqual([true, null]);
    open();
    await settled();
    expect(coach.objection).toMatchObject({ mark: "blunder", played: { move } });
    coach.takeBack();
    expect(await asked).toBe("back");

    warming = gate = new Promise(() => undefined);
    void coach.warm(game.live);
    const late = game.ask(move!);
    await vi.advanceTimersByTimeAsync(6000);
    expect(await late).toBe("play");
  });

  it("is played when the coach fails", async () => {
    const game = new Game();
    coach = new Coach(() => Promise.reject(new Error("no module")));
    expect(await game.ask(game.options[1]!)).toBe("play");
  });

  it("is forgotten when the table changes under it, or another game begins", async () => {
    const game = new Game();
    const [first, move] = game.options;
    losses[move!] = 0.5;
    const asked = game.ask(move!);
    await settled();
    game.play(first!); // in another tab
    expect([await asked, coach.objection]).toEqual(["stale", null]);

    let open = (): void => undefined;
    gate = new Promise((resolve) => (open = resolve));
    const other = new Game("b");
    const late = coach.consider(other.live, other.options[1]!, 0, "mistake");
    coach.follow(new Game("c").live);
    expect(await late).toBe("stale");
    open();
    await settled();
    expect([looked, coach.objection]).toEqual([[move], null]);
  });

  it("that was forced is not looked at", async () => {
    const game = new Game();
    const { frames } = game.live;
    const position = { ...frames[0]!.position, options: frames[0]!.position.options.slice(0, 1) };
    game.live = { ...game.live, frames: [{ ...frames[0]!, position }] };
    expect(await game.ask(game.options[0]!)).toBe("play");
    expect(looked).toEqual([]);
  });
});

describe("a round", () => {
  /** Plays it to its end; the person's moves as the coach wants them. */
  async function playRound(game: Game, bad: number): Promise<string[]> {
    const own: string[] = [];
    const { round } = game.live.frames.at(-1)!.position;
    await coach.reach(game.live);
    while (game.live.frames.at(-1)!.position.round === round) {
      const move = game.options[0]!;
      if (game.table.game.waiting[0] === 0) {
        losses[move] = own.length === bad ? 0.3 : 0.001 * own.length;
        if (game.options.length > 1) own.push(move);
        const asked = game.ask(move, "blunder");
        await settled();
        coach.keep();
        await asked;
      }
      game.play(move);
    }
    await coach.reach(game.live);
    return own;
  }

  it("is summed up by its best and its worst decision, until the next move", async () => {
    const game = new Game();
    const own = await playRound(game, 1);
    expect(coach.summary).toMatchObject({ round: 1, worst: { move: own[1], loss: { win: expect.closeTo(0.3) as number } } });
    expect(own).toContain(coach.summary?.best?.move);
    expect(coach.summary?.best?.move).not.toBe(own[1]);
    void game.ask(game.options[0]!);
    expect(coach.summary).toBeNull();
  });

  it("without a mark has no worst decision, and one that was taken back is forgotten", async () => {
    const game = new Game();
    losses[game.options[5]!] = 0.4;
    const asked = game.ask(game.options[5]!);
    await settled();
    coach.takeBack();
    expect(await asked).toBe("back");
    losses = {};
    await playRound(game, -1);
    expect(coach.summary).toMatchObject({ round: 1, worst: null });
  });
});

it("sums up cells of the gray wall with the drafts, though all cells are told at once", async () => {
  const game = new Game("a", "gray");
  await coach.reach(game.live);
  while (!game.live.you.choosing?.some(({ seat }) => seat === 0)) game.play(game.options[0]!);
  let worst = "";
  for (let options; (options = game.live.you.choosing?.find(({ seat }) => seat === 0)?.options ?? []).length;) {
    const { move } = options[0]!;
    if (!worst && options.length > 1) losses[(worst = move)] = 0.3;
    const asked = game.ask(move, "blunder");
    await settled();
    coach.keep();
    expect(await asked).toBe("play");
    game.play(move);
  }
  expect(worst).not.toBe("");
  while (game.table.game.waiting[0] === 1 && game.live.you.choosing) game.play(ACTION_NAMES[game.table.game.own(1).actions[0]!]!);
  await coach.reach(game.live);
  expect(coach.summary).toMatchObject({ round: 1, worst: { move: worst } });
  expect(summaryText(coach.summary!)).toContain(`line ${worst[1]} →`);
});

it("judges the cell that was chosen on the gray wall, with what was chosen before", async () => {
  const game = new Game("a", "gray");
  while (!game.live.you.choosing?.some(({ seat, options }) => seat === 0 && options.length > 1)) game.play(game.options[0]!);
  const { options, chosen } = game.live.you.choosing[0]!;
  const move = options[1]!.move;
  expect(chosen).toEqual([]);
  losses[move] = 0.3;
  const asked = game.ask(move);
  await settled();
  expect(coach.objection).toMatchObject({ mark: "blunder", played: { move } });
  expect(readMove(coach.objection!.better.move)).not.toBe(readMove(move));
  coach.takeBack();
  expect(await asked).toBe("back");
});
