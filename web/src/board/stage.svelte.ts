/** What is on the stage now: plays frames one after the other, and can be hurried. The truth is always the last frame. */

import { tick } from "svelte";
import type { Bonus, HappeningInfo, Position, TilingInfo } from "../net/messages";
import { draftFlights, markerFlights, tilingFlights, type Flight } from "./diff";
import { takeOff, trips, type Trip } from "./flight";
import { arrange, fallen, type Fallen } from "./floor";
import type { Group } from "./moves";
import { next } from "./playback";
import type { Frame, Speed } from "./props";
import { complete, gather, run, script, type Beat, type BonusKind, type Scored } from "./scoring";
import { clack } from "./sound";
import * as stages from "./stages";

export interface Pace {
  speed: Speed;
  sounds: boolean;
}

/** A number that rises from a place. */
export interface Float {
  key: number;
  seat: number;
  text: string;
  row: number | null;
  column: number | null;
}

export interface Run {
  seat: number;
  way: "across" | "down";
  cells: [number, number][];
}

const OWN = { normal: 290, fast: 170, instant: 0 };
const GLOW = { normal: 170, fast: 90, instant: 0 };
const OTHERS = { normal: 430, fast: 260, instant: 0 };

export class Stage {
  frame: Frame = $state.raw()!;
  position: Position = $state.raw()!;
  orders: Fallen[][] = $state.raw([]);
  glow: Group | null = $state.raw(null);
  trips: Trip[] = $state.raw([]);
  pulses: string[] = $state.raw([]);
  runs: Run[] = $state.raw([]);
  floats: Float[] = $state.raw([]);
  /** Seats whose floor is being counted, up to this space. */
  counted: { space: number; seats: number[] } | null = $state.raw(null);
  bonus: BonusKind | null = $state.raw(null);
  /** What is being played now, and has not been shown to its end. */
  playing: HappeningInfo | null = $state.raw(null);
  busy = $state(false);
  scoring = $state(false);
  root: HTMLElement | null = null;
  /** Told what happened as it begins to be shown, and what it leads to. */
  onplay: (news: HappeningInfo[], frame: Frame) => void = () => undefined;
  /** The round whose points stay in sight although nothing moves; null when the person has gone on. */
  tallied: number | null = $state(null);
  #tally: Float[] = [];
  #following: Promise<void> = Promise.resolve();
  readonly #waiting = new Set<() => void>();
  #skipping = false;
  #keys = 0;

  constructor(frame: Frame) {
    this.show(frame);
  }

  /** Shows a frame at once. */
  show(frame: Frame): void {
    this.frame = frame;
    this.orders = frame.position.boards.map((_, seat) => fallen(frame.log, seat));
    this.#set(frame.position);
    this.glow = null;
    this.pulses = [];
    this.runs = [];
    this.floats = this.#tally;
    this.counted = null;
    this.bonus = null;
    this.playing = null;
    this.scoring = false;
  }

  /** Whoever acts has seen what the round brought. */
  goOn(): void {
    if (this.tallied === null) return;
    this.tallied = null;
    this.floats = this.#tally = [];
  }

  #set(position: Position): void {
    this.position = position;
    this.orders = position.boards.map((board, seat) => arrange(this.orders[seat] ?? [], board));
  }

  /** Plays all that is to be played. Safe to call at any time. */
  follow(frames: () => readonly Frame[], pace: () => Pace, mine: () => readonly number[]): Promise<void> {
    if (!this.busy) this.#following = this.#follow(frames, pace, mine);
    return this.#following;
  }

  async #follow(frames: () => readonly Frame[], pace: () => Pace, mine: () => readonly number[]): Promise<void> {
    this.busy = true;
    this.#skipping = false;
    try {
      for (;;) {
        const step = next(this.frame, frames());
        if (step.do === "rest") break;
        if (step.do === "jump") {
          this.goOn();
          this.show(step.frame);
        } else await this.#play(step.frame, pace(), mine());
      }
    } finally {
      this.busy = false;
    }
  }

  /** Shows the end of all that is due; the promise is kept when it is shown. */
  skip(): Promise<void> {
    this.#skipping = true;
    this.trips = [];
    for (const hurry of [...this.#waiting]) hurry();
    return this.#following;
  }

  async #play(frame: Frame, pace: Pace, mine: readonly number[]): Promise<void> {
    const news = frame.log.slice(this.frame.log.length);
    if (!mine.length) this.goOn(); // nobody here acts
    this.onplay(news, frame);
    for (const happening of news) await this.#draft(happening, pace, happening.seat !== null && mine.includes(happening.seat));
    if (news.some(stages.scores)) await this.#score(gather(news), pace);
    this.show(frame);
  }

  async #draft(happening: HappeningInfo, pace: Pace, own: boolean): Promise<void> {
    const { drafted, seat } = happening;
    if (!drafted || seat === null) return;
    if (!own) {
      this.glow = drafted as Group;
      await this.#wait(GLOW[pace.speed]);
      this.glow = null;
    }
    this.playing = happening;
    const flights = draftFlights(this.position, happening);
    await this.#fly(flights, stages.afterDraft(this.position, seat, drafted), (own ? OWN : OTHERS)[pace.speed], pace);
  }

  /** Shows the next state and lets tiles travel to it. */
  async #fly(flights: Flight[], after: Position, lasts: number, pace: Pace): Promise<void> {
    const starts = this.root && lasts > 0 && !this.#skipping ? takeOff(this.root, flights) : [];
    this.#set(after);
    if (!this.root || !starts.length) return;
    await tick();
    const flying = trips(this.root, starts, lasts);
    this.trips = [...this.trips, ...flying];
    await this.#wait(lasts);
    this.trips = this.trips.filter((trip) => !flying.includes(trip));
    if (pace.sounds) clack();
  }

  async #score(scored: Scored, pace: Pace): Promise<void> {
    const plan = script(this.position, scored, pace.speed);
    if (plan.lasts <= 0) return this.#count(scored);
    this.scoring = true;
    // Measured from the start: on a slow machine delays must not add up.
    const start = performance.now();
    const until = (at: number): Promise<void> => this.#wait(at - (performance.now() - start));
    for (const beat of plan.beats) {
      await until(beat.at);
      if (this.#skipping) return;
      this.#beat(beat, scored, pace);
    }
    await until(plan.lasts);
  }

  /** Where nothing moves, all points of the round lie where they were won and lost until somebody goes on. */
  #count({ tiling, floors }: Scored): void {
    if (this.tallied !== this.position.round) this.#tally = [];
    this.tallied = this.position.round;
    const tiles = tiling.flatMap((each) => (each.type === "tiled" ? [this.#floated(each.seat, `+${each.points}`, each)] : []));
    const lost = floors.flatMap((each) => (each.penalty ? [this.#floated(each.seat, `−${each.lost}`, null)] : []));
    this.#tally = [...this.#tally, ...tiles, ...lost];
  }

  #beat(beat: Beat, scored: Scored, pace: Pace): void {
    switch (beat.kind) {
      case "pulse":
        this.runs = [];
        this.pulses = beat.seats.map((seat) => `${seat}.${beat.row}`);
        return;
      case "slide": {
        this.pulses = [];
        const flights = beat.events.flatMap((event) => tilingFlights(this.position, event));
        const after = beat.events.reduce(
          (position, event) => stages.afterTiling(position, event.type === "tiled" ? { ...event, points: 0 } : event),
          this.position,
        );
        void this.#fly(flights, after, beat.lasts, pace);
        return;
      }
      case "run":
        this.runs = [...this.runs, ...beat.events.map((event) => this.#runOf(event, beat.way))];
        return;
      case "gain":
        for (const event of beat.events) this.#gain(event.seat, event.points, event);
        return;
      case "space":
        this.runs = [];
        this.counted = { space: beat.space, seats: beat.seats };
        return;
      case "floor":
        this.runs = [];
        this.counted = null;
        for (const floor of beat.floors) {
          if (floor.penalty) this.#float(floor.seat, `−${floor.lost}`, null);
          this.#set(stages.afterFloor(this.position, floor));
        }
        return;
      case "marker":
        void this.#fly(markerFlights(this.position, this.orders), stages.afterMarker(this.position), beat.lasts, pace);
        return;
      case "deal":
        if (scored.deal) this.#set(stages.afterDeal(this.position, scored.deal));
        return;
      case "bonus":
        this.bonus = beat.bonus;
        this.floats = [];
        this.runs = [];
        for (const { bonus, points } of beat.bonuses) this.#bonus(beat.bonus, bonus, points);
    }
  }

  #runOf(event: TilingInfo, way: "across" | "down"): Run {
    return { seat: event.seat, way, cells: run(this.position.boards[event.seat]?.wall ?? [], event.row, event.column, way) };
  }

  #gain(seat: number, points: number, at: TilingInfo): void {
    this.#float(seat, `+${points}`, at);
    const boards = this.position.boards.map((board, index) => (index === seat ? { ...board, score: board.score + points } : board));
    this.position = { ...this.position, boards };
  }

  #bonus(kind: BonusKind, bonus: Bonus, points: number): void {
    const { seat } = bonus;
    const way: Run["way"] = kind === "columns" ? "down" : "across";
    const sets = complete(this.position.boards[seat]?.wall ?? [], kind);
    const outlines = kind === "colors" ? sets.flatMap((set) => set.map((cell) => [cell])) : sets;
    this.runs = [...this.runs, ...outlines.map((cells) => ({ seat, way, cells }))];
    this.#float(bonus.seat, `+${points}`, null);
    this.#set(stages.afterBonus(this.position, bonus, points));
  }

  #float(seat: number, text: string, at: TilingInfo | null): void {
    this.floats = [...this.floats.slice(-11), this.#floated(seat, text, at)];
  }

  #floated(seat: number, text: string, at: TilingInfo | null): Float {
    return { key: ++this.#keys, seat, text, row: at?.row ?? null, column: at?.column ?? null };
  }

  #wait(lasts: number): Promise<void> {
    if (lasts <= 0 || this.#skipping) return Promise.resolve();
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(done);
        resolve();
      };
      const timer = setTimeout(done, lasts);
      this.#waiting.add(done);
    });
  }
}
