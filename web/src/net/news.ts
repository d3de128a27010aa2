/** What happens at a table besides moves, for the log and for the ear. */

import type { Live } from "./live";
import type { Emoted, Happened, Outgoing, You } from "./messages";

export type News = {
  /** Rises with every piece of news. */
  readonly key: number;
  /** How many moves had been made. */
  readonly at: number;
  readonly seat: number;
} & (
  | { readonly what: "undone"; readonly moves: number }
  | { readonly what: "emoted"; readonly emote: Emoted["emote"] }
  | { readonly what: "named"; readonly name: string }
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

/** What an event tells, after which so many moves stand. */
function newsOf(what: Happened, at: number, { seats }: You): Fresh[] {
  // Nobody has to be told that they came, or what they are called.
  if ((what.type === "joined" || what.type === "renamed") && seats?.includes(what.seat)) return [];
  if (what.type === "undone") return [{ what: "undone", seat: what.seat, moves: what.moves ?? 0, at }];
  if (what.type === "renamed") return what.name ? [{ what: "named", seat: what.seat, name: what.name, at }] : [];
  return what.type in EVENTS && "seat" in what ? [{ what: EVENTS[what.type as keyof typeof EVENTS], seat: what.seat, at }] : [];
}

/** What a message tells whoever knew the table as it was before; at the first sight of it all that is remembered there. */
export function newsIn(before: Live | null, message: Outgoing): Fresh[] {
  if (message.type === "welcome") {
    const missed = (message.noted ?? []).filter(({ version }) => version > (before?.version ?? -1));
    return missed.flatMap(({ what, moves }) => newsOf(what, moves, message.you));
  }
  if (!before) return [];
  const at = before.log.length;
  switch (message.type) {
    case "event": {
      const { what } = message;
      return newsOf(what, what.type === "undone" ? at - (what.moves ?? 0) : at, before.you);
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
