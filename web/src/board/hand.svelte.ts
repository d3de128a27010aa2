/** What a person holds, would do with it, and may do. */

import { untrack } from "svelte";
import { groupName, missingName, whyName } from "./announce";
import { Drag } from "./drag.svelte";
import { focusOn } from "./focus";
import { read, same, type Group } from "./moves";
import { cellsOf, ghosts, targets, type Choice, type Ghosts, type Target } from "./preview";
import type { HintMove, TableProps } from "./props";
import { NOTHING, offerOf, reduce, type Action, type Selection } from "./selection";
import type { Shown } from "./shown.svelte";
import { askColor } from "./status";

function cellOf(text: string | null | undefined): { row: number; column: number } | null {
  const move = text ? read(text) : null;
  return move?.kind === "tile" ? move : null;
}

const LIT = ".line.lit, .floor.lit";

export class Hand {
  readonly #p: TableProps;
  readonly #shown: Shown;
  readonly #say: (text: string) => void;

  readonly drag = new Drag(this);
  selection: Selection = $state.raw(NOTHING);
  /** A move that was sent and not yet answered. */
  pending: string | null = $state(null);
  /** Why something was refused, or another word asked for. */
  note: string | null = $state(null);

  readonly #free: boolean = $derived.by(() => this.#shown.settled && !this.#p.readonly && !this.pending);
  /** One of my seats can take tiles now. */
  readonly active: boolean = $derived.by(() => {
    const { position, large, mine } = this.#shown;
    return this.#free && position.phase === "d" && position.seat === large && mine.includes(large);
  });
  readonly #offer = $derived.by(() => offerOf(this.#shown.position, this.#p.settings.confirm));
  /** The places for the tiles held; none while nothing is held. */
  readonly targets: Target[] | null = $derived.by(() => {
    const { position, large } = this.#shown;
    return this.active && this.selection.held ? targets(position, this.#shown.boardOf(large), this.selection.held) : null;
  });
  readonly ghosts: Ghosts | null = $derived.by(() => {
    const { position, large } = this.#shown;
    const { over } = this.selection;
    const sent = this.pending && position.options.find((each) => each.move === this.pending);
    const option = this.pending ? sent : over === null ? null : this.targets?.[over]?.option;
    return option ? ghosts(option, this.#shown.boardOf(large), position.penalties.length) : null;
  });
  /** The cells of the gray wall to choose from. */
  readonly choices: Choice[] = $derived.by(() => {
    const { position, chooser, choosing, mine } = this.#shown;
    const alone = position.phase === "t" && !choosing.length && mine.includes(position.seat ?? -1);
    return this.#free ? cellsOf(chooser?.options ?? (alone ? position.options : [])) : [];
  });
  readonly hint: HintMove | null = $derived.by(() => (this.#shown.settled && !this.#p.readonly ? (this.#p.hint?.[0] ?? null) : null));
  /** The move of the hint, to be outlined. */
  readonly hinted: (Group & { line: number }) | null = $derived.by(() => {
    const text = this.active || this.pending ? (this.hint?.move ?? this.#p.pointed) : null;
    const move = text ? read(text) : null;
    return move?.kind === "draft" ? move : null;
  });
  /** The cell of the gray wall that was chosen and is not yet answered, and the one that a hint would choose or a lesson points out. */
  readonly cells = $derived.by(() => ({
    sent: cellOf(this.pending),
    hinted: cellOf(this.pending || this.choices.length ? (this.hint?.move ?? this.#p.pointed) : null),
  }));
  readonly myTurn: boolean = $derived.by(() => this.active || this.choices.length > 0);
  readonly #undoSeat: number | undefined = $derived.by(() => {
    const seats = this.#free ? (this.#p.you.undo ?? []) : [];
    return seats.includes(this.#shown.large) ? this.#shown.large : seats[0];
  });
  readonly mayUndo: boolean = $derived.by(() => this.#undoSeat !== undefined);
  /** A hint helps with a place on the gray wall, too. */
  readonly mayHint: boolean = $derived.by(() => this.myTurn && !!this.#p.onhint);

  constructor(props: TableProps, shown: Shown, say: (text: string) => void) {
    this.#p = props;
    this.#shown = shown;
    this.#say = say;
    let shownLine = "";
    $effect(() => {
      const { line } = shown.position;
      untrack(() => {
        this.pending = null;
        if (line === shownLine) return;
        // What was held belonged to another position: a move, an undo or a new round came between.
        shownLine = line;
        this.note = null;
        this.selection = NOTHING;
      });
    });
  }

  act(action: Action): void {
    const outcome = reduce(this.selection, action, this.#offer);
    this.selection = outcome.selection;
    if (action.type !== "point" && action.type !== "over") {
      this.note = null;
      this.#shown.stage.goOn();
    }
    if (outcome.move) void this.send(outcome.move);
    if (outcome.refused) {
      const { line } = outcome.refused;
      this.tell(whyName(this.targets?.[line]?.refusal ?? null, line));
    }
    if (outcome.missing) this.tell(missingName(outcome.missing));
    else if (outcome.selection.source !== null && action.type === "key") {
      this.#say(askColor(this.#shown.position, outcome.selection.source));
    }
    if (outcome.taken) this.#focus(LIT);
    if (outcome.released) this.#focus(`[data-group="${outcome.released.source}${outcome.released.color}"]`);
  }

  async send(move: string): Promise<void> {
    const { chooser, position, large } = this.#shown;
    this.pending = move;
    const answer = await this.#p.onplay?.(move, chooser?.seat ?? position.seat ?? large);
    if (answer === false) this.pending = null;
  }

  /** A key or a press while something is still shown: who plays already does not want to wait for it. */
  async hurry(action: Action): Promise<void> {
    const { stage } = this.#shown;
    if (stage.busy) await stage.skip();
    if (this.active) this.act(action);
  }

  /** Shows a word in the status, and says it. */
  tell(text: string): void {
    this.note = text;
    this.#say(text);
  }

  undo(): void {
    if (this.#undoSeat !== undefined) this.#p.onundo?.(this.#undoSeat);
  }

  askHint(): void {
    if (this.mayHint) this.#p.onhint?.(this.#shown.large);
  }

  #focus(selector: string): void {
    void focusOn(this.#shown.stage.root, selector);
  }

  // ---- what makes buttons of tiles and lines ----

  /** The tiles that are lifted, or others that are to be noticed. */
  marks(group: Group): Record<string, boolean> {
    const { held, pointed } = this.selection;
    return {
      lifted: same(held ?? pointed, group),
      held: same(held, group),
      glow: same(this.#shown.stage.glow, group),
      hinted: same(this.hinted, group),
    };
  }

  groupButton(group: Group) {
    const point = (at: Group | null): void => this.act({ type: "point", group: at });
    return {
      type: "button" as const,
      "aria-label": groupName(this.#shown.position, group),
      "aria-pressed": same(this.selection.held, group),
      "aria-disabled": !this.active,
      "data-group": `${group.source}${group.color}`,
      onpointerenter: (event: PointerEvent) => event.pointerType === "mouse" && point(group),
      onpointerdown: (event: PointerEvent) => this.drag.begin(event, group),
      // A pointer that rests while the position changes below it never enters.
      onpointermove: (event: PointerEvent) => event.pointerType === "mouse" && !same(this.selection.pointed, group) && point(group),
      onpointerleave: (event: PointerEvent) => event.pointerType === "mouse" && point(null),
      onfocus: (event: FocusEvent) => (event.currentTarget as Element).matches(":focus-visible") && point(group),
      onblur: () => point(null),
      onclick: async (event: MouseEvent) => {
        if (this.drag.swallows()) return;
        await this.hurry({ type: "press", group });
        // Pressed by a key: the focus goes where the tiles may go.
        if (event.detail === 0 && this.selection.held) this.#focus(LIT);
      },
    };
  }

  /** What is to be seen of a line or the floor of the own board. */
  lineMarks(line: number): Record<string, boolean> {
    const { over, asked } = this.selection;
    const target = this.targets?.[line];
    return { lit: !!target?.option, over: over === line && !!target, asked: asked === line, hinted: this.hinted?.line === line };
  }

  lineButton(line: number, name: string) {
    const over = (at: number | null): void => this.act({ type: "over", line: at });
    return {
      type: "button" as const,
      "aria-label": name,
      "aria-disabled": !this.targets?.[line]?.option,
      "data-line": line,
      onpointerenter: (event: PointerEvent) => event.pointerType === "mouse" && over(line),
      onpointerleave: () => over(null),
      // A finger that is held on a line sees what would become of it, and may still go elsewhere.
      onpointerdown: (event: PointerEvent) => event.pointerType !== "mouse" && over(line),
      onpointercancel: () => over(null),
      onfocus: () => over(line),
      onblur: () => over(null),
      onclick: () => void this.hurry({ type: "place", line }),
    };
  }
}
