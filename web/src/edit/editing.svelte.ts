/** Setting up a position: what is in hand, what has been done, and how to go back. */
import { tick } from "svelte";
import type { Color } from "../board/colors";
import { isColor } from "../board/colors";
import { DISPLAY_SIZE } from "../engine/generated/bindings";
import type { Rules } from "../engine/rules";
import { withDeal } from "./deal";
import { type Fault, faultsOf, type Part } from "./faults";
import { placeName } from "./names";
import { isArrow, nextBox } from "./navigation";
import { after, keyOf, type Piece, type Place, press, put, take } from "./places";
import { emptySketch, lineOf, MARKER, type Sketch } from "./sketch";

const MARKER_KEY = "F";

export class Editing {
  sketch: Sketch = $state.raw(emptySketch(2, "std"));
  /** What a press puts down. */
  held: Piece = $state("B");
  /** What was done last, for the ear. */
  said = $state("");
  /** The element that all places are in. */
  root: HTMLElement | undefined = $state();
  readonly line: string = $derived(lineOf(this.sketch));
  readonly faults: readonly Fault[] = $derived.by(() => faultsOf(this.sketch, this.rules));
  #past: readonly Sketch[] = $state.raw([]);
  #future: readonly Sketch[] = $state.raw([]);
  /** For each part the place that Tab leads to. */
  #stops: Partial<Record<Part, string>> = $state({});

  constructor(
    private readonly rules: Rules,
    start: Sketch,
  ) {
    this.sketch = start;
  }

  get canUndo(): boolean {
    return this.#past.length > 0;
  }

  get canRedo(): boolean {
    return this.#future.length > 0;
  }

  /** Goes on to another position, from which one can come back. */
  change(next: Sketch): void {
    if (JSON.stringify(next) === JSON.stringify(this.sketch)) return;
    this.#past = [...this.#past, this.sketch];
    this.#future = [];
    this.sketch = next;
  }

  undo(): void {
    const before = this.#past.at(-1);
    if (!before) return;
    this.#past = this.#past.slice(0, -1);
    this.#future = [...this.#future, this.sketch];
    this.sketch = before;
  }

  redo(): void {
    const next = this.#future.at(-1);
    if (!next) return;
    this.#future = this.#future.slice(0, -1);
    this.#past = [...this.#past, this.sketch];
    this.sketch = next;
  }

  clear(): void {
    this.change(emptySketch(this.sketch.boards.length, this.sketch.wall));
  }

  deal(): void {
    this.change(withDeal(this.sketch, this.rules, crypto.getRandomValues(new BigUint64Array(1))[0]!));
  }

  /** The faults of a part of the page, each with its number among all. */
  faultsIn(part: Part): { fault: Fault; number: number }[] {
    return this.faults.flatMap((fault, number) => (fault.part === part ? [{ fault, number }] : []));
  }

  /** The numbers of the faults that a place or field has a share in. */
  faultsAt(key: string): number[] {
    return this.faults.flatMap(({ at }, number) => (at.includes(key) ? [number] : []));
  }

  isStop(part: Part, key: string, first: boolean): boolean {
    return this.#stops[part] === undefined ? first : this.#stops[part] === key;
  }

  arrive(part: Part, place: Place): void {
    // A tile beside a full plate goes away with the next change, and Tab has to lead somewhere.
    if (place.kind !== "display" || place.slot < DISPLAY_SIZE) this.#stops[part] = keyOf(place);
  }

  press(place: Place, space?: number): void {
    this.#did(place, press(this.sketch, place, this.held, space));
  }

  take(place: Place): void {
    this.#did(place, take(this.sketch, place));
  }

  #put(place: Place, piece: Color | typeof MARKER): void {
    this.#did(place, put(this.sketch, place, piece));
    const next = after(this.sketch, place);
    if (next !== place) void this.go(keyOf(next));
  }

  #did(place: Place, next: Sketch): void {
    this.change(next);
    this.said = placeName(this.sketch, place);
  }

  /** Undoes and redoes by the usual keys. */
  history(event: KeyboardEvent): void {
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
    const letter = event.key.toLowerCase();
    if (letter !== "z" && letter !== "y") return;
    event.preventDefault();
    if (letter === "y" || event.shiftKey) this.redo();
    else this.undo();
  }

  /** A key on a place. */
  key(event: KeyboardEvent, place: Place): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const letter = event.key.toUpperCase();
    if (isArrow(event.key)) this.#move(event.key, keyOf(place));
    else if (event.key === "Delete" || event.key === "Backspace") this.take(place);
    else if (letter === MARKER_KEY) this.#put(place, MARKER);
    else if (isColor(letter)) this.#put(place, letter);
    else return;
    event.preventDefault();
  }

  #move(arrow: Parameters<typeof nextBox>[0], key: string): void {
    const all = [...(this.root?.querySelectorAll<HTMLElement>("[data-place]") ?? [])];
    const from = all.find((element) => element.dataset["place"] === key);
    if (!from) return;
    const others = all.filter((element) => element !== from);
    const at = nextBox(
      arrow,
      from.getBoundingClientRect(),
      others.map((element) => element.getBoundingClientRect()),
    );
    others[at]?.focus();
  }

  /** Moves the focus to a place or a field. */
  async go(key: string): Promise<void> {
    await tick();
    const found = this.root?.querySelector<HTMLElement>(`[data-place="${key}"], [data-field="${key}"]`);
    found?.focus();
  }
}
