/** What is said aloud, each thing once, politely, in the order in which it happens. */

import { untrack } from "svelte";
import { m } from "../paraglide/messages.js";
import { happeningSaid, newsSaid, resultSaid, sheetSaid } from "./announce";
import type { Hand } from "./hand.svelte";
import { sheet } from "./history";
import type { TableProps } from "./props";
import { gather } from "./scoring";
import type { Shown } from "./shown.svelte";
import { call } from "./sound";
import { hintSaid } from "./status";

export class Voice {
  said: { key: number; text: string }[] = $state.raw([]);

  say = (text: string): void => {
    this.said = [...this.said.slice(-4), { key: (this.said.at(-1)?.key ?? 0) + 1, text }];
  };

  /** Lets it speak of what happens at a table. */
  attend(props: TableProps, shown: Shown, hand: Hand): void {
    shown.stage.onplay = (news, { position }) => {
      // People who share a device hear each other's moves; one alone knows the own.
      for (const happening of news) {
        const { seat } = happening;
        const own = shown.mine.length === 1 && seat === shown.mine[0];
        if (seat !== null && !own) this.say(happeningSaid(shown.names[seat] ?? "", happening));
      }
      const scores = position.boards.map(({ score }) => score);
      const numbers = sheet(shown.position.round, gather(news), scores);
      if (numbers.rows.some((row) => row.tiles.length || row.penalty || row.bonus)) this.say(sheetSaid(numbers, shown.names));
      if (position.round > shown.position.round && position.phase !== "e") {
        this.say(m.board_round_begins({ round: position.round, name: shown.names[position.starter] ?? "" }));
      }
      if (position.last_round && !shown.position.last_round) this.say(m.board_last_round());
    };
    this.#turns(props, shown, hand);
    this.#follow(
      () => props.news?.at(-1)?.key ?? 0,
      (_, before) => {
        for (const news of props.news ?? []) if (news.key > before) this.say(newsSaid(news, shown.names));
      },
    );
    this.#follow(
      () => (hand.hint ? hintSaid(shown.position, hand.hint) : ""),
      (hint) => hint && this.say(hint),
    );
    this.#follow(
      () => hand.selection.asked,
      (asked) => asked !== null && this.say(m.board_confirm()),
    );
    this.#follow(
      () => hand.choices[0]?.row ?? null,
      (row) => row !== null && this.say(m.board_choose_cell({ row: row + 1 })),
    );
  }

  /** Says whose turn it is when that changes; of those who share a device by name. */
  #turns(props: TableProps, shown: Shown, hand: Hand): void {
    let last: number | null = null;
    $effect(() => {
      const acting = hand.active ? shown.large : hand.choices.length ? (shown.chooser?.seat ?? shown.large) : null;
      const { settled } = shown;
      untrack(() => {
        if (acting !== null && acting !== last) {
          this.say(shown.mine.length > 1 ? m.board_turn_of({ name: shown.names[acting] ?? "" }) : m.your_turn());
          if (props.settings.sounds && shown.mine.length < props.table.seats.length) call();
        }
        if (settled || acting !== null) last = acting;
      });
    });
  }

  /** Speaks whenever something is another than before; what there is in the beginning is no news. */
  #follow<T>(what: () => T, speak: (now: T, before: T) => unknown): void {
    let before = untrack(what);
    $effect(() => {
      const now = what();
      untrack(() => {
        if (now !== before) speak(now, before);
        before = now;
      });
    });
  }

  /** Tells the result of a table when all has been shown, and that it did. */
  tellResult({ table }: TableProps, shown: Shown): boolean {
    if (!shown.settled || !table.result || this.#told === table.id) return false;
    this.#told = table.id;
    this.say(resultSaid(table.result, shown.names, shown.mine));
    return true;
  }
  #told: string | null = null;
}
