/** Networks as a browser keeps them: what is whole is not fetched again, what is damaged is. */
import { readFileSync } from "node:fs";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { WEIGHTS_CACHE } from "../offline/weights_cache";
import { Networks } from "./networks";
import type { Progress } from "./questions";

const NAME = "two-std";
const whole = new Uint8Array(readFileSync(new URL(`./generated/${NAME}.weights`, import.meta.url)));
const cut = whole.slice(0, 100_000);
/** The caches by their names, and in each the files by their addresses. */
let kept: Map<string, Map<string, Uint8Array<ArrayBuffer>>>;
let fetched: Uint8Array<ArrayBuffer>;
let told: Progress[];
let networks: Networks;

function cache(name: string): Map<string, Uint8Array<ArrayBuffer>> {
  if (!kept.has(name)) kept.set(name, new Map());
  return kept.get(name)!;
}

beforeEach(() => {
  kept = new Map();
  told = [];
  fetched = whole;
  networks = new Networks((_, progress) => told.push(progress));
  vi.stubGlobal("location", { href: "http://localhost/" });
  vi.stubGlobal(
    "fetch",
    vi.fn(() => Promise.resolve(new Response(fetched))),
  );
  vi.stubGlobal("caches", {
    keys: () => Promise.resolve([...kept.keys()]),
    match: (address: string) => {
      const found = [...kept.values()].find((files) => files.has(address))?.get(address);
      return Promise.resolve(found && new Response(found));
    },
    open: (name: string) =>
      Promise.resolve({
        keys: () => Promise.resolve([...cache(name).keys()].map((url) => ({ url }))),
        delete: (address: string) => Promise.resolve(cache(name).delete(address)),
        put: async (address: string, response: Response) => void cache(name).set(address, new Uint8Array(await response.arrayBuffer())),
      }),
  });
});
afterEach(() => vi.unstubAllGlobals());

it("a network is fetched once and kept", async () => {
  const { bytes } = await networks.load(NAME);
  expect([...cache(WEIGHTS_CACHE).values()]).toEqual([whole]);
  expect((await new Networks(() => undefined).load(NAME)).bytes).toBe(bytes);
  expect(fetch).toHaveBeenCalledOnce();
  expect(told.at(-1)).toEqual({ state: "ready" });
});

it.each([WEIGHTS_CACHE, "of the service worker"])("what is damaged in the cache %s is fetched anew", async (name) => {
  await networks.load(NAME);
  const [address] = cache(WEIGHTS_CACHE).keys();
  kept.clear();
  cache(name).set(address!, cut);
  await new Networks(() => undefined).load(NAME);
  expect(fetch).toHaveBeenCalledTimes(2);
  expect([...cache(WEIGHTS_CACHE).values()]).toEqual([whole]);
  expect(cache(name).get(address!)).not.toEqual(cut);
});

it("what comes damaged is not kept, and named", async () => {
  fetched = cut;
  await expect(networks.load(NAME)).rejects.toThrow(`The weights "${NAME}" are cut short or damaged.`);
  expect(told.at(-1)).toEqual({ state: "failed", file: `${NAME}.weights`, kind: "damaged" });
  expect([...cache(WEIGHTS_CACHE).values()]).toEqual([]);
});

it("what does not come is named", async () => {
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("no network")));
  await expect(networks.load(NAME)).rejects.toThrow("no network");
  expect(told.at(-1)).toEqual({ state: "failed", file: `${NAME}.weights`, kind: "unloaded" });
});
