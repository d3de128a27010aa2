/** The small signs that people show each other, in the page's language. */

import { m } from "../paraglide/messages.js";
import type { Emoted } from "../net/messages";

export const EMOTES: Record<Emoted["emote"], () => string> = {
  hello: m.emote_hello,
  thanks: m.emote_thanks,
  well_played: m.emote_well_played,
  wow: m.emote_wow,
  oops: m.emote_oops,
  thinking: m.emote_thinking,
  good_game: m.emote_good_game,
  again: m.emote_again,
};
