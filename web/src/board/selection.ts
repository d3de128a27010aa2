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
}

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
  if (!held) return { selection };
  const move = write(held, line);
  if (!offer.moves.has(move)) return { selection: { ...selection, over: line }, refused: { group: held, line } };
  if (offer.confirm && selection.asked !== line) return { selection: { ...selection, over: line, asked: line } };
  return { selection: NOTHING, move };
}

function release(selection: Selection): Outcome {
  const { held } = selection;
  if (!held) return { selection: { ...selection, source: null } };
  return { selection: { ...NOTHING, pointed: held }, released: held };
}

/** One of three keys: a source, a color, a line; or Escape. Any other key changes nothing. */
function type(selection: Selection, key: string, offer: Offer): Outcome {
  if (key === "Escape") return release(selection);
  const letter = key.toUpperCase();
  if (/^[0-9]$/.test(key)) return digit(selection, Number(key), offer);
  if (letter === "F" && selection.held) return place(selection, FLOOR, offer);
  if (isColor(letter)) return color(selection, letter, offer);
  return { selection };
}

function digit(selection: Selection, number: number, offer: Offer): Outcome {
  if (selection.held && number >= 1 && number <= FLOOR) return place(selection, number - 1, offer);
  const counts = offer.sources[number];
  const [only, second] = present(counts ?? []);
  if (!only) return { selection };
  const next = { ...NOTHING, source: number };
  // A display of one color needs no second key, but the second key is accepted all the same.
  if (!second) return take({ source: number, color: only.color });
  return { selection: next };
}

function color(selection: Selection, letter: Color, offer: Offer): Outcome {
  const source = selection.source ?? selection.held?.source ?? onlySource(letter, offer);
  if (source === null) return { selection };
  const group = { source, color: letter };
  if (!has(offer, group)) return { selection };
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

/** Drops whatever no longer exists, after the position has changed under the person's hand. */
export function settle(selection: Selection, offer: Offer): Selection {
  const keep = (group: Group | null): Group | null => (group && has(offer, group) ? group : null);
  const held = keep(selection.held);
  const gone = selection.held && !held;
  const stays = selection.source !== null && present(offer.sources[selection.source] ?? []).length > 0;
  return {
    pointed: keep(selection.pointed),
    held,
    over: gone ? null : selection.over,
    source: stays ? selection.source : null,
    asked: gone ? null : selection.asked,
  };
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
