/** Running clocks. */

import type { ClockTime } from "../net/messages";
import { getLocale } from "../paraglide/runtime.js";

const TICK = 200;

/** What is left on every clock now. */
export class Clocks {
  #now = $state(0);
  #since = $state(0);
  readonly #clock: () => ClockTime | null;

  constructor(clock: () => ClockTime | null) {
    this.#clock = clock;
    $effect(() => {
      if (!clock()) return;
      this.#since = this.#now = performance.now();
      if (!clock()?.running.length) return;
      const timer = setInterval(() => (this.#now = performance.now()), TICK);
      return () => clearInterval(timer);
    });
  }

  left(seat: number): number | null {
    const clock = this.#clock();
    const left = clock?.left[seat];
    if (left === undefined) return null;
    return clock?.running.includes(seat) ? Math.max(0, left - (this.#now - this.#since)) : left;
  }
}

/** Minutes and seconds; tenths in the last ten seconds. */
export function clockface(milliseconds: number): string {
  const left = Math.max(0, milliseconds);
  if (left < 10_000) return new Intl.NumberFormat(getLocale(), { minimumFractionDigits: 1 }).format(Math.floor(left / 100) / 10);
  const seconds = Math.ceil(left / 1000);
  const rest = String(seconds % 60).padStart(2, "0");
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes}:${rest}` : `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}:${rest}`;
}
