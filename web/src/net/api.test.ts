import { describe, expect, it } from "vitest";
import { Api, type Fetch, RefusalError, refusalOf } from "./api";
import { waitBefore } from "./backoff";

function answering(status: number, body: string): { api: Api; calls: [string, RequestInit | undefined][] } {
  const calls: [string, RequestInit | undefined][] = [];
  const fetch: Fetch = (address, init) => {
    calls.push([address, init]);
    return Promise.resolve(new Response(body, { status }));
  };
  return { api: new Api(fetch), calls };
}

async function codeOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
  } catch (error) {
    return refusalOf(error).code;
  }
  return "nothing was refused";
}

describe("a refused request", () => {
  it("gives the server's code and arguments", async () => {
    const { api } = answering(422, '{"code":"color_on_row","arguments":{"color":"blue","row":2}}');
    const error = await api.create({ seats: [] }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(RefusalError);
    expect(refusalOf(error)).toEqual({ code: "color_on_row", args: { color: "blue", row: 2 } });
  });

  it.each([
    [404, "<html>", "not_found"],
    [413, "", "too_large"],
    [429, "{}", "too_fast"],
    [502, "bad gateway", "server_failed"],
    [400, "[]", "bad_message"],
  ])("without a code has one by its status %i", async (status, body, code) => {
    expect(await codeOf(answering(status, body).api.games(1))).toBe(code);
  });

  it("is told apart from no network", async () => {
    const api = new Api(() => Promise.reject(new TypeError("failed")));
    expect(await codeOf(api.games(1))).toBe("offline");
  });

  it("also covers an answer that is no JSON", async () => {
    expect(await codeOf(answering(200, "<html>").api.games(1))).toBe("server_failed");
  });
});

it("sends no credentials and no address of the page", async () => {
  const { api, calls } = answering(200, "[]");
  await api.games(20, "abc");
  expect(calls[0]?.[0]).toBe("/api/games?limit=20&before=abc");
  expect(calls[0]?.[1]).toMatchObject({ method: "GET", credentials: "omit", referrerPolicy: "no-referrer" });
});

it("posts JSON", async () => {
  const { api, calls } = answering(200, "<svg/>");
  expect(await api.code({ link: "http://x/#s" })).toBe("<svg/>");
  expect(calls[0]?.[1]).toMatchObject({ method: "POST", body: '{"link":"http://x/#s"}' });
});

it("waits longer and longer, but never more than ten seconds", () => {
  const most = [0, 1, 2, 3, 4, 5, 50].map((attempt) => waitBefore(attempt, () => 1));
  expect(most).toEqual([400, 800, 1600, 3200, 6400, 10_000, 10_000]);
  expect(waitBefore(3, () => 0)).toBe(1600);
});
