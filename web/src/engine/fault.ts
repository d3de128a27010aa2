/** What a page can do about a fault: load once more, load anew, make room, or ask again. */
export type FaultKind = "unloaded" | "damaged" | "memory" | "silent";

/** Something is wrong with a module, a weights file, a position or a move; the message names it in a sentence. */
export class Fault extends Error {
  override readonly name = "Fault";
  /** By which a page words it in the language of its reader. */
  readonly kind: FaultKind | null;

  constructor(message: string, { kind, ...options }: ErrorOptions & { kind?: FaultKind } = {}) {
    super(message, options);
    this.kind = kind ?? null;
  }
}
