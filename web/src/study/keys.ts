/** Keys of a game being looked at. Letters that make moves on the board are left to it. */

import type { Study } from "./study.svelte";

type Key = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey" | "target">;

/** What the page has to do itself; `moved` if the study went somewhere or was changed. */
export type Asked = "moved" | "run" | "engine" | "note" | "mistake" | null;

const TYPED = "input, textarea, select, dialog, [role=dialog], [contenteditable]";

/** Does what a key asks for; null if it is no key of ours. */
export function stepBy(study: Study, event: Key, letters: boolean): Asked {
  const { key, altKey, shiftKey } = event;
  if (event.target instanceof Element && event.target.closest(TYPED)) return null;
  if ((event.ctrlKey || event.metaKey) && key.toLowerCase() === "z" && study.mayPutBack) return done(() => study.putBack());
  if (event.ctrlKey || event.metaKey || altKey) return null;
  switch (key) {
    case "ArrowLeft":
      return done(() => study.back());
    case "ArrowRight":
      return done(() => study.next());
    case "ArrowUp":
      return shiftKey ? done(() => study.promote()) : done(() => void (study.sibling(-1) || study.leave()));
    case "ArrowDown":
      return done(() => void study.sibling(1));
    case "Home":
      return done(() => study.toStart());
    case "End":
      return done(() => study.toEnd());
    case "PageUp":
      return done(() => study.byRound(-1));
    case "PageDown":
      return done(() => study.byRound(1));
    case "Delete":
      return done(() => study.remove());
  }
  if (!letters) return null;
  return ({ p: "run", e: "engine", n: "note", m: "mistake" } as const)[key.toLowerCase()] ?? null;
}

function done(act: () => void): "moved" {
  act();
  return "moved";
}
