/** Where an arrow key leads: to the nearest place on that side, however the page is laid out. */

export interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

export const ARROWS = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"] as const;
export type Arrow = (typeof ARROWS)[number];

export function isArrow(key: string): key is Arrow {
  return (ARROWS as readonly string[]).includes(key);
}

/** What lies aside is further away than it looks. */
const ASIDE = 3;
/** Among those straight ahead the one in the middle is nearer. */
const OFF_CENTER = 0.2;

/** The number of the box that an arrow leads to; -1 if there is none on that side. */
export function nextBox(arrow: Arrow, from: Box, boxes: readonly Box[]): number {
  const turned = turn(arrow, from);
  let best = -1;
  let least = Infinity;
  for (const [at, box] of boxes.entries()) {
    const distance = distanceTo(turned, turn(arrow, box));
    if (distance < least) [best, least] = [at, distance];
  }
  return best;
}

/** As seen by somebody who looks to the right. */
function turn(arrow: Arrow, { left, right, top, bottom }: Box): Box {
  switch (arrow) {
    case "ArrowRight":
      return { left, right, top, bottom };
    case "ArrowLeft":
      return { left: -right, right: -left, top, bottom };
    case "ArrowDown":
      return { left: top, right: bottom, top: left, bottom: right };
    case "ArrowUp":
      return { left: -bottom, right: -top, top: left, bottom: right };
  }
}

function distanceTo(from: Box, box: Box): number {
  const middle = (one: number, other: number) => (one + other) / 2;
  if (middle(box.left, box.right) <= middle(from.left, from.right)) return Infinity;
  if (box.left < middle(from.left, from.right)) return Infinity; // more beside than ahead
  const ahead = Math.max(0, box.left - from.right);
  const aside = Math.max(0, box.top - from.bottom, from.top - box.bottom);
  return ahead + ASIDE * aside + OFF_CENTER * Math.abs(middle(box.top, box.bottom) - middle(from.top, from.bottom));
}
