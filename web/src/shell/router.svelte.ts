/** Where we are. Links to our own pages do not load the page again. */

import { type Route, routeOf } from "./routes";

class Router {
  path = $state(location.pathname);
  query = $state(location.search);
  /** Rises with every change of place, so that a page opened again is a new one. */
  visit = $state(0);
  route: Route = $derived(routeOf(this.path));

  /** Goes to another of our pages. */
  go(address: string, replace = false): void {
    if (replace) history.replaceState(null, "", address);
    else history.pushState(null, "", address);
    this.arrive();
  }

  /** Changes the address without going anywhere. */
  rename(address: string): void {
    history.replaceState(null, "", address);
    this.query = location.search;
  }

  private arrive(): void {
    this.path = location.pathname;
    this.query = location.search;
    this.visit += 1;
  }

  /** Listens to the browser's buttons and to clicks on links; answers how to stop. */
  listen(): () => void {
    const back = () => this.arrive();
    const click = (event: MouseEvent) => {
      const link = ownLink(event);
      if (!link) return;
      event.preventDefault();
      this.go(link);
    };
    addEventListener("popstate", back);
    document.addEventListener("click", click);
    return () => {
      removeEventListener("popstate", back);
      document.removeEventListener("click", click);
    };
  }
}

/** The address of a plain click on a link to one of our pages. */
function ownLink(event: MouseEvent): string | null {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return null;
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (!link || link.target || link.hasAttribute("download") || link.origin !== location.origin) return null;
  if (routeOf(link.pathname).page === "missing") return null;
  // A place on this page: the browser knows how to go there.
  if (link.hash && link.pathname === location.pathname && !link.pathname.startsWith("/t/")) return null;
  return link.pathname + link.search + link.hash;
}

export const router = new Router();
