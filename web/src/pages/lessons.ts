/** The steps of the learn page: a real position each, and what the person is asked to do in it. */

import { m } from "../paraglide/messages.js";

export interface Lesson {
  key: string;
  position: string;
  title: () => string;
  text: () => string;
  /** More to read, as a list. */
  points?: readonly (() => string)[];
  /** What to do; a step without it is only read. */
  exercise?: Exercise;
}

export interface Exercise {
  /** The move that is pointed out on the board. */
  move: string;
  /** Whether a move is what was asked for; only the one that is pointed out, unless told. */
  wanted?: (move: string) => boolean;
  task: () => string;
  done: () => string;
  /** Said when something else was played; the position comes back. */
  other: () => string;
}

/** Whether a move is what a step asks for. */
export function isWanted({ exercise }: Lesson, move: string): boolean {
  return exercise?.wanted?.(move) ?? move === exercise?.move;
}

/** Near the end: the walls are well filled. */
const LATE = "std -/-/-/-/- W 41:-/-/-/K2/-:BYRK1/W3K/1W2R/2W1Y/3WB:- 47:-/R/-/-/-:1YRK1/WBY2/1WBY1/1KW2/4B:F B7Y7R8K6W4 d1 6@2";
const MIDDLE = "std Y2KW/B2YK/R2KW/BK2W/BYRW F 4:-/Y/-/B2/-:2R2/5/3Y1/5/5:- 5:-/-/-/-/-:5/1B3/5/5/5:- B10Y11R13K12W13 d1 2@1";
const EMPTY = "0:-/-/-/-/-:5/5/5/5/5:-";

export const LESSONS: readonly Lesson[] = [
  { key: "aim", position: LATE, title: m.learn_aim_title, text: m.learn_aim_text },
  {
    key: "take",
    position: `std B2YK/Y2RW/R2KW/BK2W/BYRW F ${EMPTY} ${EMPTY} B16Y16R16K16W16 d1 1@1`,
    title: m.learn_take_title,
    text: m.learn_take_text,
    exercise: {
      move: "1B2",
      wanted: (move) => /^[1-5].[1-5]$/.test(move),
      task: m.learn_take_task,
      done: m.learn_take_done,
      other: m.learn_take_other,
    },
  },
  {
    key: "line",
    position: `std R3W/B2YK/Y2KW/BK2W/BYRW F ${EMPTY} ${EMPTY} B16Y16R16K16W16 d1 1@1`,
    title: m.learn_line_title,
    text: m.learn_line_text,
    exercise: {
      move: "1R3",
      task: m.learn_line_task,
      done: m.learn_line_done,
      other: m.learn_line_other,
    },
  },
  {
    key: "fall",
    position: MIDDLE,
    title: m.learn_fall_title,
    text: m.learn_fall_text,
    exercise: {
      move: "1Y2",
      task: m.learn_fall_task,
      done: m.learn_fall_done,
      other: m.learn_fall_other,
    },
  },
  {
    key: "marker",
    position: "std -/-/R2KW/BK2W/BYRW FY2RK 0:B/-/-/-/-:5/5/5/5/5:- 0:-/W2/-/-/-:5/5/5/5/5:- B17Y17R16K16W15 d1 1@1",
    title: m.learn_marker_title,
    text: m.learn_marker_text,
    exercise: {
      move: "cY3",
      wanted: (move) => move.startsWith("c"),
      task: m.learn_marker_task,
      done: m.learn_marker_done,
      other: m.learn_marker_other,
    },
  },
  {
    key: "tiling",
    position: "std -/-/-/-/- Y 12:-/-/Y2/-/B:5/3R1/KWB2/3B1/5:- 9:-/W/-/K2/-:B4/5/5/5/5:F B10Y11R13K11W12 d1 4@2",
    title: m.learn_tiling_title,
    text: m.learn_tiling_text,
    exercise: {
      move: "cY3",
      task: m.learn_tiling_task,
      done: m.learn_tiling_done,
      other: m.learn_tiling_other,
    },
  },
  {
    key: "floor",
    position: "std -/-/-/-/- K2 10:-/-/W/-/-:B4/1B3/5/5/5:FBR 9:-/W/-/R2/-:1Y3/5/5/5/5:- B12Y14R12K13W13 d1 3@1",
    title: m.learn_floor_title,
    text: m.learn_floor_text,
    exercise: {
      move: "cK2",
      task: m.learn_floor_task,
      done: m.learn_floor_done,
      other: m.learn_floor_other,
    },
  },
  {
    key: "end",
    position: LATE,
    title: m.learn_end_title,
    text: m.learn_end_text,
    exercise: {
      move: "cW1",
      task: m.learn_end_task,
      done: m.learn_end_done,
      other: m.learn_end_other,
    },
  },
  {
    key: "gray",
    position: "gray -/-/-/-/- - 8:-/R2/-/Y2/-:1B1R1/2W2/1K3/5/5:- 6:-/-/B/-/-:W4/5/5/5/5:F B13Y13R12K14W13 t1 3@2",
    title: m.learn_gray_title,
    text: m.learn_gray_text,
    exercise: {
      move: "t22",
      task: m.learn_gray_task,
      done: m.learn_gray_done,
      other: m.learn_gray_other,
    },
  },
  {
    key: "plan",
    position: MIDDLE,
    title: m.learn_plan_title,
    text: m.learn_plan_text,
    points: [m.learn_plan_neighbors, m.learn_plan_fit, m.learn_plan_finish, m.learn_plan_center, m.learn_plan_others],
  },
];
