/**
 * A table to play at or to look at, as often on a page as one likes. Who only wants its words, its colors, what it is
 * given or its tokens takes `announce`, `colors`, `props` or `board.css`, which draw nothing; what else is in this folder
 * is its own business, and ESLint says so.
 */

export { default as Table } from "./Table.svelte";
export type { Frame, HintMove, Sign, Speed, TableProps } from "./props";
