"""Tables of the browser's own: whole games without a server, kept whatever happens to the page."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Coming
from tests.e2e.person import Person

HERE = 'input[value="here"]'
STRONGEST = 9


def begin(person: Person, *opponents: int, wall: str = "std", starter: int | None = 0) -> Person:
    """Start a game against these computers from the page for new games."""
    page = person.open("/new").page
    page.locator(f'input[name="players"][value="{len(opponents) + 1}"]').check()
    for at, level in enumerate(opponents, 1):
        page.locator(".seat").nth(at).locator("select").select_option(str(level))
    page.locator(f'input[name="wall"][value="{wall}"]').check()
    if starter is not None:
        page.get_by_label("Who starts").select_option(str(starter))
    page.locator("button[type=submit]").click()
    page.wait_for_function("() => location.pathname.startsWith('/t/local-')")
    return person


def end_of(person: Person) -> dict[str, Any]:
    """The result, which is the one that the server's code finds in what was stored."""
    result: dict[str, Any] = person.welcome()["table"]["result"]
    assert sorted(person.shown_scores()) == sorted(result["scores"])
    return result


@pytest.mark.parametrize(
    ("opponents", "wall"),
    [((1,), "std"), ((8,), "gray"), ((STRONGEST,), "std"), ((1, 8), "std"), ((1, 2, 8), "gray")],
    ids=["level1", "level8-gray", "strongest", "three", "four-gray"],
)
def test_a_whole_game_without_a_network(coming: Coming, opponents: tuple[int, ...], wall: str) -> None:
    person = begin(coming(), *opponents, wall=wall)
    person.wait()
    if max(opponents) > 6:  # noqa: PLR2004 - these have a network to fetch
        expect(person.page.locator("[data-network]")).to_have_count(0)
    person.context.set_offline(True)
    assert person.play() > 10
    assert end_of(person)["reason"] == "row"
