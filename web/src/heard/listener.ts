/** Writes down what a screen reader would say: all that live regions get, in that order, and the names of what has the focus. */

import { flushSync } from "svelte";

const LIVE = "[aria-live], [role=status], [role=alert]";

export class Listener {
  readonly #lines: string[] = [];
  readonly #observer: MutationObserver;
  readonly #records: MutationRecord[] = [];
  #focus: Element | null = null;
  #open: Element | null = null;

  constructor() {
    this.#observer = new MutationObserver((records) => void this.#records.push(...records));
    this.#observer.observe(document.body, { subtree: true, childList: true, characterData: true });
  }

  /** A line that is no speech. */
  write(line: string): void {
    this.#lines.push(line);
  }

  /** Presses a key where the focus is; Enter presses the button there. */
  press(...keys: string[]): Promise<void> {
    return keys.reduce(async (before, key) => {
      await before;
      this.write(`> ${key}`);
      const at = document.activeElement ?? document.body;
      if (key === "Enter" && at instanceof HTMLElement) at.click();
      else at.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
      await this.listen();
    }, Promise.resolve());
  }

  /** Lets the page do what it has to, and writes down what it says. */
  async listen(): Promise<void> {
    for (let quiet = 0; quiet < 3; quiet++) {
      await new Promise((resolve) => setTimeout(resolve));
      flushSync();
      if (this.#hear()) quiet = 0;
    }
    const now = document.activeElement;
    if (now !== this.#focus && now && now !== document.body) this.write(`  [${name(now)}]`);
    this.#focus = now;
  }

  #hear(): boolean {
    const heard = new Set<Node>();
    for (const { type, target, addedNodes } of [...this.#records.splice(0), ...this.#observer.takeRecords()]) {
      const inside = elementOf(target)?.closest(LIVE);
      if (inside) for (const node of type === "characterData" ? [target] : addedNodes) heard.add(node);
      else for (const node of addedNodes) if (node instanceof Element) for (const region of regions(node)) heard.add(region);
    }
    const said = [...heard].filter((node) => ![...heard].some((other) => other !== node && other.contains(node)));
    const open = [...document.querySelectorAll("dialog[open]")].at(-1) ?? null;
    if (open && open !== this.#open) this.write(`  [dialog: ${plain(open.querySelector("h2")!)}]`);
    const opened = open !== this.#open;
    this.#open = open;
    // Nothing below a window is heard.
    const texts = said.filter((node) => node.isConnected && (!open || open.contains(node))).map((node) => [node, plain(node)] as const);
    for (const [node, text] of texts) if (text) this.write(`  ${text}${voiceOf(node)}`);
    return opened || texts.length > 0;
  }

  get transcript(): string {
    return `${this.#lines.join("\n")}\n`;
  }

  stop(): void {
    this.#observer.disconnect();
  }
}

const elementOf = (node: Node): Element | null => (node instanceof Element ? node : node.parentElement);
export const plain = (node: Node): string => (node.textContent ?? "").replace(/\s+/g, " ").trim();

function regions(node: Element): Element[] {
  const found = node.matches(LIVE) ? [node] : [...node.querySelectorAll(LIVE)];
  return found.flatMap((region) => (region.matches(".unseen") ? [...region.children] : [region]));
}

/** The table's own voice needs no mark; another that speaks is told apart. */
function voiceOf(node: Node): string {
  const region = elementOf(node)?.closest(LIVE);
  return !region || region.matches(".unseen[aria-live]") ? "" : ` (${region.getAttribute("role") ?? "another voice"})`;
}

function name(element: Element): string {
  const labelled = element.getAttribute("aria-label") ?? plain(element);
  return labelled || element.tagName.toLowerCase();
}
