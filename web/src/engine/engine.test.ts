import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { ACTION_NAMES, BY_HAND, DEAL_DUE, DRAFTING, ENDED_BY_ROW, OPPONENTS, OVER, STATE, WEIGHTS_FORMAT } from "./generated/bindings";
import { compile, Module } from "./module";
import { fieldsOf, Rules, type State } from "./rules";
import { Thinker } from "./thinker";
import { readWeights } from "./weights";

const file = (name: string) => new Uint8Array(readFileSync(new URL(`./generated/${name}`, import.meta.url)));
const NETWORK = "two-std.weights";
const NET = OPPONENTS.at(-1)!.ways["2-std"];
let compiled: WebAssembly.Module;
let rules: Rules;

beforeAll(async () => {
  compiled = await compile(file("azulejos.wasm"));
  rules = new Rules(new Module(compiled));
});

const fresh = (): State => rules.deal(rules.start({ players: 2, wall: "std", seed: 1n, starter: 0 }));

describe("module", () => {
  test("what is cut short or foreign is said in a sentence", async () => {
    await expect(compile(file("azulejos.wasm").slice(0, 5000))).rejects.toThrow(/^The game's module cannot be read: .+/);
    await expect(compile(file("bindings.ts"))).rejects.toThrow(/^The game's module cannot be read: .+/);
    const empty = new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]));
    expect(() => new Module(empty)).toThrow("The game's module is foreign, or of another version");
    const other = file("azulejos.wasm");
    other.set(new TextEncoder().encode("stomp"), Buffer.from(other).indexOf("stamp"));
    expect(() => new Module(new WebAssembly.Module(other))).toThrow("The game's module is foreign, or of another version");
  });

  test("memory is given back", () => {
    const module = new Module(compiled);
    const mark = module.mark;
    const at = module.take(1_000_000);
    expect(at).toBe(mark);
    module.bytes(at, 10).fill(7);
    module.release(mark);
    expect(module.take(10)).toBe(mark);
    expect([...module.bytes(mark, 10)]).toEqual(Array(10).fill(0));
  });

  test("more memory than there can be is refused in a sentence", () => {
    expect(() => new Module(compiled).take(2 ** 33)).toThrow("There is no memory for 8590 MB more.");
  });
});

describe("rules", () => {
  test("a game from its first deal to its end", () => {
    let state = fresh();
    expect(state.length).toBe(STATE.bytes);
    expect(fieldsOf(state).get("phase")).toBe(DRAFTING);
    while (fieldsOf(state).get("phase") !== OVER) {
      if (fieldsOf(state).get("phase") === DEAL_DUE) state = rules.deal(state);
      state = rules.step(state, rules.greedy(state)).state;
    }
    expect(rules.endReason(state)).toBe(ENDED_BY_ROW);
    expect(rules.winners(state)).not.toEqual([]);
    expect(rules.legalActions(state)).toEqual([]);
  });

  test("a state that goes in is not changed", () => {
    const state = fresh();
    const copy = state.slice();
    const [action] = rules.legalActions(state);
    expect(rules.step(state, action!).state).not.toEqual(state);
    expect(state).toEqual(copy);
  });

  test("what is not allowed has a reason, what is allowed has none", () => {
    const state = fresh();
    const legal = new Set(rules.legalActions(state));
    const refused = [...ACTION_NAMES.keys()].filter((action) => rules.refusal(state, action)[0] !== 0);
    expect(refused).toEqual([...ACTION_NAMES.keys()].filter((action) => !legal.has(action)));
  });

  test("previews say what a step does", () => {
    for (const { action, taken } of rules.previews(fresh())) {
      const before = fieldsOf(fresh());
      const [source, color] = [Math.floor(action / 30), Math.floor(action / 6) % 5];
      expect(taken).toBe(before.get("displays", source, color));
    }
  });
});

describe("weights", () => {
  test("cut short, damaged, foreign or of another version: a sentence with the file's name", async () => {
    const whole = file(NETWORK);
    const damaged = whole.slice();
    damaged[damaged.length - 1000]! ^= 255;
    const head = new TextDecoder().decode(whole.subarray(0, whole.indexOf(10)));
    const changed = (from: string, to: string) => new TextEncoder().encode(`${head.replace(from, to)}\n`);
    await expect(readWeights(whole.slice(0, 100_000), "a")).rejects.toThrow('The weights "a" are cut short or damaged.');
    await expect(readWeights(whole.slice(0, 100), "b")).rejects.toThrow('"b" is not a file of weights.');
    await expect(readWeights(damaged, "c")).rejects.toThrow(/^The weights "c" are (cut short or )?damaged\.$/);
    await expect(readWeights(file("azulejos.wasm"), "d")).rejects.toThrow('"d" is not a file of weights.');
    await expect(readWeights(new Uint8Array(0), "e")).rejects.toThrow('"e" is not a file of weights.');
    await expect(readWeights(changed('"features":', '"features":1'), "f")).rejects.toThrow(/^The weights "f" are of another version: .+/);
    await expect(readWeights(changed(WEIGHTS_FORMAT, "weights-7"), "g")).rejects.toThrow(
      /^The weights "g" are of another version: weights-7/,
    );
  });
});

describe("thinker", () => {
  test("a search by hand finds something, and always the same", async () => {
    const thinker = new Thinker(new Module(compiled), "small", 2, BY_HAND, null);
    const first = await thinker.search(fresh(), { nodes: 500 });
    const again = await thinker.search(fresh(), { nodes: 500 });
    expect(first.nodes).toBe(500);
    expect(first.candidates.reduce((sum, { visits }) => sum + visits, 0)).toBe(499); // the first was the position itself
    expect(again.candidates).toEqual(first.candidates);
    expect(rules.legalActions(fresh())).toContain(first.candidates[0]!.action);
  });

  test("a search with the network can be stopped and says what it has found", async () => {
    const weights = await readWeights(file(NETWORK), NETWORK);
    const thinker = new Thinker(new Module(compiled), "large", 2, NET, weights);
    let asked = 0;
    const told: number[] = [];
    const report = await thinker.search(fresh(), {}, { stop: () => ++asked > 5, tell: ({ nodes }) => told.push(nodes) });
    expect(report.nodes).toBeGreaterThan(0);
    expect(report.nodes).toBeLessThan(20_000);
    expect(told.at(-1)).toBe(report.nodes);
    const [answer, second] = thinker.evaluate([fresh(), fresh()]);
    expect(answer!.win[0]! + answer!.win[1]!).toBeCloseTo(1, 5);
    expect(answer!.logits.every(Number.isFinite)).toBe(true);
    expect(second).toEqual(answer);
    expect(() => thinker.evaluate(Array<State>(17).fill(fresh()))).toThrow("The network answers for 16 positions at once, not for 17.");
  });

  test("a round that is being solved can be stopped after every few ends", async () => {
    const weights = await readWeights(file(NETWORK), NETWORK);
    const module = new Module(compiled);
    const thinker = new Thinker(module, "large", 2, NET, weights);
    const { exports } = module;
    const asking = vi.fn((...given: Parameters<typeof exports.ask_about_ends>) => exports.ask_about_ends(...given));
    Object.defineProperty(module, "exports", { value: { ...exports, ask_about_ends: asking } });
    let state = fresh();
    const whole = [];
    while (whole.length === 0) {
      state = rules.step(state, rules.greedy(state)).state;
      asking.mockClear();
      const { solved } = await thinker.search(state, { milliseconds: 1 });
      if (solved) whole.push(asking.mock.calls.length);
    }
    expect(whole[0]).toBeGreaterThan(1); // one question is not all of it
    for (const most of [1, 2]) {
      asking.mockClear();
      let checked = 0;
      const report = await thinker.search(state, {}, { stop: () => ++checked === most });
      expect(asking).toHaveBeenCalledTimes(most);
      expect(report.solved).toBe(true);
      expect(rules.legalActions(state)).toContain(report.candidates[0]!.action);
    }
  });

  test("missing weights and another number of players are named", () => {
    const module = new Module(compiled);
    expect(() => new Thinker(module, "small", 2, NET, null)).toThrow('The weights "two-std" are missing.');
    const thinker = new Thinker(module, "small", 3, BY_HAND, null);
    expect(() => thinker.expectsTheEnd(fresh())).toThrow("A position with another number of players.");
  });
});
