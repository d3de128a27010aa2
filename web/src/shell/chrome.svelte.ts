/** What pages tell the frame around them. */

import type { Snippet } from "svelte";

export interface Chrome {
  /** The page's own buttons in the header. */
  tools: Snippet | null;
  /** Says that it is my turn, before the page's title. */
  alert: string;
  /** The page's title. */
  title: string;
  /** A menu lies over the page. */
  covered: boolean;
}

export const chrome: Chrome = $state({ tools: null, alert: "", title: "", covered: false });
