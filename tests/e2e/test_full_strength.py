"""Full strength on the page: chosen in New game, it sits down, thinks and moves."""

from __future__ import annotations

import pytest
from playwright.sync_api import ViewportSize, expect

from azulejos.players.levels import FULL_STRENGTH, OPPONENTS
from tests.e2e.conftest import Coming
from tests.e2e.test_words import LANGUAGES, words

DESK: ViewportSize = {"width": 1280, "height": 800}
PHONE: ViewportSize = {"width": 390, "height": 780}


@pytest.mark.parametrize("viewport", [DESK, PHONE], ids=["desk", "phone"])
def test_it_is_chosen_after_the_levels_and_moves(coming: Coming, viewport: ViewportSize) -> None:
    rating = FULL_STRENGTH.rating
    person = coming(viewport=viewport).open("/new")
    page = person.page
    levels = page.locator(".seat select")
    expect(levels.locator("option")).to_have_count(len(OPPONENTS))
    expect(levels.locator("option").last).to_have_text(f"Full strength (rating {rating})")
    levels.select_option(label=f"Full strength (rating {rating})")
    expect(page.locator(".seat .note").last).to_contain_text("thinks about a second for each move")
    page.get_by_label("Who starts").select_option("1")
    page.locator("button[type=submit]").click()
    assert person.wait() == "move"
    assert len(person.log()) == 1
    expect(page.get_by_text("Full strength").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= viewport["width"]
    person.click(person.best())
    assert person.wait() in ("move", "choice")
    assert len(person.log()) >= 3
    assert person.welcome()["table"]["seats"][1]["level"] == FULL_STRENGTH.number


def test_every_language_has_words_for_it(coming: Coming) -> None:
    person = coming()
    for language in LANGUAGES:
        page, spoken = person.speaking(language).open("/new").page, words(language)
        page.locator(".seat select").select_option(str(FULL_STRENGTH.number))
        expect(page.locator(".seat option").last).to_contain_text(spoken["full_strength"])
        expect(page.locator(".seat .note").last).to_have_text(spoken["full_strength_note"])
