/** Whether the server has a lobby: only then does the page speak of one. */

import { api } from "../net/api";
import type { LobbyList } from "../net/messages";
import { read, write } from "../settings/local";
import { hasServer } from "./place";

const KEY = "lobby";

class Lobby {
  /** As it was when the server was last asked, so that the menu is the same from the first moment on. */
  offered = $state(hasServer && read(KEY) === true);

  /** Asks the server, and remembers what it says of itself. */
  async look(): Promise<LobbyList> {
    const list = await api.lobby();
    this.offered = list.offered;
    write(KEY, list.offered);
    return list;
  }

  /** Asks once; a server that does not answer is not asked again. */
  async ask(): Promise<void> {
    if (hasServer) await this.look().catch(() => undefined);
  }
}

export const lobby = new Lobby();
