"""axe-core finds nothing on any page, in any theme; the board says what it shows."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import PAGES, Coming, new_table
from tests.e2e.looks import violations
from tests.e2e.wire import resign
from tests.server.live import Live


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


def test_what_a_screen_reader_gets(coming: Coming) -> None:
    person = coming().open("/")
    person.wait()
    page, move = person.page, person.best()
    expect(page.get_by_role("link", name="Learn in 3 minutes")).to_be_visible()
    assert violations(person) == []  # with the card for somebody new
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
    assert "Beginner" in said, "the computer's move is not announced"
    assert "Your turn" in said
