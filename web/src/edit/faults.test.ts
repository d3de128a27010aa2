import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { FAULT_SENTENCES } from "../engine/generated/bindings";
import { compile, Module } from "../engine/module";
import { Rules } from "../engine/rules";
import { locales, overwriteGetLocale } from "../paraglide/runtime.js";
import { faultText } from "../words/faults";
import { withDeal } from "./deal";
import { faultsOf } from "./faults";
import { edited, lineOf, MARKER, readSketch, type Sketch, supply } from "./sketch";

const EMPTY = "0:-/-/-/-/-:5/5/5/5/5:-";
const FRESH = "B4/Y4/R4/K4/W4";
const BAG = "B20Y20R20K20W20";
let rules: Rules;

beforeAll(async () => {
  rules = new Rules(new Module(await compile(readFileSync(new URL("../engine/generated/azulejos.wasm", import.meta.url)))));
  overwriteGetLocale(() => "en");
});

const found = (line: string) => faultsOf(readSketch(line).sketch, rules);
const slots = (display: number, count = 4) => [...Array(count).keys()].map((slot) => `display-${display}-${slot}`);
const CENTER = ["center-B", "center-Y", "center-R", "center-K", "center-W", "marker"];
/** A board in the sixth round, with a tile in the center to take. */
const board = (text: string, wall = "std") => `${wall} -/-/-/-/- FW ${text} ${EMPTY} ${BAG} d1 6@1`;

describe("a fault is told at its place", () => {
  it.each<[string, string, string[]]>([
    [`std -/-/-/-/- FB21 ${EMPTY} ${EMPTY} - d1 6@1`, "supply", ["supply-0"]],
    [`std -/B5/-/-/- F ${EMPTY} ${EMPTY} ${BAG} d1 6@1`, "offer", slots(1, 5)],
    [board("241:-/-/-/-/-:5/5/5/5/5:-"), "board-0", ["score-0"]],
    [board("0:-/-/-/-/-:5/5/5/5/5:B8"), "board-0", [...Array(8).keys()].map((space) => `floor-0-${space}`)],
    [board("0:-/-/-/-/-:B1B2/5/5/5/5:-", "gray"), "board-0", ["cell-0-0-0", "cell-0-0-2"]],
    [board("0:-/-/-/-/-:B4/5/B4/5/5:-", "gray"), "board-0", ["cell-0-0-0", "cell-0-2-0"]],
    [board("0:-/-/-/-/-:1B3/5/5/5/5:-"), "board-0", ["cell-0-0-1"]],
    [board("0:-/-/B4/-/-:5/5/5/5/5:-"), "board-0", ["line-0-2"]],
    [board("0:-/B/-/-/-:5/1B3/5/5/5:-"), "board-0", ["line-0-1", "cell-0-1-1"]],
    [board("0:-/-/-/-/-:BYRKW/5/5/5/5:-"), "board-0", [0, 1, 2, 3, 4].map((column) => `cell-0-0-${column}`)],
    [board("0:-/-/-/-/-:B4/5/5/5/5:-").replace("6@1", "1@1"), "board-0", ["cell-0-0-0"]],
    [board("0:-/-/-/-/-:BY3/5/5/5/5:-").replace("6@1", "2@1"), "board-0", ["cell-0-0-0", "cell-0-0-1"]],
    [`std -/-/-/-/- F 0:-/B2/-/-/-:5/5/5/5/5:- ${EMPTY} ${BAG} r1 6@1`, "board-0", ["line-0-1"]],
    [`std -/-/-/-/- F ${EMPTY} ${EMPTY} ${BAG} d1 6@1`, "offer", CENTER],
    [`std B3/-/Y3/-/- F ${EMPTY} ${EMPTY} - d1 6@1`, "offer", slots(0)],
    [`std B3/-/-/-/- F ${EMPTY} ${EMPTY} ${BAG} d1 6@1`, "offer", slots(0)],
    [`std ${FRESH} FB ${EMPTY} ${EMPTY} ${BAG} d1 6@1`, "offer", CENTER],
    [`std ${FRESH} F ${EMPTY} ${EMPTY} ${BAG} d2 6@1`, "turn", ["seat", "starter"]],
    [`std ${FRESH} - 0:-/-/-/-/-:5/5/5/5/5:F ${EMPTY} ${BAG} d1 6@1`, "offer", ["floor-0-0"]],
    [`std ${FRESH} F ${EMPTY} 0:-/-/-/-/-:5/5/5/5/5:B ${BAG} d1 6@1`, "board-1", ["floor-1-0"]],
    [`std ${FRESH} F 0:-/-/B3/-/-:5/5/5/5/5:- ${EMPTY} ${BAG} d1 6@1`, "board-0", ["line-0-2"]],
    [`std B4/-/-/-/- FW ${EMPTY} ${EMPTY} ${BAG} r1 6@1`, "offer", [...slots(0), "center-W"]],
    [`std -/-/-/-/- - 0:-/-/-/-/-:5/5/5/5/5:F ${EMPTY} ${BAG} r1 6@1`, "offer", ["floor-0-0"]],
    [`std -/-/-/-/- F 0:-/-/-/-/-:5/5/5/5/5:Y ${EMPTY} ${BAG} r1 6@1`, "board-0", ["floor-0-0"]],
    [`std -/-/-/-/- F 0:B/-/-/-/-:5/5/5/5/5:- ${EMPTY} ${BAG} t1 6@1`, "turn", ["phase"]],
    [`gray -/-/-/-/- F ${EMPTY} ${EMPTY} ${BAG} t1 6@1`, "turn", ["phase", "seat"]],
    [`std -/-/-/-/- F ${EMPTY} ${EMPTY} ${BAG} r2 6@1`, "turn", ["starter"]],
  ])("%s", (line, part, at) => {
    expect(found(line)).toContainEqual({ part, at, text: expect.stringMatching(/\w/) as string });
  });

  it("and a position that can be has none", () => {
    expect(found(`std ${FRESH} F ${EMPTY} ${EMPTY} B16Y16R16K16W16 d1 1@1`)).toEqual([]);
  });
});

it.each(locales)("every fault has its sentence in %s", (language) => {
  overwriteGetLocale(() => language);
  const said = FAULT_SENTENCES.map((_, code) => faultText([code, 0, 3, 2, 1]));
  expect(new Set(said).size).toBe(FAULT_SENTENCES.length);
  for (const text of said) expect(text).not.toMatch(/[{}]|undefined/);
  overwriteGetLocale(() => "en");
});

describe("a new round", () => {
  const deal = (sketch: Sketch) => withDeal(sketch, rules, 7n);

  it("fills the plates from the bag, and can be", () => {
    const { sketch } = readSketch(`gray -/-/-/-/- R3 0:-/K/-/-/-:B4/5/5/5/5:FY2W 0:-/-/-/-/-:5/5/5/5/5:- B5Y5R5K5W5 d2 3@2`);
    const dealt = deal(edited(sketch, (copy) => (copy.lid = [3, 0, 0, 0, 0])));
    expect(faultsOf(dealt, rules)).toEqual([]);
    expect(dealt.plates.flat().filter(Boolean)).toHaveLength(20);
    expect([dealt.phase, dealt.seat, dealt.starter, dealt.round]).toEqual(["d", 1, 1, 3]);
    expect(dealt.boards.flatMap(({ floor }) => floor).filter(Boolean)).toEqual([]);
    expect(dealt.boards.map(({ wall, lines }) => [wall, lines])).toEqual(sketch.boards.map(({ wall, lines }) => [wall, lines]));
    expect(supply(dealt).lid).toEqual([3, 2, 0, 0, 1]);
  });

  it("pours the lid into an empty bag", () => {
    const { sketch } = readSketch(`std -/-/-/-/- F ${EMPTY} ${EMPTY} B2 d1 6@1`);
    const dealt = deal(sketch);
    expect(supply(dealt).lid).toEqual([0, 0, 0, 0, 0]);
    expect(dealt.plates.flat().filter(Boolean)).toHaveLength(20);
  });

  it("is named where the boards do not allow it", () => {
    const { sketch } = readSketch(`std -/-/-/-/- FW 0:-/B2/-/-/-:5/5/5/5/5:- ${EMPTY} ${BAG} d1 6@1`);
    expect(faultsOf(deal(sketch), rules).map(({ at }) => at)).toEqual([["line-0-1"]]);
  });

  it("is another one with another seed", () => {
    const { sketch } = readSketch(`std -/-/-/-/- F ${EMPTY} ${EMPTY} ${BAG} d1 1@1`);
    expect(lineOf(deal(sketch))).not.toBe(lineOf(withDeal(sketch, rules, 8n)));
    expect(lineOf(deal(sketch))).toBe(lineOf(deal(edited(sketch, (copy) => (copy.boards[0]!.floor[0] = MARKER)))));
  });
});
