"""All languages, and one that nobody speaks: what it does not translate is not in the messages."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import ANY_NUMBER, PAGES, Coming, new_table
from tests.e2e.wire import play_until, resign
from tests.server.live import Live, live_server

WEB = Path(__file__).parents[2] / "web"
LANGUAGES: list[str] = json.loads((WEB / "project.inlang/settings.json").read_text())["locales"]


def words(language: str) -> dict[str, str]:
    """The messages of a language."""
    return dict(json.loads((WEB / f"messages/{language}.json").read_text()))


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_language_from_the_browser(coming: Coming, language: str) -> None:
    person = coming(locale=f"{language}-XX" if language != "en" else "en-GB").open("/")
    person.wait()
    page, spoken = person.page, words(language)
    assert page.evaluate("document.documentElement.lang") == ("pt-BR" if language == "pt" else language)
    expect(page.locator(".words.mine")).to_have_text(spoken["first_click"])
    assert spoken["your_turn"] in page.title()
    person.click(person.best())
    person.wait()
    page.get_by_role("link", name=spoken["nav_settings"], exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(spoken["nav_settings"])


def test_the_language_changes_at_once_and_stays(coming: Coming) -> None:
    person = coming().open("/settings")
    person.page.get_by_label("Language").select_option("pt")
    expect(person.page.get_by_role("heading", level=1)).to_have_text(words("pt")["nav_settings"])
    person.page.reload()
    expect(person.page.get_by_role("heading", level=1)).to_have_text(words("pt")["nav_settings"])


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_light_and_dark(coming: Coming, theme: str) -> None:
    ground = "getComputedStyle(document.body).backgroundColor"
    chosen = coming({"theme": theme}).open("/")
    chosen.wait()
    system = coming(color_scheme=theme).open("/")
    system.wait()
    color = chosen.page.evaluate(ground)
    assert color == system.page.evaluate(ground)
    brightness = sum(int(part) for part in color.strip("rgba()").split(",")[:3]) / 3
    assert brightness < 80 if theme == "dark" else brightness > 180
    chosen.open("/settings")
    chosen.page.locator(f"input[name=theme][value={'light' if theme == 'dark' else 'dark'}]").check()
    chosen.page.wait_for_function(f"color => {ground} !== color", arg=color)


@pytest.fixture(scope="module")
def strange(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """A server with the page in the pseudo-language, which is built into a folder of its own."""
    folder = tmp_path_factory.mktemp("pseudo")
    more = {"AZULEJOS_PSEUDO": "1", "AZULEJOS_STATIC": str(folder)}
    for command in (["node", "scripts/pseudo.mjs"], ["npm", "run", "--silent", "build"]):
        subprocess.run(command, cwd=WEB, env=os.environ | more, check=True, capture_output=True, timeout=300)
    with live_server(tmp_path_factory.mktemp("server"), "--workers", "1", static=str(folder), **ANY_NUMBER) as live:
        yield live


STRAYS = """known => {
  const strays = new Set();
  const look = (text) => {
    let rest = text;
    for (let before = ''; before !== rest; ) {
      before = rest;
      rest = rest.replace(/⟦[^⟦⟧]*⟧/g, ' ');
    }
    rest = rest.replace(/[A-Z][a-z]{2} \\d+, \\d{4}, [\\d:]+\\s[AP]M/, ' '); // by Intl
    for (const name of known) rest = rest.replaceAll(name, ' ');
    if (/\\p{L}{2,}/u.test(rest)) strays.add(text.trim().slice(0, 80));
  };
  look(document.title);
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const parent = walker.currentNode.parentElement;
    if (!parent.closest('script, noscript, style, textarea, option[lang], kbd, code')) look(walker.currentNode.data);
  }
  for (const name of ['aria-label', 'title', 'placeholder', 'alt', 'aria-valuetext', 'data-text'])
    for (const each of document.querySelectorAll(`[${name}]`))
      if (each.hasAttribute(name)) look(each.getAttribute(name));
  return [...strays];
}"""


def test_no_sentence_is_in_the_code(coming: Coming, strange: Live) -> None:
    over, its_secrets = new_table(strange, "here", "friend", 1)
    resign(strange, over, its_secrets[0])
    whole, all_secrets = new_table(strange, "here", "friend")
    play_until(strange, whole, all_secrets, lambda _said: False)
    table, secrets = new_table(strange, "here", "friend")
    play_until(strange, table, secrets, lambda said: said["position"]["round"] > 1 and said["waiting"] == [0])
    person = coming(url=strange.url, viewport={"width": 1280, "height": 900})
    page, found = person.page, {}

    def look(name: str) -> None:
        found[name] = page.evaluate(STRAYS, ["Ana", "Rui", " and "])  # by Intl, too

    for path in [*PAGES, f"/replay/{over}"]:
        person.open(path)
        page.wait_for_selector("h1, h2")
        page.wait_for_load_state("networkidle")
        assert "⟦" in page.locator("body").inner_text()
        look(path)
    person.open(f"/t/{table}#{secrets[0]}")
    person.wait()
    person.take(person.best())
    look("held")
    person.click(person.best()) if not page.locator(".line.lit").count() else page.locator(".lit").first.click()
    page.locator(".status .more").click()
    look("moves")
    page.keyboard.press("Escape")
    page.locator("header .invite").click()
    look("invite")
    page.keyboard.press("Escape")
    resign(strange, table, secrets[0])
    page.wait_for_selector("dialog .result")
    look("result")
    person.open(f"/replay/{whole}?review=64")
    page.wait_for_function(
        "() => document.querySelector('.review table') && !document.querySelector('.review progress')"
    )
    look("receipt")
    page.keyboard.press("m")
    page.locator(".review strong.mark").wait_for()
    page.locator(".review .card-like .button").last.click()
    page.locator(".review .tools [aria-expanded]").click()
    page.locator(".review li").first.wait_for()
    look("mark")
    page.locator(".review .card-like .button").first.click()
    look("find it yourself")
    page.evaluate("localStorage.clear()")  # a browser that has a seat keeps it, whatever the link
    person.open(f"/t/{table}#{'x' * 32}")
    page.wait_for_selector("[role=alert]")
    look("wrong link")
    assert {name: strays for name, strays in found.items() if strays} == {}
