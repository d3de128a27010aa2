/** The page's side of the worker that thinks: it is started when needed, replaced when it fails, and ended when idle. */
import { Stopped } from "./analyst";
import { Fault } from "./fault";
import { FULL_STRENGTH, opponentOf } from "./opponents";
import { ownModule } from "./own";
import type { Answers, Choice, FromWorker, Inquiry, Progress, Question, Thought, ToWorker } from "./questions";
import { type State, fieldsOf } from "./rules";
import type { Limits, Report } from "./thinker";

/** What this needs of a worker. */
export interface Thinking {
  postMessage(message: ToWorker): void;
  terminate(): void;
  onmessage: ((event: { data: FromWorker }) => void) | null;
  onerror: ((event: unknown) => void) | null;
}

/** After so long without a question the worker ends and its memory is given back. */
const IDLE_MILLISECONDS = 60_000;
/** A worker that is so much later than it should be is dead. */
const PATIENCE_MILLISECONDS = 10_000;
/** The network may have to come first, and a slow phone needs long for what a review wants to know. */
const INQUIRY_MILLISECONDS = 120_000;
const ATTEMPTS = 3;

interface Asked {
  readonly question: Question;
  readonly tell: ((report: Report) => void) | undefined;
  readonly answer: (answer: Answers[keyof Answers]) => void;
  readonly fail: (error: Error) => void;
  failures: number;
  /** Whether somebody said stop. */
  stopped: boolean;
}

export class Engine {
  /** Called when a network has come further. */
  onnetwork: (name: string, progress: Progress) => void = () => undefined;
  #worker: Promise<Thinking> | null = null;
  #asked: Asked[] = [];
  #count = 0;
  #watch: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly start: () => Thinking = startWorker,
    private readonly module: () => Promise<WebAssembly.Module> = ownModule,
    private readonly patience = PATIENCE_MILLISECONDS,
    private readonly idle = IDLE_MILLISECONDS,
  ) {}

  /** Fetches what an opponent will need at such a table. */
  prepare(players: number, wall: "std" | "gray", opponent: number): void {
    void this.#running().then((worker) => worker.postMessage({ type: "prepare", players, gray: wall === "gray", opponent }), ignore);
  }

  /** The action that an opponent plays; `drawn`, from 0 to 1, is its luck. */
  choose(state: State, opponent: number, drawn: number, signal?: AbortSignal): Promise<Thought> {
    return this.#ask({ kind: "choose", state: unforeseen(state), opponent, limits: null, drawn }, undefined, signal);
  }

  /**
   * What full strength finds within limits, the best first as a review has it; a signal ends it early, with what was found so far,
   * and before anything was found with `Stopped`.
   */
  analyze(state: State, limits: Limits, tell?: (report: Report) => void, signal?: AbortSignal): Promise<Thought> {
    const choice = { opponent: FULL_STRENGTH, limits: { ...limits, settled: true }, drawn: 0 };
    return this.#ask({ kind: "choose", state: unforeseen(state), ...choice }, tell, signal);
  }

  /** What a review wants to know; a signal ends it without an answer. */
  inquire<I extends Inquiry>(inquiry: I, signal: AbortSignal): Promise<Answers[I["kind"]]> {
    return this.#ask(inquiry, undefined, signal);
  }

  /** Ends the worker; it starts again with the next question. */
  close(): void {
    clearTimeout(this.#watch);
    const worker = this.#worker;
    this.#worker = null;
    void worker?.then((each) => each.terminate(), ignore);
  }

  #ask<A extends Choice | Inquiry>(asking: A, tell: Asked["tell"], signal: AbortSignal | undefined): Promise<Answers[A["kind"]]> {
    const question: Question = { id: (this.#count += 1), ...asking };
    return new Promise((resolve, fail) => {
      const answer = (given: Answers[keyof Answers]): void => resolve(given as Answers[A["kind"]]);
      const asked: Asked = { question, tell, answer, fail, failures: 0, stopped: signal?.aborted ?? false };
      signal?.addEventListener("abort", () => {
        asked.stopped = true;
        if (asked === this.#asked[0]) void this.#running().then((worker) => worker.postMessage({ type: "stop", id: question.id }), ignore);
        else if (this.#asked.includes(asked)) this.#drop(asked);
      });
      if (asked.stopped) return fail(new Stopped());
      this.#asked.push(asked);
      if (this.#asked.length === 1) this.#next();
    });
  }

  /** Asks the question that has waited longest. */
  #next(): void {
    clearTimeout(this.#watch);
    const asked = this.#asked[0];
    if (!asked) {
      this.#watch = setTimeout(() => this.close(), this.idle);
      return;
    }
    this.#running().then(
      (worker) => {
        if (asked !== this.#asked[0]) return;
        worker.postMessage({ type: "ask", question: asked.question });
        if (asked.stopped) worker.postMessage({ type: "stop", id: asked.question.id }); // another worker than the one that was told
        this.#watch = setTimeout(() => this.#failed("it does not answer"), thinks(asked.question) + this.patience);
      },
      (error: unknown) => this.#give(asked, (each) => each.fail(error as Error)),
    );
  }

  #running(): Promise<Thinking> {
    this.#worker ??= this.module().then(
      (module) => {
        const worker = this.start();
        worker.onmessage = ({ data }) => this.#hear(worker, data);
        worker.onerror = () => this.#failed("it has stopped");
        worker.postMessage({ type: "begin", module });
        return worker;
      },
      (error: unknown) => {
        this.#worker = null;
        throw error;
      },
    );
    return this.#worker;
  }

  #hear(_worker: Thinking, message: FromWorker): void {
    if (message.type === "network") return this.onnetwork(message.name, message.progress);
    const asked = this.#asked[0];
    if (asked?.question.id !== message.id) return;
    if (message.type === "news") asked.tell?.(message.report);
    else if (message.type === "answer") this.#give(asked, (each) => each.answer(message.answer));
    else if (asked.stopped) this.#give(asked, (each) => each.fail(new Stopped()));
    else this.#failed(message.reason);
  }

  #give(asked: Asked, give: (asked: Asked) => void): void {
    this.#asked = this.#asked.filter((each) => each !== asked);
    give(asked);
    this.#next();
  }

  /** Takes a question that still waits out of the queue. */
  #drop(asked: Asked): void {
    this.#asked = this.#asked.filter((each) => each !== asked);
    asked.fail(new Stopped());
  }

  /** Replaces the worker and asks again; what has failed three times is told. */
  #failed(reason: string): void {
    this.close();
    const asked = this.#asked[0];
    if (!asked) return;
    asked.failures += 1;
    if (asked.failures < ATTEMPTS) this.#next();
    else this.#give(asked, (each) => each.fail(new Fault(`The engine gives no answer: ${reason}.`, { kind: "silent" })));
  }
}

function startWorker(): Thinking {
  return new Worker(new URL("./worker.ts", import.meta.url), { type: "module" }) as unknown as Thinking;
}

/** How long a question takes at most. */
function thinks(question: Question): number {
  if (question.kind !== "choose") return INQUIRY_MILLISECONDS;
  return question.limits?.milliseconds ?? opponentOf(question.opponent)?.milliseconds ?? 0;
}

/** A copy that does not give away the deals to come. */
function unforeseen(state: State): State {
  const copy = state.slice();
  fieldsOf(copy).set("rng", Math.floor(Math.random() * 2 ** 52));
  return copy;
}

function ignore(): void {
  return undefined;
}
