/** How fast computers play among themselves: they can be paused, and make one move at a time. */
import { WATCHING_PACE_MS } from "../net/messages";

/** Moves wait so many times as long as usual. */
export const SPEEDS = { slow: 2.5, normal: 1, fast: 0.25 } as const;
export type PaceSpeed = keyof typeof SPEEDS;

export class Pace {
  speed = $state<PaceSpeed>("normal");
  #paused = $state(false);
  /** Whether one move may be made in spite of the pause. */
  #step = false;
  #go: (() => void) | null = null;

  /** Moves wait so many milliseconds at the normal speed. */
  constructor(private readonly milliseconds = WATCHING_PACE_MS) {}

  get paused(): boolean {
    return this.#paused;
  }

  set paused(paused: boolean) {
    this.#paused = paused;
    this.#step = false;
    if (!paused) this.#go?.();
  }

  /** Lets them make one move, and no other one. */
  step(): void {
    this.#paused = true;
    this.#step = !this.#go;
    this.#go?.();
  }

  /** Comes when the next move may be made. */
  async due(): Promise<void> {
    if (!this.#paused) await new Promise((resolve) => setTimeout(resolve, this.milliseconds * SPEEDS[this.speed]));
    if (this.#paused && !this.#step) await new Promise<void>((resolve) => (this.#go = resolve));
    this.#go = null;
    this.#step = false;
  }
}

/** That of this tab. */
export const pace = new Pace();
