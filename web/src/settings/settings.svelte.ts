/** What a person chose, kept in this browser only. */

import { DEFAULT_SETTINGS, type BoardSettings } from "../board/props";
import { MARKS } from "../engine/generated/bindings";
import type { Mark } from "../engine/judge";
import { baseLocale, locales, overwriteGetLocale } from "../paraglide/runtime.js";
import { read, write } from "./local.js";

export type Language = (typeof locales)[number];
/** From which mark on the coach speaks: never, as suits the person's level, or always from the same one. */
export type Strictness = "off" | "auto" | Exclude<Mark, "">;
export type Theme = "system" | "light" | "dark";

export interface Settings extends BoardSettings {
  language: Language;
  theme: Theme;
  /** My name at new tables. */
  name: string;
  /** A short vibration when it is my turn. */
  vibration: boolean;
  coach: Strictness;
  /** Whether a move that was taken back because of the coach marks the game as assisted. */
  coachAssists: boolean;
}

const KEY = "settings";

/** The tag of a language, with its country where the words are those of one. */
export function tagOf(language: Language): string {
  return language === "pt" ? "pt-BR" : language;
}

/** The first of the person's languages that there is, or English. */
export function preferredLanguage(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const language = tag.toLowerCase().split("-")[0];
    const found = locales.find((locale) => locale.toLowerCase() === language);
    if (found) return found;
  }
  return baseLocale;
}

/** The settings of somebody who has never been here. */
export function defaults(languages: readonly string[]): Settings {
  return {
    language: preferredLanguage(languages),
    theme: "system",
    name: "",
    vibration: true,
    coach: "off",
    coachAssists: true,
    ...DEFAULT_SETTINGS,
  };
}

const CHOICES: { [K in keyof Settings]?: readonly unknown[] } = {
  language: locales,
  theme: ["system", "light", "dark"],
  coach: ["off", "auto", ...MARKS.filter(Boolean)],
  speed: ["normal", "fast", "instant"],
};

/** Stored settings over the defaults; whatever is not understood is left out. */
export function merged(stored: unknown, fallback: Settings): Settings {
  const result: Record<string, unknown> = { ...fallback };
  if (typeof stored !== "object" || stored === null) return fallback;
  for (const [key, value] of Object.entries(stored)) {
    if (!(key in fallback) || typeof value !== typeof result[key]) continue;
    const choices = CHOICES[key as keyof Settings];
    if (!choices || choices.includes(value)) result[key] = value;
  }
  return result as unknown as Settings;
}

const languages = typeof navigator === "undefined" ? [] : navigator.languages;

export const settings: Settings = $state(merged(read(KEY), defaults(languages)));

overwriteGetLocale(() => settings.language);

/** Stores the settings; called from an effect, so that every change is kept. */
export function keepSettings(): void {
  write(KEY, { ...settings });
}
