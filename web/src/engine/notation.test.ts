import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { DEAL_DUE, OVER } from "./generated/bindings";
import { compile, Module } from "./module";
import { dealOf, readDeal, readMove, readPosition, writeDeal, writeMove, writePosition } from "./notation";
import { fieldsOf, Rules, type State, type Wall } from "./rules";

const KINDS = ([2, 3, 4] as const).flatMap((players) => (["std", "gray"] as const).map((wall) => [players, wall] as const));
const GAMES = 10;

let rules: Rules;
beforeAll(async () => {
  rules = new Rules(new Module(await compile(readFileSync(new URL("./generated/azulejos.wasm", import.meta.url)))));
});

/** Every state of a random game. */
function* randomGame(players: number, wall: Wall, seed: number): Generator<State> {
  let state = rules.start({ players, wall, seed: BigInt(seed), limit: 12 });
  let drawn = seed + 1;
  for (;;) {
    yield state;
    const phase = fieldsOf(state).get("phase");
    if (phase === OVER) return;
    if (phase === DEAL_DUE) {
      state = rules.deal(state);
      continue;
    }
    const legal = rules.legalActions(state);
    drawn = (Math.imul(drawn, 1103515245) + 12345) & 0x7fffffff;
    state = rules.step(state, legal[(drawn >> 8) % legal.length]!).state;
  }
}

/** A state without what a position line does not say: the random stream, and the limit of rounds. */
function said(state: State): string {
  const copy = state.slice();
  fieldsOf(copy).set("rng", 0);
  fieldsOf(copy).set("max_rounds", 0);
  return [...copy].join();
}

describe("positions", () => {
  it.each(KINDS)("of random games with %i players on the %s wall are read as they were written", (players, wall) => {
    let states = 0;
    for (let seed = 0; seed < GAMES; seed++) {
      for (const state of randomGame(players, wall, seed)) {
        const line = writePosition(state);
        const again = readPosition(line, rules);
        expect(said(again), line).toBe(said(state));
        expect(writePosition(again)).toBe(line);
        states++;
      }
    }
    expect(states).toBeGreaterThan(GAMES * 50);
  });
});

describe("moves and deals", () => {
  it("are read as they were written", () => {
    for (let action = 0; action < 325; action++) expect(readMove(writeMove(action))).toBe(action);
    const state = rules.deal(rules.start({ players: 4, wall: "std", seed: 3n }));
    const deal = dealOf(state);
    expect(readDeal(writeDeal(deal))).toEqual(deal);
  });
});
