/** What the coach says. */

import { moveName } from "../board/announce";
import { m } from "../paraglide/messages.js";
import { gain } from "../review/numbers";
import { reasonText } from "../review/words";
import type { Draft, Objection, Summary } from "./coach.svelte";

/** "Better: 3 blue, display 2 → line 4". */
export function betterText({ better }: Objection): string {
  return named(m.coach_better(), better);
}

export function costText({ loss }: Objection): string {
  return m.coach_costs({ loss: gain(loss, "win").replace("+", "") });
}

/** An objection for the ear, all at once; what it is called is said by the card, which takes the focus. */
export function objectionSaid(objection: Objection, names: readonly string[]): string {
  const why = (objection.reasons ?? []).map((reason) => reasonText(reason, names));
  return [costText(objection), ...why, m.coach_asks()].join(" ");
}

/** The best and the worst decision of a round, in one sentence. */
export function summaryText({ round, best, worst }: Summary): string {
  const cost = worst && `${named(m.coach_worst(), worst)} (${gain({ win: -worst.loss.win, margin: 0 }, "win")})`;
  const what = [best && named(m.coach_best(), best), cost ?? m.coach_none()].filter(Boolean).join(". ");
  return m.coach_round({ round, what });
}

function named(name: string, { move, taken }: Draft): string {
  return moveName(name, move, taken);
}
