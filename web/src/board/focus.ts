/** Where the focus goes: to the nearest thing in a direction, or to what there is to do next. */

import { tick } from "svelte";
import { towards } from "./layout";

const STOPS = "[data-group], [data-line], .choice";

/** Moves the focus within the table; tells whether it moved. */
export function stepFocus(root: HTMLElement, key: string): boolean {
  const from = document.activeElement;
  if (!(from instanceof HTMLElement) || !root.contains(from) || !from.matches(STOPS)) return false;
  const others = [...root.querySelectorAll<HTMLElement>(STOPS)].filter((each) => each !== from);
  const next = towards(
    from.getBoundingClientRect(),
    others.map((each) => each.getBoundingClientRect()),
    key,
  );
  if (next === null) return false;
  others[next]?.focus();
  return true;
}

/** Nothing has the focus: what had it is gone. */
export const isLost = (): boolean => document.activeElement === document.body || document.activeElement === null;

/** Moves the focus, when the page shows what there is now, to the first thing that can be pressed. */
export async function focusOn(root: HTMLElement | null, selector: string, when: () => boolean = () => true): Promise<void> {
  await tick();
  if (when()) root?.querySelector<HTMLElement>(selector)?.focus();
}
