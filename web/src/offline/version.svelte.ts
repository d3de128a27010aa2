/** The page's versions: the one that is shown, and a newer one that a person may want. */

import { on } from "svelte/events";
import { beside, hasServer } from "../shell/place";

/** Milliseconds after which a browser that cannot say so is taken to be idle. */
const IDLE = 2000;

class Version {
  /** A newer version than the one shown is there. */
  newer = $state(false);
  private registration: ServiceWorkerRegistration | null = null;
  private accepted = false;

  /** Has the browser keep the page, once it has nothing better to do. */
  async keep(): Promise<void> {
    if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
    const { serviceWorker } = navigator;
    const wasKept = serviceWorker.controller !== null;
    const registration = await serviceWorker.register(beside(hasServer ? "sw.js" : "sw.js?site")).catch(() => null);
    if (!registration) return; // the browser keeps nothing, as in a private window
    this.registration = registration;
    const look = () => (this.newer ||= wasKept && registration.waiting !== null);
    look();
    on(registration, "updatefound", () => registration.installing && on(registration.installing, "statechange", look));
    on(document, "visibilitychange", () => void (document.hidden || registration.update().catch(() => undefined)));
    on(serviceWorker, "controllerchange", () => {
      if (this.accepted) location.reload();
      else if (wasKept) this.newer = true; // accepted in another tab
    });
    await keepWeights();
  }

  /** Loads the page again, in its newest version. */
  reload(): void {
    const waiting = this.registration?.waiting;
    if (!waiting) return location.reload();
    this.accepted = true;
    waiting.postMessage("take over");
  }
}

/** All networks, so that any game can be begun offline; who saves data gets only those that are played. */
async function keepWeights(): Promise<void> {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  if (connection?.saveData) return;
  const { active } = await navigator.serviceWorker.ready;
  const tell = () => active?.postMessage("keep weights");
  if ("requestIdleCallback" in window) requestIdleCallback(tell);
  else setTimeout(tell, IDLE);
}

export const version = new Version();
