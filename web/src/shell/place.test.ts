import { describe, expect, it } from "vitest";
import { at, pathAt } from "./place";

const place = (address: string) => new URL(address, "https://host.example/");

describe("on a server", () => {
  it("a page's address is its path", () => {
    expect(at("/new", true)).toBe("/new");
    expect(pathAt(place("/analysis?p=x#main"), true)).toBe("/analysis?p=x");
  });
});

describe("as files on a host, below any path", () => {
  it.each(["/", "/new", "/t/abc", "/analysis?p=std_B2YK"])("%s is a fragment, and found again", (path) => {
    const address = place(`/games/azulejos/${at(path, false)}`);
    expect(address.pathname).toBe("/games/azulejos/");
    expect(pathAt(address, false)).toBe(path);
  });

  it.each([
    ["/games/azulejos/", "/"],
    ["/games/azulejos/index.html", "/"],
    ["/games/azulejos/#", "/"],
    ["/games/azulejos/?from=elsewhere#/new", "/new"],
    ["/games/azulejos/#main", null],
  ])("%s shows %s", (address, path) => expect(pathAt(place(address), false)).toBe(path));
});
