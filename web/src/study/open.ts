/** Ways into a study: a table's game, a text, a packed link, a position, or what this browser has kept. */

import { own } from "../local/positions";
import { gameRecord } from "../local/tables";
import { RefusalError } from "../net/api";
import { refusalText } from "../words/refusals";
import { m } from "../paraglide/messages.js";
import { forgetStudy, keepStudy, keptStudy, newStudy } from "./kept";
import { gameOf, textOf } from "./own";
import { type About, type ReadGame, type Stopped, unnamed } from "./record";
import { Study } from "./study.svelte";
import { graft } from "./tree";

/** A game on the page. */
export interface OpenGame {
  /** Under which changes are kept. */
  readonly id: string;
  readonly study: Study;
  readonly about: About;
  /** What has to be said about it: a record that breaks the rules is shown as far as it goes. */
  readonly said: string;
}

/** The game of a table, with what was tried and written here before. */
export async function openTable(id: string): Promise<OpenGame> {
  const game = await gameOf(await gameRecord(id));
  const text = await keptStudy(id);
  const kept = text === null ? null : await gameOf(text).catch(() => null);
  if (kept?.root.position.line !== game.root.position.line) return opened(id, game);
  graft(kept.root, game.root);
  return opened(id, { ...kept, about: game.about, stopped: game.stopped });
}

/** A study that this browser has kept. */
export async function openKept(id: string): Promise<OpenGame> {
  const text = await keptStudy(id);
  if (text === null) throw new RefusalError("unknown_study");
  return opened(id, await gameOf(text));
}

/** A position on its own; with `deal`, after the tiles that are due were dealt. */
export async function openPosition(line: string, deal = false): Promise<OpenGame> {
  const study = await Study.from(own, line, deal);
  return { id: newStudy(), study, about: unnamed(study.root.position.boards.length), said: "" };
}

function opened(id: string, { root, about, stopped, games }: ReadGame): OpenGame {
  const study = new Study(root, own);
  study.go(study.first);
  const first = games > 1 ? m.study_first_of({ count: games }) : "";
  return { id, study, about, said: [first, stopped && stoppedText(stopped)].filter(Boolean).join(" ") };
}

/** Where and why a record goes no further, in a sentence. */
function stoppedText({ where, code, args }: Stopped): string {
  const reason = refusalText(code, args);
  return where ? m.study_stopped({ ...where, reason }) : reason;
}

/** Keeps a text as a study of its own; throws if it holds no game. The answer is its name. */
export async function keepText(text: string): Promise<string> {
  const { about } = await gameOf(text);
  const id = newStudy();
  await keepStudy(id, about.names, text);
  return id;
}

/** Keeps a game as it is now; says whether that worked. */
export async function keep({ id, study, about }: OpenGame): Promise<boolean> {
  return keepStudy(id, about.names, await textOf(study.root, about));
}

/** The text of a game's record, to save or to share. */
export const recordText = ({ study, about }: OpenGame): Promise<string> => textOf(study.root, about);

/** Forgets what was tried and written about a game here. */
export const forget = ({ id }: OpenGame): Promise<void> => forgetStudy(id);
