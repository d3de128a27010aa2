/** What is pointed at and what is held: a state machine without a page. It knows no rules, only which moves were offered. */

import type { Option, Position } from "../net/messages";
import { COLORS, isColor, present, type Color } from "./colors";
import { FLOOR, read, same, write, type Group } from "./moves";

export interface Selection {
  /** Under the pointer or the focus; only lifted. */
  pointed: Group | null;
  held: Group | null;
  /** The line or floor under the pointer or the focus. */
  over: number | null;
  /** A display chosen by its digit; a color is expected next. */
  source: number | null;
  /** With the confirm setting: the line that was chosen and waits for a second press. */
  asked: number | null;
}

export const NOTHING: Selection = { pointed: null, held: null, over: null, source: null, asked: null };

export type Action =
  | { type: "point"; group: Group | null }
  | { type: "press"; group: Group }
  | { type: "over"; line: number | null }
  | { type: "place"; line: number }
  | { type: "key"; key: string }
  | { type: "release" };

/** What an action led to: always a selection, and at most one of the others. */
export interface Outcome {
  selection: Selection;
  /** To be played. */
  move?: string;
  /** A place was chosen that was not offered. */
  refused?: { group: Group; line: number };
  /** Tiles were taken up by the keyboard: the focus has to follow. */
  taken?: Group;
  /** They were put back. */
  released?: Group;
  /** Why nothing came of it. */
  missing?: Missing;
}

/** What is missing for an action to do anything. */
export type Missing =
  | { what: "tiles" }
  /** This display is empty, or there is none of this number. */
  | { what: "source"; source: number; exists: boolean }
  /** The color is not at this source. */
  | { what: "color"; color: Color; source: number }
  /** The color is nowhere, or in more places than one. */
  | { what: "place"; color: Color; anywhere: boolean };

/** What is on offer: which moves there are, and which colors each source has. */
export interface Offer {
  moves: ReadonlySet<string>;
  sources: readonly (readonly number[])[];
  confirm: boolean;
}

export function offerOf(position: Position, confirm: boolean): Offer {
  const moves = new Set(position.options.map((option: Option) => option.move));
  return { moves, sources: [position.center, ...position.displays], confirm };
}

function has(offer: Offer, group: Group): boolean {
  return (offer.sources[group.source]?.[COLORS.indexOf(group.color)] ?? 0) > 0;
}

/** The next selection. */
export function reduce(selection: Selection, action: Action, offer: Offer): Outcome {
  switch (action.type) {
    case "point":
      return { selection: { ...selection, pointed: action.group && has(offer, action.group) ? action.group : null } };
    case "press":
      return press(selection, action.group, offer);
    case "over":
      return { selection: { ...selection, over: action.line } };
    case "place":
      return place(selection, action.line, offer);
    case "key":
      return type(selection, action.key, offer);
    case "release":
      return release(selection);
  }
}

function press(selection: Selection, group: Group, offer: Offer): Outcome {
  if (same(selection.held, group)) return release(selection);
  if (!has(offer, group)) return { selection };
  return { selection: { ...NOTHING, pointed: group, held: group } };
}

function place(selection: Selection, line: number, offer: Offer): Outcome {
  const { held } = selection;
  if (!held) return { selection, missing: { what: "tiles" } };
  const move = write(held, line);
  if (!offer.moves.has(move)) return { selection: { ...selection, over: line }, refused: { group: held, line } };
  if (offer.confirm && selection.asked !== line) return { selection: { ...selection, over: line, asked: line } };
  return { selection: NOTHING, move };
}

function release(selection: Selection): Outcome {
  const { held } = selection;
  if (!held) return { selection: { ...selection, source: null } };
  return { selection: NOTHING, released: held };
}

/** One of three keys: a source, a color, a line; or Escape. Any other key changes nothing. */
function type(selection: Selection, key: string, offer: Offer): Outcome {
  if (key === "Escape") return release(selection);
  const letter = key.toUpperCase();
  if (/^[0-9]$/.test(key)) return digit(selection, Number(key), offer);
  if (letter === "F") return place(selection, FLOOR, offer);
  if (isColor(letter)) return color(selection, letter, offer);
  return { selection };
}

function digit(selection: Selection, number: number, offer: Offer): Outcome {
  if (selection.held && number >= 1 && number <= FLOOR) return place(selection, number - 1, offer);
  const counts = offer.sources[number];
  const [only, second] = present(counts ?? []);
  if (!only) return { selection, missing: { what: "source", source: number, exists: counts !== undefined } };
  const next = { ...NOTHING, source: number };
  // A display of one color needs no second key, but the second key is accepted all the same.
  if (!second) return take({ source: number, color: only.color });
  return { selection: next };
}

function color(selection: Selection, letter: Color, offer: Offer): Outcome {
  const source = selection.source ?? selection.held?.source ?? onlySource(letter, offer);
  if (source === null) {
    const anywhere = offer.sources.some((_, each) => has(offer, { source: each, color: letter }));
    return { selection, missing: { what: "place", color: letter, anywhere } };
  }
  const group = { source, color: letter };
  if (!has(offer, group)) return { selection, missing: { what: "color", color: letter, source } };
  return take(group);
}

function take(group: Group): Outcome {
  return { selection: { ...NOTHING, pointed: group, held: group }, taken: group };
}

/** Where a color is, if it is in one place only. */
function onlySource(letter: Color, offer: Offer): number | null {
  const places = offer.sources.map((_, source) => source).filter((source) => has(offer, { source, color: letter }));
  return places.length === 1 ? (places[0] ?? null) : null;
}

/** Moves offered for a group, by line. */
export function optionsOf(options: readonly Option[], group: Group): Map<number, Option> {
  const found = new Map<number, Option>();
  for (const option of options) {
    const move = read(option.move);
    if (move?.kind === "draft" && same(move, group)) found.set(move.line, option);
  }
  return found;
}
