/** A table as a page uses it: the connection and what is known, for Svelte. */

import type { HintMove, Sign } from "../board";
import { refusalOf } from "./api";
import { type Live, after } from "./live";
import { type News, newsIn } from "./news";
import { MOST_NOTED, type Incoming, type Outgoing, type Refused, type ShowEmote } from "./messages";
import { type Connection, type Reply, TableSocket, type Wire, socketAddress } from "./socket";

export interface Trouble {
  code: string;
  args: Record<string, string | number>;
  key: number;
}

const SIGN_LASTS = 3500;

function openWire(address: string): Wire {
  return new WebSocket(address) as unknown as Wire;
}

export class WatchedTable {
  live: Live | null = $state.raw(null);
  connection: Connection = $state("connecting");
  /** Why the server will not have us. */
  refusal: Refused | null = $state.raw(null);
  signs: Sign[] = $state.raw([]);
  /** What happened besides moves, the latest last. */
  news: News[] = $state.raw([]);
  hint: HintMove[] | null = $state.raw(null);
  hinting = $state(false);
  /** The last thing that was refused, to be told to the person. */
  trouble: Trouble | null = $state.raw(null);

  private socket: TableSocket;
  private count = 0;
  /** The version that an undo was asked for. */
  private undoing: number | null = null;
  private timers = new Set<ReturnType<typeof setTimeout>>();

  /** A table of a server, or one that `open` leads to. */
  constructor(id: string, secrets: string[], open: (address: string) => Wire = openWire) {
    this.socket = new TableSocket({
      address: socketAddress(location, id),
      secrets,
      open,
      onmessage: (message) => this.hear(message),
      onconnection: (connection, refusal) => {
        this.connection = connection;
        this.refusal = refusal;
      },
    });
  }

  private hear(message: Outgoing): void {
    if (message.type === "emoted") this.show(message.seat, message.emote);
    if (message.type === "refused") this.fail(message);
    if (message.type === "event" && message.what.type !== "assisted" && message.what.type !== "joined") this.hint = null;
    const fresh = newsIn(this.live, message);
    if (fresh.length) this.news = [...this.news, ...fresh.map((one) => ({ ...one, key: (this.count += 1) }))].slice(-MOST_NOTED);
    this.live = after(this.live, message);
  }

  private show(seat: number, emote: ShowEmote["emote"]): void {
    const sign = { seat, emote, key: (this.count += 1) };
    this.signs = [...this.signs.filter((one) => one.seat !== seat), sign];
    const timer = setTimeout(() => {
      this.signs = this.signs.filter((one) => one !== sign);
      this.timers.delete(timer);
    }, SIGN_LASTS);
    this.timers.add(timer);
  }

  private fail({ code, arguments: args = {} }: Pick<Refused, "code" | "arguments">): void {
    this.trouble = { code, args, key: (this.count += 1) };
  }

  /** Asks, and tells the person if it is refused. */
  private async ask(question: Exclude<Incoming, { type: "hello" }>): Promise<Reply> {
    const answer = await this.socket.ask(question);
    if (answer.type === "refused") this.fail(answer);
    else this.trouble = null;
    return answer;
  }

  private get version(): number {
    return this.live?.version ?? 0;
  }

  async play(move: string, seat: number): Promise<boolean> {
    return (await this.ask({ type: "play", move, seat, version: this.version })).type === "accepted";
  }

  resign = (seat: number) => this.ask({ type: "resign", seat });
  substitute = (seat: number, level = 3) => this.ask({ type: "substitute", seat, level });
  comeBack = (seat: number) => this.ask({ type: "come_back", seat });
  rename = (seat: number, name: string) => this.ask({ type: "rename", seat, name });
  open = (seat: number, open: boolean) => this.ask({ type: "open", seat, open });
  emote = (seat: number, emote: ShowEmote["emote"]) => this.ask({ type: "emote", seat, emote });
  rematch = (sameTiles: boolean) => this.ask({ type: "rematch", same_tiles: sameTiles });

  /** Takes back; pressing again before anything has changed is impatience, not another wish. */
  async undo(seat: number): Promise<void> {
    const version = this.version;
    if (this.undoing === version) return;
    this.undoing = version;
    const answer = await this.ask({ type: "undo", seat, version });
    if (answer.type === "refused" && this.undoing === version) this.undoing = null;
  }

  /** Tells the table that a seat that has to move was helped. */
  assist = (seat: number) => this.ask({ type: "hint", seat, version: this.version });

  /** Has a hint found, tells the table that it was taken, and shows it unless the table says that it comes too late. */
  async takeHint(seat: number, find: (live: Live, seat: number) => Promise<HintMove[]>): Promise<void> {
    const { live } = this;
    if (!live || this.hinting || this.hint) return;
    this.hinting = true;
    try {
      const moves = await find(live, seat);
      const answer = await this.ask({ type: "hint", seat, version: live.version });
      if (answer.type === "accepted") this.hint = moves;
    } catch (error) {
      const { code, args } = refusalOf(error);
      this.fail({ code, arguments: args });
    } finally {
      this.hinting = false;
    }
  }

  dismiss(): void {
    this.trouble = null;
  }

  hurry(): void {
    this.socket.hurry();
  }

  close(): void {
    this.socket.close();
    this.timers.forEach(clearTimeout);
  }
}
