/** The computer seats of a local table: one question at a time, and answers that come too late dropped. */
import { ACTION_NAMES, HINT } from "../engine/generated/bindings";
import type { Engine } from "../engine/client";
import type { Rules, State } from "../engine/rules";
import type { HintMove } from "../board";
import type { Pace } from "./pace.svelte";
import type { Table } from "./table";

/** A decision that a computer has to make; another one as soon as anything changes that matters to it. */
interface Turn {
  readonly seat: number;
  readonly opponent: number;
  readonly since: number;
}

function turnOf(table: Table): Turn | null {
  for (const seat of table.waiting) {
    const opponent = table.computerOf(seat);
    if (opponent !== null) return { seat, opponent, since: table.freshSince[seat]! };
  }
  return null;
}

export class Computers {
  #turn = "";
  #thinking: AbortController | null = null;

  constructor(
    private readonly engine: Engine,
    private readonly rules: Rules,
    private readonly answer: (seat: number, move: string) => void,
    private readonly pace: Pick<Pace, "due">,
  ) {}

  /** Asks for the decision that is due, unless that is being done; gives up a question that is no longer due. */
  follow(table: Table, wanted: boolean): void {
    const turn = wanted ? turnOf(table) : null;
    const key = turn ? JSON.stringify(turn) : "";
    if (key === this.#turn) return;
    this.stop();
    if (!turn) return;
    this.#turn = key;
    this.#thinking = new AbortController();
    const watched = !table.people.some((seat) => table.isPerson(seat));
    void this.#think(turn, table.game.seenBy(turn.seat), watched, this.#thinking.signal);
  }

  /** Gives up the question that is being asked, if there is one. */
  stop(): void {
    this.#thinking?.abort();
    this.#thinking = null;
    this.#turn = "";
  }

  async #think({ seat, opponent }: Turn, state: State, watched: boolean, signal: AbortSignal): Promise<void> {
    const due = watched ? this.pace.due() : null;
    const action = await this.engine.choose(state, opponent, Math.random(), signal).then(
      (thought) => thought.action,
      () => this.rules.greedy(state), // whatever is wrong with the engine, the game goes on
    );
    await due;
    if (!signal.aborted) this.answer(seat, ACTION_NAMES[action]!);
  }
}

/** The moves in a state that something is known about, best first, in a time that people like to wait. */
export async function findHint(engine: Engine, state: State, seat: number): Promise<HintMove[]> {
  let { report } = await engine.analyze(state, { milliseconds: HINT.milliseconds });
  // A bad hint is worse than a late one.
  if (!report.solved && report.nodes < HINT.fewestNodes && report.candidates.length > 1) {
    ({ report } = await engine.analyze(state, { nodes: HINT.fewestNodes, milliseconds: HINT.secondMilliseconds }));
  }
  return report.candidates
    .filter(({ visits }) => visits > 0 || report.solved)
    .map(({ action, margin, win, line }) => ({
      move: ACTION_NAMES[action]!,
      margin: margin[seat]!,
      win: [...win],
      line: line.map((each) => ACTION_NAMES[each]!),
    }));
}
