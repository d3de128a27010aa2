// Made by `python -m azulejos.server.protocol.typescript` from the server's message types. Not edited by hand.

/** The version of the protocol. */
export const PROTOCOL = 3;

/** Codes of refusals by the rules of the game. */
export const RULE_CODES = [
  "game_over",
  "deal_due",
  "no_deal_due",
  "tile_first",
  "nothing_to_tile",
  "no_such_display",
  "color_not_there",
  "line_full",
  "other_color",
  "color_on_row",
  "cell_taken",
  "color_in_column",
  "deal_displays",
  "deal_size",
  "deal_too_many",
  "deal_leaves_bag",
  "nothing_to_undo",
] as const;

/** Codes of refusals by the server. */
export const SERVER_CODES = [
  "already_said_hello",
  "bad_clock",
  "bad_message",
  "bad_move",
  "bad_name",
  "bad_position",
  "bad_record",
  "bad_seats",
  "busy",
  "hello_first",
  "internal",
  "method_not_allowed",
  "no_computer",
  "no_hints",
  "no_lobby",
  "not_away_long",
  "not_found",
  "not_over",
  "not_substituted",
  "not_your_seat",
  "not_your_turn",
  "out_of_time",
  "seat_not_absent",
  "seat_resigned",
  "seat_taken",
  "stale_version",
  "storage_failed",
  "table_full",
  "too_fast",
  "too_large",
  "too_many_tables",
  "undo_past_deal",
  "undo_too_late",
  "unknown_table",
  "wrong_link",
  "wrong_origin",
  "wrong_protocol",
] as const;

/** Letters and marks by the book, of which nothing is seen. */
export const BLANKS = [
  "\u034f",
  "\u115f",
  "\u1160",
  "\u17b4",
  "\u17b5",
  "\u180b",
  "\u180c",
  "\u180d",
  "\u180f",
  "\u2800",
  "\u3164",
  "\uffa0",
] as const;

export const LONGEST_NAME = 24;
export const DEFAULT_LEVEL = 2;
export const SUBSTITUTE_LEVEL = 3;
export const WATCHING_PACE_MS = 900;
export const MOST_MARKS = 3;
export const MOST_NOTED = 100;

/** The first message: who I am, and the last version that I have seen, if any. */
export interface Hello {
  type: "hello";
  id?: string | null;
  secrets?: string[];
  version?: number | null;
  protocol?: number;
}

/** Play a move such as `3B4`, or on the gray wall choose a cell such as `t35`. */
export interface Play {
  type: "play";
  id?: string | null;
  move: string;
  version: number;
  seat: number;
}

/** Take back my last decision. */
export interface Undo {
  type: "undo";
  id?: string | null;
  version: number;
  seat: number;
}

/** Give up. */
export interface Resign {
  type: "resign";
  id?: string | null;
  seat: number;
}

/** Let a computer play for a person who is away, or for myself. */
export interface Substitute {
  type: "substitute";
  id?: string | null;
  seat: number;
  level?: number;
}

/** Take my seat back from the computer. */
export interface ComeBack {
  type: "come_back";
  id?: string | null;
  seat: number;
}

/** Change the name on my seat. */
export interface Rename {
  type: "rename";
  id?: string | null;
  seat: number;
  name: string;
}

/** Say that I take a hint, which I find myself; everybody is told, and the game is marked as assisted. */
export interface TakeHint {
  type: "hint";
  id?: string | null;
  version: number;
  seat: number;
}

/** Put my table into the lobby, where anybody may take a free seat, or take it out again. */
export interface Open {
  type: "open";
  id?: string | null;
  seat: number;
  open: boolean;
}

/** Show everybody a small sign. */
export interface ShowEmote {
  type: "emote";
  id?: string | null;
  seat: number;
  emote: "again" | "good_game" | "hello" | "oops" | "thanks" | "thinking" | "well_played" | "wow";
}

/** After the game: a new table with the same people; the seats move on by one. */
export interface Rematch {
  type: "rematch";
  id?: string | null;
  same_tiles?: boolean;
}

/** Are you there? */
export interface Ping {
  type: "ping";
  id?: string | null;
}

export type Incoming = Hello | Play | Undo | Resign | Substitute | ComeBack | Rename | TakeHint | Open | ShowEmote | Rematch | Ping;

/** Who sits there. */
export interface SeatInfo {
  kind: "computer" | "friend" | "here";
  name: string;
  level?: number | null;
  substitute?: number | null;
  resigned?: boolean;
  joined?: boolean;
  claimed?: boolean;
  assisted?: boolean;
}

/** How much time a seat has. */
export interface Clock {
  seconds: number;
  increment?: number;
  at_zero?: "computer" | "lose";
}

/** How the game ended. */
export interface Result {
  reason: "resigned" | "round_limit" | "row" | "stalled" | "time";
  winners: number[];
  scores: number[];
}

/** A table, apart from the position on it. */
export interface TableInfo {
  id: string;
  wall: "gray" | "std";
  created: string;
  seats: SeatInfo[];
  commitment: string;
  clock?: Clock | null;
  assisted?: boolean;
  result?: Result | null;
  secret?: string | null;
  next?: string | null;
  same_tiles?: boolean;
  hints?: boolean;
  open?: boolean;
}

/** A pattern line; no color while it is empty. */
export interface LineInfo {
  color: string | null;
  count: number;
}

/** One player's board. */
export interface BoardInfo {
  score: number;
  lines: LineInfo[];
  wall: string[];
  floor: number[];
  marker: boolean;
  penalty: number;
}

/** A legal move and what it would do. */
export interface Option {
  move: string;
  taken?: number;
  placed?: number;
  dropped?: number;
  marker?: boolean;
  cost?: number;
  completes?: boolean;
  columns?: number[];
  points?: number;
}

/** Why something is not allowed: a code that any interface words, with its arguments. A server sends it as it is. */
export interface Refusal {
  code: string;
  arguments?: Record<string, string | number>;
}

/** Everything that can be seen on the table, and what may be played. */
export interface Position {
  line: string;
  wall: "gray" | "std";
  pattern: string[] | null;
  penalties: number[];
  displays: number[][];
  center: number[];
  marker: boolean;
  boards: BoardInfo[];
  bag: number[];
  lid: number[];
  phase: "d" | "t" | "r" | "e";
  seat: number | null;
  round: number;
  starter: number;
  last_round: boolean;
  options: Option[];
  refusals: Record<string, Record<string, Refusal>>;
}

/** My own hidden tiling choices, which the others do not see yet. */
export interface Choosing {
  seat: number;
  chosen: string[];
  board: BoardInfo;
  options: Option[];
}

/** What only this client is told. */
export interface You {
  seats?: number[];
  undo?: number[];
  choosing?: Choosing[];
}

/** What is left on the clocks, in milliseconds, and whose are running. */
export interface ClockTime {
  left: number[];
  running: number[];
}

/** Tiles were taken. */
export interface DraftInfo {
  source: number;
  color: string;
  line: number;
  taken: number;
  placed: number;
  dropped: number;
  to_lid: number;
  marker: boolean;
}

/** A tile went to the wall. */
export interface TilingInfo {
  type: "tiled";
  seat: number;
  row: number;
  column: number;
  color: string;
  horizontal: number;
  vertical: number;
  points: number;
}

/** A complete line that no column could take fell to the floor (gray wall). */
export interface FallInfo {
  type: "fell";
  seat: number;
  row: number;
  color: string;
  count: number;
  to_lid: number;
}

/** A floor was scored and cleared. */
export interface FloorScored {
  seat: number;
  penalty: number;
  lost: number;
}

/** What a wall added at the end of the game. */
export interface Bonus {
  seat: number;
  rows: number;
  columns: number;
  colors: number;
  points: number;
}

/** All that one move did. */
export interface HappeningInfo {
  move: string;
  seat: number | null;
  drafted?: DraftInfo | null;
  tiling?: (TilingInfo | FallInfo)[];
  floors?: FloorScored[];
  bonuses?: Bonus[];
  deal?: number[][] | null;
}

/** The table was made and the first tiles dealt. */
export interface Started {
  type: "started";
  used?: number[];
}

/** A seat took back its last decision. */
export interface Undone {
  type: "undone";
  used?: number[];
  seat: number;
  moves?: number;
}

/** A seat gave up. */
export interface Resigned {
  type: "resigned";
  used?: number[];
  seat: number;
}

/** A seat's clock ran out. */
export interface TimedOut {
  type: "timed_out";
  used?: number[];
  seat: number;
}

/** A computer plays on for a seat. */
export interface Substituted {
  type: "substituted";
  used?: number[];
  seat: number;
  level: number;
}

/** A person took the seat back. */
export interface CameBack {
  type: "came_back";
  used?: number[];
  seat: number;
}

/** A seat has a new name. */
export interface Renamed {
  type: "renamed";
  used?: number[];
  seat: number;
  name: string;
}

/** A seat took a hint. */
export interface Assisted {
  type: "assisted";
  used?: number[];
  seat: number;
}

/** The person of a seat was here for the first time. */
export interface Joined {
  type: "joined";
  used?: number[];
  seat: number;
}

/** The table was put on the list of the lobby, or taken off it. */
export interface Listed {
  type: "listed";
  used?: number[];
  seat: number;
  open?: boolean;
}

/** The next table is ready. */
export interface Rematched {
  type: "rematched";
  used?: number[];
  table: string;
}

/** Something that happened besides moves, and where among them. */
export interface Noted {
  version: number;
  moves: number;
  what: Started | Undone | Resigned | TimedOut | Substituted | CameBack | Renamed | Assisted | Joined | Listed | Rematched;
}

/** Everything about a table; the answer to `hello`, and to a client that missed too much. */
export interface Welcome {
  type: "welcome";
  version: number;
  table: TableInfo;
  position: Position;
  you: You;
  waiting: number[];
  clock?: ClockTime | null;
  log: HappeningInfo[];
  present: boolean[];
  watchers: number;
  protocol: number;
  noted?: Noted[];
}

/** A move; or, on the gray wall, the tiling choices of all seats at once, which nobody saw before. */
export interface Played {
  type: "played";
  used?: number[];
  happenings: HappeningInfo[];
}

/** A seat made one of its hidden tiling choices; which one only its own people are told. */
export interface Chose {
  type: "chose";
  used?: number[];
  seat: number;
}

/** Something that happened and is saved, and the table after it. Versions rise by one. */
export interface Event {
  type: "event";
  version: number;
  table: TableInfo;
  position: Position;
  you: You;
  waiting: number[];
  clock?: ClockTime | null;
  what: Played | Chose | Started | Undone | Resigned | TimedOut | Substituted | CameBack | Renamed | Assisted | Joined | Listed | Rematched;
}

/** The answer to `hello` from a client that missed only a little: the events since its version. */
export interface Resumed {
  type: "resumed";
  events: Event[];
  you: You;
  present: boolean[];
  watchers: number;
}

/** The message with this id was obeyed; its event has been sent. */
export interface Accepted {
  type: "accepted";
  id: string | null;
  version: number;
}

/** The message with this id was not obeyed, and why. `version` is the table's. */
export interface Refused {
  type: "refused";
  code: string;
  arguments?: Record<string, string | number>;
  id?: string | null;
  version?: number | null;
}

/** Who is connected. */
export interface Present {
  type: "present";
  present: boolean[];
  watchers: number;
}

/** A seat shows a small sign; not saved. */
export interface Emoted {
  type: "emoted";
  seat: number;
  emote: "again" | "good_game" | "hello" | "oops" | "thanks" | "thinking" | "well_played" | "wow";
}

/** I am here. */
export interface Pong {
  type: "pong";
  id?: string | null;
}

/** The server ends; come back in a moment. */
export interface Closing {
  type: "closing";
}

export type Outgoing = Welcome | Event | Resumed | Accepted | Refused | Present | Emoted | Pong | Closing;

export type Happened = Played | Chose | Started | Undone | Resigned | TimedOut | Substituted | CameBack | Renamed | Assisted | Joined | Listed | Rematched;

/** A seat of a table to be made. */
export interface NewSeat {
  kind: "computer" | "friend" | "here";
  name?: string;
  level?: number | null;
  player?: string | null;
}

/** A table to be made. */
export interface NewTable {
  seats: NewSeat[];
  wall?: "gray" | "std";
  starter?: number | null;
  clock?: Clock | null;
  hints?: boolean;
  open?: boolean;
}

/** How a table was set up, as it is stored. */
export interface Setup {
  wall: "gray" | "std";
  seats: NewSeat[];
  starter: number;
  clock?: Clock | null;
  same_tiles?: boolean;
  previous?: string | null;
  position?: string;
  hints?: boolean;
  open?: boolean;
}

/** A draft, or a tiling choice that stays hidden until all are made; clients are told what came of it. */
export interface Decided {
  type: "decided";
  used?: number[];
  seat: number;
  move: string;
  person?: boolean;
}

/** Somebody from the lobby took a free seat; clients are told that the seat's person has joined. */
export interface Claimed {
  type: "claimed";
  used?: number[];
  seat: number;
  name: string;
  digest: string;
}

/** A table of somebody's own browser that is to go on here: all that is known of it. */
export interface MovedTable {
  setup: Setup;
  secret: string;
  events: (Decided | Claimed | Started | Undone | Resigned | TimedOut | Substituted | CameBack | Renamed | Assisted | Joined | Listed | Rematched)[];
}

/** A free seat at a table of the lobby is to be mine. */
export interface ClaimSeat {
  name?: string;
}

/** A link to be drawn as a QR code; in the body of a request because links to seats are secret. */
export interface AskCode {
  link: string;
}

/** A new table, and the secrets of its people's seats (none for a computer's). */
export interface Created {
  table: TableInfo;
  secrets: (string | null)[];
}

/** A table in the lobby. */
export interface Listing {
  id: string;
  wall: "gray" | "std";
  created: string;
  seats: SeatInfo[];
  free: number[];
  clock?: Clock | null;
  hints?: boolean;
}

/** The tables of the lobby at which somebody is, the newest first. */
export interface LobbyList {
  offered: boolean;
  now: string;
  tables: Listing[];
}

/** A seat that was free and is mine now. */
export interface ClaimedSeat {
  seat: number;
  secret: string;
}

/** A game in the list of past games. */
export interface Summary {
  id: string;
  wall: "gray" | "std";
  created: string;
  names: string[];
  result: Result;
}
