/** Numbers of a review as people read them. */

import type { Amount, Part, Receipt } from "../engine/judge";
import { PARTS } from "../engine/generated/bindings";
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

function percentPoints(share: number): string {
  const options = { style: "percent", signDisplay: "exceptZero", maximumFractionDigits: 0 } as const;
  return new Intl.NumberFormat(settings.language, options).format(share).replace("-", "−");
}

/** What a position is worth to a seat. */
export function worth(value: { readonly win: readonly number[]; readonly margin: readonly number[] }, what: What, seat: number): string {
  return what === "win" ? percent(value.win[seat] ?? 0) : signed(value.margin[seat] ?? 0);
}

/** The lines of a receipt in whole points, rounded so that what is shown adds up to the result. */
export function rounded(receipt: Receipt): Record<Part, number> {
  const parts = PARTS.filter((part) => part !== "result");
  const exact = parts.map((part) => receipt[part].margin);
  const result = Math.round(receipt.result.margin);
  const shown = exact.map(Math.floor);
  // Those that were cut most are rounded up.
  const order = exact.map((each, at) => ({ at, cut: each - Math.floor(each) })).sort((one, other) => other.cut - one.cut);
  const missing = result - shown.reduce((sum, each) => sum + each, 0);
  for (const { at } of order.slice(0, missing)) shown[at]! += 1;
  return { ...(Object.fromEntries(parts.map((part, at) => [part, shown[at]])) as Record<Part, number>), result };
}
