/** Tiles on their way, drawn above everything: from where they were to where they go. Only transforms move. */

import type { Flight, Piece } from "./diff";

const SVG = "http://www.w3.org/2000/svg";

interface Trip {
  flight: Flight;
  from: DOMRect;
}

/** Where flights start; to be asked before the page shows the new state. */
export function takeOff(root: HTMLElement, flights: readonly Flight[]): Trip[] {
  return flights.flatMap((flight) => {
    const from = place(root, flight.from);
    return from ? [{ flight, from: box(from) }] : [];
  });
}

/** Lets them land where the page now shows them; resolves when the last has. */
export async function land(root: HTMLElement, layer: HTMLElement, trips: readonly Trip[], lasts: number, patterns: boolean): Promise<void> {
  if (lasts <= 0) return;
  const most = Math.max(1, ...trips.map(({ flight }) => flight.index));
  const step = Math.min(45, (lasts * 0.3) / most);
  const running: Promise<unknown>[] = [];
  for (const { flight, from } of trips) {
    const target = place(root, flight.to);
    if (!target) continue;
    const to = box(target);
    const delay = flight.index * step;
    const duration = Math.max(80, lasts - most * step);
    hide(target, delay + duration);
    running.push(travel(layer, flight.piece, from, to, delay, duration, patterns));
  }
  await Promise.all(running);
}

/** Ends whatever is still in the air. */
export function grounded(layer: HTMLElement): void {
  for (const animation of layer.getAnimations({ subtree: true })) animation.finish();
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

/** The tile at its destination waits for its arrival. A pile that was there before stays. */
function hide(target: HTMLElement, lasts: number): void {
  if (target.dataset["pile"] !== undefined) return;
  const tile = target.querySelector<HTMLElement>(".az-tile:not(.faint)");
  tile?.animate([{ opacity: 0 }, { opacity: 0 }], { duration: lasts });
}

async function travel(
  layer: HTMLElement,
  piece: Piece,
  from: DOMRect,
  to: DOMRect,
  delay: number,
  duration: number,
  patterns: boolean,
): Promise<void> {
  const tile = draw(piece, patterns);
  layer.append(tile);
  tile.style.width = `${to.width}px`;
  tile.style.height = `${to.height}px`;
  const scale = from.width / to.width;
  const start = `translate(${from.x}px, ${from.y}px) scale(${scale})`;
  const middle = `translate(${(from.x + to.x) / 2}px, ${(from.y + to.y) / 2 - 14}px) scale(${(1 + scale) / 2 + 0.12})`;
  const end = `translate(${to.x}px, ${to.y}px) scale(1)`;
  const animation = tile.animate([{ transform: start }, { transform: middle }, { transform: end }], {
    duration,
    delay,
    fill: "both",
    easing: "cubic-bezier(.45,.05,.25,1)",
  });
  await animation.finished.catch(() => undefined);
  tile.remove();
}

function draw(piece: Piece, patterns: boolean): HTMLElement {
  const tile = document.createElement("span");
  tile.className = piece === "marker" ? "az-tile az-flying round" : "az-tile az-flying";
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 40 40");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", piece === "marker" ? "#az-marker" : `#az-${patterns ? "tile" : "plain"}-${piece}`);
  use.setAttribute("width", "40");
  use.setAttribute("height", "40");
  svg.append(use);
  tile.append(svg);
  return tile;
}
