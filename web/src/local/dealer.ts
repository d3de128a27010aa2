/** Deals that can be checked, as the server deals them: all of them follow from one secret. */
import { COMMITMENT_LABEL, DEAL_LABEL, FIRST_BLOCKS, SECRET_BYTES } from "../engine/generated/bindings";
import { type Rules, type State, fieldsOf } from "../engine/rules";
import { hmac, sha256 } from "./sha256";

const BLOCK = 32;
const TEXT = new TextEncoder();

export class Dealer {
  readonly #secret: Uint8Array;

  constructor(
    private readonly rules: Rules,
    /** As hexadecimal digits. */
    readonly secret: string,
  ) {
    this.#secret = Uint8Array.from(secret.match(/../g) ?? [], (digits) => parseInt(digits, 16));
    if (this.#secret.length !== SECRET_BYTES) throw new Error("a secret of another length");
  }

  /** What is told before the game. */
  get commitment(): string {
    return hex(sha256(joined(TEXT.encode(COMMITMENT_LABEL), this.#secret)));
  }

  /** The state after the deal that is due. */
  deal(state: State): State {
    const round = numberBytes(fieldsOf(state).get("round_number"));
    for (let blocks = FIRST_BLOCKS; ; blocks *= 2) {
      const numbers = joined(
        ...Array.from({ length: blocks }, (_, block) => hmac(this.#secret, joined(TEXT.encode(DEAL_LABEL), round, numberBytes(block)))),
      );
      const dealt = this.rules.dealDrawn(state, numbers);
      if (dealt) return dealt;
    }
  }
}

/** A secret that nobody knows. */
export function newSecret(): string {
  return hex(crypto.getRandomValues(new Uint8Array(BLOCK)));
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function numberBytes(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value);
  return bytes;
}

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
