/** Azulejos: games, analysis and simulation of the tile-drafting board game Azul. */

export type Wall = "std" | "gray";

/** What a game begins with. */
export interface NewGame {
  /** 2, 3 or 4; 2 if it is not given. */
  readonly players?: number;
  /** The colored wall or the gray one; std if it is not given. */
  readonly wall?: Wall;
  /** The same number gives the same deals as in the Python package; a random one if it is not given. */
  readonly seed?: number | bigint;
  /** The seat that begins, from 0; by lot if it is not given. */
  readonly starter?: number;
}

/** How a game ended. */
export interface Outcome {
  readonly reason: "row" | "stalled" | "round_limit";
  /** The seats that won, from 0; several share the victory. */
  readonly winners: readonly number[];
  /** The final scores by seat, bonuses included. */
  readonly scores: readonly number[];
}

/** How far to look; one second if neither is given. */
export interface AnalyzeOptions {
  /** Positions to look at: the same number gives the same answer. */
  readonly nodes?: number;
  readonly milliseconds?: number;
  /** Whether the first move is the one that the strongest player plays, by what it has looked at most; else the one with the best value. */
  readonly toPlay?: boolean;
  /** Ends the search early, with what was found so far. */
  readonly signal?: AbortSignal;
  /** Called about twice a second with what was found so far, and once more at the end. */
  readonly tell?: (analysis: Analysis) => void;
}

/** What a search has found out about a position. */
export interface Analysis {
  readonly position: string;
  /** Positions looked at. */
  readonly nodes: number;
  readonly seconds: number;
  /** How many moves ahead the longest line looks. */
  readonly depth: number;
  /** Whether the rest of the round was solved exactly. */
  readonly solved: boolean;
  /** The moves, the best first. */
  readonly moves: readonly Finding[];
}

/** What a search has found out about one move. */
export interface Finding {
  readonly move: string;
  /** How often the search looked at it. */
  readonly visits: number;
  /** How good it looked at first sight. */
  readonly prior: number;
  /** Each seat's share of the victory; null if the move was not looked at. */
  readonly win: readonly number[] | null;
  /** Expected final score of the side to move less that of its best opponent; null if the move was not looked at. */
  readonly margin: number | null;
  /** The moves expected to follow, this one first. */
  readonly line: readonly string[];
}

/** Which random games to play. */
export interface SimulateOptions {
  readonly games: number;
  readonly players?: number;
  readonly wall?: Wall;
  /** 0 if it is not given. */
  readonly seed?: number | bigint;
}

/** The counts of many random games: those of `azulejos simulate --json`. */
export interface Simulation {
  readonly games: number;
  readonly moves: number;
  readonly seconds: number;
  readonly moves_per_second: number;
  readonly players: number;
  readonly wall: Wall;
  readonly seed: number | bigint;
  readonly score: Distribution;
  readonly rounds: Distribution;
  readonly length: Distribution;
  readonly reasons: Readonly<Record<Outcome["reason"], number>>;
  /** How many games each seat won alone. */
  readonly wins: readonly number[];
  /** How many victories were shared. */
  readonly shared: number;
}

/** Mean, standard deviation and quantiles. */
export interface Distribution {
  readonly mean: number;
  readonly sd: number;
  readonly min: number;
  readonly p5: number;
  readonly p25: number;
  readonly p50: number;
  readonly p75: number;
  readonly p95: number;
  readonly max: number;
}

/** The engine. Positions and moves are lines of the notation; what cannot be read or played throws an error that names it. */
export interface Azulejos {
  /** The position after the first deal. */
  newGame(options?: NewGame): string;
  /** The moves that may be played; none if a deal is due or the game is over. */
  legalMoves(position: string): string[];
  /** The position after a move, or after a deal that is given, as in `=B2YK/BYR2/B3R/BYRW/RK2W`. */
  play(position: string, move: string): string;
  /** Whether the next thing has to be a deal. */
  isDealDue(position: string): boolean;
  /** The position after a deal that is drawn from its bag; the same seed gives the same deal. */
  deal(position: string, seed?: number | bigint): string;
  /** How the game ended; null if it goes on. */
  outcome(position: string): Outcome | null;
  /** The best moves by the strongest player. The first call for a kind of game loads 1.4 MB of weights. */
  analyze(position: string, options?: AnalyzeOptions): Promise<Analysis>;
  /** Plays whole random games. */
  simulate(options: SimulateOptions): Simulation;
}

/** Loads the engine; `from` is the folder of its module and weights, if that is not where this file is. */
export type Load = (options?: { readonly from?: string | URL }) => Promise<Azulejos>;
