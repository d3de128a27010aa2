/** The worker's own side: what it says while a network is on its way and somebody says stop. */
import { readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { compile, Module } from "./module";
import { FULL_STRENGTH } from "./opponents";
import type { Choice, FromWorker, Inquiry, ToWorker } from "./questions";
import { Rules, type State } from "./rules";

const scope = { onmessage: null as ((event: { data: ToWorker }) => void) | null, postMessage: vi.fn<(message: FromWorker) => void>() };
let state: State;

beforeEach(async () => {
  const module = await compile(readFileSync(new URL("./generated/azulejos.wasm", import.meta.url)));
  const rules = new Rules(new Module(module));
  state = rules.deal(rules.start({ players: 2, wall: "std", seed: 1n, starter: 0 }));
  vi.stubGlobal("self", scope);
  vi.stubGlobal("location", { href: "http://localhost/" });
  vi.stubGlobal(
    "fetch",
    vi.fn(() => new Promise(() => undefined)),
  );
  vi.resetModules();
  await import("./worker");
  vi.useFakeTimers(); // so that no wait ends by itself
  scope.onmessage!({ data: { type: "begin", module } });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  scope.postMessage.mockClear();
});

const answers = () => scope.postMessage.mock.calls.map(([message]) => message).filter(({ type }) => type !== "network");

async function stoppedWhileLoading(question: Choice | Inquiry): Promise<void> {
  scope.onmessage!({ data: { type: "ask", question: { id: 7, ...question } } });
  await vi.waitFor(() => expect(fetch).toHaveBeenCalledOnce());
  scope.onmessage!({ data: { type: "stop", id: 6 } });
  expect(answers()).toEqual([]);
  scope.onmessage!({ data: { type: "stop", id: 7 } });
  await vi.waitFor(() => expect(answers()).toEqual([{ type: "failed", id: 7, reason: "" }]));
}

describe("a question that is stopped while its network is on its way", () => {
  it("ends at once, as a choice", () => stoppedWhileLoading({ kind: "choose", state, opponent: FULL_STRENGTH, limits: null, drawn: 0 }));

  it("ends at once, as an inquiry", () => stoppedWhileLoading({ kind: "look", nodes: 100, state, played: null }));
});
