/** Which frame comes next: a queue that plays what follows, jumps over what does not. */

import type { Frame } from "./props";

/** What to do, seen from the frame that is shown. */
export type Step = { do: "rest" } | { do: "jump"; frame: Frame } | { do: "play"; frame: Frame };

export function next(shown: Frame, frames: readonly Frame[]): Step {
  const last = frames.at(-1);
  if (!last || (last.version === shown.version && last.position.line === shown.position.line)) return { do: "rest" };
  const follower = frames.find((frame) => frame.version === shown.version + 1);
  if (!follower || last.version < shown.version) return { do: "jump", frame: last };
  return { do: follower.log.length > shown.log.length ? "play" : "jump", frame: follower };
}
