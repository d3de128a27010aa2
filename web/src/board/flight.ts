/** Tiles on their way, drawn above everything: from where they were to where they go. Only transforms move. */

import type { Attachment } from "svelte/attachments";
import type { Flight, Piece } from "./diff";

/** A flight that has begun: where its tile was, in the window. */
interface Start {
  flight: Flight;
  from: DOMRect;
}

/** A tile in the air. */
export interface Trip {
  piece: Piece;
  from: DOMRect;
  to: DOMRect;
  /** Where it lands, and must not be seen before. */
  target: HTMLElement;
  delay: number;
  duration: number;
}

/** Where flights start; to be asked before the page shows the new state. */
export function takeOff(root: HTMLElement, flights: readonly Flight[]): Start[] {
  return flights.flatMap((flight) => {
    const from = place(root, flight.from);
    return from ? [{ flight, from: box(from) }] : [];
  });
}

/** Where they land; to be asked when the page shows it. All take so many milliseconds together. */
export function trips(root: HTMLElement, starts: readonly Start[], lasts: number): Trip[] {
  const most = Math.max(1, ...starts.map(({ flight }) => flight.index));
  const step = Math.min(45, (lasts * 0.3) / most);
  const duration = Math.max(80, lasts - most * step);
  return starts.flatMap(({ flight, from }) => {
    const target = place(root, flight.to);
    return target ? [{ piece: flight.piece, from, to: box(target), target, delay: flight.index * step, duration }] : [];
  });
}

/** Lets an element make a trip. */
export function fly({ from, to, target, delay, duration }: Trip): Attachment<HTMLElement> {
  return (tile) => {
    tile.style.width = `${to.width}px`;
    tile.style.height = `${to.height}px`;
    const scale = from.width / to.width;
    const start = `translate(${from.x}px, ${from.y}px) scale(${scale})`;
    const middle = `translate(${(from.x + to.x) / 2}px, ${(from.y + to.y) / 2 - 14}px) scale(${(1 + scale) / 2 + 0.12})`;
    const end = `translate(${to.x}px, ${to.y}px) scale(1)`;
    const easing = "cubic-bezier(.45,.05,.25,1)";
    tile.animate([{ transform: start }, { transform: middle }, { transform: end }], { duration, delay, fill: "both", easing });
    // The tile at its destination waits for its arrival. A pile that was there before stays.
    const landed = target.dataset["pile"] === undefined ? target.querySelector(".az-tile:not(.faint)") : null;
    const hidden = landed?.animate({ opacity: [0, 0] }, delay + duration);
    return () => hidden?.cancel();
  };
}

function place(root: HTMLElement, spots: readonly string[]): HTMLElement | null {
  for (const spot of spots) {
    for (const found of root.querySelectorAll<HTMLElement>(`[data-spot="${spot}"]`)) {
      if (found.getClientRects().length) return found;
    }
  }
  return null;
}

/** The square in the middle of an element: plates and seats are wider than a tile. */
function box(element: HTMLElement): DOMRect {
  const tile = element.querySelector<HTMLElement>(".az-tile");
  const rect = (tile ?? element).getBoundingClientRect();
  const side = Math.min(rect.width, rect.height, 64);
  return new DOMRect(rect.x + (rect.width - side) / 2, rect.y + (rect.height - side) / 2, side, side);
}
