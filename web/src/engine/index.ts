/** The package for other pages and programs; `api.ts` says what is in it. */
import type { Analysis, AnalyzeOptions, Azulejos, Finding, Load, NewGame, Outcome, SimulateOptions, Simulation } from "./api";
import { Fault } from "./fault";
import { BY_HAND, DEAL_DUE, END_REASONS, MAX_PLAYERS, OPPONENTS, OVER, WALLS } from "./generated/bindings";
import { compile, Module } from "./module";
import { readDeal, readMove, readPosition, writeMove, writePosition } from "./notation";
import { fieldsOf, Rules, type State } from "./rules";
import { simulate } from "./simulation";
import { type Report, Thinker, type Way } from "./thinker";
import { readWeights } from "./weights";
import { quoted, refusalSentence } from "./wording";

type Read = (name: string) => Promise<Uint8Array<ArrayBuffer>>;
type Limits = Pick<AnalyzeOptions, "nodes" | "milliseconds">;

const DEAL_SIGN = "=";
const SEED_BITS = 64n;
/** A search takes 100 MB: so many are kept, the search by hand being one. */
const MOST_THINKERS = 2;
const MOST_GAMES = 100_000_000;
const LONGEST_MILLISECONDS = 3_600_000;
const MOST_NODES = 2_000_000;
const ALONE: Limits = { milliseconds: OPPONENTS.at(-1)!.milliseconds };

/** Where the files are, each said in the way in which bundlers look for such files. */
const FILES: Readonly<Record<string, URL>> = {
  "azulejos.wasm": new URL("./azulejos.wasm", import.meta.url),
  "two-std.weights": new URL("./two-std.weights", import.meta.url),
  "two-gray.weights": new URL("./two-gray.weights", import.meta.url),
  "many.weights": new URL("./many.weights", import.meta.url),
  "gray.weights": new URL("./gray.weights", import.meta.url),
};

/** Loads the engine. */
export const load: Load = async ({ from } = {}) => {
  const read = (name: string) => readFile(from === undefined ? FILES[name]! : new URL(name, from));
  const compiled = await compile(await read("azulejos.wasm"));
  return new Engine(compiled, read);
};

/** Node reads its own files, and a browser fetches. */
async function readFile(url: URL): Promise<Uint8Array<ArrayBuffer>> {
  if (url.protocol === "file:" && typeof process === "object") {
    const { readFile } = process.getBuiltinModule("node:fs/promises"); // no import, which bundlers for browsers would stumble over
    return new Uint8Array(await readFile(url));
  }
  const response = await fetch(url);
  if (!response.ok) throw new Fault(`cannot load ${url.href}: ${response.status} ${response.statusText}`);
  return new Uint8Array(await response.arrayBuffer());
}

class Engine implements Azulejos {
  readonly #rules: Rules;
  /** One module for each way of thinking: its memory is its own. */
  readonly #thinkers = new Map<string, Promise<Thinker>>();
  /** A thinker thinks of one position at a time. */
  #busy: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly compiled: WebAssembly.Module,
    private readonly read: Read,
  ) {
    this.#rules = new Rules(new Module(compiled));
  }

  newGame({ players = 2, wall = "std", seed, starter }: NewGame = {}): string {
    checkTable(players, wall);
    if (starter !== undefined) checkWhole("starter", starter, 0, players - 1);
    return writePosition(this.#rules.deal(this.#rules.start({ players, wall, seed: seedOf(seed), starter })));
  }

  legalMoves(position: string): string[] {
    return this.#rules.legalActions(this.#state(position)).map(writeMove);
  }

  play(position: string, move: string): string {
    const state = this.#state(position);
    const isDeal = typeof move === "string" && move.startsWith(DEAL_SIGN);
    return writePosition(isDeal ? this.#dealt(state, move) : this.#moved(state, move));
  }

  isDealDue(position: string): boolean {
    return fieldsOf(this.#state(position)).get("phase") === DEAL_DUE;
  }

  deal(position: string, seed?: number | bigint): string {
    const state = this.#state(position);
    if (fieldsOf(state).get("phase") !== DEAL_DUE) throw new Fault(`no deal is due in ${quoted(position)}`);
    return writePosition(this.#rules.deal(this.#rules.seeded(state, seedOf(seed))));
  }

  outcome(position: string): Outcome | null {
    const state = this.#state(position);
    const fields = fieldsOf(state);
    if (fields.get("phase") !== OVER) return null;
    const scores = [...Array(fields.get("players")).keys()].map((seat) => fields.get("score", seat));
    return { reason: END_REASONS[this.#rules.endReason(state)]!, winners: this.#rules.winners(state), scores };
  }

  async analyze(position: string, { signal, tell, toPlay = false, ...given }: AnalyzeOptions = {}): Promise<Analysis> {
    const state = this.#state(position);
    if (this.#rules.legalActions(state).length === 0) throw new Fault(`there is no move to choose in ${quoted(position)}`);
    const limits = limitsOf(given);
    const seat = fieldsOf(state).get("seat");
    const analysis = (report: Report) => analysisOf(position, seat, report);
    const answer = this.#busy.then(async () => {
      const thinker = await this.#thinkerFor(state, limits);
      const told = tell && ((report: Report) => tell(analysis(report)));
      return analysis(await thinker.search(state, { ...limits, settled: !toPlay }, { tell: told, stop: () => signal?.aborted ?? false }));
    });
    this.#busy = answer.catch(() => undefined);
    return answer;
  }

  simulate({ games, players = 2, wall = "std", seed = 0 }: SimulateOptions): Simulation {
    checkWhole("games", games, 1, MOST_GAMES);
    checkTable(players, wall);
    seedOf(seed);
    return simulate(this.#rules, games, players, wall, seed);
  }

  #state(position: string): State {
    return readPosition(position, this.#rules);
  }

  #moved(state: State, move: string): State {
    const action = readMove(move);
    const refused = refusalSentence(this.#rules.refusal(state, action));
    if (refused) throw new Fault(`illegal move ${quoted(move)}: ${refused}`);
    return this.#rules.step(state, action).state;
  }

  #dealt(state: State, deal: string): State {
    const displays = readDeal(deal);
    const refused = refusalSentence(this.#rules.dealRefusal(state, displays));
    if (refused) throw new Fault(`illegal move ${quoted(deal)}: ${refused}`);
    return this.#rules.dealGiven(state, displays);
  }

  async #thinkerFor(state: State, { nodes }: Limits): Promise<Thinker> {
    const fields = fieldsOf(state);
    const players = fields.get("players");
    const way = OPPONENTS.at(-1)!.ways[`${players}-${WALLS[fields.get("gray")]}` as "2-std"];
    const thinker = await this.#thinker(players, way);
    const byHand = way.lastRoundByHand && !nodes && thinker.expectsTheEnd(state);
    return byHand ? this.#thinker(players, BY_HAND) : thinker;
  }

  #thinker(players: number, way: Way): Promise<Thinker> {
    const key = `${players} ${way.weights}`;
    let made = this.#thinkers.get(key);
    if (!made) {
      for (const [oldest] of [...this.#thinkers].slice(0, this.#thinkers.size + 1 - MOST_THINKERS)) this.#thinkers.delete(oldest);
      made = this.#makeThinker(players, way);
      this.#thinkers.set(key, made);
      made.catch(() => this.#thinkers.delete(key)); // what could not be loaded is tried again
    }
    return made;
  }

  async #makeThinker(players: number, way: Way): Promise<Thinker> {
    const name = `${way.weights}.weights`;
    const weights = way.weights === null ? null : await readWeights(await this.read(name), name);
    return new Thinker(new Module(this.compiled), "large", players, way, weights);
  }
}

function analysisOf(position: string, seat: number, report: Report): Analysis {
  const moves = report.candidates.map(({ action, visits, prior, win, margin, line }): Finding => {
    const known = report.solved || visits > 0;
    const told = known ? { win, margin: margin[seat]! } : { win: null, margin: null };
    return { move: writeMove(action), visits, prior, ...told, line: line.map(writeMove) };
  });
  const { nodes, milliseconds, depth, solved } = report;
  return { position, nodes, seconds: milliseconds / 1000, depth, solved, moves };
}

function limitsOf({ nodes, milliseconds }: Limits): Limits {
  if (nodes === undefined && milliseconds === undefined) return ALONE;
  if (nodes !== undefined) checkWhole("nodes", nodes, 1, MOST_NODES);
  if (milliseconds !== undefined && !(milliseconds > 0 && milliseconds <= LONGEST_MILLISECONDS))
    throw new Fault(`milliseconds must be above 0 and at most ${LONGEST_MILLISECONDS}, not ${String(milliseconds)}`);
  return { nodes, milliseconds };
}

function checkTable(players: number, wall: string): void {
  checkWhole("players", players, 2, MAX_PLAYERS);
  if (!(WALLS as readonly string[]).includes(wall)) throw new Fault(`wall must be 'std' or 'gray', not ${quoted(wall)}`);
}

function checkWhole(name: string, value: number, least: number, most: number): void {
  if (Number.isInteger(value) && least <= value && value <= most) return;
  throw new Fault(`${name} must be a whole number from ${least} to ${most}, not ${String(value)}`);
}

function seedOf(seed: number | bigint | undefined): bigint {
  if (seed === undefined) return crypto.getRandomValues(new BigUint64Array(1))[0]!;
  const whole = typeof seed === "bigint" || Number.isSafeInteger(seed) ? BigInt(seed) : -1n;
  if (whole < 0n || whole >= 1n << SEED_BITS) throw new Fault(`seed must be a whole number from 0 to 2^64 - 1, not ${String(seed)}`);
  return whole;
}
