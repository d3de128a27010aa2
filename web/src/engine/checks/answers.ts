/** What tests ask of the module and of native code alike; the questions and answers are plain data. */
import { Analyst, type Played } from "../analyst";
import { BATCH, BY_HAND, OPPONENTS } from "../generated/bindings";
import { Judge } from "../judge";
import { compile, Module } from "../module";
import { parseRecord } from "../recordReader";
import { follow, Review } from "../review";
import { Rules, type State, type Wall } from "../rules";
import { Thinker, type Way } from "../thinker";
import { readWeights, type Weights } from "../weights";

/** Gets a file of the generated ones. */
export type Read = (name: string) => Promise<Uint8Array<ArrayBuffer>>;

/** States are texts of hexadecimal digits; all states of a question are of one kind of game. */
type Question =
  | { ask: "simulate"; games: number; players: number; wall: Wall; seed: string; limit: number }
  | { ask: "perft"; states: string[]; depths: number[] }
  | { ask: "search"; states: string[]; players: number; wall: Wall; network: boolean; nodes: number }
  | { ask: "level"; states: string[]; players: number; wall: Wall; level: number; drawn: number[] }
  | { ask: "evaluate"; states: string[]; players: number; wall: Wall }
  | { ask: "review"; record: string; nodes: number; players: number; wall: Wall };

const FULL_STRENGTH = OPPONENTS.length;

/** Answers questions one after the other with one module. */
export async function answerAll(questions: readonly Question[], read: Read): Promise<unknown[]> {
  const module = new Module(await compile(await read("azulejos.wasm")));
  const networks = new Map<string, Weights>();
  const answers: unknown[] = [];
  for (const question of questions) {
    const mark = module.mark;
    answers.push(await answer(module, question, networks, read));
    module.release(mark);
  }
  return answers;
}

async function answer(module: Module, question: Question, networks: Map<string, Weights>, read: Read): Promise<unknown> {
  if (question.ask === "simulate") {
    const { games, players, wall, seed, limit } = question;
    return new Rules(module).simulate(games, players, wall, BigInt(seed), limit);
  }
  if (question.ask === "perft") {
    const rules = new Rules(module);
    return question.states.map((state) => question.depths.map((depth) => rules.perft(stateOf(state), depth)));
  }
  const way = wayOf(question);
  if (way.weights !== null && !networks.has(way.weights)) {
    const name = `${way.weights}.weights`;
    networks.set(way.weights, await readWeights(await read(name), name));
  }
  const weights = way.weights === null ? null : networks.get(way.weights)!;
  if (question.ask === "review") return reviewed(module, question, way, weights!);
  const states = question.states.map(stateOf);
  const thinker = new Thinker(module, question.ask === "level" ? "small" : "large", question.players, way, weights);
  if (question.ask === "evaluate")
    return states.flatMap((_, at) => (at % BATCH === 0 ? thinker.evaluate(states.slice(at, at + BATCH)) : []));
  const found: unknown[] = [];
  for (const [at, state] of states.entries()) {
    const report = await thinker.search(state, { nodes: question.ask === "level" ? way.nodes : question.nodes });
    found.push(question.ask === "level" ? thinker.choose(report, question.drawn[at]!).action : report);
  }
  return found;
}

async function reviewed(module: Module, { record, nodes, players }: Question & { ask: "review" }, way: Way, weights: Weights) {
  const rules = new Rules(module);
  const game = follow(parseRecord(record), rules);
  const analyst = new Analyst(module, rules, players, way, weights, nodes);
  const stop = () => false;
  const review = new Review(game, new Judge(module));
  const asked = {
    sketch: (states: readonly State[]) => Promise.resolve(analyst.sketch(states)),
    look: (state: State, played: Played) => analyst.look(state, played, stop),
    explain: (state: State, played: readonly number[], best: readonly number[]) => analyst.explain(state, played, best, stop),
  };
  await review.run(
    [asked],
    () => 0,
    () => undefined,
    new AbortController().signal,
  );
  return {
    deals: game.steps.flatMap((_, at) => review.deal(at) ?? []),
    decisions: game.steps.flatMap((_, at) => {
      const decision = review.decision(at);
      return decision ? [{ ...decision, reasons: review.reasons(at) ?? [] }] : [];
    }),
    like: Array.from({ length: players }, (_, seat) => review.likeness(seat)),
    receipts: review.receipts(),
    finished: review.finished,
    fault: game.fault,
  };
}

function wayOf(question: Exclude<Question, { ask: "simulate" | "perft" }>): Way {
  if (question.ask === "search" && !question.network) return BY_HAND;
  const number = question.ask === "level" ? question.level : FULL_STRENGTH;
  return OPPONENTS[number - 1]!.ways[`${question.players}-${question.wall}` as "2-std"];
}

function stateOf(digits: string): State {
  return Uint8Array.from(digits.match(/../g)!, (pair) => Number.parseInt(pair, 16));
}
