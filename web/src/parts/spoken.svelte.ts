/** What is said aloud on the page, each thing once, politely, in the order in which it happens. */

import { untrack } from "svelte";

export interface Spoken {
  /** Rises with everything that is said. */
  readonly key: number;
  readonly text: string;
  readonly at: number;
}

/** At least so many are kept, and all of the last milliseconds: what goes sooner may never be read. */
const KEPT = 5;
const KEPT_MS = 5000;
let all: readonly Spoken[] = $state.raw([]);

/** Says something to whoever listens. */
export function speak(text: string): void {
  const at = performance.now();
  untrack(() => {
    const kept = all.filter((one, index) => index > all.length - KEPT || at - one.at < KEPT_MS);
    // An arrow is for the eye.
    all = [...kept, { key: lastSpoken() + 1, text: text.replaceAll(" → ", ", "), at }];
  });
}

export function lastSpoken(): number {
  return all.at(-1)?.key ?? 0;
}

/** What was said since something else was. */
export function spokenSince(key: number): Spoken[] {
  return all.filter((each) => each.key > key);
}
