/** What a study asks of the page's own rules and engine. */

import { RecordFault } from "../engine/fault";
import { ownRules } from "../engine/own";
import { writeRecord } from "../engine/records";
import type { Rules, State } from "../engine/rules";
import type { Report } from "../engine/thinker";
import { engine } from "../local/engine.svelte";
import { happeningOf, positionOf, refusalOf } from "../local/position";
import { stateOf } from "../local/positions";
import { RefusalError } from "../net/api";
import type { Step } from "../local/replay";
import { type Advice, MOST_LINES, type Search } from "./advisor.svelte";
import { MOST_CHARACTERS } from "./link";
import { refusalText } from "../words/refusals";
import { type About, type ReadGame, readGame, recordOf, stoppedBy } from "./record";
import type { GameNode } from "./tree";

/** How long a position is looked at while somebody stays there. */
const LOOKED_MILLISECONDS = 15_000;

/** Looks at a position with the engine of this page. */
export const search: Search = async (position, tell, signal) => {
  const rules = await ownRules();
  const state = stateOf(rules, position);
  const adviceOf = ({ nodes, solved, candidates }: Report): Advice => ({
    nodes,
    solved,
    lines: candidates.slice(0, MOST_LINES).map(({ win, margin, line }) => ({ win, margin, steps: along(rules, state, line) })),
  });
  const { report } = await engine.analyze(state, { milliseconds: LOOKED_MILLISECONDS }, (news) => tell(adviceOf(news)), signal);
  return adviceOf(report);
};

/** Actions one after the other, as far as they go without a deal. */
export function along(rules: Rules, from: State, actions: readonly number[]): Step[] {
  const steps: Step[] = [];
  let state = from;
  for (const action of actions) {
    if (refusalOf(rules.refusal(state, action))) break;
    const { state: after, happened } = rules.step(state, action);
    steps.push({ happening: happeningOf(action, happened, null), position: positionOf(rules, after) });
    state = after;
  }
  return steps;
}

/** The game in a text that somebody has. */
export async function gameOf(text: string): Promise<ReadGame> {
  if (text.length > MOST_CHARACTERS) throw new RefusalError("too_large");
  const rules = await ownRules();
  try {
    return readGame(text, rules);
  } catch (error) {
    if (!(error instanceof RecordFault)) throw new RefusalError("bad_record");
    const { code, args } = stoppedBy(error);
    throw new RefusalError("bad_record", { why: refusalText(code, args) });
  }
}

/** The record of a tree as text. */
export async function textOf(root: GameNode, about: About): Promise<string> {
  return writeRecord(recordOf(root, about, await ownRules()));
}
