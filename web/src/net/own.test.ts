import { beforeEach, describe, expect, it, vi } from "vitest";
import { fakeTable } from "./fake";
import { addSecrets, dropTable, keepCreated, keepTable, ownTable, ownTables, unfinished } from "./own";

const SECRET = "s".repeat(32);

function fakeStorage(): Storage {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  } as Storage;
}

beforeEach(() => {
  vi.stubGlobal("localStorage", fakeStorage());
});

describe("my tables", () => {
  it("sort the secrets of a new table into mine and my friends'", () => {
    const seats = [
      { kind: "here" as const, name: "Ana" },
      { kind: "friend" as const, name: "Bo" },
      { kind: "computer" as const, name: "", level: 2 },
    ];
    const own = keepCreated(fakeTable({ seats }), [SECRET, "b".repeat(32), null]);
    expect(own.secrets).toEqual([SECRET]);
    expect(own.invitations).toEqual([{ seat: 1, secret: "b".repeat(32) }]);
  });

  it("are found again, the latest first", () => {
    keepTable("a", { secrets: [SECRET] });
    keepTable("b", { secrets: [SECRET] });
    keepTable("a", { seen: 4 });
    expect(ownTables().map((table) => table.id)).toEqual(["a", "b"]);
    expect(ownTable("a")).toMatchObject({ secrets: [SECRET], seen: 4 });
  });

  it("gather the secrets of several links to one table, each once", () => {
    addSecrets("a", [SECRET]);
    addSecrets("a", [SECRET, "b".repeat(32)]);
    expect(ownTable("a")?.secrets).toEqual([SECRET, "b".repeat(32)]);
  });

  it("to go on with are those not over in which I have a seat", () => {
    keepTable("watched", {});
    keepTable("over", { secrets: [SECRET], over: true });
    expect(unfinished()).toBeUndefined();
    keepTable("going", { secrets: [SECRET] });
    expect(unfinished()?.id).toBe("going");
    dropTable("going");
    expect(unfinished()).toBeUndefined();
  });

  it("that still run are not dropped for ones that are over", () => {
    keepTable("old", { secrets: [SECRET] });
    for (let index = 0; index < 100; index += 1) keepTable(`over${index}`, { secrets: [SECRET], over: true });
    expect(ownTables()).toHaveLength(60);
    expect(ownTable("old")).toBeDefined();
  });
});

describe("a browser's store", () => {
  it("may hold nonsense", () => {
    localStorage.setItem("azulejos.tables", '[1,null,{"id":7},{"id":"x"}]');
    expect(ownTables()).toEqual([]);
    localStorage.setItem("azulejos.tables", "{not json");
    expect(ownTables()).toEqual([]);
  });

  it("may be forbidden", () => {
    vi.stubGlobal("localStorage", {
      getItem: () => {
        throw new Error("forbidden");
      },
      setItem: () => {
        throw new Error("full");
      },
    });
    expect(ownTables()).toEqual([]);
    expect(keepTable("a", { secrets: [SECRET] }).id).toBe("a");
  });
});
