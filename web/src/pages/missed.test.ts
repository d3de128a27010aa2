import { expect, it } from "vitest";
import { fakePosition, fakeWelcome } from "../net/fake";
import { type Live, after } from "../net/live";
import type { Replay } from "../local/replay";
import type { HappeningInfo } from "../net/messages";
import { framesSince, othersMoves } from "./missed";

const log: HappeningInfo[] = ["1B1", "2Y1", "3R1", "4K1"].map((move, index) => ({ seat: index % 2, move }));
const live = after(null, fakeWelcome(9, { log })) as Live;
const replay: Replay = {
  names: ["Ana", "Bo"],
  steps: [
    { happening: null, position: fakePosition({ line: "start" }) },
    { happening: { move: "=B4", seat: null }, position: fakePosition({ line: "dealt" }) },
    ...log.map(({ move, seat }) => ({ happening: { move, seat }, position: fakePosition({ line: move }) })),
  ],
};

it("counts only the moves of others", () => {
  expect(othersMoves(live, 0)).toBe(2);
  expect(othersMoves(live, 3)).toBe(1);
  expect(othersMoves(live, 4)).toBe(0);
});

it("starts with the position that I last saw and ends with the present version", () => {
  const frames = framesSince(replay, live, 2);
  expect(frames.map((frame) => [frame.version, frame.position.line])).toEqual([
    [7, "2Y1"],
    [8, "3R1"],
    [9, "4K1"],
  ]);
  expect(frames.map((frame) => frame.log.length)).toEqual([2, 3, 4]);
});

it("does not run out of the replay when more was seen than there is", () => {
  expect(framesSince(replay, live, -9).at(0)?.position.line).toBe("start");
  expect(framesSince(replay, live, 99)).toHaveLength(1);
});
