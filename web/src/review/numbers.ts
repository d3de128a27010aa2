/** Numbers of a review as people read them. */

import type { Amount } from "../engine/judge";
import { settings } from "../settings/settings.svelte";

/** What is shown: the share of the victory, or points. */
export type What = keyof Amount;

/** A chance, as in "63 %". */
export function percent(share: number, digits = 0): string {
  return new Intl.NumberFormat(settings.language, { style: "percent", maximumFractionDigits: digits }).format(share);
}

/** A number with one digit, as in "1.3". */
export function fixed(number: number): string {
  return new Intl.NumberFormat(settings.language, { minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(number);
}

/** A number with its sign, as in "+3.5"; one that is shown as zero has none. */
export function signed(number: number, digits = 1): string {
  const options = { signDisplay: "exceptZero", minimumFractionDigits: digits, maximumFractionDigits: digits } as const;
  return new Intl.NumberFormat(settings.language, options).format(number).replace("-", "−");
}

/** A gain or a loss with its sign and unit: "−12 %" or "−3.4". */
export function gain(amount: Amount, what: What): string {
  return what === "win" ? percentPoints(amount.win) : signed(amount.margin);
}

/** A part of the victory won or lost, with its sign: "−12 %". */
export function percentPoints(share: number): string {
  const options = { style: "percent", signDisplay: "exceptZero", maximumFractionDigits: 0 } as const;
  return new Intl.NumberFormat(settings.language, options).format(share).replace("-", "−");
}

/** What a position is worth to a seat. */
export function worth(value: { readonly win: readonly number[]; readonly margin: readonly number[] }, what: What, seat: number): string {
  return what === "win" ? percent(value.win[seat] ?? 0) : signed(value.margin[seat] ?? 0);
}
