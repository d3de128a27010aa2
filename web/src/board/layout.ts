/** Where everything goes, from the size of the room: numbers only, so that every screen can be tested without one. */

export interface Point {
  x: number;
  y: number;
}

export interface Layout {
  /** One above the other, or offer and boards side by side. */
  mode: "tall" | "wide";
  /** Opponents as a strip that opens, or as complete boards. */
  opponents: "strip" | "boards";
  offer: { width: number; height: number };
  /** Diameter of a display, and the side of a tile on it. */
  plate: number;
  tile: number;
  /** Middles of the displays within the offer. */
  plates: Point[];
  center: { x: number; y: number; width: number; height: number; tile: number };
  /** Side of a space on the large board, and from one row to the next. */
  cell: number;
  pitch: number;
  floor: number;
  /** Side of a space on an opponent's board. */
  small: number;
  board: { width: number; height: number };
  log: boolean;
  /** Everything fits without scrolling. */
  fits: boolean;
}

const DISPLAYS: Record<number, number> = { 2: 5, 3: 7, 4: 9 };
/** The smallest side of something to be touched. */
export const TOUCH = 44;
export const STRIP = 36;
export const STATUS = 24;
const PAD = 4;
/** Width of a board in spaces: lines, the gap to the wall, the wall. */
const BOARD_WIDTH = 10.45;

export function layout(width: number, height: number, players: number): Layout {
  return width >= 1.15 * height && width >= 560 ? wide(width, height, players) : tall(width, height, players);
}

function boardHeight(pitch: number, floor: number, head: number): number {
  return 5 * pitch + floor + head;
}

/** How many displays lie in each row; the second row has two, with the center between them. */
function rowsOf(displays: number, roomy: boolean, room: number): number[] {
  if (displays === 5) return roomy ? [1, 2, 2] : [3, 2];
  if (displays === 7) return [3, 2, 2];
  return room >= 8 * TOUCH ? [4, 2, 3] : [3, 2, 2, 2];
}

/** Piles in the center: three beside each other, two rows. */
function center(x: number, y: number, width: number, height: number, tile: number): Layout["center"] {
  return { x, y, width, height, tile: Math.min(tile, width * 0.25, height * 0.36) };
}

function tall(width: number, height: number, players: number): Layout {
  const displays = DISPLAYS[players] ?? 5;
  const room = width - 2 * PAD;
  const rest = height - STRIP - STATUS - 6;
  const roomy = rest - 6 * TOUCH > 3 * Math.min(120, (room - 132) / 2);
  const many = rowsOf(displays, roomy, room);
  const rows = many.length;
  const widest = Math.min((room - 3 * TOUCH) / 2, room / Math.max(...many), 190);
  const least = Math.min(widest, 2 * TOUCH);
  // The board takes what the displays leave when they are as small as they may be; what is over goes to the displays.
  const cellMost = Math.min((room - 3 * PAD) / BOARD_WIDTH, 72);
  const forBoard = rest - rows * least;
  const pitch = Math.floor(Math.max(TOUCH, Math.min(cellMost * 1.08, (forBoard - PAD - 2) / 6.05)));
  const cell = Math.min(cellMost, pitch - 3);
  const floor = Math.floor(Math.max(TOUCH, cell * 1.05));
  const board = { width: room, height: boardHeight(pitch, floor, PAD + 2) };
  const plate = Math.max(least, Math.min(widest, Math.floor((rest - board.height) / rows)));
  const offer = { width: room, height: rows * plate };
  const side = Math.min(room - 2 * plate, plate * 2.2);
  return {
    mode: "tall",
    opponents: "strip",
    offer,
    plate,
    tile: plate * 0.325,
    plates: stacked(room, plate, many),
    center: center(room / 2, plate * 1.5, side, plate, plate * 0.325),
    cell,
    pitch,
    floor,
    small: Math.min(22, (room - 16) / BOARD_WIDTH),
    board,
    log: false,
    fits: offer.height + board.height <= rest + 0.5,
  };
}

/** Row by row, numbered around: along the top, down the right side, back along the bottom, up the left. */
function stacked(room: number, plate: number, many: readonly number[]): Point[] {
  const spread = (count: number, row: number): Point[] => {
    if (row === 1)
      return [
        { x: plate / 2, y: plate * 1.5 },
        { x: room - plate / 2, y: plate * 1.5 },
      ];
    // Fewer than fit: pulled together a little, so that they read as a ring.
    const gap = Math.min((room - count * plate) / Math.max(1, count), plate * 0.35);
    const start = room / 2 - ((count - 1) * (plate + gap)) / 2;
    return Array.from({ length: count }, (_, index) => ({ x: start + index * (plate + gap), y: plate * (row + 0.5) }));
  };
  const [top = [], ...below] = many.map(spread);
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

function wide(width: number, height: number, players: number): Layout {
  const displays = DISPLAYS[players] ?? 5;
  const rest = height - STATUS - GAP;
  const strip = height < 540;
  const ring = Math.min(rest, width * (strip ? 0.44 : 0.41), 1200);
  const log = !strip && rest - ring > 96;
  const room = width - ring - 3 * GAP;
  const others = players - 1;
  const head = strip ? 2 * PAD : HEAD;
  let cell = Math.min((room - 2 * GAP) / BOARD_WIDTH, 132);
  const small = (): number => Math.min((room - (others - 1) * 12) / others / (BOARD_WIDTH + 1.2), cell * 0.5, 56);
  const used = (): number =>
    boardHeight(cell * 1.07, Math.max(TOUCH, cell * 1.02), head) + GAP + (strip ? STRIP + PAD : 7.1 * small() + 44);
  while (used() > rest && cell > 24) cell -= 0.5;
  const pitch = Math.max(cell * 1.07, strip ? TOUCH : 0);
  const floor = Math.max(TOUCH, cell * 1.02);
  const plate = ring / (RING[displays] ?? 4);
  return {
    mode: "wide",
    opponents: strip ? "strip" : "boards",
    offer: { width: ring, height: ring },
    plate,
    tile: plate * 0.315,
    plates: circle(displays, ring, plate),
    center: middle(displays, ring, plate),
    cell,
    pitch,
    floor,
    small: small(),
    board: { width: Math.min(room, cell * BOARD_WIDTH + 2 * GAP), height: boardHeight(pitch, floor, head) },
    log,
    fits: used() <= rest + 0.5,
  };
}

function middle(displays: number, ring: number, plate: number): Layout["center"] {
  const [across, down] = displays === 9 ? [1.76, 1.34] : [1.36, 1.08];
  return center(ring / 2, ring / 2, plate * across, plate * down, plate * 0.34);
}

/** Clockwise from the top. */
function circle(many: number, size: number, plate: number): Point[] {
  const radius = (size - plate) / 2;
  return Array.from({ length: many }, (_, index) => {
    const angle = (index * 2 * Math.PI) / many;
    return { x: size / 2 + radius * Math.sin(angle), y: size / 2 - radius * Math.cos(angle) };
  });
}

/** The nearest of some places in a direction; what an arrow key goes to. */
export function towards(from: Point, places: readonly Point[], key: string): number | null {
  const dx = key === "ArrowLeft" ? -1 : key === "ArrowRight" ? 1 : 0;
  const dy = key === "ArrowUp" ? -1 : key === "ArrowDown" ? 1 : 0;
  let best: number | null = null;
  let least = Infinity;
  places.forEach((place, index) => {
    const along = (place.x - from.x) * dx + (place.y - from.y) * dy;
    const aside = Math.abs((place.x - from.x) * dy) + Math.abs((place.y - from.y) * dx);
    // Rather straight on than near.
    if (along > 1 && along + 2.2 * aside < least) [best, least] = [index, along + 2.2 * aside];
  });
  return best;
}
