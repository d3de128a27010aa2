/** Arrow keys: from one thing that can be pressed to the nearest in that direction. */

import { towards, type Point } from "./layout";

const STOPS = "[data-group], [data-line], .choice";

/** Moves the focus within the table; tells whether it moved. */
export function stepFocus(root: HTMLElement, key: string): boolean {
  const from = document.activeElement;
  if (!(from instanceof HTMLElement) || !root.contains(from) || !from.matches(STOPS)) return false;
  const others = [...root.querySelectorAll<HTMLElement>(STOPS)].filter((each) => each !== from);
  const next = towards(middle(from), others.map(middle), key);
  if (next === null) return false;
  others[next]?.focus();
  return true;
}

function middle(element: HTMLElement): Point {
  const box = element.getBoundingClientRect();
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}
