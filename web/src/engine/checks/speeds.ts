/** How fast the module is here: the figures of `azulejos bench`, as far as a page has them. */
import { BATCH, BY_HAND, OPPONENTS, ROUND_LIMIT, TALLY_TOTAL_MOVES_AT } from "../generated/bindings";
import { compile, Module } from "../module";
import { Rules, type State } from "../rules";
import { Thinker, type Way } from "../thinker";
import { readWeights, type Weights } from "../weights";
import type { Read } from "./answers";

interface Speed {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
}

const GAMES = 10_000;
const REPEATS = 3;
const SEARCHED_GAMES = 8;
const SEARCH_MILLISECONDS = 250;
const BATCHES = 200;
const NET = OPPONENTS.at(-1)!.ways["2-std"];

/** Measures one after the other. */
export async function measure(read: Read): Promise<Speed[]> {
  const compiled = await compile(await read("azulejos.wasm"));
  const rules = new Rules(new Module(compiled));
  const states = [...Array(BATCH).keys()].map((seed) => rules.deal(rules.start({ players: 2, wall: "std", seed: BigInt(seed) })));
  const name = `${NET.weights}.weights`;
  const weights = await readWeights(await read(name), name);
  const found: Speed[] = [];
  for (const [players, wall] of [
    [2, "std"],
    [4, "std"],
    [2, "gray"],
  ] as const) {
    // prettier-ignore
    const moves = () => rules.simulate(GAMES, players, wall, 0n, ROUND_LIMIT)[TALLY_TOTAL_MOVES_AT]!;
    found.push({ name: `random games, ${players} players, ${wall} wall`, value: best(moves), unit: "moves/s" });
  }
  const thinker = new Thinker(new Module(compiled), "large", 2, NET, weights);
  const answers = () => [...Array(BATCHES).keys()].reduce((sum) => sum + thinker.evaluate(states).length, 0);
  found.push({ name: "search by hand", value: await searched(compiled, states, BY_HAND, null), unit: "positions/s" });
  found.push({ name: "search with the network", value: await searched(compiled, states, NET, weights), unit: "positions/s" });
  found.push({ name: "network alone, batches of 16", value: best(answers), unit: "positions/s" });
  return found;
}

/** The highest of a few measurements: other programs can only slow one down. */
function best(count: () => number): number {
  const speeds = [...Array(REPEATS).keys()].map(() => {
    const started = performance.now();
    return (1000 * count()) / (performance.now() - started);
  });
  return Math.max(...speeds);
}

async function searched(compiled: WebAssembly.Module, states: readonly State[], way: Way, weights: Weights | null): Promise<number> {
  const thinker = new Thinker(new Module(compiled), "large", 2, way, weights);
  await thinker.search(states[0]!, { milliseconds: SEARCH_MILLISECONDS }); // the browser's compiler does its best only now
  let nodes = 0;
  let milliseconds = 0;
  for (const state of states.slice(0, SEARCHED_GAMES)) {
    const report = await thinker.search(state, { milliseconds: SEARCH_MILLISECONDS });
    nodes += report.nodes;
    milliseconds += report.milliseconds;
  }
  return (1000 * nodes) / milliseconds;
}
