// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { buzz, keepAwake } from "./awake";

const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
let held = 0;
let asked = 0;
let hidden = false;
const vibrate = vi.fn();

function show(now: boolean): void {
  hidden = !now;
  if (hidden) held = 0;
  document.dispatchEvent(new Event("visibilitychange"));
}

beforeEach(() => {
  held = asked = 0;
  vibrate.mockClear();
  hidden = false;
  vi.spyOn(document, "hidden", "get").mockImplementation(() => hidden);
  vi.stubGlobal("navigator", {
    userActivation: { hasBeenActive: true },
    vibrate,
    wakeLock: {
      request: () => {
        asked++;
        held++;
        return Promise.resolve({ release: () => Promise.resolve(held--) });
      },
    },
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe("the screen", () => {
  it("stays on until it is no longer needed", async () => {
    const end = keepAwake();
    await settled();
    expect(held).toBe(1);
    end();
    expect(held).toBe(0);
  });

  it("stays on after the page was hidden", async () => {
    const end = keepAwake();
    await settled();
    show(false);
    expect(held).toBe(0);
    show(true);
    await settled();
    expect(held).toBe(1);
    end();
  });

  it("is let go even if the browser answers late", async () => {
    keepAwake()();
    await settled();
    expect([asked, held]).toEqual([1, 0]);
  });

  it("is let go when nothing happens for a long time", async () => {
    vi.useFakeTimers();
    keepAwake();
    await vi.advanceTimersByTimeAsync(9 * 60_000);
    expect(held).toBe(1);
    await vi.advanceTimersByTimeAsync(2 * 60_000);
    expect(held).toBe(0);
    show(true);
    await vi.advanceTimersByTimeAsync(10);
    expect(held).toBe(0);
  });

  it("is left alone where a browser cannot", () => {
    vi.stubGlobal("navigator", {});
    keepAwake()();
  });
});

describe("a vibration", () => {
  it("is short", () => {
    buzz();
    expect(vibrate).toHaveBeenCalledExactlyOnceWith(60);
  });

  it("waits for the first touch", () => {
    vi.stubGlobal("navigator", { ...navigator, userActivation: { hasBeenActive: false } });
    buzz();
    expect(vibrate).not.toHaveBeenCalled();
  });
});
