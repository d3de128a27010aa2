/** A browser that does not open its database, as WebKit sometimes does not. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openStore } from "./store";

class SlowRequest {
  onsuccess: (() => void) | null = null;
  onupgradeneeded: (() => void) | null = null;
  onerror: (() => void) | null = null;
  onblocked: (() => void) | null = null;
  readonly error = null;

  constructor(readonly result: unknown) {}

  /** Answers as soon as somebody can hear it. */
  soon(): this {
    setTimeout(() => this.onsuccess?.());
    return this;
  }
}

const database = () => ({
  close: vi.fn(),
  transaction: () => ({ objectStore: () => ({ getAll: () => new SlowRequest([]).soon() }) }),
});

/** The requests to open that were made; so many of them are never answered. */
let asked: SlowRequest[];
function browser(silent: number): void {
  asked = [];
  vi.stubGlobal("indexedDB", {
    open: () => {
      const request = new SlowRequest(database());
      asked.push(request);
      return asked.length > silent ? request.soon() : request;
    },
  });
}

describe("a database that the browser does not open", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it("is asked for again, and one that comes too late is let go", async () => {
    browser(2);
    const opening = openStore();
    await vi.runAllTimersAsync();
    expect((await opening).lasts).toBe(true);
    expect(asked).toHaveLength(3);
    asked[0]!.onsuccess?.();
    expect((asked[0]!.result as ReturnType<typeof database>).close).toHaveBeenCalledOnce();
    expect((asked[2]!.result as ReturnType<typeof database>).close).not.toHaveBeenCalled();
  });

  it("is named in the end: games may be in it", async () => {
    browser(Infinity);
    const opening = expect(openStore()).rejects.toMatchObject({ code: "storage_stuck" });
    await vi.runAllTimersAsync();
    await opening;
    expect(asked).toHaveLength(3);
  });

  it("is not waited for where there is none", async () => {
    vi.stubGlobal("indexedDB", undefined);
    expect((await openStore()).lasts).toBe(false);
  });
});
