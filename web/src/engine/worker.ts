/** The worker that thinks: one question after the other, news while it thinks, and an end as soon as somebody says stop. */
import { Analyst, Stopped } from "./analyst";
import { BY_HAND, DRAFTING, PLACING } from "./generated/bindings";
import { Module } from "./module";
import { Networks } from "./networks";
import { FULL_STRENGTH, type Opponent, opponentOf, wayAt } from "./opponents";
import type { Answers, Choice, FromWorker, Inquiry, Question, Thought, ToWorker } from "./questions";
import { fieldsOf, Rules, type State } from "./rules";
import { type Limits, type Size, Thinker, type Way } from "./thinker";
import type { Weights } from "./weights";

/** So many searches are kept in memory; with one more all of it is given back. */
const MOST_THINKERS = 3;
/** Ways that look at no more positions make do with little memory. */
const FEW_NODES = 1000;
/** How long a question waits for a network before rules of thumb stand in for it. */
const WAIT_MILLISECONDS = 1000;

/** What this needs of the worker's global scope. */
interface Scope {
  postMessage(message: FromWorker): void;
  onmessage: ((event: { data: ToWorker }) => void) | null;
}

const scope = self as unknown as Scope;
const networks = new Networks((name, progress) => scope.postMessage({ type: "network", name, progress }));
const waiting: Question[] = [];
/** The questions that nobody wants answered any more. */
const stopped = new Set<number>();
/** Ends the wait for a network, if somebody waits. */
let giveUp: () => void = () => undefined;
const thinkers = new Map<string, Thinker>();
let compiled: WebAssembly.Module | null = null;
let module: Module | null = null;
let analyst: { readonly key: string; readonly analyst: Analyst } | null = null;
let busy = false;

scope.onmessage = ({ data }) => {
  switch (data.type) {
    case "begin":
      compiled = data.module;
      break;
    case "prepare": {
      const { weights } = wayAt(numbered(data.opponent), data.players, data.gray ? "gray" : "std");
      if (weights) networks.load(weights).catch(() => undefined);
      break;
    }
    case "ask":
      waiting.push(data.question);
      void work();
      break;
    case "stop":
      stopped.add(data.id);
      giveUp();
  }
};

async function work(): Promise<void> {
  if (busy) return;
  busy = true;
  for (let question = waiting.shift(); question; question = waiting.shift()) {
    const { id } = question;
    try {
      scope.postMessage({ type: "answer", id, answer: await answerTo(question) });
    } catch (error) {
      scope.postMessage({ type: "failed", id, reason: (error as Error).message });
    }
    stopped.delete(id);
  }
  busy = false;
}

function answerTo(question: Question): Promise<Answers[keyof Answers]> {
  return question.kind === "choose" ? think(question.id, question) : inquire(question.id, question);
}

async function inquire(id: number, inquiry: Inquiry): Promise<Answers[keyof Answers]> {
  const stop = () => stopped.has(id);
  const state = inquiry.kind === "sketch" ? inquiry.states[0]! : inquiry.state;
  const asked = await analystFor(id, state, inquiry.nodes);
  if (inquiry.kind === "sketch") return asked.sketch(inquiry.states);
  if (inquiry.kind === "look") return asked.look(state, inquiry.played, stop);
  return asked.explain(state, inquiry.played, inquiry.best, stop);
}

/** The analyst of a kind of game; it has a module of its own, and another kind takes its place. */
async function analystFor(id: number, state: State, nodes: number): Promise<Analyst> {
  const fields = fieldsOf(state);
  const [players, wall] = [fields.get("players"), fields.get("gray") ? "gray" : "std"] as const;
  const key = JSON.stringify([players, wall, nodes]);
  if (analyst?.key === key) return analyst.analyst;
  const way = wayAt(numbered(FULL_STRENGTH), players, wall);
  const weights = await unlessStopped(id, networks.load(way.weights!));
  if (!compiled) throw new Error("asked before the module came");
  const own = new Module(compiled);
  analyst = { key, analyst: new Analyst(own, new Rules(own), players, way, weights, nodes) };
  return analyst.analyst;
}

function numbered(number: number): Opponent {
  const opponent = opponentOf(number);
  if (!opponent) throw new Error(`there is no opponent ${number}`);
  return opponent;
}

async function think(id: number, { state, opponent: number, limits, drawn }: Choice): Promise<Thought> {
  const fields = fieldsOf(state);
  const players = fields.get("players");
  const opponent = numbered(number);
  let way = wayAt(opponent, players, fields.get("gray") ? "gray" : "std");
  const weights = await weightsFor(id, way);
  const stoodIn = way.weights !== null && !weights;
  if (stoodIn) way = opponent.withoutNetwork;
  const room: Limits = limits ?? usual(way, opponent, fields.get("phase") === DRAFTING);
  let thinker = thinkerFor(way, room, players, weights);
  if (way.lastRoundByHand && !room.nodes && thinker.expectsTheEnd(state)) thinker = thinkerFor(BY_HAND, room, players, null);
  const report = await thinker.search(state, room, {
    tell: (found) => scope.postMessage({ type: "news", id, report: found }),
    stop: () => stopped.has(id),
  });
  return { report, action: thinker.choose(report, drawn).action, stoodIn };
}

/** How long an opponent thinks by itself. */
function usual(way: Way, { milliseconds }: Opponent, drafting: boolean): Limits {
  return way.nodes ? { nodes: way.nodes } : { milliseconds: drafting ? milliseconds : milliseconds / PLACING };
}

/** The network of a way of thinking, if it is there in time. */
async function weightsFor(id: number, { weights }: Way): Promise<Weights | null> {
  if (weights === null) return null;
  const late = new Promise<null>((resolve) => setTimeout(() => resolve(null), WAIT_MILLISECONDS));
  return unlessStopped(id, Promise.race([networks.load(weights).catch(() => null), late]));
}

/** What comes, unless somebody says stop before it has. */
function unlessStopped<T>(id: number, coming: Promise<T>): Promise<T> {
  const stop = new Promise<never>((_, reject) => {
    giveUp = () => (stopped.has(id) ? reject(new Stopped()) : undefined);
    giveUp();
  });
  return Promise.race([stop, coming]);
}

function thinkerFor(way: Way, limits: Limits, players: number, weights: Weights | null): Thinker {
  if (!compiled) throw new Error("asked before the module came");
  const size: Size = way.nodes > 0 && way.nodes <= FEW_NODES && limits.nodes === way.nodes ? "small" : "large";
  const key = JSON.stringify([size, players, way]);
  const known = thinkers.get(key);
  if (known) return known;
  if (!module || thinkers.size >= MOST_THINKERS) {
    thinkers.clear();
    module = new Module(compiled); // a module's memory only grows: a new one lets go of all of it
  }
  const thinker = new Thinker(module, size, players, way, weights, BigInt(Math.floor(Math.random() * 2 ** 32)));
  thinkers.set(key, thinker);
  return thinker;
}
