/** Keys: three make a move, arrows go from one thing to the next, a few letters do the rest. The focus is never lost. */

import { untrack } from "svelte";
import type { HappeningInfo } from "../net/messages";
import { m } from "../paraglide/messages.js";
import { entryName } from "./announce";
import type { Shared } from "./context";
import { isLost, focusOn, stepFocus } from "./focus";
import { sinceMine } from "./history";

/** Of several tables on a page the one that is typed at: used last, or else the one that came last and can be played at. */
let current: HTMLElement | null = null;

export class Keys {
  readonly #table: Shared;
  #within = false;
  #byKeyboard = false;

  constructor(table: Shared) {
    this.#table = table;
    $effect(() => {
      const root = this.#root;
      if (!current || untrack(() => !table.given.readonly)) current = root;
      return () => {
        if (current === root) current = null;
      };
    });
    $effect(() => {
      void table.shown.position;
      untrack(() => void this.#keepFocus());
    });
    // Who types goes on with the wall when there is a place to choose on it.
    $effect(() => {
      if (table.hand.choices.length) untrack(() => void focusOn(this.#root, ".choice", () => this.#within && this.#byKeyboard));
    });
  }

  get #root(): HTMLElement | null {
    return this.#table.shown.stage.root;
  }

  async #keepFocus(): Promise<void> {
    await focusOn(this.#root, "[data-group], .choice, [data-line]", () => this.#within && this.#byKeyboard && isLost());
  }

  focusin = (): void => {
    this.#within = true;
    current = this.#root;
  };

  focusout = (event: FocusEvent): void => {
    this.#within = event.relatedTarget === null || !!this.#root?.contains(event.relatedTarget as Node);
  };

  /** Anywhere on the page: whoever presses something does not want to watch the count any longer. */
  pointerdown = (event: PointerEvent): void => {
    const { stage } = this.#table.shown;
    this.#byKeyboard = false;
    if (this.#root?.contains(event.target as Node)) current = this.#root;
    if (stage.scoring) void stage.skip();
  };

  keydown = (event: KeyboardEvent): void => {
    const { given, shown, hand } = this.#table;
    this.#byKeyboard = true;
    if (current !== this.#root || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if ((event.target as Element).closest?.("input, textarea, select, dialog, [contenteditable]")) return;
    if (shown.stage.scoring && [" ", "Enter", "Escape"].includes(event.key)) {
      event.preventDefault();
      void shown.stage.skip();
    } else if (event.key.startsWith("Arrow")) {
      if (this.#root && stepFocus(this.#root, event.key)) event.preventDefault();
    } else if (event.key === "Escape") hand.act({ type: "release" });
    else if (given.settings.shortcuts) this.#letter(event.key);
  };

  #said(happenings: readonly HappeningInfo[]): string {
    const { names } = this.#table.shown;
    return happenings.map((one) => entryName(names[one.seat ?? -1] ?? "", one)).join(". ") || m.board_log_empty();
  }

  #letter(key: string): void {
    const { shown, hand, open } = this.#table;
    switch (key.toUpperCase()) {
      case "U":
        return hand.undo();
      case "H":
        return hand.askHint();
      case "L":
        return hand.tell(this.#said(shown.stage.frame.log.filter(({ seat }) => seat !== null).slice(-1)));
      case "M":
        return hand.tell(this.#said(sinceMine(shown.stage.frame.log, shown.mine)));
      case "?":
        return open("keys");
      default:
        if (hand.active) hand.act({ type: "key", key });
        else void hand.hurry({ type: "key", key });
    }
  }
}
