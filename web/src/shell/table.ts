/** The table component. */
export { Table as default } from "../board";
