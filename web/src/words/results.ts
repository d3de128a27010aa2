/** How a game ended, in the page's language. */

import { m } from "../paraglide/messages.js";
import type { Result } from "../net/messages";
import { listed } from "./names";

/** "Ana won 54–47", "Ana and Bo share the victory 40–40": the most points first, whatever the seat. */
export function resultText(result: Pick<Result, "winners" | "scores">, names: readonly string[], language: string): string {
  const order = result.scores.map((_, seat) => seat);
  const won = (seat: number): number => Number(result.winners.includes(seat));
  order.sort((one, other) => won(other) - won(one) || result.scores[other]! - result.scores[one]!);
  const scores = order.map((seat) => result.scores[seat]).join("–");
  const winners = listed(
    result.winners.map((seat) => names[seat] ?? ""),
    language,
  );
  return result.winners.length > 1 ? m.result_shared({ names: winners, scores }) : m.result_won({ name: winners, scores });
}

const REASONS: Record<Result["reason"], () => string> = {
  row: m.reason_row,
  stalled: m.reason_stalled,
  round_limit: m.reason_round_limit,
  resigned: m.reason_resigned,
  time: m.reason_time,
};

/** Why it ended. */
export function reasonText(reason: Result["reason"]): string {
  return REASONS[reason]();
}

/** A point in time as people write it. */
export function dateText(iso: string, language: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return iso;
  return new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" }).format(date);
}

/** How long ago something was, in whole minutes or hours: both times are by one clock, which need not be the reader's. */
export function sinceText(then: string, now: string, language: string): string {
  const minutes = Math.max(0, Math.floor((Date.parse(now) - Date.parse(then)) / 60_000));
  const ago = new Intl.RelativeTimeFormat(language, { numeric: "auto", style: "long" });
  if (minutes < 1) return ago.format(0, "second");
  return minutes < 60 ? ago.format(-minutes, "minute") : ago.format(-Math.floor(minutes / 60), "hour");
}
