/**
 * The connection to one table. It connects, says hello, answers every question with a promise, notices silence and gaps,
 * comes back by itself with the last version it has seen, and then sends again what was not answered.
 */

import { waitBefore } from "./backoff";
import { PROTOCOL, type Accepted, type Event, type Incoming, type Outgoing, type Pong, type Refused, type You } from "./messages";

/** What this needs of a WebSocket. */
export interface Wire {
  send(text: string): void;
  close(code?: number): void;
  onopen: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: (() => void) | null;
}

/** `closed` is for good: by us, or because the server will not have us. */
export type Connection = "connecting" | "open" | "reconnecting" | "closed";
export type Reply = Accepted | Refused | Pong;
type ClientMessage = Exclude<Incoming, { type: "hello" }>;

export interface SocketOptions {
  address: string;
  secrets: string[];
  open: (address: string) => Wire;
  onmessage: (message: Outgoing) => void;
  onconnection: (connection: Connection, refusal: Refused | null) => void;
  random?: () => number;
}

interface Unanswered {
  question: ClientMessage & { id: string };
  answer: (answer: Reply) => void;
}

/** These will not get better by trying again. */
const FATAL = new Set([
  "unknown_table",
  "wrong_link",
  "wrong_protocol",
  "wrong_origin",
  "bad_message",
  "bad_saved_game",
  "no_module",
  "storage_stuck",
]);
/** Worth nothing later. */
const FLEETING = new Set(["ping", "emote", "hint"]);
const PING_EVERY = 20_000;
const PATIENCE = 10_000;
/** Milliseconds for which a move may stay without any word from the server: people notice a silence sooner than a heartbeat does. */
const ANSWER_PATIENCE = 4000;

export class TableSocket {
  private wire: Wire | null = null;
  private unanswered = new Map<string, Unanswered>();
  private version: number | null = null;
  private attempt = 0;
  private count = 0;
  private welcomed = false;
  private connection: Connection = "connecting";
  private timer: ReturnType<typeof setTimeout> | undefined;
  private heart: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly options: SocketOptions) {
    this.connect();
  }

  get state(): Connection {
    return this.connection;
  }

  /** Asks something; the promise is kept even over a lost connection. */
  ask(question: ClientMessage): Promise<Reply> {
    const id = question.id ?? `m${(this.count += 1)}`;
    const asked = { ...question, id };
    return new Promise((answer) => {
      if (this.connection === "closed") return answer(lost(id));
      if (!this.welcomed && FLEETING.has(question.type)) return answer(lost(id));
      this.unanswered.set(id, { question: asked, answer });
      if (!this.welcomed) return;
      this.send(asked);
      this.listen(ANSWER_PATIENCE);
    });
  }

  /** Tries again at once: the network is back, or somebody looks at the page again. */
  hurry(): void {
    if (this.connection === "open") this.beat(0);
    else if (this.connection === "reconnecting" && !this.wire) {
      clearTimeout(this.timer);
      this.connect();
    }
  }

  /** Ends the connection for good. */
  close(): void {
    this.shut("closed", null);
  }

  private connect(): void {
    const wire = this.options.open(this.options.address);
    this.wire = wire;
    this.welcomed = false;
    wire.onopen = () => {
      if (wire !== this.wire) return;
      wire.send(JSON.stringify({ type: "hello", secrets: this.options.secrets, version: this.version, protocol: PROTOCOL }));
      this.listen(PATIENCE);
    };
    wire.onmessage = ({ data }) => {
      if (wire === this.wire) this.receive(data);
    };
    wire.onclose = () => {
      if (wire === this.wire) this.again();
    };
    this.listen(PATIENCE); // an attempt made without a network may never end by itself
  }

  private receive(data: unknown): void {
    const message = decoded(data);
    if (!message) return;
    if (this.welcomed) this.beat(PING_EVERY);
    switch (message.type) {
      case "welcome":
        this.version = message.version;
        this.options.onmessage(message);
        return this.greeted();
      case "resumed":
        if (!message.events.every((event) => this.take(event))) return this.again();
        this.options.onmessage(message);
        return this.greeted(message.events, message.you);
      case "event":
        if (!this.take(message)) this.again();
        return;
      case "accepted":
      case "pong":
        return this.answered(message);
      case "refused":
        return this.refused(message);
      case "closing":
        return this.again();
      default:
        this.options.onmessage(message);
    }
  }

  /** Passes an event on if it is the next one; answers false on a gap. */
  private take(event: Event): boolean {
    if (this.version === null || event.version > this.version + 1) return false;
    if (event.version <= this.version) return true;
    this.version = event.version;
    this.options.onmessage(event);
    return true;
  }

  private greeted(events: readonly Event[] = [], you?: You): void {
    this.attempt = 0;
    this.welcomed = true;
    this.become("open", null);
    this.beat(PING_EVERY);
    for (const { question } of [...this.unanswered.values()]) {
      if (FLEETING.has(question.type)) this.answered(lost(question.id));
      else if (wasObeyed(question, events, you)) this.answered({ type: "accepted", id: question.id, version: this.version ?? 0 });
      else this.send(question); // if too much has happened since, the server says so
    }
  }

  private refused(message: Refused): void {
    if (message.id != null && this.unanswered.has(message.id)) return this.answered(message);
    if (this.welcomed) return this.options.onmessage(message);
    if (FATAL.has(message.code)) this.shut("closed", message);
    else this.again();
  }

  private answered(answer: Reply): void {
    const asked = answer.id == null ? undefined : this.unanswered.get(answer.id);
    if (!asked) return;
    this.unanswered.delete(asked.question.id);
    asked.answer(answer);
  }

  private send(message: Incoming): void {
    this.wire?.send(JSON.stringify(message));
  }

  /** After a while without a word: ask whether anybody is there. */
  private beat(after: number): void {
    clearTimeout(this.heart);
    this.heart = setTimeout(() => {
      this.send({ type: "ping" });
      this.listen(PATIENCE);
    }, after);
  }

  /** If nothing comes for so long, the connection is dead even if nobody said so. */
  private listen(patience: number): void {
    clearTimeout(this.heart);
    this.heart = setTimeout(() => this.again(), patience);
  }

  /** Drops the connection and makes a new one after a while. */
  private again(): void {
    if (this.connection === "closed") return;
    this.drop();
    this.become("reconnecting", null);
    this.timer = setTimeout(() => this.connect(), waitBefore(this.attempt, this.options.random));
    this.attempt += 1;
  }

  private shut(connection: Connection, refusal: Refused | null): void {
    this.drop();
    this.become(connection, refusal);
    for (const { question } of [...this.unanswered.values()]) this.answered(lost(question.id));
  }

  private drop(): void {
    clearTimeout(this.timer);
    clearTimeout(this.heart);
    const wire = this.wire;
    this.wire = null;
    this.welcomed = false;
    wire?.close();
  }

  private become(connection: Connection, refusal: Refused | null): void {
    if (connection === this.connection) return;
    this.connection = connection;
    this.options.onconnection(connection, refusal);
  }
}

function decoded(data: unknown): Outgoing | null {
  if (typeof data !== "string") return null;
  try {
    const message: unknown = JSON.parse(data);
    const known = typeof message === "object" && message !== null && typeof (message as Outgoing).type === "string";
    return known ? (message as Outgoing) : null;
  } catch {
    return null;
  }
}

function lost(id: string): Refused {
  return { type: "refused", code: "connection_lost", id };
}

/** Whether a question from before the connection was lost had been obeyed: its move is among the events since. */
function wasObeyed(question: ClientMessage, events: readonly Event[], you?: You): boolean {
  return events.some(({ what }) => {
    if (question.type === "undo") return what.type === "undone" && what.seat === question.seat;
    if (question.type !== "play") return false;
    if (what.type === "played") return what.happenings.some((one) => one.move === question.move && one.seat === question.seat);
    return what.type === "chose" && what.seat === question.seat && isChosen(you, question.move, question.seat);
  });
}

function isChosen(you: You | undefined, move: string, seat: number): boolean {
  return you?.choosing?.some((one) => one.seat === seat && one.chosen.includes(move)) ?? false;
}

/** The address of a table's socket. */
export function socketAddress(location: { protocol: string; host: string }, table: string): string {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  return `${scheme}//${location.host}/ws/tables/${encodeURIComponent(table)}`;
}
