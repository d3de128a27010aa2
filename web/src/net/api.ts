/** Requests to the server, typed; whatever goes wrong is a `Refusal` with a code that can be worded. */

import { Fault } from "../engine/fault";
import { hasServer } from "../shell/place";
import type { AskCode, ClaimedSeat, ClaimSeat, Created, LobbyList, MovedTable, NewTable, Refusal, Summary, Welcome } from "./messages";

export type Arguments = Record<string, string | number>;

/** Why something was not done. */
export class RefusalError extends Error {
  constructor(
    readonly code: string,
    readonly args: Arguments = {},
  ) {
    super(code);
  }
}

/** The code of anything thrown. */
export function refusalOf(error: unknown): { code: string; args: Arguments } {
  if (error instanceof RefusalError) return { code: error.code, args: error.args };
  if (error instanceof Fault)
    return error.kind === "silent" ? { code: "no_computer", args: {} } : { code: "no_module", args: { kind: error.kind ?? "" } };
  return { code: "unknown", args: {} };
}

/** Milliseconds after which a request that nobody answers is given up. */
const PATIENCE_MS = 15_000;

export type Fetch = (address: string, init?: RequestInit) => Promise<Response>;

function isRefusal(value: unknown): value is Refusal {
  return typeof value === "object" && value !== null && typeof (value as Refusal).code === "string";
}

async function failureOf(response: Response): Promise<RefusalError> {
  const body: unknown = await response.json().catch(() => null);
  if (isRefusal(body)) return new RefusalError(body.code, body.arguments ?? {});
  if (response.status === 404) return new RefusalError("not_found");
  if (response.status === 413) return new RefusalError("too_large");
  if (response.status === 429) return new RefusalError("too_fast");
  return new RefusalError(response.status >= 500 ? "server_failed" : "bad_message");
}

/** The server's HTTP side. */
export class Api {
  constructor(private readonly fetch: Fetch = (address, init) => globalThis.fetch(address, init)) {}

  create = (table: NewTable) => this.json<Created>("/api/tables", table);
  moveHere = (table: MovedTable) => this.json<Created>("/api/tables/moved", table);
  lobby = () => this.json<LobbyList>("/api/lobby");
  claim = (id: string, who: ClaimSeat) => this.json<ClaimedSeat>(`/api/tables/${encodeURIComponent(id)}/seats`, who);
  look = (id: string) => this.json<Welcome>(`/api/tables/${encodeURIComponent(id)}`);

  /** The record of a game so far. */
  async record(id: string): Promise<string> {
    return (await this.request(recordAddress(id))).text();
  }

  games(limit: number, before?: string): Promise<Summary[]> {
    const query = new URLSearchParams({ limit: String(limit) });
    if (before !== undefined) query.set("before", before);
    return this.json(`/api/games?${query.toString()}`);
  }

  /** A QR code as SVG. */
  async code(ask: AskCode): Promise<string> {
    return (await this.request("/api/code", ask)).text();
  }

  private async json<T>(address: string, body?: unknown): Promise<T> {
    const response = await this.request(address, body);
    try {
      return (await response.json()) as T;
    } catch {
      throw new RefusalError("server_failed");
    }
  }

  private async request(address: string, body?: unknown): Promise<Response> {
    if (!hasServer) throw new RefusalError("no_server");
    const init: RequestInit =
      body === undefined
        ? { method: "GET" }
        : { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    let response: Response;
    try {
      response = await this.fetch(address, {
        ...init,
        credentials: "omit",
        referrerPolicy: "no-referrer",
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
    } catch {
      throw new RefusalError("offline");
    }
    if (!response.ok) throw await failureOf(response);
    return response;
  }
}

/** The address of a table's record. */
export function recordAddress(id: string): string {
  return `/api/tables/${encodeURIComponent(id)}/record.azul`;
}

export const api = new Api();
