"""axe-core finds nothing on any page, in any theme; the board says what it shows."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import pytest

from tests.e2e.conftest import PAGES, Coming, new_table
from tests.e2e.person import Person
from tests.e2e.wire import play_until, resign
from tests.server.live import Live

AXE = Path(__file__).parents[2] / "web/node_modules/axe-core/axe.min.js"
RUN = """async (passed) => {
  const rules = Object.fromEntries(passed.map((rule) => [rule, { enabled: false }]));
  const found = await axe.run(document, { resultTypes: ['violations'], rules });
  const shown = (nodes) => nodes.slice(0, 4).map(({ html }) => html.slice(0, 160)).join(' | ');
  return found.violations.map(({ id, nodes }) => `${id}: ${shown(nodes)}`);
}"""

THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
"""What the system asks for, which the page follows unless somebody has chosen."""
BEHIND_A_MENU = ["landmark-one-main", "page-has-heading-one"]
"""An open menu takes the page behind it out of reach, as a dialog does; for dialogs axe-core knows that."""


def violations(person: Person, passed: list[str] | None = None) -> list[str]:
    """What axe-core says about the page as it is, light and dark, rules that do not apply left out."""
    assert AXE.exists(), "axe-core is not here: run `make page`, or npm install in web/"
    if not person.page.evaluate("'axe' in window"):
        person.page.evaluate(AXE.read_text())
    found = []
    for theme in THEMES:
        person.page.emulate_media(color_scheme=theme)
        found += [f"{theme}: {each}" for each in person.page.evaluate(RUN, passed or [])]
    return found


@pytest.mark.parametrize(("language", "width"), [("en", 1280), ("pt", 390)])
def test_axe_on_every_page(coming: Coming, server: Live, language: str, width: int) -> None:
    table, secrets = new_table(server, "here", "friend")
    resign(server, table, secrets[0])
    settings = {"language": language, "sounds": True}  # which come from no other host, either
    person = coming(settings, viewport={"width": width, "height": 844})
    found = {}
    for path in [*PAGES, f"/replay/{table}"]:
        person.open(path)
        person.page.wait_for_selector("h1, h2")
        person.page.wait_for_load_state("networkidle")
        found[path] = violations(person)
    assert {path: wrong for path, wrong in found.items() if wrong} == {}


@pytest.mark.parametrize("width", [1280, 390])
def test_axe_in_the_middle_of_things(coming: Coming, server: Live, width: int) -> None:
    table, secrets = new_table(server, "here", "friend", 1)
    play_until(server, table, secrets, lambda said: said["version"] > 12 and said["waiting"] == [0])
    person = coming(viewport={"width": width, "height": 844}).open(f"/t/{table}#{secrets[0]}")
    person.wait()
    page, found = person.page, {}
    dialog = page.get_by_role("dialog")

    def look(name: str, button: str) -> None:
        page.get_by_role("button", name=button).first.click()
        found[name] = violations(person, BEHIND_A_MENU if name in ("menu", "pages") else None)
        page.keyboard.press("Escape")
        dialog.first.wait_for(state="detached")

    person.take(person.best())
    found["held"] = violations(person)
    look("moves", "Moves and scores")
    look("invite", "Invite and share")
    look("menu", "More about this table")
    if width < 500:
        look("others", "show the board")
        look("pages", "Open the menu")
    page.keyboard.press("?")
    found["keys"] = violations(person)
    resign(server, table, secrets[0])
    assert {name: wrong for name, wrong in found.items() if wrong} == {}


def test_axe_at_the_end(coming: Coming, server: Live) -> None:
    table, secrets = new_table(server, "here", "friend")
    person = coming().open(f"/t/{table}#{secrets[0]}")
    person.wait()
    resign(server, table, secrets[0])
    person.page.wait_for_selector("dialog .result")
    assert violations(person) == []


def test_what_a_screen_reader_gets(coming: Coming) -> None:
    person = coming().open("/")
    person.wait()
    page, move = person.page, person.best()
    tiles = page.locator(f'[data-group="{move[:2].replace("c", "0")}"]')
    name = tiles.get_attribute("aria-label") or ""
    assert "from display" in name or "from the center" in name
    plate = page.locator(".plate").first
    assert (plate.get_attribute("role"), (plate.get_attribute("aria-label") or "")[:10]) == ("group", "Display 1:")
    tiles.click()
    lit = page.locator(".own .line.lit").first
    assert "becomes" in (lit.get_attribute("aria-label") or "") or "completes" in (
        lit.get_attribute("aria-label") or ""
    )
    lit.click()
    person.wait()
    said = page.locator("[aria-live=polite]").first.inner_text()
    assert "Casual" in said, "the computer's move is not announced"
    assert "Your turn" in said
