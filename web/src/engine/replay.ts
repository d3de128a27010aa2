/** Replaying records: every head, deal, move and result checked; and the deals against the dealer's secret. */
import { Dealer } from "./dealer";
import { Fault, RecordFault, type Where, type Why } from "./fault";
import { DEAL_DUE, DRAFTING, END_REASONS, NO_ROUND_LIMIT, OVER, TILING } from "./generated/bindings";
import { dealOf, readDeal, readMove, readPosition, writeDeal } from "./notation";
import { type Entry, type GameRecord, resultText } from "./recordWriter";
import { fieldsOf, type Refusal, type Rules, type State } from "./rules";
import { quoted, refusalSentence } from "./wording";

/** A place in a game: the state, and how many moves there were since the last deal. */
export interface Place {
  readonly state: State;
  readonly moves: number;
}

/** An entry of a record with what is on the table after it. */
export interface Step extends Place {
  readonly entry: Entry;
  /** What happened, a row of numbers for each thing. */
  readonly happened: readonly (readonly number[])[];
}

/** Terminations with which a game may end before it is over. */
const GAVE_UP = ["resigned", "time"];

/** Why a finished game ended, as a record calls it. */
export function endReason(state: State, rules: Rules): string {
  return END_REASONS[rules.endReason(state)]!;
}

/** Whether a player has to decide something. */
export function isDecision(state: State): boolean {
  const phase = fieldsOf(state).get("phase");
  return phase === DRAFTING || phase === TILING;
}

/** The state before the first entry of a record. */
export function startOf(record: GameRecord, rules: Rules): State {
  const players = record.names.length;
  const heads = record.entries.flatMap((entry) => (entry.head ? [entry.head] : []));
  const starter = heads[0]?.starter ?? 0;
  let limit = NO_ROUND_LIMIT;
  if (record.tags["Termination"] === "round_limit") {
    limit = heads.reduce((last, head) => Math.max(last, head.round), heads[0]?.round ?? 1);
    if (limit < 1 || limit > NO_ROUND_LIMIT) throw new Fault(`there is no round R${limit}@${starter + 1}`);
  }
  if (record.tags["Position"] !== undefined) {
    const state = readPosition(record.tags["Position"], rules);
    const fields = fieldsOf(state);
    const wall = fields.get("gray") ? "gray" : "std";
    if (fields.get("players") !== players || wall !== record.wall)
      throw new Fault(`the tag Position has ${fields.get("players")} players and wall ${quoted(wall)}, the record not`);
    fields.set("max_rounds", limit);
    return state;
  }
  if (starter < 0 || starter >= players) throw new Fault(`seat ${starter + 1} starts a game with ${players} players`);
  return rules.start({ players, wall: record.wall, seed: 0n, starter, limit });
}

/** Every entry of a record with the state after it; throws where something does not fit. */
export function* steps(record: GameRecord, rules: Rules): Generator<Step> {
  let place: Place = { state: startOf(record, rules), moves: 0 };
  let first = true;
  for (const entry of record.entries) {
    for (const variation of entry.variations) tryVariation(place, variation, rules);
    const next = played(place, entry, first, rules);
    yield { entry, ...next };
    place = next;
    first = false;
  }
}

/** The state at the end of a record; throws where something does not fit. */
export function replay(record: GameRecord, rules: Rules): State {
  let state = startOf(record, rules);
  for (const step of steps(record, rules)) state = step.state;
  checkResult(record, state, rules);
  checkDeals(record, rules);
  return state;
}

function tryVariation(from: Place, variation: readonly Entry[], rules: Rules): void {
  let place = from;
  for (const entry of variation) {
    for (const inner of entry.variations) tryVariation(place, inner, rules);
    place = played(place, entry, false, rules);
  }
}

/** The place after an entry, and what happened; throws where the entry does not fit. */
export function played({ state, moves }: Place, entry: Entry, first: boolean, rules: Rules): Place & { happened: number[][] } {
  const where = whereIs({ state, moves });
  const [round, starter] = [where.round, fieldsOf(state).get("starter")];
  const misfit = (sentence: string, why: Why = { kind: "misfit" }): never => {
    throw new RecordFault(sentence, why, where);
  };
  const allow = (play: string, refusal: Refusal): void => {
    const sentence = refusalSentence(refusal);
    if (sentence !== undefined) misfit(`illegal move ${quoted(play)}: ${sentence}`, { kind: "refused", refusal });
  };
  if (entry.head && (entry.head.round !== round || entry.head.starter !== starter))
    misfit(`the head says R${entry.head.round}@${entry.head.starter + 1}, but it is R${round}@${starter + 1}`);
  if (entry.play === null) {
    if (!first || !isDecision(state)) misfit("the head of the round has no deal behind it");
    return { state, moves, happened: [] };
  }
  if (entry.play.startsWith("=")) {
    if (!entry.head) misfit(`the deal ${quoted(entry.play)} has no head of a round before it`);
    const deal = readDeal(entry.play);
    allow(entry.play, rules.dealRefusal(state, deal));
    return { state: rules.dealGiven(state, deal), moves: 0, happened: [] };
  }
  const action = readMove(entry.play);
  allow(entry.play, rules.refusal(state, action));
  const { state: after, happened } = rules.step(state, action);
  return { state: after, moves: moves + 1, happened };
}

/** Where in a record what comes next stands; the deal of a round counts as its first move. */
export function whereIs({ state, moves }: Place): Where {
  const fields = fieldsOf(state);
  return { round: fields.get("round_number"), move: fields.get("phase") === DEAL_DUE ? 1 : moves + 1 };
}

function checkResult(record: GameRecord, state: State, rules: Rules): void {
  const fields = fieldsOf(state);
  const over = fields.get("phase") === OVER;
  if (!record.result) {
    if (over) throw new RecordFault("the game is over but the record ends in *", { kind: "result" });
    return;
  }
  const scores = record.names.map((_, seat) => fields.get("score", seat)).join("-");
  const [result, termination] = [resultText(record), record.tags["Termination"]];
  if (result !== scores) throw new RecordFault(`the result is ${quoted(result)}, but the scores are ${quoted(scores)}`, { kind: "result" });
  if (!over && !GAVE_UP.includes(termination ?? ""))
    throw new RecordFault(`the record has the result ${quoted(result)}, but the game is not over`, { kind: "result" });
  if (!over || termination === undefined || GAVE_UP.includes(termination)) return;
  const reason = endReason(state, rules);
  if (termination !== reason)
    throw new RecordFault(`the tag Termination is ${quoted(termination)}, but the game ended by ${quoted(reason)}`, { kind: "result" });
}

function checkDeals(record: GameRecord, rules: Rules): void {
  const { DealCommitment: commitment, DealSecret: written } = record.tags;
  if (written === undefined) return;
  const dealer = new Dealer(rules, written);
  const given = dealer.commitment;
  if (commitment !== undefined && commitment !== given)
    throw new RecordFault(`the secret does not fit the commitment ${quoted(commitment)}: it gives ${quoted(given)}`, { kind: "deals" });
  let before = startOf(record, rules);
  for (const { entry, state } of steps(record, rules)) {
    if (entry.play?.startsWith("=")) {
      const expected = writeDeal(dealOf(dealer.deal(before)));
      if (entry.play !== expected) {
        const round = fieldsOf(before).get("round_number");
        throw new RecordFault(
          `round ${round}: the deal ${quoted(entry.play)} does not follow from the secret, which gives ${quoted(expected)}`,
          { kind: "deals" },
        );
      }
    }
    before = state;
  }
}
