/** Wordings that people chose after they had stumbled over others: they are not changed by the way. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

type Message = string | { match: Record<string, string> }[];

function said(language: string, key: string): string {
  const messages = JSON.parse(readFileSync(new URL(`./${language}.json`, import.meta.url), "utf8")) as Record<string, Message>;
  const message = messages[key]!;
  return typeof message === "string" ? message : message.flatMap(({ match }) => Object.values(match)).join(" ");
}

it.each([
  ["table_connecting", "Joining the table…", "Entrando en la mesa…", "Entrando na mesa…", "Verbinden met de tafel…"],
  [
    "play_failed",
    "The game could not be started",
    "No se pudo empezar la partida",
    "Não foi possível começar a partida",
    "De partij kon niet worden gestart",
  ],
  [
    "table_closed",
    "This table cannot be opened",
    "No se puede abrir esta mesa",
    "Não é possível abrir esta mesa",
    "Deze tafel kan niet worden geopend",
  ],
  ["emote_title", "Send a reaction", "Enviar una reacción", "Enviar uma reação", "Een reactie sturen"],
  ["games_remove", "Remove from the list", "Quitar de la lista", "Remover da lista", "Uit de lijst halen"],
  ["new_more", "More options", "Más opciones", "Mais opções", "Meer opties"],
])("%s in four languages", (key, ...wordings) => {
  expect(["en", "es", "pt", "nl"].map((language) => said(language, key))).toEqual(wordings);
});

it.each([["games_remove", "Retirer de la liste", "Aus der Liste entfernen", "Togli dall’elenco"]])(
  "%s in French, German and Italian",
  (key, ...wordings) => {
    expect(["fr", "de", "it"].map((language) => said(language, key))).toEqual(wordings);
  },
);

it.each([
  ["en", "analysis_position", "Position as text"],
  ["en", "level_3", "Regular"],
  ["en", "reload", "Reload"],
  ["en", "refusal_not_found", "Not found."],
  ["en", "rematch_go", "Join"],
  ["es", "new_here", "Persona en este dispositivo"],
  ["es", "reload", "Recargar"],
  ["es", "learn_tiling_title", "Revestir la pared"],
  ["pt", "new_here", "Pessoa neste aparelho"],
  ["pt", "nav_new", "Nova partida"],
  ["pt", "emote_thinking", "Deixa eu pensar"],
  ["pt", "board_line_completes", "e a completa"],
  ["nl", "nav_new", "Nieuwe partij"],
  ["nl", "nav_help", "Help"],
  ["nl", "refusal_not_found", "Niet gevonden."],
  ["nl", "refusal_unknown_table", "Deze tafel bestaat niet."],
  ["nl", "refusal_seat_not_absent", "Deze speler is aanwezig."],
  ["nl", "rematch_go", "Ga erheen"],
  ["nl", "settings_name", "Mijn naam bij nieuwe partijen"],
  ["nl", "board_resigned", "heeft opgegeven"],
  ["nl", "analysis_fresh", "Nieuwe beginstelling"],
])("in %s %s", (language, key, wording) => expect(said(language, key)).toBe(wording));

it.each([
  ["es", "help_keys_text", /^Una jugada son tres teclas/],
  ["es", "settings_shortcuts_note", /^Una jugada son tres teclas/],
  ["pt", "help_keys_text", /^Uma jogada são três teclas/],
  ["pt", "settings_shortcuts_note", /^Uma jogada são três teclas/],
  ["pt", "board_lines_of", /linhas de padrão/i],
  ["pt", "help_key_line", /linha de padrão/],
  ["pt", "learn_line_text", /linhas de padrão/],
  ["pt", "learn_gray_text", /fileira.*linha de padrão/],
  ["pt", "board_wall_row_empty", /Fileira/],
  ["pt", "board_sheet_rows", /Fileiras/],
  ["pt", "board_bonus_rows", /Fileiras/],
  ["pt", "board_why_color_on_row", /fileira/],
  ["pt", "refusal_color_on_row", /fileira/],
  ["pt", "learn_end_text", /fileira/],
  ["pt", "learn_tiling_text", /fileira/],
  ["pt", "new_start", /partida/],
  ["pt", "refusal_game_over", /partida/],
  ["pt", "board_over", /partida/],
  ["nl", "new_start", /Partij/],
  ["nl", "refusal_game_over", /partij/],
  ["nl", "board_over", /partij/],
  ["nl", "settings_shortcuts_note", /helppagina/],
  ["nl", "learn_marker_text", /neemt een vak .*in/],
])("in %s %s has the word of the glossary", (language, key, wording) => expect(said(language, key)).toMatch(wording));
