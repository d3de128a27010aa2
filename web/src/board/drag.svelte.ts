/** Tiles that are carried by the pointer: the same as a press on them and a press on a line, in one movement. */

import type { Hand } from "./hand.svelte";
import { same, type Group } from "./moves";

/** Pixels: a shorter movement is a press by an unsteady hand. */
const FAR = 8;

export class Drag {
  /** Where carried tiles are on the screen; null while none are. */
  carried: { group: Group; x: number; y: number } | null = $state.raw(null);
  #begun: { group: Group; x: number; y: number } | null = null;
  /** A click that ends a movement is no press. */
  #swallow = false;

  constructor(private readonly hand: Pick<Hand, "active" | "selection" | "act">) {}

  /** Whether a click belongs to a movement that has just ended. */
  swallows(): boolean {
    const was = this.#swallow;
    this.#swallow = false;
    return was;
  }

  /** A pointer goes down on a group: from now on it may carry it anywhere. */
  begin(event: PointerEvent, group: Group): void {
    this.#swallow = false;
    if (event.button !== 0 || !event.isPrimary) return;
    this.#begun = { group, x: event.clientX, y: event.clientY };
    addEventListener("pointermove", this.#move);
    addEventListener("pointerup", this.#up);
    addEventListener("pointercancel", this.#stop);
  }

  #move = ({ clientX: x, clientY: y, isPrimary }: PointerEvent): void => {
    const begun = this.#begun;
    if (!begun || !isPrimary) return;
    if (!this.carried) {
      if (Math.hypot(x - begun.x, y - begun.y) < FAR || !this.hand.active) return;
      if (!same(this.hand.selection.held, begun.group)) this.hand.act({ type: "press", group: begun.group });
    }
    this.carried = { group: begun.group, x, y };
    this.hand.act({ type: "over", line: lineAt(x, y) });
  };

  #up = ({ clientX: x, clientY: y, isPrimary }: PointerEvent): void => {
    if (!isPrimary) return;
    const { carried } = this;
    this.#end();
    if (!carried) return;
    this.#swallow = true;
    setTimeout(() => (this.#swallow = false));
    const line = lineAt(x, y);
    this.hand.act(line === null ? { type: "release" } : { type: "place", line });
  };

  /** The system took the pointer away. */
  #stop = (): void => {
    const { carried } = this;
    this.#end();
    if (carried) this.hand.act({ type: "release" });
  };

  #end(): void {
    this.#begun = null;
    this.carried = null;
    removeEventListener("pointermove", this.#move);
    removeEventListener("pointerup", this.#up);
    removeEventListener("pointercancel", this.#stop);
  }
}

/** The own line, or the floor, at a point of the screen. */
function lineAt(x: number, y: number): number | null {
  const found = document.elementFromPoint(x, y)?.closest("button[data-line]");
  return found ? Number(found.getAttribute("data-line")) : null;
}
