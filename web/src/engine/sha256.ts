/**
 * SHA-256 and HMAC-SHA-256 of bytes at hand. The browser's own are only there on pages of https and answer later, and a record is
 * read at once anywhere.
 */
const BLOCK_BYTES = 64;
const ROUNDS = 64;
const LENGTH_BYTES = 8;
const INNER = 0x36;
const OUTER = 0x5c;
const PRIMES = [...Array(312).keys()].slice(2).filter((n) => [...Array(n).keys()].slice(2).every((divisor) => n % divisor));
const START = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
const CONSTANTS = PRIMES.slice(0, ROUNDS).map((prime) => fraction(Math.cbrt(prime)));

/** The SHA-256 digest of bytes. */
export function sha256(bytes: Uint8Array): Uint8Array {
  const padded = new Uint8Array(Math.ceil((bytes.length + 1 + LENGTH_BYTES) / BLOCK_BYTES) * BLOCK_BYTES);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setBigUint64(padded.length - LENGTH_BYTES, BigInt(bytes.length) * 8n);
  let hash = START;
  for (let at = 0; at < padded.length; at += BLOCK_BYTES) hash = compressed(hash, view, at);
  const digest = new DataView(new ArrayBuffer(4 * hash.length));
  for (const [at, word] of hash.entries()) digest.setInt32(4 * at, word);
  return new Uint8Array(digest.buffer);
}

/** The HMAC-SHA-256 of a message under a key of at most a block. */
export function hmac(key: Uint8Array, message: Uint8Array): Uint8Array {
  const pad = (mask: number): Uint8Array => Uint8Array.from({ length: BLOCK_BYTES }, (_, at) => (key[at] ?? 0) ^ mask);
  return sha256(joined(pad(OUTER), sha256(joined(pad(INNER), message))));
}

/** Bytes one behind the other. */
export function joined(...parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

function compressed(hash: readonly number[], view: DataView, start: number): number[] {
  const words: number[] = [];
  let [a, b, c, d, e, f, g, h] = hash as [number, number, number, number, number, number, number, number];
  for (let at = 0; at < ROUNDS; at++) {
    words.push(at < 16 ? view.getInt32(start + 4 * at) : next(words, at));
    const choice = (e & f) ^ (~e & g);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const one = (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + choice + CONSTANTS[at]! + words[at]!) | 0;
    const two = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + majority) | 0;
    [a, b, c, d, e, f, g, h] = [(one + two) | 0, a, b, c, (d + one) | 0, e, f, g];
  }
  return [a, b, c, d, e, f, g, h].map((word, at) => (word + hash[at]!) | 0);
}

function next(words: readonly number[], at: number): number {
  const [early, late] = [words[at - 15]!, words[at - 2]!];
  const first = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3);
  const second = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10);
  return (words[at - 16]! + first + words[at - 7]! + second) | 0;
}

function turned(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}

/** The first 32 bits behind the point. */
function fraction(root: number): number {
  return ((root % 1) * 2 ** 32) | 0;
}
