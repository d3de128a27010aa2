/** What is said aloud of a table. */

import { tick, untrack } from "svelte";
import type { HappeningInfo } from "../net/messages";
import { m } from "../paraglide/messages.js";
import { happeningSaid, newsSaid, resultSaid, sheetSaid } from "./announce";
import type { Hand } from "./hand.svelte";
import { speak } from "../parts/spoken.svelte";
import { sheets } from "./history";
import type { Frame, TableProps } from "./props";
import type { Shown } from "./shown.svelte";
import { call } from "./sound";
import { firstSaid, heldSaid, hintSaid } from "./status";

export class Voice {
  /** Lets it speak of what happens at a table. */
  attend(props: TableProps, shown: Shown, hand: Hand): void {
    shown.stage.onplay = (news, frame) => {
      const said = playSaid(news, frame, shown);
      // What ends the game is said with the result, which opens over the table and would cut it off.
      if (frame.position.phase === "e" && props.table.result && this.#told !== props.table.id) this.#last = said;
      else said.forEach(speak);
    };
    this.#follow(
      () => props.news?.at(-1)?.key ?? 0,
      (_, before) => {
        for (const news of props.news ?? []) {
          // That a computer plays for me is a notice, which is said with the way back.
          const noticed = news.what === "replaced" && shown.mine.includes(news.seat);
          if (news.key > before && !noticed) speak(newsSaid(news, shown.names));
        }
      },
    );
    // After the news: that a move was taken back is why it is somebody's turn.
    this.#turns(props, shown, hand);
    this.#follow(
      () => (hand.hint ? hintSaid(shown.position, hand.hint) : ""),
      (hint) => hint && speak(hint),
    );
    this.#follow(
      () => (hand.selection.held ? heldSaid(shown.position, hand.selection.held) : ""),
      (held) => held && speak(held),
    );
    this.#follow(
      () => hand.selection.asked,
      (asked) => asked !== null && speak(m.board_confirm()),
    );
    this.#follow(
      () => hand.choices[0]?.row ?? null,
      (row) => row !== null && speak(m.board_choose_cell({ row: row + 1 })),
    );
    this.#follow(
      () => shown.choosing.length > 0 && !shown.chooser,
      (done) => done && speak(m.board_chosen_all()),
    );
  }

  /** Says whose turn it is when that changes; of those who share a device by name. */
  #turns(props: TableProps, shown: Shown, hand: Hand): void {
    let last: number | null = null;
    let first = true;
    $effect(() => {
      const acting = hand.active ? shown.large : hand.choices.length ? (shown.chooser?.seat ?? shown.large) : null;
      const { settled } = shown;
      untrack(() => {
        if (acting !== null && acting !== last) {
          speak(shown.mine.length > 1 ? m.board_turn_of({ name: shown.names[acting] ?? "" }) : m.your_turn());
          if (props.isNew && first) speak(firstSaid());
          first = false;
          if (props.settings.sounds && shown.mine.length < props.table.seats.length) call();
        }
        if (settled || acting !== null) last = acting;
      });
    });
  }

  /** Speaks whenever something is another than before; what there is in the beginning is no news. */
  #follow<T>(what: () => T, tell: (now: T, before: T) => unknown): void {
    let before = untrack(what);
    $effect(() => {
      const now = what();
      untrack(() => {
        if (now !== before) tell(now, before);
        before = now;
      });
    });
  }

  /** Tells the result of a table once, when all has been shown, and lets it be opened; it is said there, over the table. */
  tellResult({ table }: TableProps, shown: Shown, open: () => void): void {
    if (!shown.settled || !table.result || this.#told === table.id) return;
    this.#told = table.id;
    const said = resultSaid(table.result, shown.names, shown.mine);
    const all = [...this.#last, said];
    this.#last = [];
    open();
    void tick().then(() => all.forEach(speak));
  }
  #told: string | null = null;
  #last: string[] = [];
}

/** What was played, and what followed from it. */
function playSaid(news: readonly HappeningInfo[], { position, log }: Frame, { names, position: before }: Shown): string[] {
  // The own moves too: that is how somebody who does not see knows that they were made.
  const said = news.flatMap((one) => (one.seat === null ? [] : [happeningSaid(names[one.seat] ?? "", one)]));
  // On the gray wall some lines are tiled before others are chosen: a round is told when it is over, as a whole.
  const [latest] = news.some((each) => each.floors?.length) ? sheets(log, position) : [];
  if (latest) said.push(sheetSaid(latest, names));
  if (position.round > before.round && position.phase !== "e") {
    said.push(m.board_round_begins({ round: position.round, name: names[position.starter] ?? "" }));
  }
  if (position.last_round && !before.last_round) said.push(m.board_last_round());
  return said;
}
