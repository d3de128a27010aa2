/** A line to a local table that looks like a socket to a server's. */
import type { Incoming, Outgoing } from "../net/messages";
import type { Wire } from "../net/socket";
import type { LiveTable } from "./live_table";
import { Fault } from "../engine/fault";
import { RefusalError, refusalOf } from "../net/api";
import { Turns } from "./turns";

export class LocalWire implements Wire {
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: (() => void) | null = null;
  #table: LiveTable | null = null;
  #turns: Turns | null = null;
  #closed = false;

  constructor(
    private readonly id: string,
    open: (tell: (message: Outgoing) => void) => Promise<LiveTable>,
    private readonly onend: () => void,
  ) {
    open((message) => this.#tell(message)).then(
      (table) => this.#opened(table),
      (error: unknown) => this.#failed(error),
    );
  }

  send(text: string): void {
    this.#table?.take(JSON.parse(text) as Incoming);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#turns?.close();
    this.#table?.close();
    this.onend();
  }

  /** Something was stored of a table, perhaps by another tab. */
  look(id: string): void {
    if (id === this.id) this.#table?.look();
  }

  #opened(table: LiveTable): void {
    if (this.#closed) return table.close();
    this.#table = table;
    this.#turns = new Turns(this.id, (thinks) => (table.thinks = thinks));
    this.onopen?.();
  }

  /** A table that cannot be opened says why, as a server does after hello. */
  #failed(error: unknown): void {
    const { code, args } = error instanceof RefusalError || error instanceof Fault ? refusalOf(error) : new RefusalError("no_module");
    this.onopen?.();
    this.#tell({ type: "refused", code, arguments: args });
  }

  #tell(message: Outgoing): void {
    if (!this.#closed) this.onmessage?.({ data: JSON.stringify(message) });
  }
}
