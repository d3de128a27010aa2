/** What a table shows, and of whom: the frames it was given, as far as the stage has played them. */

import { untrack } from "svelte";
import { prefersReducedMotion } from "svelte/motion";
import { m } from "../paraglide/messages.js";
import type { BoardInfo, Choosing } from "../net/messages";
import { seatNames } from "../words/names";
import { Clocks } from "./clocks.svelte";
import { draftOf, lastDraft, rounds, sheets } from "./history";
import type { Speed, TableProps } from "./props";
import { Stage } from "./stage.svelte";

export class Shown {
  readonly stage: Stage;
  readonly clocks: Clocks;
  readonly #p: TableProps;

  readonly names: string[] = $derived.by(() => seatNames(this.#p.table.seats, this.mine));
  readonly mine: number[] = $derived.by(() => this.#p.you.seats ?? []);
  readonly speed: Speed = $derived.by(() => (prefersReducedMotion.current ? "instant" : this.#p.settings.speed));
  /** Everything that happened has been shown. */
  readonly settled: boolean = $derived.by(() => !this.stage.busy && this.stage.frame.version === this.#p.frames.at(-1)?.version);
  readonly position = $derived.by(() => this.stage.position);

  // Lists and outlines follow from the frame that is shown: they must not run ahead of the board.
  readonly rounds = $derived.by(() => rounds(this.stage.frame.log, this.stage.frame.position));
  readonly sheets = $derived.by(() => sheets(this.stage.frame.log, this.stage.frame.position));
  readonly last = $derived.by(() => {
    const { scoring, playing, frame } = this.stage;
    return scoring ? null : playing ? draftOf(playing) : lastDraft(frame.log);
  });

  /** Cells of the gray wall are being chosen at these seats of mine. */
  readonly choosing: Choosing[] = $derived.by(() => (this.settled ? (this.#p.you.choosing ?? []) : []));
  readonly chooser: Choosing | null = $derived.by(() => this.choosing.find((each) => each.options.length) ?? null);
  /** The seat whose board is large: with several of mine the one to act, or the one that acted last. */
  readonly large: number = $derived.by(() => this.#p.seat ?? this.chooser?.seat ?? this.#own() ?? 0);
  readonly others: number[] = $derived.by(() => {
    const seats = this.#p.table.seats.length;
    return Array.from({ length: seats - 1 }, (_, index) => (this.large + 1 + index) % seats);
  });
  /** The seats that have to decide. */
  readonly waiting: number[] = $derived.by(() => {
    const acts = this.position.seat === null ? [] : [this.position.seat];
    return this.settled ? (this.#p.waiting ?? acts) : acts;
  });

  constructor(props: TableProps) {
    this.#p = props;
    this.stage = new Stage(untrack(() => props.frames.at(-1)!));
    this.clocks = new Clocks(() => props.clock ?? null);
    $effect(() => {
      void props.frames;
      untrack(() => void this.#follow());
    });
  }

  async #follow(): Promise<void> {
    const p = this.#p;
    await this.stage.follow(
      () => p.frames,
      () => ({ speed: this.speed, sounds: p.settings.sounds }),
      () => this.mine,
    );
    p.onshown?.(this.stage.frame.version);
  }

  #own(): number | null | undefined {
    const isMine = (seat: number | null): boolean => seat !== null && this.mine.includes(seat);
    if (isMine(this.position.seat)) return this.position.seat;
    return this.stage.frame.log.findLast(({ seat }) => isMine(seat))?.seat ?? this.mine[0];
  }

  /** A board as its own people see it: with their hidden choices. */
  boardOf(seat: number): BoardInfo {
    return this.choosing.find((each) => each.seat === seat)?.board ?? this.position.boards[seat]!;
  }

  /** A friend who has never been at the table. */
  isAwaited(seat: number): boolean {
    const info = this.#p.table.seats[seat];
    return info?.kind === "friend" && !info.joined && info.substitute == null && !this.isHere(seat);
  }

  /** Why nobody plays at a seat as usual, in a word or two; null if somebody does. */
  stateOf(seat: number): string | null {
    const info = this.#p.table.seats[seat];
    if (info?.resigned) return m.board_resigned();
    if (info?.substitute != null) return m.board_replaced();
    if (this.isHere(seat)) return null;
    return this.isAwaited(seat) ? m.board_not_joined() : m.board_away();
  }

  isHere(seat: number): boolean {
    return this.#p.table.seats[seat]?.kind === "computer" || (this.#p.present?.[seat] ?? true);
  }
}
