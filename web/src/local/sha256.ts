/** SHA-256 and HMAC by hand: a browser has its own only for pages that came over HTTPS. */

const BLOCK = 64;
const ROUNDS = 64;
const PRIMES = primes(ROUNDS);
const K = PRIMES.map((prime) => fraction(Math.cbrt(prime)));
const START = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));

/** The digest of some bytes. */
export function sha256(bytes: Uint8Array): Uint8Array {
  const length = Math.ceil((bytes.length + 9) / BLOCK) * BLOCK;
  const padded = new Uint8Array(length);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(length - 4, bytes.length * 8);
  const hash = Int32Array.from(START);
  for (let at = 0; at < length; at += BLOCK) mix(hash, view, at);
  const digest = new Uint8Array(32);
  const out = new DataView(digest.buffer);
  hash.forEach((word, index) => out.setInt32(index * 4, word));
  return digest;
}

/** The digest of a message under a key of at most a block. */
export function hmac(key: Uint8Array, message: Uint8Array): Uint8Array {
  const under = (pad: number, rest: Uint8Array): Uint8Array => {
    const bytes = new Uint8Array(BLOCK + rest.length).fill(pad, 0, BLOCK);
    key.forEach((byte, index) => (bytes[index]! ^= byte));
    bytes.set(rest, BLOCK);
    return sha256(bytes);
  };
  return under(0x5c, under(0x36, message));
}

function mix(hash: Int32Array, view: DataView, at: number): void {
  const words = new Int32Array(ROUNDS);
  for (let i = 0; i < 16; i++) words[i] = view.getInt32(at + i * 4);
  for (let i = 16; i < ROUNDS; i++) {
    const x = words[i - 15]!;
    const y = words[i - 2]!;
    words[i] = words[i - 16]! + (turned(x, 7) ^ turned(x, 18) ^ (x >>> 3)) + words[i - 7]! + (turned(y, 17) ^ turned(y, 19) ^ (y >>> 10));
  }
  let [a, b, c, d, e, f, g, h] = hash as unknown as [number, number, number, number, number, number, number, number];
  for (let i = 0; i < ROUNDS; i++) {
    const first = (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) + K[i]! + words[i]!) | 0;
    const second = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [a, b, c, d, e, f, g, h] = [(first + second) | 0, a, b, c, (d + first) | 0, e, f, g];
  }
  [a, b, c, d, e, f, g, h].forEach((word, index) => (hash[index]! += word));
}

function turned(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}

/** The first 32 bits of what stands behind the point. */
function fraction(value: number): number {
  return ((value - Math.floor(value)) * 2 ** 32) | 0;
}

function primes(count: number): number[] {
  const found: number[] = [];
  for (let each = 2; found.length < count; each++) if (found.every((prime) => each % prime)) found.push(each);
  return found;
}
