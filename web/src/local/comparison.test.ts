import { readFileSync } from "node:fs";
import { beforeAll, expect, it, vi } from "vitest";
import type { HintMove } from "../board";
import { ACTION_NAMES } from "../engine/generated/bindings";
import { Module, compile } from "../engine/module";
import { readMove } from "../engine/notation";
import { Rules, type State } from "../engine/rules";
import { compare } from "./comparison";
import { stateOf } from "./positions";

const LINE = "std -/Y2KW/B2R2/B2YR/YRKW FKW 0:B/-/-/-/-:5/5/5/5/5:B 0:-/-/-/-/-:5/5/5/5/5:- B14Y16R16K17W17 d2 1@1";
const REASONS = [{ code: "floor", seat: 1, row: 0, points: 2 }] as const;
const { signal } = new AbortController();
const inquire = vi.fn(() => Promise.resolve({ reasons: REASONS, lines: [[], []] }));
const engine = { inquire: inquire as never };
let rules: Rules;
let state: State;
let natural: string;

beforeAll(async () => {
  rules = new Rules(new Module(await compile(readFileSync(new URL("../engine/generated/azulejos.wasm", import.meta.url)))));
  state = stateOf(rules, LINE);
  natural = ACTION_NAMES[rules.greedy(state)]!;
});

const hinted = (move: string, margin: number): HintMove => ({ move, margin, win: [], line: [move] });

it("compares a hint with what brings most at first sight", async () => {
  const found = await compare(engine, rules, state, [hinted("1Y2", 3), hinted("cK1", 2), hinted(natural, 0.5)], signal);
  expect(found).toEqual({ move: natural, gain: 2.5, reasons: REASONS });
  expect(inquire).toHaveBeenLastCalledWith(
    expect.objectContaining({ kind: "explain", played: [readMove(natural)], best: [readMove("1Y2")] }),
    signal,
  );
});

it("does not know the gain over a move that was not looked at", async () => {
  expect(await compare(engine, rules, state, [hinted("1Y2", 3)], signal)).toMatchObject({ move: natural, gain: null });
});

it("compares a hint that is natural itself with the second best, if there is one", async () => {
  expect(await compare(engine, rules, state, [hinted(natural, 3), hinted("cK1", 2)], signal)).toMatchObject({ move: "cK1", gain: 1 });
  expect(await compare(engine, rules, state, [hinted(natural, 3)], signal)).toBeNull();
});
