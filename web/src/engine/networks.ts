/** Networks as the browser has them: fetched once, kept in its cache, read when they are asked for. */
import { WEIGHTS_CACHE } from "../offline/weights_cache";
import { Fault } from "./fault";
import gray from "./generated/gray.weights?url";
import many from "./generated/many.weights?url";
import twoGray from "./generated/two-gray.weights?url";
import twoStd from "./generated/two-std.weights?url";
import type { Progress } from "./questions";
import { type Weights, readWeights } from "./weights";

/** Where each network is; the names of built files change with their content. */
const ADDRESSES: Readonly<Record<string, string>> = { gray, many, "two-gray": twoGray, "two-std": twoStd };
/** Bytes of a network, where nobody says how many are coming. */
const USUAL_BYTES = 1_400_000;
/** How long to wait before what failed is tried again. */
const RETRY_MILLISECONDS = 5000;

type Tell = (name: string, progress: Progress) => void;

/** The network that was asked for last; another one takes its place. */
export class Networks {
  #name = "";
  #weights: Promise<Weights> | null = null;

  constructor(private readonly tell: Tell) {}

  /** The network of this name; one that could not be had is tried again after a while. */
  load(name: string): Promise<Weights> {
    if (name !== this.#name || !this.#weights) {
      this.#name = name;
      this.#weights = this.#read(name);
    }
    return this.#weights;
  }

  async #read(name: string): Promise<Weights> {
    try {
      const weights = await read(name, (share) => this.tell(name, { state: "loading", share }));
      this.tell(name, { state: "ready" });
      return weights;
    } catch (error) {
      const kind = error instanceof Fault && error.kind === "damaged" ? "damaged" : "unloaded";
      this.tell(name, { state: "failed", file: `${name}.weights`, kind });
      setTimeout(() => {
        if (name === this.#name) this.#weights = null;
      }, RETRY_MILLISECONDS);
      throw error;
    }
  }
}

async function read(name: string, tell: (share: number) => void): Promise<Weights> {
  const address = absolute(ADDRESSES[name] ?? name);
  const kept = await found(address);
  if (kept) {
    try {
      return await readWeights(new Uint8Array(await kept.arrayBuffer()), name);
    } catch {
      await forget(address); // what is damaged is fetched anew
    }
  }
  const file = await fetched(address, tell);
  const weights = await readWeights(file, name);
  await keep(address, file);
  return weights;
}

async function fetched(address: string, tell: (share: number) => void): Promise<Uint8Array<ArrayBuffer>> {
  tell(0);
  const response = await fetch(address, { credentials: "omit" });
  if (!response.ok || !response.body) throw new Error(`status ${response.status}`);
  const expected = Number(response.headers.get("content-length")) || USUAL_BYTES;
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let come = 0;
  let told = 0;
  const reader = response.body.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    parts.push(next.value);
    come += next.value.length;
    const share = Math.min(1, come / expected);
    if (share - told >= 0.01) tell((told = share));
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

// On plain HTTP from another machine there are no caches to be had; the browser's own keeps the file then.

/** The file as one of our caches has it: this one, or that of the service worker. */
async function found(address: string): Promise<Response | undefined> {
  try {
    return await caches.match(address, { ignoreVary: true });
  } catch {
    return undefined;
  }
}

async function forget(address: string): Promise<void> {
  for (const name of await caches.keys()) await (await caches.open(name)).delete(address);
}

/** Keeps a file unless the service worker does, and lets go of those of other versions; without room it comes again next time. */
async function keep(address: string, file: Uint8Array<ArrayBuffer>): Promise<void> {
  try {
    const cache = await caches.open(WEIGHTS_CACHE);
    const current = new Set(Object.values(ADDRESSES).map(absolute));
    for (const request of await cache.keys()) if (!current.has(request.url)) await cache.delete(request);
    if (!(await found(address))) await cache.put(address, new Response(file));
  } catch {
    return;
  }
}

function absolute(address: string): string {
  return new URL(address, location.href).href;
}
