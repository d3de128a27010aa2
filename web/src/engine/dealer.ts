/** Deals that can be checked, as the server deals them: all of them follow from one secret. */
import { Fault } from "./fault";
import { COMMITMENT_LABEL, DEAL_LABEL, FIRST_BLOCKS, SECRET_BYTES } from "./generated/bindings";
import { type Rules, type State, fieldsOf } from "./rules";
import { hmac, joined, sha256 } from "./sha256";
import { quoted } from "./wording";

const TEXT = new TextEncoder();

export class Dealer {
  readonly #secret: Uint8Array;

  constructor(
    private readonly rules: Rules,
    /** As hexadecimal digits. */
    readonly secret: string,
  ) {
    if (!/^[0-9a-f]*$/.test(secret) || secret.length !== 2 * SECRET_BYTES)
      throw new Fault(`cannot read ${quoted(secret)} as a secret: expected ${2 * SECRET_BYTES} hexadecimal digits in lower case`);
    this.#secret = Uint8Array.from(secret.match(/../g)!, (digits) => parseInt(digits, 16));
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
  return hex(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)));
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function numberBytes(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value);
  return bytes;
}
