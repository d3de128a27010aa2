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

/** Why a record goes no further: its text is cut, a piece of it is no move, the rules refuse a move, or it does not fit itself. */
export type Why =
  | { readonly kind: "cut" | "result" | "deals" | "misfit" }
  | { readonly kind: "unread"; readonly text: string }
  | { readonly kind: "refused"; readonly refusal: readonly [number, number, number, number] };

/** Where in a record the next move or deal stands. */
export interface Where {
  readonly round: number;
  readonly move: number;
}

/** A record cannot be followed any further. */
export class RecordFault extends Fault {
  constructor(
    message: string,
    readonly why: Why,
    readonly where: Where | null = null,
  ) {
    super(where ? `round ${where.round}, move ${where.move}: ${message}` : message);
  }
}
