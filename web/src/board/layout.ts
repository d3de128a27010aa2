/** Where everything goes, from the size of the room: numbers only, so that every screen can be tested without one. */

import { displaysFor } from "../engine/notation";

export interface Point {
  x: number;
  y: number;
}

export interface Layout {
  /** One above the other; offer and boards side by side; or, on a phone held sideways, side by side with nothing above but a bar. */
  mode: "tall" | "wide" | "flat";
  /** Opponents as a strip that opens, or as complete boards: over the own one, or across the whole room. */
  opponents: "strip" | "boards" | "across";
  offer: { width: number; height: number };
  /** Diameter of a display, and the side of a tile on it. */
  plate: number;
  tile: number;
  /** Middles of the displays within the offer. */
  plates: Point[];
  center: { x: number; y: number; width: number; height: number; tile: number; columns: number };
  /** Side of a space on the large board, and from one row to the next. */
  cell: number;
  pitch: number;
  floor: number;
  /** Side of a space on an opponent's board. */
  small: number;
  board: { width: number; height: number };
  /** Heights of the strip and of the line that says what is going on. */
  strip: number;
  status: number;
  log: boolean;
  /** Everything fits without scrolling. */
  fits: boolean;
}

/** The smallest side of something to be touched. */
export const TOUCH = 44;
/** The same where the screen has no room for it: everything has to be in sight, and a finger still has to hit it. */
const LEAST = 24;
const STRIP = 36;
const STATUS = 24;
const WIDE_STATUS = 28;
const PAD = 4;
/** Width of a board in spaces: lines, the gap to the wall, the wall. */
const BOARD_WIDTH = 10.45;
/** The smallest space of an opponent's board on which tiles can be told apart. */
export const READABLE = 18;

/** Where everything goes in a room; `text` is how much larger than usual the person wants to read. */
export function layout(width: number, height: number, players: number, text = 1): Layout {
  if (width < 1.15 * height || width < 500) return tall(width, height, players, text);
  return height < 540 ? flat(width, height, players, text) : wide(width, height, players, text);
}

function boardHeight(pitch: number, floor: number, head: number): number {
  return 5 * pitch + floor + head;
}

/** Side of a space on each opponent's board, when they lie beside each other. */
function smallIn(room: number, others: number): number {
  return (room - (others - 1) * 12) / others / (BOARD_WIDTH + 1.2);
}

function smallHeight(small: number, text: number): number {
  return 7.1 * small + 20 + 24 * text;
}

/** How many displays lie in each row; with the center between the two of the second row, or below all. */
interface Rows {
  many: number[];
  below?: boolean;
}
const ROWS: Record<number, Rows[]> = {
  5: [{ many: [3, 2] }, { many: [1, 2, 2] }],
  7: [{ many: [3, 2, 2] }, { many: [4, 3], below: true }],
  9: [{ many: [4, 2, 3] }, { many: [3, 2, 2, 2] }, { many: [3, 3, 3], below: true }],
};

/** Rows of displays in their room, and the center: three piles beside each other in two rows, or six in one. */
function offerOf({ many, below }: Rows, room: number, plate: number): Pick<Layout, "offer" | "plate" | "tile" | "plates" | "center"> {
  const tile = plate * 0.325;
  const height = many.length * plate;
  const columns = below ? 6 : 3;
  const low = Math.max(Math.min(TOUCH, plate / 2), plate * 0.42);
  const side = below ? Math.min(room, plate * 3) : Math.min(room - 2 * plate, plate * 2.2);
  const y = below ? height + low / 2 : plate * 1.5;
  const deep = below ? low : plate;
  return {
    offer: { width: room, height: height + (below ? low : 0) },
    plate,
    tile,
    plates: stacked(room, plate, many, !below),
    center: {
      x: room / 2,
      y,
      width: side,
      height: deep,
      tile: Math.min(tile, (side / columns) * 0.75, below ? deep * 0.78 : deep * 0.36),
      columns,
    },
  };
}

function tall(width: number, height: number, players: number, text: number): Layout {
  const room = width - 2 * PAD;
  const others = players - 1;
  const [strip, status] = [STRIP * Math.min(text, 1.5), STATUS * text];
  const small = Math.min(smallIn(room, others), 26);
  const best = (above: number): Layout => {
    const rest = height - above - status - 6;
    const all = (ROWS[displaysFor(players)] ?? []).filter(({ below }) => !below).map((rows) => stack(rows, room, rest));
    // The largest plates; between equals the one that looks more like a ring.
    const found = all.reduce((one, other) =>
      Math.min(other.plate, other.pitch * 4) >= one.plate - 0.5 && other.fits >= one.fits ? other : one,
    );
    return { ...found, mode: "tall", opponents: "strip", small, strip, status, log: false };
  };
  if (room >= 580 && small >= READABLE) {
    const roomy = best(smallHeight(small, text));
    if (roomy.fits && roomy.pitch >= TOUCH) return { ...roomy, opponents: "boards" };
  }
  return best(strip);
}

/** Displays over the board, in a room of this size. */
function stack(rows: Rows, room: number, rest: number): Omit<Layout, "mode" | "opponents" | "small" | "strip" | "status" | "log"> {
  const count = rows.many.length;
  // Where it is tight, displays and lines get smaller alike.
  const touch = Math.max(LEAST, Math.min(TOUCH, (rest - PAD - 2) / (2 * count + 6)));
  const widest = Math.min((room - 3 * touch) / 2, room / Math.max(...rows.many), 190);
  const least = Math.min(widest, 2 * touch);
  const cellMost = Math.min((room - 3 * PAD) / BOARD_WIDTH, 72);
  // The board takes what the displays leave when they are as small as they may be, yet no more than half; what is over goes to them.
  const forBoard = Math.min(rest - count * least, Math.max(0.52 * rest, 6.05 * touch + PAD + 2));
  const pitch = Math.max(touch, Math.min(cellMost * 1.08, (forBoard - PAD - 2) / 6.05));
  const cell = Math.min(cellMost, pitch - 3);
  const floor = Math.max(touch, cell * 1.05);
  const board = { width: room, height: boardHeight(pitch, floor, PAD + 2) };
  const plate = Math.max(least, Math.min(widest, (rest - board.height) / count));
  const offer = offerOf(rows, room, plate);
  return { ...offer, cell, pitch, floor, board, fits: offer.offer.height + board.height <= rest + 0.5 };
}

const BAR = 32;
const FLAT_GAP = 8;

function flat(width: number, height: number, players: number, text: number): Layout {
  const bar = Math.max(BAR * Math.min(text, 1.5), Math.min(TOUCH, height - 6 * TOUCH - 4));
  const rest = height - bar - 4;
  const most = Math.max(LEAST, (rest - 2) / 6);
  const all = (ROWS[displaysFor(players)] ?? []).flatMap((rows) =>
    Array.from({ length: 72 }, (_, step) => {
      const plate = 2 * (LEAST + step);
      const room = Math.max(Math.max(...rows.many) * plate, rows.below ? 3 * plate : 2 * plate + 3 * Math.min(TOUCH, plate / 2));
      const cell = Math.min((width - room - 3 * FLAT_GAP - 2 * PAD - 2) / BOARD_WIDTH, most - 2, 72);
      const offer = offerOf(rows, room, plate);
      const fits = cell >= 16 && offer.offer.height <= rest + 0.5;
      // First that a finger hits the tiles, then that they are as large on the board as on the displays, then that both are large.
      const worth = fits ? 4 * Math.min(TOUCH, plate / 2) + 3 * Math.min(cell, offer.tile, 40) + (cell + offer.tile) / 4 : -plate;
      return { ...offer, cell, fits, worth };
    }),
  );
  const { worth: _, cell, ...offer } = all.reduce((one, other) => (other.worth > one.worth ? other : one));
  // Rows that lie far apart do not read as a wall.
  const pitch = Math.min(most, Math.max(TOUCH, 1.2 * cell));
  const floor = pitch;
  return {
    ...offer,
    mode: "flat",
    opponents: "strip",
    cell: Math.max(cell, 12),
    pitch,
    floor,
    small: 26,
    board: { width: cell * BOARD_WIDTH + 2 * PAD + 2, height: boardHeight(pitch, floor, 2) },
    strip: bar,
    status: bar,
    log: false,
  };
}

/** Row by row, numbered around: along the top, down the right side, back along the bottom, up the left. */
function stacked(room: number, plate: number, many: readonly number[], around: boolean): Point[] {
  const spread = (count: number, row: number): Point[] => {
    if (row === 1 && around) {
      const aside = Math.min((room - plate) / 2, plate * 1.7);
      return [-aside, aside].map((away) => ({ x: room / 2 + away, y: plate * 1.5 }));
    }
    // Fewer than fit: pulled together a little, so that they read as a ring.
    const gap = Math.min((room - count * plate) / Math.max(1, count), plate * 0.35);
    const start = room / 2 - ((count - 1) * (plate + gap)) / 2;
    return Array.from({ length: count }, (_, index) => ({ x: start + index * (plate + gap), y: plate * (row + 0.5) }));
  };
  const [top = [], ...below] = many.map(spread);
  if (!around) return [top, ...below].flat();
  const sides = below.slice(0, -1).concat(below.length > 1 ? [] : below);
  const bottom = below.length > 1 ? (below.at(-1) ?? []) : [];
  const right = sides.map((row) => row.at(-1)!);
  const left = sides.map((row) => row[0]!).reverse();
  return [...top, ...right, ...[...bottom].reverse(), ...left];
}

/** How many diameters of a display the ring measures. */
const RING: Record<number, number> = { 5: 3.42, 7: 3.42, 9: 4.02 };
/** Above and below the rows of a large board. */
const HEAD = 30;
const GAP = 16;

function wide(width: number, height: number, players: number, text: number): Layout {
  const others = players - 1;
  const over = beside(width, height, players, text, null);
  if (over.small >= READABLE) return over;
  // Three boards over the own one would be too small to read: they get the whole width.
  const across = beside(width, height, players, text, Math.min(smallIn(width - 2 * GAP, others), 30));
  return across.fits && across.small > over.small ? across : over;
}

/** Offer and boards beside each other; opponents' boards of this size above both, or over the own one as they fit. */
function beside(width: number, height: number, players: number, text: number, across: number | null): Layout {
  const displays = displaysFor(players);
  const status = WIDE_STATUS * text;
  const rest = height - status - GAP - (across === null ? 0 : smallHeight(across, text) + PAD);
  const ring = Math.min(rest, width * 0.41, 1200);
  const room = width - ring - 3 * GAP;
  const most = smallIn(room, players - 1);
  let cell = Math.min((room - 2 * GAP) / BOARD_WIDTH, 132);
  let share = 0.5;
  const small = (): number => across ?? Math.min(most, cell * share, 56);
  const used = (): number =>
    boardHeight(cell * 1.07, Math.max(TOUCH, cell * 1.02), HEAD) + (across === null ? GAP + smallHeight(small(), text) : 0);
  while (used() > rest && cell > 24) cell -= 0.5;
  // What the own board leaves is the opponents'.
  while (share < 0.75 && used() < rest - cell / 8) share += 0.01;
  const pitch = cell * 1.07;
  const floor = Math.max(TOUCH, cell * 1.02);
  const plate = ring / (RING[displays] ?? 4);
  return {
    mode: "wide",
    opponents: across === null ? "boards" : "across",
    offer: { width: ring, height: ring },
    plate,
    tile: plate * 0.315,
    plates: circle(displays, ring, plate),
    center: middle(displays, ring, plate),
    cell,
    pitch,
    floor,
    small: small(),
    board: { width: Math.min(room, cell * BOARD_WIDTH + 2 * GAP), height: boardHeight(pitch, floor, HEAD) },
    strip: STRIP,
    status,
    log: across === null && rest - ring > 96,
    fits: used() <= rest + 0.5,
  };
}

function middle(displays: number, ring: number, plate: number): Layout["center"] {
  const [across, down] = displays === 9 ? [1.76, 1.34] : [1.36, 1.08];
  const [width, height] = [plate * across, plate * down];
  return { x: ring / 2, y: ring / 2, width, height, tile: Math.min(plate * 0.34, width * 0.25, height * 0.36), columns: 3 };
}

/** Clockwise from the top. */
function circle(many: number, size: number, plate: number): Point[] {
  const radius = (size - plate) / 2;
  return Array.from({ length: many }, (_, index) => {
    const angle = (index * 2 * Math.PI) / many;
    return { x: size / 2 + radius * Math.sin(angle), y: size / 2 - radius * Math.cos(angle) };
  });
}

export interface Box extends Point {
  width: number;
  height: number;
}

/** From where to where something lies, across or down. */
type Span = readonly [from: number, to: number];
const middleOf = ([from, to]: Span): number => (from + to) / 2;
const apart = (at: number, [from, to]: Span): number => Math.max(0, from - at, at - to);

/** The nearest of some things in a direction; what an arrow key goes to. What lies rather aside than ahead is not meant. */
export function towards(from: Box, places: readonly Box[], key: string): number | null {
  const across = key === "ArrowLeft" || key === "ArrowRight";
  const sign = key === "ArrowRight" || key === "ArrowDown" ? 1 : -1;
  const span = ({ x, y, width, height }: Box, ahead: boolean): Span => (ahead === across ? [x, x + width] : [y, y + height]);
  const start = middleOf(span(from, true));
  const beside = span(from, false);
  let best: number | null = null;
  let least = Infinity;
  places.forEach((place, index) => {
    const ahead = span(place, true);
    const other = span(place, false);
    const along = sign * (middleOf(ahead) - start);
    // Straight ahead is what one of them looks at from its middle, however wide the other is.
    const aside = Math.min(apart(middleOf(beside), other), apart(middleOf(other), beside));
    const begins = sign > 0 ? ahead[0] - start : start - ahead[1];
    const cost = along + 2.2 * aside;
    if (begins > -1 && along > 1 && aside <= along && cost < least) [best, least] = [index, cost];
  });
  return best;
}
