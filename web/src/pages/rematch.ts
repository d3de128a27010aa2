/** From a finished table to the one that follows it. */

import { isLocal } from "../local/ids";
import { api } from "../net/api";
import { type Invitation, keepTable, ownTable } from "../net/own";
import { router } from "../shell/router.svelte";

/** Opens the next table, with the keys to my seats and my friends' links. */
export async function goOn(id: string, next: string): Promise<void> {
  const own = ownTable(id);
  if (own) keepTable(next, { secrets: own.secrets, invitations: await moved(own.invitations, next), over: false, seen: 0 });
  router.go(`/t/${next}`);
}

/** My friends' links at the next table, so that one who left can be invited again: everybody sits a seat further, or as before. */
async function moved(invitations: Invitation[], next: string): Promise<Invitation[]> {
  if (isLocal(next) || !invitations.length) return [];
  const found = await api.look(next).catch(() => null);
  const by = found?.table.same_tiles ? 0 : 1;
  const count = found?.table.seats.length ?? 0;
  return count ? invitations.map(({ seat, secret }) => ({ secret, seat: (seat + count - by) % count })) : [];
}
