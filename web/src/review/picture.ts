/** A review as a picture: result, graph and receipt, in colors that need no page around them. */

import { OVER, PARTS } from "../engine/generated/bindings";
import type { Rounded } from "../engine/judge";
import type { Review } from "../engine/review";
import { fieldsOf } from "../engine/rules";
import { m } from "../paraglide/messages.js";
import { draw } from "./graph";
import { percent, percentPoints, signed, type What } from "./numbers";
import { partText } from "./words";

interface Pictured {
  readonly review: Review;
  readonly receipt: Rounded;
  readonly what: What;
  readonly seat: number;
  readonly names: readonly string[];
  readonly id: string;
}

const WIDTH = 1200;
const HEIGHT = 630;
const INK = "#1d2433";
const SOFT = "#565c6b";
const COBALT = "#1f4e9c";
const TERRACOTTA = "#b4432c";
const GOOD = "#2c6e3f";
const FONT = 'font-family="system-ui, sans-serif"';

/** The picture as SVG. */
function pictureOf({ review, receipt, what, seat, names }: Pictured): string {
  const box = { width: WIDTH - 380, height: 400, left: 60, right: 8, above: 10, below: 30 };
  const drawn = draw(review, what, seat, box);
  const fields = fieldsOf(review.game.end);
  const over = fields.get("phase") === OVER;
  const title = names.map((name, at) => `${name} ${fields.get("score", at)}`).join("  ·  ");
  const label = what === "win" ? m.review_chance_of({ name: names[seat] ?? "" }) : m.review_lead_of({ name: names[seat] ?? "" });
  const bands = drawn.bands.map(
    ({ round, x, width }, at) =>
      `<rect x="${x}" y="10" width="${width}" height="360" fill="${at % 2 ? "#e9e1d2" : "#f4efe6"}"/>` +
      text(x + width / 2, 392, String(round), 16, SOFT, "middle"),
  );
  const rules = drawn.rules.map(
    ({ value, y }) =>
      `<path d="M60 ${y}H${box.width - 8}" stroke="#d8ccb8" stroke-dasharray="3 5"/>` +
      text(54, y + 6, what === "win" ? percent(value) : signed(value, 0), 16, SOFT, "end"),
  );
  const others = drawn.lines.map((line, of) =>
    line && of !== seat && names.length > 2 ? `<path d="${line}" fill="none" stroke="#8b7d66" stroke-width="1.5"/>` : "",
  );
  const bars = drawn.bars.map(
    ({ x, y, height, good }) =>
      `<rect x="${x - 4}" y="${y - 1}" width="8" height="${height + 2}" rx="4" fill="${good ? GOOD : TERRACOTTA}"/>`,
  );
  const dots = drawn.dots.map(
    ({ x, y, mark }) =>
      `<circle cx="${x}" cy="${y}" r="7" fill="${mark === "blunder" ? TERRACOTTA : "#f8e2db"}" stroke="${TERRACOTTA}" stroke-width="3"/>`,
  );
  const lines = PARTS.flatMap((part, at) => {
    const y = 60 + at * 44 + (part === "result" ? 14 : 0);
    const name = part === "result" && !over ? m.review_part_now() : partText(part);
    const number = receipt[what][part];
    const shown = what === "win" ? percentPoints(number) : signed(number, 0);
    return [text(0, y, name, 20, INK), text(290, y, shown, 22, number < 0 ? TERRACOTTA : INK, "end", part === "result")];
  });
  const sum = 60 + (PARTS.length - 1) * 44 - 14;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}">` +
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#fffdf8"/>` +
    text(40, 70, title, 34, INK, "start", true) +
    text(40, 112, label, 22, SOFT) +
    `<g transform="translate(32 140)">${[...bands, ...rules].join("")}<path d="${drawn.area}" fill="${COBALT}" opacity=".1"/>` +
    `${others.join("")}<path d="${drawn.lines[seat]}" fill="none" stroke="${COBALT}" stroke-width="3.5" stroke-linejoin="round"/>` +
    `${[...bars, ...dots].join("")}</g>` +
    `<g transform="translate(${WIDTH - 330} 150)">${lines.join("")}<path d="M0 ${sum}H290" stroke="${INK}"/></g>` +
    text(40, HEIGHT - 30, m.app_name(), 18, COBALT, "start", true) +
    "</svg>"
  );
}

function text(x: number, y: number, words: string, size: number, color: string, anchor = "start", bold = false): string {
  const safe = words.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return `<text x="${x}" y="${y}" ${FONT} font-size="${size}" fill="${color}" text-anchor="${anchor}"${bold ? ' font-weight="700"' : ""}>${safe}</text>`;
}

/** Gives the picture to the browser as a file to save. */
export async function savePicture(kind: "svg" | "png", what: Pictured): Promise<void> {
  const svg = new Blob([pictureOf(what)], { type: "image/svg+xml" });
  const blob = kind === "svg" ? svg : await painted(svg);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = `azulejos-${what.id}.${kind}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

async function painted(svg: Blob): Promise<Blob> {
  const image = new Image(WIDTH, HEIGHT);
  image.src = URL.createObjectURL(svg);
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [WIDTH, HEIGHT];
  canvas.getContext("2d")!.drawImage(image, 0, 0, WIDTH, HEIGHT);
  URL.revokeObjectURL(image.src);
  return new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture"))), "image/png"));
}
