/** Which of several tabs at one table lets the computers think: the one that was looked at last. */

export class Turns {
  #letGo: (() => void) | null = null;
  readonly #waiting = new AbortController();
  readonly #seen = () => {
    if (!document.hidden && !this.#letGo) this.#claim(true);
  };

  constructor(
    private readonly id: string,
    private readonly thinks: (thinks: boolean) => void,
  ) {
    // Without locks, on plain HTTP from another machine, all tabs think: the first answer is stored, the others are dropped.
    if (!("locks" in navigator)) thinks(true);
    else {
      document.addEventListener("visibilitychange", this.#seen);
      this.#claim(!document.hidden);
    }
  }

  close(): void {
    document.removeEventListener("visibilitychange", this.#seen);
    this.#waiting.abort();
    this.#letGo?.();
  }

  #claim(steal: boolean): void {
    const { signal } = this.#waiting;
    const held = () =>
      new Promise<void>((resolve) => {
        if (signal.aborted) return resolve();
        this.#letGo = resolve;
        this.thinks(true);
      });
    navigator.locks.request(`azulejos-${this.id}`, steal ? { steal } : { signal }, held).catch(() => {
      this.#letGo = null;
      this.thinks(false);
      if (!signal.aborted) this.#claim(false); // another tab took over: when it is closed it is my turn again
    });
  }
}
