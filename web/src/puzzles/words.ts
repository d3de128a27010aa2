/** Themes in the page's language. */

import { m } from "../paraglide/messages.js";
import type { Theme } from "./puzzles";

const THEMES: Readonly<Record<Theme, () => string>> = {
  blocking: m.puzzle_theme_blocking,
  "end of round": m.puzzle_theme_end_of_round,
  "end of game": m.puzzle_theme_end_of_game,
  floor: m.board_sheet_floor,
  "first player": m.puzzle_theme_first_player,
};

export function themeName(theme: Theme): string {
  return THEMES[theme]();
}
