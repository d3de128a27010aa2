/** What the table component is given and what it says back; used by play, watch, replay, analysis and learn alike. */

import type { Snippet } from "svelte";
import type { News } from "../net/news";
import type { ClockTime, Emoted, HappeningInfo, Position, TableInfo, You } from "../net/messages";

/**
 * A state of the table and what led to it.
 *
 * The component shows one frame at a time. Given frames whose versions follow the one it shows, it plays their
 * new moves one after the other; given anything else (a gap, a lower version, another table) it jumps to the last one.
 * So a live page appends a frame for every event, and a replay page passes a single frame whose version is the step.
 */
export interface Frame {
  version: number;
  position: Position;
  /** All moves that led here. A frame with no more of them than the one before is simply shown (undo, a name, a resignation). */
  log: HappeningInfo[];
}

export type Speed = "normal" | "fast" | "instant";

export interface BoardSettings {
  speed: Speed;
  /** A letter on every tile. */
  letters: boolean;
  /** The motifs; without them tiles are plain glaze (with letters recommended). */
  patterns: boolean;
  /** Ask once more before a move is sent. */
  confirm: boolean;
  sounds: boolean;
  /** Keys without a modifier. */
  shortcuts: boolean;
  /** The compact look: two score markers instead of a number. */
  mini: boolean;
}

export const DEFAULT_SETTINGS: BoardSettings = {
  speed: "normal",
  letters: false,
  patterns: true,
  confirm: false,
  sounds: true,
  shortcuts: true,
  mini: false,
};

/** A move that a hint recommends. */
export interface HintMove {
  move: string;
  /** Expected final score less that of the best opponent. */
  margin: number;
  /** Expected share of the victory of each seat. */
  win: number[];
  /** What might follow, the move itself first. */
  line: string[];
}

/** A sign to show at a seat for a moment; `key` tells two equal ones apart. */
export interface Sign {
  seat: number;
  emote: Emoted["emote"];
  key: number;
}

export interface TableProps {
  table: TableInfo;
  /** At least one; the last is the truth. A short tail is enough. */
  frames: Frame[];
  you: You;
  settings: BoardSettings;
  /** The list of moves beside the displays, where there is room; true unless told. */
  log?: boolean;
  /** The seats that have to decide. */
  waiting?: number[];
  present?: boolean[];
  clock?: ClockTime | null;
  /** Nobody can move here (watch, replay). */
  readonly?: boolean;
  /** The moves of a hint, best first; the best one is outlined and listed until the next frame. */
  hint?: HintMove[] | null;
  /** What is going on while a move is not answered yet; "Sending" unless told. */
  sending?: string | undefined;
  /** Whoever plays here has never made a move: what to do is said until they have. */
  isNew?: boolean;
  /** A card for somebody who is new: below the moves, or over the opponents where the moves have no room. */
  welcome?: Snippet | undefined;
  /** A move to point out, as a lesson does. */
  pointed?: string | null;
  signs?: Sign[];
  /** What happened besides moves, the latest last. */
  news?: readonly News[];
  /** Show this seat large; otherwise my own seat (with several of mine: the one to act). */
  seat?: number;
  /** Buttons under the result: rematch, same tiles again, share, save. */
  actions?: Snippet;
  /** A move was chosen. Answer false (or a promise of it) if it was refused, and the tiles go back. */
  onplay?: (move: string, seat: number) => void | boolean | Promise<boolean | void>;
  onundo?: (seat: number) => void;
  /** Somebody is awaited, and the links are wanted. */
  oninvite?: () => void;
  onhint?: (seat: number) => void;
  /** Called when everything up to this version has been shown. */
  onshown?: (version: number) => void;
}
