/** What the service worker keeps of the page, and what it answers with it. */

import { routeOf } from "../shell/routes";
import { WEIGHTS_CACHE } from "./weights_cache";

/** A built page: a digest of all its files, their names, and apart from them the networks, which are large. */
export interface Release {
  readonly version: string;
  readonly files: readonly string[];
  readonly weights: readonly string[];
}

interface Options {
  readonly release: Release;
  /** The address below which the page lies. */
  readonly scope: string;
  /** Whether every page has a path of its own, as on a server; else there is only one, and the rest are fragments. */
  readonly paths: boolean;
  readonly caches: CacheStorage;
  readonly fetch: (request: Request) => Promise<Response>;
}

/** Files whose names change with their content. */
const HASHED = "assets/";
/** The page itself, under the address at which every host has it. */
const PAGE = "";

export class Store {
  private readonly known: Set<string>;
  /** What the names of our caches begin with; another copy of the page, below another path, has others. */
  private readonly prefix: string;
  private readonly name: string;

  constructor(private readonly options: Options) {
    const { files, version } = options.release;
    this.known = new Set([PAGE, ...files]);
    this.prefix = `azulejos ${new URL(options.scope).pathname} `;
    this.name = this.prefix + version;
  }

  /** Keeps a whole version, weights aside; fails if a file is not to be had, so that no half version is ever used. */
  async install(): Promise<void> {
    const cache = await this.options.caches.open(this.name);
    const keep = async (name: string): Promise<void> => {
      const old = name.startsWith(HASHED) ? await this.find(name) : undefined;
      await cache.put(this.address(name), old ?? (await this.load(name)));
    };
    await Promise.all([...this.known].map(keep));
  }

  /** Gives back the room of old versions; that of the last one is kept, because another tab may still show it. */
  async activate(): Promise<void> {
    const { caches, release, scope } = this.options;
    const names = await caches.keys();
    const others = names.filter((name) => name.startsWith(this.prefix) && name !== this.name);
    await Promise.all(others.slice(0, -1).map((name) => caches.delete(name)));
    const weights = await caches.open(WEIGHTS_CACHE);
    const wanted = new Set(release.weights.map((name) => this.address(name)));
    const stale = (await weights.keys()).filter(({ url }) => url.startsWith(scope) && !wanted.has(url));
    await Promise.all(stale.map((request) => weights.delete(request)));
  }

  /** Keeps the networks that have not been needed yet; what cannot be had or kept now comes when it is needed. */
  async keepWeights(): Promise<void> {
    const cache = await this.options.caches.open(WEIGHTS_CACHE);
    for (const name of this.options.release.weights) {
      if (await this.find(name)) continue;
      await this.load(name)
        .then((response) => cache.put(this.address(name), response))
        .catch(() => undefined);
    }
  }

  /** The answer to a request, or null for what is none of ours: the network has it. */
  answer(request: Request): Promise<Response> | null {
    const name = request.method === "GET" ? this.nameOf(request) : null;
    return name === null ? null : this.found(name);
  }

  private nameOf(request: Request): string | null {
    const { scope, paths } = this.options;
    const url = new URL(request.url);
    const root = new URL(scope);
    if (url.origin !== root.origin || !url.pathname.startsWith(root.pathname)) return null;
    const name = url.pathname.slice(root.pathname.length);
    if (request.mode === "navigate") {
      const isPage = name === PAGE || name === "index.html" || (paths && routeOf(`/${name}`).page !== "missing");
      return isPage ? PAGE : null;
    }
    return this.known.has(name) || name.startsWith(HASHED) ? name : null;
  }

  private async found(name: string): Promise<Response> {
    return (await this.find(name)) ?? this.options.fetch(new Request(this.address(name)));
  }

  private async find(name: string): Promise<Response | undefined> {
    const { caches } = this.options;
    const own = await (await caches.open(this.name)).match(this.address(name), { ignoreVary: true });
    return own ?? (name.startsWith(HASHED) ? caches.match(this.address(name), { ignoreVary: true }) : undefined);
  }

  private async load(name: string): Promise<Response> {
    // The host is asked whether a file is still the same, unless its name says so.
    const request = new Request(this.address(name), { cache: name.startsWith(HASHED) ? "default" : "no-cache" });
    const response = await this.options.fetch(request);
    // Networks that ask for a password first lead elsewhere.
    if (!response.ok || response.redirected) throw new Error(`${request.url} cannot be fetched: ${response.status}`);
    return response;
  }

  private address(name: string): string {
    return new URL(name, this.options.scope).href;
  }
}
