import { beforeEach, describe, expect, it } from "vitest";
import { type Release, Store } from "./store";
import { WEIGHTS_CACHE } from "./weights_cache";

const SCOPE = "https://host.example/games/azulejos/";
const FIRST: Release = {
  version: "1",
  files: ["assets/main-1.js", "assets/rules.wasm", "manifest.webmanifest"],
  weights: ["assets/a.weights"],
};
const SECOND: Release = {
  version: "2",
  files: ["assets/main-2.js", "assets/rules.wasm", "manifest.webmanifest"],
  weights: ["assets/b.weights"],
};

/** As much of a browser's caches as is used. */
class FakeCaches {
  readonly kept = new Map<string, Map<string, Response>>();
  full = false;

  open(name: string): Promise<Cache> {
    const cache = this.kept.get(name) ?? new Map<string, Response>();
    this.kept.set(name, cache);
    return Promise.resolve({
      match: (address: string) => Promise.resolve(cache.get(address)?.clone()),
      put: (address: string, response: Response) =>
        this.full ? Promise.reject(new DOMException("full", "QuotaExceededError")) : Promise.resolve(void cache.set(address, response)),
      keys: () => Promise.resolve([...cache.keys()].map((address) => new Request(address))),
      delete: (request: Request) => Promise.resolve(cache.delete(request.url)),
    } as unknown as Cache);
  }

  keys = () => Promise.resolve([...this.kept.keys()]);
  delete = (name: string) => Promise.resolve(this.kept.delete(name));
  match = (address: string) =>
    Promise.resolve(
      [...this.kept.values()]
        .map((cache) => cache.get(address))
        .find(Boolean)
        ?.clone(),
    );
}

let caches: FakeCaches;
/** Addresses that the network was asked for. */
let asked: string[];
let online: boolean;
let gone: string;

beforeEach(() => {
  caches = new FakeCaches();
  asked = [];
  online = true;
  gone = "";
});

function store(release: Release, paths = false, scope = SCOPE): Store {
  const fetch = (request: Request): Promise<Response> => {
    asked.push(request.url.slice(scope.length));
    if (!online) return Promise.reject(new TypeError("no network"));
    return Promise.resolve(new Response(`${release.version} ${request.url}`, { status: request.url.endsWith(gone || "?") ? 404 : 200 }));
  };
  return new Store({ release, scope, paths, caches: caches as unknown as CacheStorage, fetch });
}

async function installed(release: Release, paths = false): Promise<Store> {
  const made = store(release, paths);
  await made.install();
  await made.activate();
  return made;
}

function request(name: string, mode = "cors", method = "GET"): Request {
  return { url: new URL(name, SCOPE).href, mode, method } as Request;
}

async function text(answer: Promise<Response> | null): Promise<string> {
  return (await answer!).text();
}

describe("without a network", () => {
  it("the page and its files are there, weights that were fetched too", async () => {
    const kept = await installed(FIRST);
    await kept.keepWeights();
    online = false;
    for (const name of FIRST.files) expect(await text(kept.answer(request(name)))).toBe(`1 ${SCOPE}${name}`);
    expect(await text(kept.answer(request("", "navigate")))).toBe(`1 ${SCOPE}`);
    expect(await text(kept.answer(request("index.html", "navigate")))).toBe(`1 ${SCOPE}`);
    expect(await text(kept.answer(request("assets/a.weights")))).toContain("a.weights");
  });

  it("weights that were never fetched fail as the network does", async () => {
    const kept = await installed(FIRST);
    online = false;
    await kept.keepWeights();
    await expect(kept.answer(request("assets/a.weights"))).rejects.toThrow("no network");
  });
});

it("weights that a game has fetched are not fetched again, and a full store only means that they are not kept", async () => {
  const kept = await installed(FIRST);
  asked = [];
  caches.full = true;
  await kept.keepWeights();
  expect(asked).toEqual(["assets/a.weights"]);
  caches.full = false;
  await (await caches.open(WEIGHTS_CACHE)).put(`${SCOPE}assets/a.weights`, new Response("of the worker"));
  await kept.keepWeights();
  expect(await text(kept.answer(request("assets/a.weights")))).toBe("of the worker");
  expect(asked).toEqual(["assets/a.weights"]);
});

describe("what is not ours goes to the network", () => {
  it.each([
    ["api/tables", "cors", "GET"],
    ["../other/page", "navigate", "GET"],
    ["https://elsewhere.example/assets/main-1.js", "cors", "GET"],
    ["assets/main-1.js", "cors", "POST"],
    ["api/tables/abc/record.azul", "navigate", "GET"],
  ])("%s", async (name, mode, method) => {
    for (const paths of [true, false]) expect((await installed(FIRST, paths)).answer(request(name, mode, method))).toBeNull();
  });

  it("such as another page of a host of files", async () => {
    expect((await installed(FIRST, false)).answer(request("learn", "navigate"))).toBeNull();
    expect(await text((await installed(FIRST, true)).answer(request("learn", "navigate")))).toBe(`1 ${SCOPE}`);
    expect(await text((await installed(FIRST, true)).answer(request("t/abc", "navigate")))).toBe(`1 ${SCOPE}`);
  });
});

describe("a new version", () => {
  it("fetches only what has changed, and leaves the old one alone until it is wanted", async () => {
    const old = await installed(FIRST);
    asked = [];
    const fresh = store(SECOND);
    await fresh.install();
    expect(asked.sort()).toEqual(["", "assets/main-2.js", "manifest.webmanifest"]);
    expect(await text(old.answer(request("", "navigate")))).toBe(`1 ${SCOPE}`);
    await fresh.activate();
    expect(await text(fresh.answer(request("", "navigate")))).toBe(`2 ${SCOPE}`);
    // A tab that still shows the old one gets its files.
    expect(await text(fresh.answer(request("assets/main-1.js")))).toBe(`1 ${SCOPE}assets/main-1.js`);
  });

  it("with a file missing is none", async () => {
    gone = "main-2.js";
    await expect(store(SECOND).install()).rejects.toThrow(`${SCOPE}assets/main-2.js cannot be fetched: 404`);
  });

  it("makes room: the versions before the last and weights of none are dropped", async () => {
    const first = await installed(FIRST);
    await first.keepWeights();
    await installed({ ...FIRST, version: "1b" });
    caches.kept.set("of another program", new Map());
    caches.kept.set("azulejos /games/ 7", new Map());
    await installed(SECOND);
    const mine = "azulejos /games/azulejos/ ";
    expect([...caches.kept.keys()].sort()).toEqual(
      [`${mine}1b`, `${mine}2`, WEIGHTS_CACHE, "azulejos /games/ 7", "of another program"].sort(),
    );
    expect([...caches.kept.get(WEIGHTS_CACHE)!.keys()]).toEqual([]);
  });
});
