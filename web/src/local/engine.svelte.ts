/** The page's one engine, and how far its network has come. */
import { Engine } from "../engine/client";
import type { Progress } from "../engine/questions";

class Status {
  /** Of the network that was asked for last; null before anybody asked. */
  network: Progress | null = $state.raw(null);
}

export const status = new Status();
export const engine = new Engine();
engine.onnetwork = (_name, progress) => (status.network = progress);
