/** Every refusal in the page's language. The server sends codes, never sentences. */

import { m } from "../paraglide/messages.js";
import type { FaultKind } from "../engine/fault";
import { lacking } from "../engine/support";
import { refusalOf } from "../net/api";

type Arguments = Record<string, string | number>;

const text = (args: Arguments, name: string): string => String(args[name] ?? "?");
const count = (args: Arguments, name: string): number => Number(args[name] ?? 0);

/** The file of the game's module. */
const MODULE = "azulejos.wasm";
/** What is wrong with the game's module, as far as somebody can do something about it. */
const MODULE_FAULTS: Partial<Record<FaultKind, () => string>> = {
  unloaded: () => m.refusal_module_unloaded({ file: MODULE }),
  damaged: () => m.refusal_module_damaged({ file: MODULE }),
  memory: m.refusal_module_memory,
};

/** The wording of each code; `messages.test.ts` checks that none of the server's is missing. */
export const REFUSALS: Record<string, (args: Arguments) => string> = {
  // of a move
  game_over: () => m.refusal_game_over(),
  deal_due: () => m.refusal_deal_due(),
  no_deal_due: () => m.refusal_no_deal_due(),
  tile_first: (a) => m.refusal_tile_first({ row: text(a, "row") }),
  nothing_to_tile: () => m.refusal_nothing_to_tile(),
  no_such_display: (a) => m.refusal_no_such_display({ displays: count(a, "displays") }),
  color_not_there: (a) => m.refusal_color_not_there({ color: text(a, "color") }),
  line_full: (a) => m.refusal_line_full({ line: text(a, "line") }),
  other_color: (a) => m.refusal_other_color({ line: text(a, "line"), color: text(a, "color") }),
  color_on_row: (a) => m.refusal_color_on_row({ color: text(a, "color"), row: text(a, "row") }),
  cell_taken: (a) => m.refusal_cell_taken({ row: text(a, "row"), column: text(a, "column") }),
  color_in_column: (a) => m.refusal_color_in_column({ color: text(a, "color"), column: text(a, "column") }),
  deal_displays: () => m.refusal_bad_deal(),
  deal_size: () => m.refusal_bad_deal(),
  deal_too_many: () => m.refusal_bad_deal(),
  deal_leaves_bag: () => m.refusal_bad_deal(),
  nothing_to_undo: () => m.refusal_nothing_to_undo(),
  bad_move: () => m.refusal_bad_move(),
  // of a message
  bad_message: () => m.refusal_bad_message(),
  too_large: () => m.refusal_too_large(),
  too_fast: () => m.refusal_too_fast(),
  hello_first: () => m.refusal_bad_message(),
  already_said_hello: () => m.refusal_bad_message(),
  wrong_protocol: () => m.refusal_wrong_protocol(),
  wrong_origin: () => m.refusal_wrong_origin(),
  method_not_allowed: () => m.refusal_bad_message(),
  // at a table
  unknown_table: () => m.refusal_unknown_table(),
  wrong_link: () => m.refusal_wrong_link(),
  not_your_seat: () => m.refusal_not_your_seat(),
  not_your_turn: () => m.refusal_not_your_turn(),
  stale_version: () => m.refusal_stale_version(),
  undo_too_late: () => m.refusal_undo_too_late(),
  undo_past_deal: () => m.refusal_undo_past_deal(),
  table_full: (a) => m.refusal_table_full({ most: text(a, "most") }),
  not_away_long: (a) => m.refusal_not_away_long({ seconds: text(a, "seconds") }),
  no_hints: () => m.refusal_no_hints(),
  not_over: () => m.refusal_not_over(),
  seat_not_absent: () => m.refusal_seat_not_absent(),
  not_substituted: () => m.refusal_not_substituted(),
  seat_taken: () => m.refusal_seat_taken(),
  no_lobby: () => m.refusal_no_lobby(),
  seat_resigned: () => m.refusal_seat_resigned(),
  out_of_time: () => m.refusal_out_of_time(),
  // of a new table, a position, a record
  bad_name: () => m.refusal_bad_name(),
  bad_clock: () => m.refusal_bad_clock(),
  bad_seats: () => m.refusal_bad_seats(),
  bad_position: () => m.refusal_bad_position(),
  bad_record: (a) => [m.refusal_bad_record(), a["why"]].filter(Boolean).join(" "),
  too_many_tables: (a) => m.refusal_too_many_tables({ most: text(a, "most") }),
  no_computer: () => m.refusal_no_computer(),
  not_found: () => m.refusal_not_found(),
  // of the machine
  storage_failed: () => m.refusal_storage_failed(),
  busy: () => m.refusal_busy(),
  internal: () => m.refusal_server_failed(),
  // of this page itself
  no_module: (a) => {
    const part = lacking();
    return part ? m.browser_too_old({ part }) : (MODULE_FAULTS[text(a, "kind") as FaultKind] ?? m.refusal_no_module)();
  },
  bad_saved_game: () => m.refusal_bad_saved_game(),
  bad_link: () => m.refusal_bad_link(),
  link_too_long: () => m.refusal_link_too_long(),
  record_cut: () => m.refusal_record_cut(),
  record_deals: () => m.refusal_record_deals(),
  record_long: () => m.refusal_record_long(),
  record_misfit: () => m.refusal_record_misfit(),
  record_result: () => m.refusal_record_result(),
  record_unread: (a) => m.refusal_record_unread({ text: text(a, "text") }),
  unknown_study: () => m.refusal_unknown_study(),
  foreign_progress: () => m.refusal_foreign_progress(),
  newer_progress: () => m.refusal_newer_progress(),
  damaged_progress: (a) => m.refusal_damaged_progress({ part: text(a, "part") }),
  too_deep: () => m.refusal_too_deep(),
  storage_full: () => m.refusal_storage_full(),
  storage_cleared: () => m.refusal_storage_cleared(),
  storage_stuck: () => m.refusal_storage_stuck(),
  storage_broken: () => m.refusal_storage_broken(),
  offline: () => m.refusal_offline(),
  no_server: () => m.refusal_no_server(),
  connection_lost: () => m.refusal_connection_lost(),
  server_failed: () => m.refusal_server_failed(),
};

/** Words a refusal; a code from a newer server is shown as it is, so that it can at least be reported. */
export function refusalText(code: string, args: Arguments = {}): string {
  return REFUSALS[code]?.(args) ?? m.refusal_unknown({ code });
}

/** Words anything that a request threw. */
export function errorText(error: unknown): string {
  const { code, args } = refusalOf(error);
  return refusalText(code, args);
}
