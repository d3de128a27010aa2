/** Records with variations, as trees and back. */

import { Fault, type RecordFault, type Where } from "../engine/fault";
import { DEEPEST_VARIATION, UNKNOWN } from "../engine/generated/bindings";
import { dealOf, readMove, readPosition, writeDeal } from "../engine/notation";
import { readValidPart, splitRecords } from "../engine/records";
import { type Entry, type GameRecord, UNKNOWN_DATE } from "../engine/recordWriter";
import { type Place, endReason, played, startOf, whereIs } from "../engine/replay";
import type { Rules } from "../engine/rules";
import { happeningOf, positionOf, refusalOf } from "../local/position";
import { freshPosition } from "./line";
import { GameNode } from "./tree";

/** More moves and deals than anybody looks at; a text of a few bytes each could otherwise keep a page busy for long. */
const MOST_NODES = 5000;

/** What a record says beside deals and moves. */
export interface About {
  readonly names: readonly string[];
  readonly event: string;
  readonly date: string;
  readonly result: readonly number[] | null;
  readonly tags: Readonly<Record<string, string>>;
  /** The main line to which result and tags belong; null if they do not fit it. */
  readonly plays: string | null;
}

/** A game that was read. */
export interface ReadGame {
  readonly root: GameNode;
  readonly about: About;
  /** Where and why the text goes no further as a game. */
  readonly stopped: Stopped | null;
  /** How many games the text holds; the first one is this. */
  readonly games: number;
}

/** Where and why a record goes no further, as codes that the page has words for; nowhere if all of it was followed. */
export interface Stopped {
  readonly where: Where | null;
  readonly code: string;
  readonly args: Readonly<Record<string, string | number>>;
}

/** What is said of a game that nobody has named. */
export function unnamed(players: number): About {
  return { names: Array<string>(players).fill(UNKNOWN), event: UNKNOWN, date: UNKNOWN_DATE, result: null, tags: {}, plays: null };
}

/** The first game in a text as far as it is one; throws a fault if there is none. */
export function readGame(text: string, rules: Rules): ReadGame {
  const games = gamesIn(text);
  const { record, fault } = readValidPart(games[0] ?? text, rules);
  const start = startOf(record, rules);
  const root = new GameNode(positionOf(rules, start));
  root.comments = record.comments;
  let nodes = 0;
  let stopped = fault && stoppedBy(fault);

  const follow = (from: GameNode, first: Place, entries: readonly Entry[]): void => {
    let node = from;
    let place = first;
    for (const [index, entry] of entries.entries()) {
      if ((nodes += 1) > MOST_NODES) {
        stopped = { where: whereIs(place), code: "record_long", args: {} };
        return;
      }
      const [before, at] = [node, place];
      const next = played(at, entry, node === root && index === 0, rules);
      node = entry.play === null ? node : node.add(positionOf(rules, next.state), happeningBy(entry.play, next));
      place = next;
      node.glyphs = [...node.glyphs, ...entry.glyphs];
      node.comments = [...node.comments, ...entry.comments];
      for (const variation of entry.variations) follow(before, at, variation);
    }
  };
  follow(root, { state: start, moves: 0 }, record.entries);
  const { names, event, date, result, tags } = record;
  return { root, stopped, games: games.length, about: { names, event, date, result, tags, plays: stopped ? null : playsOf(root) } };
}

/** The texts of the single games in a text; of one that is too damaged to be told apart, none. */
function gamesIn(text: string): string[] {
  try {
    return [...splitRecords(text)];
  } catch (error) {
    if (error instanceof Fault) return [];
    throw error;
  }
}

/** Where and why a record goes no further, for people. */
export function stoppedBy({ why, where }: RecordFault): Stopped {
  if (why.kind === "unread") return { where, code: "record_unread", args: { text: why.text } };
  const refusal = why.kind === "refused" ? refusalOf(why.refusal) : null;
  if (refusal) return { where, code: refusal.code, args: refusal.arguments ?? {} };
  return { where, code: why.kind === "refused" ? "record_misfit" : `record_${why.kind}`, args: {} };
}

function happeningBy(play: string, { state, happened }: ReturnType<typeof played>) {
  return play.startsWith("=") ? { move: writeDeal(dealOf(state)), seat: null } : happeningOf(readMove(play), happened, null);
}

/** What is played on the main line. */
function playsOf(root: GameNode): string {
  return root
    .line()
    .flatMap(({ happening }) => happening?.move ?? [])
    .join(" ");
}

/** The record of a tree. Result and reason are the game's own as long as its main line is what was played. */
export function recordOf(root: GameNode, about: About, rules: Rules): GameRecord {
  const { wall, phase, round, starter, line, boards } = root.position;
  const { Position: _, Termination, DealCommitment, DealSecret, ...others } = about.tags;
  const tags: Record<string, string> = { ...others };
  const entries = entriesAfter(root, 0);
  const fresh = phase === "r" && line === freshPosition(boards.length, wall, starter) && (entries.length > 0 || starter === 0);
  if (!fresh) tags["Position"] = line;
  if (phase === "d" || phase === "t")
    entries.unshift({ play: null, head: { round, starter }, glyphs: root.glyphs, comments: [], variations: [] });
  let { result } = about;
  if (about.plays === playsOf(root)) {
    Object.assign(tags, given({ Termination, DealCommitment, DealSecret }));
  } else {
    const end = root.line().at(-1)!.position;
    const reason = end.phase === "e" ? endReason(readPosition(end.line, rules), rules) : undefined;
    result = reason === undefined ? null : end.boards.map(({ score }) => score);
    if (reason !== undefined && reason !== "row") tags["Termination"] = reason;
  }
  return { wall, names: about.names, entries, result, event: about.event, date: about.date, comments: root.comments, tags };
}

function given(tags: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(tags).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

function entriesAfter(from: GameNode, depth: number): Entry[] {
  if (depth > DEEPEST_VARIATION) throw new Fault(`variations are nested deeper than ${DEEPEST_VARIATION}`);
  const entries: Entry[] = [];
  for (let node = from; node.variations[0]; node = node.variations[0]) {
    const [main, ...others] = node.variations as [GameNode, ...GameNode[]];
    const variations = others.map((other) => [entryOf(other, []), ...entriesAfter(other, depth + 1)]);
    entries.push(entryOf(main, variations));
  }
  return entries;
}

function entryOf({ happening, position, glyphs, comments, isDeal }: GameNode, variations: Entry[][]): Entry {
  const head = isDeal ? { head: { round: position.round, starter: position.starter } } : {};
  return { play: happening?.move ?? null, ...head, glyphs, comments, variations };
}
