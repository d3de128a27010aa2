/** What is said aloud: others' moves, the end of a round, whose turn it is, the result. Each once, politely. */

import { untrack } from "svelte";
import { m } from "../paraglide/messages.js";
import { happeningSaid, resultSaid, sheetSaid } from "./announce";
import { sheet } from "./history";
import type { TableProps } from "./props";
import { gather } from "./scoring";
import type { Shown } from "./shown.svelte";
import { call } from "./sound";

export class Voice {
  said: { key: number; text: string }[] = $state.raw([]);

  say = (text: string): void => {
    this.said = [...this.said.slice(-4), { key: (this.said.at(-1)?.key ?? 0) + 1, text }];
  };

  /** Lets it speak of what happens at a table. */
  attend(props: TableProps, shown: Shown, myTurn: () => boolean): void {
    shown.stage.onplay = (news, { position }) => {
      for (const happening of news) {
        const { seat } = happening;
        if (seat !== null && !shown.mine.includes(seat)) this.say(happeningSaid(shown.names[seat] ?? "", happening));
      }
      const scores = position.boards.map(({ score }) => score);
      const numbers = sheet(shown.position.round, gather(news), scores);
      if (numbers.rows.some((row) => row.tiles.length || row.penalty || row.bonus)) this.say(sheetSaid(numbers, shown.names));
    };
    let wasMine = false;
    $effect(() => {
      const now = myTurn();
      untrack(() => {
        if (now && !wasMine && shown.mine.length < props.table.seats.length) {
          this.say(m.your_turn());
          if (props.settings.sounds) call();
        }
        if (shown.settled || now) wasMine = now;
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
