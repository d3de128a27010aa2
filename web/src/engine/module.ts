/** The compiled rules, search and network, and the memory they share with the page. */
import { Fault } from "./fault";
import { ALIGNMENT, STAMP, type Exports } from "./generated/bindings";
import { lacking } from "./support";

const PAGE_BYTES = 65536;
/** What the module has from outside: mathematics. */
const IMPORTS = { env: { exp: Math.exp, expf: (x: number) => Math.fround(Math.exp(x)), pow: Math.pow } };

/** Compiles the module's bytes; what is wrong with them, or missing in the browser, is said in a sentence. */
export async function compile(bytes: BufferSource): Promise<WebAssembly.Module> {
  const part = lacking();
  if (part !== null) throw new Fault(`This browser cannot run the game: it lacks ${part}.`);
  try {
    return await WebAssembly.compile(bytes);
  } catch (error) {
    throw new Fault(`The game's module cannot be read: ${(error as Error).message}`, { kind: "damaged", cause: error });
  }
}

/** A running module; memory is taken from its end and given back down to a mark. */
export class Module {
  readonly exports: Exports;
  #end: number;
  /** Memory from here on was never taken, and is zero. */
  #untouched: number;

  constructor(compiled: WebAssembly.Module) {
    this.exports = instantiate(compiled);
    if (this.exports.stamp?.() !== STAMP)
      throw new Fault("The game's module is foreign, or of another version than what calls it.", { kind: "damaged" });
    this.#end = aligned(this.exports.__heap_base.value as number);
    this.#untouched = this.#end;
  }

  /** Where the next piece of memory will begin. */
  get mark(): number {
    return this.#end;
  }

  /** Gives back what was taken since a mark. */
  release(mark: number): void {
    this.#end = mark;
  }

  /** Takes so many bytes, all zero. */
  take(bytes: number): number {
    const at = this.#end;
    const end = at + aligned(bytes);
    const missing = end - this.exports.memory.buffer.byteLength;
    if (missing > 0) {
      try {
        this.exports.memory.grow(Math.ceil(missing / PAGE_BYTES));
      } catch (error) {
        throw new Fault(`There is no memory for ${Math.ceil(bytes / 1e6)} MB more.`, { kind: "memory", cause: error });
      }
    }
    this.#end = end;
    if (at < this.#untouched) this.bytes(at, Math.min(end, this.#untouched) - at).fill(0);
    this.#untouched = Math.max(this.#untouched, end);
    return at;
  }

  /** So many bytes of the memory; until more is taken. */
  bytes(at: number, length: number): Uint8Array {
    return new Uint8Array(this.exports.memory.buffer, at, length);
  }

  /** So many small numbers of the memory; until more is taken. */
  numbers(at: number, length: number): Int16Array {
    return new Int16Array(this.exports.memory.buffer, at, length);
  }

  /** All of the memory; until more is taken. */
  view(): DataView {
    return new DataView(this.exports.memory.buffer);
  }
}

function instantiate(compiled: WebAssembly.Module): Exports {
  try {
    return new WebAssembly.Instance(compiled, IMPORTS).exports as unknown as Exports;
  } catch (error) {
    throw new Fault(`The game's module cannot be started: ${(error as Error).message}`, { kind: "memory", cause: error });
  }
}

function aligned(address: number): number {
  return Math.ceil(address / ALIGNMENT) * ALIGNMENT;
}
