import { expect, it } from "vitest";
import { fixture } from "./fixtures";
import { Stage } from "./stage.svelte";

const PACE = { speed: "normal" as const, sounds: false };

it("a skip shows all that is due, not only what is being played", async () => {
  const [before, scored] = fixture("scoring2");
  const log = [...scored!.log, scored!.log.find(({ drafted }) => drafted)!];
  const frames = [before!, scored!, { version: scored!.version + 1, position: { ...scored!.position, line: "next" }, log }];
  const stage = new Stage(frames[0]!);
  void stage.follow(
    () => frames,
    () => PACE,
    () => [],
  );
  expect(stage.frame.version).toBe(frames[0]!.version);
  await stage.skip();
  expect(stage.frame.version).toBe(frames.at(-1)!.version);
  expect(stage.busy).toBe(false);
});

it("without motion the points of a round stay in sight while the others play on, until the person acts", async () => {
  const [before, scored] = fixture("scoring2");
  const log = [...scored!.log, scored!.log.find(({ drafted }) => drafted)!];
  const frames = [before!, scored!, { version: scored!.version + 1, position: { ...scored!.position, line: "next" }, log }];
  const stage = new Stage(frames[0]!);
  await stage.follow(
    () => frames,
    () => ({ speed: "instant", sounds: false }),
    () => [0],
  );
  const { tiling = [], floors = [] } = scored!.log.at(-1)!;
  const tiles = tiling.flatMap((each) => (each.type === "tiled" ? [`+${each.points}`] : []));
  const lost = floors.flatMap((each) => (each.penalty ? [`−${each.lost}`] : []));
  expect(tiles.length).toBeGreaterThan(1);
  expect(stage.floats.map(({ text }) => text)).toEqual([...tiles, ...lost]);
  expect(stage.tallied).toBe(before!.position.round);
  stage.goOn();
  expect([stage.floats, stage.tallied]).toEqual([[], null]);
});
