import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Stopped } from "./analyst";
import { Engine, type Thinking } from "./client";
import type { Choice, FromWorker, Question, ToWorker } from "./questions";
import { STATE } from "./generated/bindings";
import type { Report } from "./thinker";

const REPORT: Report = { nodes: 1, milliseconds: 1, depth: 1, solved: false, candidates: [] };
const state = () => new Uint8Array(STATE.bytes).fill(7);

/** A worker whose other end is the test. */
class FakeWorker implements Thinking {
  onmessage: ((event: { data: FromWorker }) => void) | null = null;
  onerror: ((event: unknown) => void) | null = null;
  heard: ToWorker[] = [];
  ended = false;

  postMessage(message: ToWorker): void {
    this.heard.push(message);
  }

  terminate(): void {
    this.ended = true;
  }

  get asked(): (Question & Choice)[] {
    return this.heard.flatMap((message) => (message.type === "ask" && message.question.kind === "choose" ? [message.question] : []));
  }

  answer(action: number): void {
    this.onmessage?.({ data: { type: "answer", id: this.asked.at(-1)!.id, answer: { report: REPORT, action, stoodIn: false } } });
  }
}

let workers: FakeWorker[];
let engine: Engine;

beforeEach(() => {
  vi.useFakeTimers();
  workers = [];
  engine = new Engine(
    () => {
      workers.push(new FakeWorker());
      return workers.at(-1)!;
    },
    () => Promise.resolve({} as WebAssembly.Module),
  );
});
afterEach(() => vi.useRealTimers());

const settled = () => vi.advanceTimersByTimeAsync(0);

describe("a question", () => {
  it("is answered, and the next one waits for that", async () => {
    const first = engine.choose(state(), 1, 0.5);
    const second = engine.choose(state(), 2, 0.5);
    await settled();
    expect(workers[0]!.asked.map(({ opponent }) => opponent)).toEqual([1]);
    workers[0]!.answer(11);
    expect((await first).action).toBe(11);
    await settled();
    expect(workers[0]!.asked.map(({ opponent }) => opponent)).toEqual([1, 2]);
    workers[0]!.answer(12);
    expect((await second).action).toBe(12);
    expect(workers).toHaveLength(1);
  });

  it("does not give away the deals to come", async () => {
    const given = state();
    void engine.choose(given, 1, 0);
    await settled();
    const asked = workers[0]!.asked[0]!.state;
    expect(asked.slice(0, 8)).not.toEqual(given.slice(0, 8));
    expect(asked.slice(8)).toEqual(given.slice(8));
  });

  it("is stopped by its signal", async () => {
    const end = new AbortController();
    void engine.analyze(state(), { milliseconds: 1000 }, undefined, end.signal);
    await settled();
    end.abort();
    await settled();
    expect(workers[0]!.heard.at(-1)).toEqual({ type: "stop", id: workers[0]!.asked[0]!.id });
  });

  it("that still waits is not asked at all once it is stopped", async () => {
    const [first, end] = [engine.choose(state(), 1, 0), new AbortController()];
    const second = engine.choose(state(), 2, 0, end.signal);
    const third = engine.choose(state(), 3, 0);
    await settled();
    end.abort();
    await expect(second).rejects.toThrow(Stopped);
    await expect(engine.choose(state(), 4, 0, end.signal)).rejects.toThrow(Stopped);
    workers[0]!.answer(1);
    await first;
    await settled();
    workers[0]!.answer(3);
    expect((await third).action).toBe(3);
    expect(workers[0]!.asked.map(({ opponent }) => opponent)).toEqual([1, 3]);
  });
});

describe("a worker", () => {
  it("that dies is replaced and the question asked again", async () => {
    const answer = engine.choose(state(), 100, 0);
    await settled();
    workers[0]!.onerror?.({});
    await settled();
    expect([workers[0]!.ended, workers.length]).toEqual([true, 2]);
    workers[1]!.answer(5);
    expect((await answer).action).toBe(5);
  });

  it("that says nothing is replaced", async () => {
    void engine.choose(state(), 1, 0);
    await vi.advanceTimersByTimeAsync(11_000);
    expect([workers[0]!.ended, workers[1]!.asked.length]).toEqual([true, 1]);
  });

  it("that fails again and again is told of, and the next question has a new one", async () => {
    const answer = engine.choose(state(), 1, 0).catch((error: Error) => error.message);
    for (let attempt = 0; attempt < 3; attempt++) {
      await settled();
      workers.at(-1)!.onerror?.({});
    }
    expect(await answer).toContain("gives no answer");
    void engine.choose(state(), 2, 0);
    await settled();
    expect(workers).toHaveLength(4);
  });

  it("ends when nobody has asked for a while, and starts again", async () => {
    void engine.choose(state(), 1, 0);
    await settled();
    workers[0]!.answer(1);
    await vi.advanceTimersByTimeAsync(61_000);
    expect(workers[0]!.ended).toBe(true);
    void engine.choose(state(), 1, 0);
    await settled();
    expect(workers).toHaveLength(2);
  });

  it("is not started where the module cannot be had, and that is told", async () => {
    const broken = new Engine(
      () => new FakeWorker(),
      () => Promise.reject(new Error("no module")),
    );
    await expect(broken.choose(state(), 1, 0)).rejects.toThrow("no module");
  });
});
