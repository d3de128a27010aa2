/** Where the page lies: on a server of its own, or as mere files on some host. */

/** Files on a host (`azulejos site`) say so in their page; there is no server then. */
export const hasServer = typeof document === "undefined" || document.querySelector('meta[name="azulejos-site"]') === null;

/** What decides which page an address shows. */
type Place = Pick<Location, "pathname" | "search" | "hash">;

/** The address of one of our pages, such as `/new`. A host of files knows a single page, so that there the rest is a fragment. */
export function at(path: string, server = hasServer): string {
  return server ? path : `#${path}`;
}

/** The path and the query of the page at an address; null if it is only a place on the page. */
export function pathAt(place: Place, server = hasServer): string | null {
  if (server) return place.pathname + place.search;
  if (place.hash === "" || place.hash === "#") return "/";
  return place.hash.startsWith("#/") ? place.hash.slice(1) : null;
}

/** A file that lies beside the page, wherever that is. */
export function beside(name: string): string {
  return hasServer ? `/${name}` : new URL(name, location.href).href;
}
