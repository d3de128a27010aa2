/** What happens at a table besides moves, for the log and for the ear. */

import type { Live } from "./live";
import type { Emoted, Outgoing } from "./messages";

export type News = {
  /** Rises with every piece of news. */
  readonly key: number;
  /** How many moves had been made. */
  readonly at: number;
  readonly seat: number;
} & (
  | { readonly what: "undone"; readonly moves: number }
  | { readonly what: "emoted"; readonly emote: Emoted["emote"] }
  | { readonly what: "joined" | "away" | "here" | "replaced" | "returned" | "resigned" | "out_of_time" | "assisted" }
);

type Fresh = News extends infer One ? (One extends News ? Omit<One, "key"> : never) : never;

const EVENTS = {
  joined: "joined",
  substituted: "replaced",
  came_back: "returned",
  resigned: "resigned",
  timed_out: "out_of_time",
  assisted: "assisted",
} as const;

/** What a message tells whoever knew the table as it was before. */
export function newsIn(before: Live | null, message: Outgoing): Fresh[] {
  if (!before) return [];
  const at = before.log.length;
  switch (message.type) {
    case "event": {
      const { what } = message;
      if (what.type === "undone") {
        const moves = what.moves ?? 0;
        return [{ what: "undone", seat: what.seat, moves, at: at - moves }];
      }
      return what.type in EVENTS && "seat" in what ? [{ what: EVENTS[what.type as keyof typeof EVENTS], seat: what.seat, at }] : [];
    }
    case "present":
    case "resumed":
      return message.present.flatMap((here, seat): Fresh[] => {
        const known = before.table.seats[seat];
        // Whoever comes for the first time is told by an event of its own.
        if (here === before.present[seat] || known?.kind === "computer" || !known?.joined) return [];
        return [{ what: here ? "here" : "away", seat, at }];
      });
    case "emoted":
      return [{ what: "emoted", seat: message.seat, emote: message.emote, at }];
    default:
      return [];
  }
}
