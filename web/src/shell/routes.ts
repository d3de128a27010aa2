/** Which page an address shows. */

export type PageName =
  | "play"
  | "table"
  | "new"
  | "lobby"
  | "games"
  | "replay"
  | "analysis"
  | "edit"
  | "learn"
  | "puzzles"
  | "progress"
  | "settings"
  | "help"
  | "missing";

export interface Route {
  page: PageName;
  /** The table, where the address names one. */
  table: string | null;
}

const PAGES = new Set<string>(["new", "lobby", "games", "replay", "analysis", "edit", "learn", "puzzles", "progress", "settings", "help"]);
const TABLE = /^[A-Za-z0-9_-]{1,64}$/;

/** The route of a path such as `/t/abc`. */
export function routeOf(path: string): Route {
  const [first = "", second = "", ...rest] = path.split("/").filter(Boolean);
  if (!first) return { page: "play", table: null };
  if (rest.length === 0) {
    if (first === "t" && TABLE.test(second)) return { page: "table", table: second };
    if (first === "replay" && TABLE.test(second)) return { page: "replay", table: second };
    if (PAGES.has(first) && !second) return { page: first as PageName, table: null };
  }
  return { page: "missing", table: null };
}

const SECRET = /^[A-Za-z0-9_-]{16,64}$/;

/** The secrets in the fragment of a seat's link. */
export function secretsIn(fragment: string): string[] {
  return fragment
    .replace(/^#/, "")
    .split(",")
    .filter((secret) => SECRET.test(secret))
    .slice(0, 4);
}

/** The link to some seats of a table, or without secrets to watch it. */
export function linkTo(origin: string, table: string, secrets: readonly string[] = []): string {
  return `${origin}/t/${table}${secrets.length ? `#${secrets.join(",")}` : ""}`;
}
