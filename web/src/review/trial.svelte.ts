/** Somebody looks for the move that would have been better than a mistake. */

import { choiceWords } from "../board/announce";
import { readMove } from "../engine/notation";
import { own } from "../local/positions";
import { m } from "../paraglide/messages.js";
import type { Study } from "../study/study.svelte";
import { gain } from "./numbers";
import type { Reviewer } from "./reviewer.svelte";

export class Trial {
  /** What there is to say of the move that was tried last. */
  answer = $state("");

  constructor(private readonly reviewer: Reviewer) {}

  /** Says whether a move is as good as the best one; the board stays where it is. */
  async play(move: string, study: Study): Promise<void> {
    const at = this.reviewer.finding;
    if (at === null) return;
    const { position } = study.here;
    const looked = await own.position({ position: position.line, moves: [move] });
    const happening = looked.happenings.at(-1);
    const words = happening ? choiceWords(happening) : move;
    if (this.reviewer.node(at + 1)?.happening?.move === move) {
      this.answer = m.review_find_same();
      return;
    }
    this.answer = m.review_find_wait({ move: words });
    const { loss, mark } = await this.reviewer.tried(at, readMove(move));
    if (this.reviewer.finding !== at) return;
    if (mark) this.answer = m.review_find_bad({ move: words, loss: gain(loss, "win").replace("+", "") });
    else this.answer = loss.win > 0 ? m.review_find_good({ move: words }) : m.review_find_best({ move: words });
  }

  end(): void {
    this.answer = "";
    this.reviewer.finding = null;
  }
}
