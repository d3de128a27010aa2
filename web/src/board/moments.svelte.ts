/** Things that pass by themselves: running clocks and signs that fade. */

import type { ClockTime } from "../net/messages";
import { m } from "../paraglide/messages.js";
import type { Sign } from "./props";

const TICK = 200;
const SIGN_LASTS = 4000;

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

const WORDS = {
  hello: m.board_sign_hello,
  thanks: m.board_sign_thanks,
  well_played: m.board_sign_well_played,
  wow: m.board_sign_wow,
  oops: m.board_sign_oops,
  thinking: m.board_sign_thinking,
  good_game: m.board_sign_good_game,
  again: m.board_sign_again,
};

/** The newest sign of every seat, for a moment. */
export class Signs {
  #shown: Sign[] = $state.raw([]);
  #newest = -Infinity;

  constructor(signs: () => Sign[]) {
    $effect(() => {
      for (const sign of signs()) {
        if (sign.key <= this.#newest) continue;
        this.#newest = sign.key;
        this.#shown = [...this.#shown.filter(({ seat }) => seat !== sign.seat), sign];
        setTimeout(() => (this.#shown = this.#shown.filter(({ key }) => key !== sign.key)), SIGN_LASTS);
      }
    });
  }

  at(seat: number): string | null {
    const sign = this.#shown.find((each) => each.seat === seat);
    return sign ? WORDS[sign.emote]() : null;
  }
}
