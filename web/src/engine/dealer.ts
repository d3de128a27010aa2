/** Deals that follow from a secret which was committed to before the game: the steps that the documentation of committed deals gives. */
import { Fault } from "./fault";
import { COLORS, DISPLAY_SIZE } from "./generated/bindings";
import { type Counts, displaysFor } from "./notation";
import { fieldsOf, type State } from "./rules";
import { hmac, joined, sha256 } from "./sha256";
import { quoted } from "./wording";

const COMMITMENT_LABEL = new TextEncoder().encode("azulejos commitment 1\n");
const DEAL_LABEL = new TextEncoder().encode("azulejos deal 1\n");

/** The bytes of a secret that is written as hexadecimal digits. */
export function readSecret(text: string): Uint8Array {
  if (!/^[0-9a-f]{64}$/.test(text))
    throw new Fault(`cannot read ${quoted(text)} as a secret: expected 64 hexadecimal digits in lower case`);
  return Uint8Array.from(text.match(/../g)!, (digits) => parseInt(digits, 16));
}

/** What is told before the game: it fixes the secret without giving it away. */
export function commitmentOf(secret: Uint8Array): string {
  return [...sha256(joined(COMMITMENT_LABEL, secret))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The deal that follows from a secret in a state where one is due: the tiles of each display. */
export function committedDeal(secret: Uint8Array, state: State): Counts[] {
  const fields = fieldsOf(state);
  const numbers = bytesOf(secret, fields.get("round_number"));
  const bag = [...Array(COLORS).keys()].map((color) => fields.get("bag", color));
  const lid = bag.map((_, color) => fields.get("lid", color));
  return [...Array(displaysFor(fields.get("players"))).keys()].map(() => {
    const display = bag.map(() => 0);
    for (let place = 0; place < DISPLAY_SIZE; place++) {
      if (!total(bag)) for (const color of bag.keys()) bag[color]! += lid.splice(color, 1, 0)[0]!;
      if (!total(bag)) continue;
      let at = below(total(bag), numbers);
      const color = bag.findIndex((count) => (at -= count) < 0);
      bag[color]!--;
      display[color]!++;
    }
    return display;
  });
}

/** The bytes of a round's stream: HMAC-SHA-256 of a counter under the secret. */
function* bytesOf(secret: Uint8Array, round: number): Generator<number, never> {
  for (let block = 0; ; block++) {
    const counters = new DataView(new ArrayBuffer(8));
    counters.setUint32(0, round);
    counters.setUint32(4, block);
    yield* hmac(secret, joined(DEAL_LABEL, new Uint8Array(counters.buffer)));
  }
}

/** A number from 0 to n-1, each equally likely: bytes past the last multiple of n are passed over. */
function below(n: number, numbers: Generator<number, never>): number {
  for (;;) {
    const { value } = numbers.next();
    if (value < 256 - (256 % n)) return value % n;
  }
}

function total(counts: Counts): number {
  return counts.reduce((sum, count) => sum + count, 0);
}
