/** A table to play at or to look at, as often on a page as one likes. What else is in this folder is its own business. */

export { default as Table } from "./Table.svelte";
export { colorName, entryName, moveName } from "./announce";
export { COLORS, isColor } from "./colors";
export type { Frame, HintMove, Sign, Speed, TableProps } from "./props";
