import { readFileSync } from "node:fs";
import { inflateSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { Analyst } from "./analyst";
import { OPPONENTS, PARTS } from "./generated/bindings";
import { Judge, type Receipt } from "./judge";
import { compile, Module } from "./module";
import { readMove, readPosition } from "./notation";
import { isDecision } from "./replay";
import { Rules } from "./rules";
import { Thinker } from "./thinker";
import { readWeights, type Weights } from "./weights";

const file = (name: string) => new Uint8Array(readFileSync(new URL(`./generated/${name}`, import.meta.url)));
const puzzles = inflateSync(readFileSync(new URL("../../../src/azulejos/analysis/puzzles.deflate", import.meta.url)))
  .toString()
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as { position: string; solutions: string[]; theme: string });
const WAY = OPPONENTS.at(-1)!.ways["2-std"];
const NODES = 400;
const never = () => false;
let module: Module;
let weights: Weights;

beforeAll(async () => {
  module = new Module(await compile(file("azulejos.wasm")));
  weights = await readWeights(file("two-std.weights"), "two-std.weights");
});

/** Puzzles of two players whose rounds are not so near their end that they are solved, and some that are. */
const some = ["blocking", "end of round"].flatMap((theme) =>
  puzzles.filter((puzzle) => puzzle.theme === theme && /^std ([^/ ]+\/){4}[^/ ]+ /.test(puzzle.position)).slice(0, 2),
);

describe("a wrong answer to a puzzle", () => {
  it("is explained by reasons and by what follows both moves until the round is over", async () => {
    const rules = new Rules(module);
    const analyst = new Analyst(module, rules, 2, WAY, weights, NODES);
    for (const { position, solutions } of some) {
      const state = readPosition(position, rules);
      const best = readMove(solutions[0]!);
      const wrong = rules.legalActions(state).findLast((action) => !solutions.map(readMove).includes(action))!;
      const look = await analyst.look(state, wrong, never);
      const lines = [wrong, best].map((first) => look.lines.find(({ actions }) => actions[0] === first)!.actions);
      const explained = await analyst.explain(state, lines[0]!, lines[1]!, never);
      expect(explained.reasons.length).toBeGreaterThan(0);
      for (const [at, actions] of explained.lines.entries()) {
        expect(actions.slice(0, lines[at]!.length)).toEqual(lines[at]);
        const end = actions.reduce((now, action) => {
          expect(rules.refusal(now, action)[0]).toBe(0);
          return rules.step(now, action).state;
        }, state);
        expect(isDecision(end)).toBe(false);
      }
    }
  });
});

describe("what a move is worth", () => {
  it("is the same in a hint and in a review, and play only orders it otherwise", async () => {
    const rules = new Rules(module);
    const analyst = new Analyst(module, rules, 2, WAY, weights, NODES);
    const thinker = new Thinker(module, "large", 2, WAY, weights);
    for (const { position } of some) {
      const state = readPosition(position, rules);
      const { lines } = await analyst.look(state, null, never);
      for (const settled of [true, false]) {
        const { candidates } = await thinker.search(state, { nodes: NODES, settled });
        if (settled) expect(candidates[0]!.action).toBe(lines[0]!.actions[0]);
        for (const { value, actions } of lines) {
          const { win, margin } = candidates.find(({ action }) => action === actions[0])!;
          expect({ win, margin }).toEqual(value);
        }
      }
    }
  });
});

it("a receipt adds up as it is shown, in whole points and in whole percent", () => {
  const judge = new Judge(module);
  for (const numbers of [
    [0.5, -9.4, -11.4, 14.4, -0.1],
    [0.4, 0.4, 0.4, 0.4, 0.4],
    [-0.5, -0.5, -0.5, -0.5, 8],
    [1.2, 3.4, -5.6, 7.8, -6.8],
  ]) {
    const all = [...numbers, numbers.reduce((sum, each) => sum + each, 0)];
    const receipt = Object.fromEntries(PARTS.map((part, at) => [part, { win: all[at]! / 100, margin: all[at]! }])) as unknown as Receipt;
    const rounded = judge.rounded(receipt);
    for (const [what, unit] of [
      ["margin", 1],
      ["win", 0.01],
    ] as const) {
      const shown = PARTS.map((part) => Math.round(rounded[what][part] / unit));
      expect(shown.slice(0, -1).reduce((sum, each) => sum + each, 0)).toBe(shown.at(-1));
      expect(shown.at(-1)).toBe(Math.round(all.at(-1)!));
      for (const [at, part] of shown.entries()) expect(Math.abs(part - all[at]!)).toBeLessThan(1.000001);
    }
  }
});
