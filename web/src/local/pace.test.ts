import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Pace, SPEEDS } from "./pace.svelte";

const MS = 1000;
let pace: Pace;
let moves = 0;

/** Moves as computers make them, for ever. */
async function play(): Promise<void> {
  const mine = pace;
  for (;;) {
    await mine.due();
    if (mine !== pace) return;
    moves += 1;
  }
}

beforeEach(() => {
  vi.useFakeTimers();
  pace = new Pace(MS);
  moves = 0;
  void play();
});

afterEach(() => vi.useRealTimers());

it("makes a move whenever its time has come, sooner if it is to be fast", async () => {
  await vi.advanceTimersByTimeAsync(2.5 * MS);
  expect(moves).toBe(2);
  pace.speed = "fast";
  await vi.advanceTimersByTimeAsync(0.5 * MS); // the move that was waited for
  expect(moves).toBe(3);
  await vi.advanceTimersByTimeAsync(4 * SPEEDS.fast * MS);
  expect(moves).toBe(7);
});

it("makes none while it is paused, one for each step, and goes on", async () => {
  pace.paused = true;
  await vi.advanceTimersByTimeAsync(60 * MS);
  expect(moves).toBe(0);
  for (const count of [1, 2]) {
    pace.step();
    await vi.advanceTimersByTimeAsync(60 * MS);
    expect(moves).toBe(count);
  }
  pace.paused = false;
  await vi.advanceTimersByTimeAsync(MS);
  expect(moves).toBe(4); // the one that was held up, and the next
});

it("pauses after a step that was wished while computers play", async () => {
  pace.step();
  await vi.advanceTimersByTimeAsync(60 * MS);
  expect(moves).toBe(1);
  expect(pace.paused).toBe(true);
});
