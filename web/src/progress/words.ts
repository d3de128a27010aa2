/** What the page of somebody's progress says, in the page's language. */

import { m } from "../paraglide/messages.js";
import { settings } from "../settings/settings.svelte";
import { levelChoice } from "../words/names";
import { type Outcome, PEOPLE } from "./games";

/** Against whom a game was. */
export function opponentText(level: number): string {
  return level === PEOPLE ? m.progress_people() : levelChoice(level, null);
}

const RESULTS: Record<Outcome, () => string> = { won: m.progress_game_won, shared: m.progress_game_shared, lost: m.progress_game_lost };

/** How a game ended. */
export function outcomeText(outcome: Outcome): string {
  return RESULTS[outcome]();
}

/** A day as people write it. */
export function dayText(time: number): string {
  return new Intl.DateTimeFormat(settings.language, { dateStyle: "medium" }).format(time);
}

/** Points with one or two digits behind the point. */
export function pointsText(points: number): string {
  return new Intl.NumberFormat(settings.language, { minimumFractionDigits: 1, maximumFractionDigits: 2 }).format(points);
}

/** A number at an axis. */
export function numberText(number: number): string {
  return new Intl.NumberFormat(settings.language).format(number);
}
