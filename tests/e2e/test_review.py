"""A finished game is reviewed: values, marks, a better move to be found, a receipt; and all of it is kept."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.e2e.conftest import Coming, new_table
from tests.e2e.wire import play_until
from tests.server.live import Live

NODES = 64
"""Positions that the review looks at for each decision; what it says with so few matters to nobody here."""


def test_a_finished_game_is_reviewed_and_the_review_is_kept(coming: Coming, server: Live) -> None:
    table, secrets = new_table(server, "here", "friend")
    play_until(server, table, secrets, lambda _said: False)
    person = coming().open(f"/replay/{table}?review={NODES}")
    page = person.page
    graph = page.get_by_role("slider", name="Winning chance of")
    expect(graph).to_be_visible()
    expect(page.get_by_role("progressbar", name="Progress of the review")).to_have_count(0)
    page.keyboard.press("End")
    receipt = page.get_by_role("table", name=re.compile("won by|lost by|ended level"))
    numbers = [int(text.replace("\N{MINUS SIGN}", "-")) for text in receipt.locator("td").all_inner_texts()]
    assert sum(numbers[:-1]) == numbers[-1]
    expect(page.get_by_text(re.compile(r"played like .+: \d+\.\d ± \d+\.\d points"))).to_be_visible()
    # The graph and its table lead to any step, and the address keeps it.
    graph.click(position={"x": 60, "y": 60})
    expect(graph).to_have_attribute("aria-valuetext", re.compile("round 1"))
    page.get_by_role("button", name="As a table").click()
    assert page.locator(".review tbody tr").count() > 20
    page.get_by_role("button", name="As a table").click()
    # Somebody plays at random: there is a mistake, and the answer waits until it is wanted.
    page.keyboard.press("m")
    expect(page.locator(".what .mark")).to_have_text(re.compile("inaccuracy|mistake|blunder"))
    expect(page.get_by_text("Better:")).to_have_count(0)
    page.get_by_role("button", name="Find it yourself").click()
    expect(page.get_by_text("Find a better move for")).to_be_visible()
    person.wait()
    page.locator("[data-group]").first.click()
    page.locator('.own [data-line="5"]').click()
    expect(page.get_by_text(re.compile("^(Yes!|Good:|Not yet:|That is the move)"))).to_be_visible()
    page.get_by_role("button", name="Show the better move").click()
    expect(page.get_by_text("Better:")).to_be_visible()
    assert 1 <= page.locator(".review li").count() <= 3
    # The next time everything is there at once.
    page.reload()
    expect(graph).to_be_visible()
    page.keyboard.press("End")
    expect(receipt).to_be_visible()
    expect(page.get_by_role("button", name="Review this game")).to_have_count(0)
