/** What pages tell the frame around them. */

import type { Snippet } from "svelte";
import { on } from "svelte/events";

export interface Chrome {
  /** The page's own buttons in the header. */
  tools: Snippet | null;
  /** Says that it is my turn, before the page's title. */
  alert: string;
  /** A title in place of the page's own. */
  title: string;
  /** A menu lies over the page. */
  covered: boolean;
}

export const chrome: Chrome = $state({ tools: null, alert: "", title: "", covered: false });

/** A menu over the page, to be attached to a popover: a choice closes it, and what is typed in it is no move. */
export class Menu {
  open = $state(false);

  constructor() {
    $effect(() => {
      if (!this.open) return;
      chrome.covered = true;
      return () => (chrome.covered = false);
    });
  }

  attach = (panel: HTMLElement): (() => void) => {
    const stops = [
      on(panel, "toggle", (event) => (this.open = event.newState === "open")),
      on(panel, "keydown", (event) => event.stopPropagation()),
      on(panel, "click", () => panel.hidePopover()),
    ];
    return () => stops.forEach((stop) => stop());
  };
}
