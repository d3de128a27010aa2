import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { compile, Module } from "../engine/module";
import * as own from "../engine/own";
import { jsonOf, readRecord, writeRecord } from "../engine/records";
import { Rules } from "../engine/rules";
import { positionOf } from "../local/position";
import { stateOf } from "../local/positions";
import { packed, unpacked, linkToGame, gameIn } from "./link";
import { refusalText } from "../words/refusals";
import { gameOf } from "./own";
import { readGame, recordOf, unnamed } from "./record";
import { GameNode } from "./tree";
import { Study } from "./study.svelte";

let rules: Rules;
beforeAll(async () => {
  rules = new Rules(new Module(await compile(readFileSync(new URL("../engine/generated/azulejos.wasm", import.meta.url)))));
});

const GOLDEN = JSON.parse(readFileSync(new URL("../../../tests/golden/notation.json", import.meta.url), "utf8")) as {
  records: { given: string; text?: string }[];
};

const ANNOTATED = `[Event "?"]
[Date "????.??.??"]
[Wall "std"]
[Players "2"]
[Player1 "Ana"]
[Player2 "level2"]
[Result "*"]
[Rules "1"]

{A short one.}
R1@1 =BYKW/YRK2/Y2RK/BRKW/YR2W {the deal} ( R1@1 =BYKW/YRK2/Y2RK/BRKW/YRW2 1B1 )
  2K3 $1 {[%eval +3.2] good} {and safe} ( 2K2 {slower} cR1 ( cY1 ) ) ( 3Y2 ) cY2
*
`;

const written = (text: string): string => {
  const { root, about } = readGame(text, rules);
  return writeRecord(recordOf(root, about, rules));
};

describe("a record with variations", () => {
  it("becomes a tree and the same text again", () => {
    const { root, stopped } = readGame(ANNOTATED, rules);
    expect(stopped).toBeNull();
    expect([root.ply, root.note, root.variations.length]).toEqual([-1, "A short one.", 2]);
    const [deal] = root.variations;
    expect(deal!.variations.map(({ happening }) => happening?.move)).toEqual(["2K3", "2K2", "3Y2"]);
    expect([deal!.variations[0]!.glyphs, deal!.variations[0]!.note]).toEqual([[1], "good\nand safe"]);
    expect(written(ANNOTATED)).toBe(ANNOTATED);
  });

  it("is the same again for every record that is known to be good", () => {
    // Whole games all go the same way, so that a few of them are enough.
    for (const { given } of GOLDEN.records.filter(({ given }, index) => /[({]|Position/.test(given) || index % 10 === 0)) {
      const text = writeRecord(readRecord(given, rules));
      const again = written(text);
      // What stands twice is written once, and comments before and behind a lone head are one list: after that nothing changes any more.
      expect(written(again)).toBe(again);
      const [before, after] = [readRecord(text, rules), readRecord(again, rules)];
      expect([after.names, after.result, after.tags, after.entries.map(({ play }) => play)]).toEqual([
        before.names,
        before.result,
        before.tags,
        before.entries.map(({ play }) => play),
      ]);
    }
  });

  it("stays readable after anything that was done to the tree", () => {
    const { root, about } = readGame(ANNOTATED, rules);
    const positions = { position: () => Promise.reject(new Error("nobody is asked")) };
    const study = new Study(root, positions);
    study.go(root.variations[0]!.variations[1]!.variations[0]!); // cR1 after 2K2
    study.promote(true);
    study.write("better");
    const text = writeRecord(recordOf(root, about, rules));
    expect(readRecord(text, rules).entries.map(({ play }) => play)).toEqual(["=BYKW/YRK2/Y2RK/BRKW/YR2W", "2K2", "cR1"]);
    expect(written(text)).toBe(text);
    study.go(root.variations[0]!);
    study.remove();
    expect(readRecord(writeRecord(recordOf(root, about, rules)), rules).entries.map(({ play }) => play)).toEqual([
      "=BYKW/YRK2/Y2RK/BRKW/YRW2",
      "1B1",
    ]);
  });

  it("may begin with any position", () => {
    const line = "std B2YK/BYR2/-/BYRW/RK2W FR 0:-/B2/-/-/-:5/5/5/5/5:B 0:-/-/-/-/-:5/5/5/5/5:- B13Y17R15K17W18 d2 1@1";
    const root = new GameNode(positionOf(rules, stateOf(rules, line)));
    root.note = "From here.";
    const text = writeRecord(recordOf(root, unnamed(2), rules));
    expect(text).toContain(`[Position "${line}"]`);
    const again = readGame(text, rules).root;
    expect([again.position.line, again.note, again.ply]).toEqual([line, "From here.", 0]);
  });
});

describe("what belongs to the game as it was played", () => {
  const finished = (): string => GOLDEN.records.map(({ given }) => given).find((text) => /\[Result "\d/.test(text))!;

  it("is lost by a tree whose main line is another", () => {
    const { root, about } = readGame(finished(), rules);
    expect(about.plays).not.toBeNull();
    const last = root.line().at(-1)!;
    last.remove();
    const record = recordOf(root, { ...about, tags: { ...about.tags, DealSecret: "0".repeat(64) } }, rules);
    expect([record.result, record.tags["DealSecret"], record.tags["Termination"]]).toEqual([null, undefined, undefined]);
    expect(() => readRecord(writeRecord(record), rules)).not.toThrow();
  });
});

describe("a record that is wrong", () => {
  const json = (): string => JSON.stringify(jsonOf(readRecord(ANNOTATED, rules)));
  const third = { round: 1, move: 3 };

  it.each([
    ["breaks the rules", () => ANNOTATED.replace("cY2\n", "cY2 2K2 5R1\n"), third, "color_not_there", {}],
    ["has something that is no move", () => ANNOTATED.replace("cY2\n", "cY2 Kd3 5R1\n"), third, "record_unread", { text: "Kd3" }],
    ["breaks off", () => ANNOTATED.replace("*\n", ""), third, "record_cut", {}],
    ["breaks off in a comment", () => ANNOTATED.replace("cY2\n*", "cY2 {as"), third, "record_cut", {}],
    ["has a wrong head", () => ANNOTATED.replace("cY2\n", "cY2\nR2@1 =BYKW/YRK2/Y2RK/BRKW/YR2W\n"), third, "record_misfit", {}],
    ["breaks off as JSON", () => json().slice(0, json().indexOf('"cY2"') + 6), third, "record_cut", {}],
    ["is damaged as JSON", () => json().replace('"cY2"', '"cY2" ;;'), third, "record_unread", {}],
    ["has another result", () => ANNOTATED.replace('Result "*"', 'Result "3-1"'), third, "record_result", {}],
  ] as const)("is shown as far as it is a game if it %s, and says where and why", (_, text, where, code, args) => {
    const { root, stopped, about } = readGame(text(), rules);
    expect(stopped).toMatchObject({ where, code, args });
    expect(refusalText(code, stopped!.args)).not.toContain("undefined");
    expect(about.plays).toBeNull();
    expect(root.line()).toHaveLength(4);
    expect(written(text())).toBe(ANNOTATED);
  });

  it("is refused if there is no move in it, with what is wrong where that can be said", async () => {
    for (const text of ["", "nothing of the kind", "{", "[Wall", '[Event "World"]\n[White "Ana"]\n\n1. e4 e5 1-0\n'])
      expect(() => readGame(text, rules)).toThrow();
    vi.spyOn(own, "ownRules").mockResolvedValue(rules);
    const first = ANNOTATED.replace(/R1@1.*\*\n/s, "9Z9 *\n");
    await expect(gameOf(first)).rejects.toMatchObject({ code: "bad_record", args: { why: expect.stringContaining("9Z9") as unknown } });
    await expect(gameOf("nothing of the kind")).rejects.toMatchObject({ code: "bad_record" });
    await expect(gameOf("x".repeat(200_001))).rejects.toMatchObject({ code: "too_large" });
  });

  it("is shown up to as many moves as anybody looks at", () => {
    const { stopped, root } = readGame(ANNOTATED.replace("cY2\n", `cY2 ${"( cY1 ) ".repeat(4996)}\n`), rules);
    expect(stopped?.code).toBe("record_long");
    expect(root.line()).toHaveLength(4);
  });
});

describe("a file with several games", () => {
  it("is opened with the first one", () => {
    const { games, stopped, about } = readGame(`${ANNOTATED}\n${ANNOTATED.replace("Ana", "Ben")}`, rules);
    expect([games, stopped, about.names[0]]).toEqual([2, null, "Ana"]);
  });
});

describe("a game in a link", () => {
  it("comes back as it was, on a server and on a host of files", async () => {
    const onServer = new URL(await linkToGame(ANNOTATED, "https://host/replay/abc?at=3", true));
    expect([onServer.pathname, onServer.search]).toEqual(["/analysis", ""]);
    expect(await unpacked(gameIn(onServer.search, onServer.hash)!)).toBe(ANNOTATED);
    const onFiles = new URL(await linkToGame(ANNOTATED, "https://host/site/index.html#/analysis?p=x", false));
    expect(onFiles.pathname).toBe("/site/index.html");
    expect(await unpacked(gameIn(onFiles.hash.slice(onFiles.hash.indexOf("?")), onFiles.hash)!)).toBe(ANNOTATED);
    expect(gameIn("?p=x", "#main")).toBeNull();
  });

  it("that is damaged or hides something large is refused", async () => {
    const good = await packed(ANNOTATED);
    for (const bad of ["", "%%%", "abcd", good.slice(0, 40), `${good.slice(0, 20)}AAAA${good.slice(24)}`])
      await expect(unpacked(bad).then((text) => readGame(text, rules))).rejects.toThrow();
    await expect(unpacked(await packed("x".repeat(199_999)))).resolves.toHaveLength(199_999);
    await expect(unpacked("A".repeat(300_000))).rejects.toThrow("too_large");
    const bomb = Buffer.from(
      await new Response(new Blob(["0".repeat(5_000_000)]).stream().pipeThrough(new CompressionStream("deflate-raw"))).arrayBuffer(),
    );
    await expect(unpacked(bomb.toString("base64url"))).rejects.toThrow("too_large");
  });

  it("that would be too long is not made", async () => {
    const noise = Array.from({ length: 9000 }, (_, index) => String.fromCharCode(33 + ((Math.abs(Math.sin(index)) * 1e6) % 90))).join("");
    await expect(linkToGame(noise, "https://host/", true)).rejects.toThrow("link_too_long");
  });
});
