import { describe, expect, it } from "vitest";
import { linkTo, routeOf, secretsIn } from "./routes";
import { isOnlyHere } from "./share";

describe("routes", () => {
  it.each([
    ["/", "play", null],
    ["/t/w3gufy85nqv5", "table", "w3gufy85nqv5"],
    ["/replay/abc", "replay", "abc"],
    ["/replay", "replay", null],
    ["/new/", "new", null],
    ["/settings", "settings", null],
    ["/t", "missing", null],
    ["/t/a/b", "missing", null],
    ["/t/<script>", "missing", null],
    ["/new/x", "missing", null],
    ["/constructor", "missing", null],
  ])("%s is %s", (path, page, table) => {
    expect(routeOf(path)).toEqual({ page, table });
  });
});

describe("a seat's link", () => {
  const first = "IauQubloW5We-3mF5KxG3guqZTxyU4Jy";
  const second = "b".repeat(32);

  it("holds its secrets in the fragment, which browsers do not send", () => {
    const link = linkTo("http://host", "abc", [first, second]);
    expect(new URL(link).pathname).toBe("/t/abc");
    expect(secretsIn(new URL(link).hash)).toEqual([first, second]);
  });

  it("without secrets is for watching", () => expect(linkTo("http://host", "abc")).toBe("http://host/t/abc"));

  it("is not trusted to be well formed", () => {
    expect(secretsIn("#main")).toEqual([]);
    expect(secretsIn(`#${first},x,<b>,${"c".repeat(65)}`)).toEqual([first]);
    expect(secretsIn(`#${Array<string>(9).fill(first).join(",")}`)).toHaveLength(4);
  });
});

it("knows addresses that other devices cannot reach", () => {
  for (const host of ["localhost", "127.0.0.1", "[::1]"]) expect(isOnlyHere(host)).toBe(true);
  for (const host of ["192.168.1.4", "azulejos.example.org", "localhost.example.org"]) expect(isOnlyHere(host)).toBe(false);
});
