import { describe, expect, it } from "vitest";
import { m } from "../paraglide/messages.js";
import { defaults, merged, preferredLanguage, settings } from "./settings.svelte";

describe("the first language", () => {
  it.each([
    [["nl-BE", "en"], "nl"],
    [["sv-SE", "pt-BR"], "pt"],
    [["de-CH", "fr-CH", "it-CH"], "de"],
    [["es-419"], "es"],
    [["zh"], "en"],
    [[], "en"],
  ])("of %j is %s", (wanted, language) => expect(preferredLanguage(wanted)).toBe(language));
});

describe("stored settings", () => {
  const fresh = defaults(["en"]);

  it("are kept", () => {
    expect(merged({ theme: "dark", letters: true, name: "Ana" }, fresh)).toEqual({ ...fresh, theme: "dark", letters: true, name: "Ana" });
  });

  it("that make no sense are left out, one by one", () => {
    const stored = { theme: "pink", speed: 7, letters: "yes", language: "xx", unknown: 1, sounds: false };
    expect(merged(stored, fresh)).toEqual({ ...fresh, sounds: false });
    expect(merged("nonsense", fresh)).toEqual(fresh);
    expect(merged(null, fresh)).toEqual(fresh);
  });
});

it("a change of language changes the words", () => {
  settings.language = "es";
  expect(m.nav_play()).toBe("Jugar");
  settings.language = "nl";
  expect(m.nav_play()).toBe("Spelen");
  expect(m.refusal_color_on_row({ color: "yellow", row: 2 })).toBe("Op rij 2 van de muur ligt al een gele tegel.");
  settings.language = "pt";
  expect(m.new_links_note({ count: 1 })).toBe("1 link para enviar");
  expect(m.new_links_note({ count: 2 })).toBe("2 links para enviar");
  settings.language = "en";
});
