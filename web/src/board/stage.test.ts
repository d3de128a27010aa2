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
