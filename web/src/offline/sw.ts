/** The service worker: after the first visit the page opens without a network. Written to `sw.js` beside the page. */

/// <reference lib="webworker" />
import { type Release, Store } from "./store";

declare const self: ServiceWorkerGlobalScope;
/** Put in by the build. */
declare const __RELEASE__: Release;

const store = new Store({
  release: __RELEASE__,
  scope: self.registration.scope,
  paths: !new URL(self.location.href).searchParams.has("site"),
  caches: self.caches,
  fetch: (request) => self.fetch(request),
});

self.addEventListener("install", (event) => event.waitUntil(store.install()));
self.addEventListener("activate", (event) => event.waitUntil(store.activate().then(() => self.clients.claim())));
self.addEventListener("fetch", (event) => {
  const answer = store.answer(event.request);
  if (answer) event.respondWith(answer);
});
self.addEventListener("message", (event) => {
  if (event.data === "take over") event.waitUntil(self.skipWaiting());
  if (event.data === "keep weights") event.waitUntil(store.keepWeights());
});
