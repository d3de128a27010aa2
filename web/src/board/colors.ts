/** The five colors in the order in which counts are sent. */

export const COLORS = ["B", "Y", "R", "K", "W"] as const;
export type Color = (typeof COLORS)[number];

/** The place of a color in counts. */
export function indexOf(color: string): number {
  return COLORS.indexOf(color as Color);
}

export function isColor(text: string | null | undefined): text is Color {
  return text != null && text.length === 1 && COLORS.includes(text as Color);
}

/** The colors that occur, with how many of each. */
export function present(counts: readonly number[]): { color: Color; count: number }[] {
  return COLORS.map((color, index) => ({ color, count: counts[index] ?? 0 })).filter(({ count }) => count > 0);
}

export function total(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}
