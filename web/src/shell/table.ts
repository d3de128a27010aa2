/** The table component. */
export { default } from "../board/Table.svelte";
