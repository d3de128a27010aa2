/** Where we are. Links to our own pages do not load the page again. */

import { at, hasServer, pathAt } from "./place";
import { type Route, routeOf } from "./routes";

class Router {
  /** Rises with every change of place, so that a page opened again is a new one. */
  visit = $state(0);
  path = $state("/");
  query = $state("");
  route: Route = $derived(routeOf(this.path));

  constructor() {
    this.address = pathAt(location) ?? "/";
  }

  // Two states, so that a page whose query alone changes stays as it is.
  private set address(address: string) {
    this.path = address.split("?", 1)[0] ?? "/";
    this.query = address.slice(this.path.length);
  }

  /** Goes to another of our pages, such as `/new`. */
  go(path: string, replace = false): void {
    if (replace) history.replaceState(null, "", at(path));
    else history.pushState(null, "", at(path));
    this.arrive();
  }

  /** Changes the address without going anywhere. */
  rename(path: string): void {
    history.replaceState(null, "", at(path));
    this.address = pathAt(location) ?? "/";
  }

  private arrive(): void {
    const address = pathAt(location);
    if (address === null) return;
    this.address = address;
    this.visit += 1;
  }

  /** Listens to the browser's buttons and to clicks on links; answers how to stop. */
  listen(): () => void {
    const back = () => this.arrive();
    const click = (event: MouseEvent) => {
      const path = ownPath(event);
      if (path === null) return;
      event.preventDefault();
      this.go(path);
    };
    addEventListener("popstate", back);
    document.addEventListener("click", click);
    return () => {
      removeEventListener("popstate", back);
      document.removeEventListener("click", click);
    };
  }
}

/** The path of a plain click on a link to one of our pages. */
function ownPath(event: MouseEvent): string | null {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return null;
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (!link || link.target || link.hasAttribute("download") || link.origin !== location.origin) return null;
  if (!hasServer && link.pathname !== location.pathname) return null;
  const path = pathAt(link);
  if (path === null || routeOf(path.split("?", 1)[0] ?? "/").page === "missing") return null;
  if (!hasServer) return path;
  // A place on this page: the browser knows how to go there.
  if (link.hash && link.pathname === location.pathname && !link.pathname.startsWith("/t/")) return null;
  return path + link.hash;
}

export const router = new Router();
