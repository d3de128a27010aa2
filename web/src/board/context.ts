/** What the parts of a table share. */

import { createContext } from "svelte";
import type { Hand } from "./hand.svelte";
import type { Layout } from "./layout";
import type { TableProps } from "./props";
import type { Shown } from "./shown.svelte";

/** What can be opened over the table. */
export type Opened = "more" | "keys" | "boards" | "result";

export interface Shared {
  readonly given: TableProps;
  readonly shown: Shown;
  readonly hand: Hand;
  readonly places: Layout;
  readonly open: (what: Opened) => void;
}

export const [useTable, shareTable] = createContext<Shared>();
