"""Whole games, from the first page to the result."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page, expect

from tests.e2e.conftest import Coming, new_table
from tests.e2e.person import Person
from tests.e2e.wire import play_until
from tests.server.live import Live


def check_the_end(person: Person) -> dict[str, Any]:
    """The result on the page is the server's."""
    result: dict[str, Any] = person.welcome()["table"]["result"]
    assert sorted(person.shown_scores()) == sorted(result["scores"])
    assert result["reason"] == "row"
    return result


def tab_to(page: Page, selector: str, most: int = 80) -> None:
    """Press Tab until the focus is on it."""
    for _ in range(most):
        page.keyboard.press("Tab")
        if page.evaluate("wanted => !!document.activeElement?.matches(wanted)", selector):
            return
    raise AssertionError(f"the Tab key does not lead to {selector!r}")


def test_by_keyboard_only(coming: Coming) -> None:
    person = coming().open("/new")
    page = person.page
    page.wait_for_selector("select.field")
    tab_to(page, "select.field")
    page.keyboard.press("Home")  # the beginner
    tab_to(page, "button[type=submit]")
    page.keyboard.press("Enter")
    for _ in range(3):  # the first ones without letters: Tab to the tiles, Enter, an arrow, Enter
        person.wait()
        before = len(person.log())
        tab_to(page, "[data-group]")
        page.keyboard.press("Enter")
        page.wait_for_function("() => document.activeElement?.matches('.line.lit, .floor.lit')")
        page.keyboard.press("ArrowDown")
        assert page.evaluate("document.activeElement.dataset.line") is not None
        if not page.evaluate("document.activeElement.matches('.lit')"):
            page.keyboard.press("ArrowUp")
        page.keyboard.press("Enter")
        page.wait_for_function("() => !document.querySelector('.line.lit')")
        person.wait()
        assert len(person.log()) > before
    person.play(person.type)
    check_the_end(person)
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_have_count(0)


def test_four_players_in_two_browsers_with_two_computers(coming: Coming, server: Live) -> None:
    table, secrets = new_table(server, "here", 1, "friend", 1)
    play_until(server, table, secrets, lambda said: said["position"]["round"] > 3)  # others play from the first move
    ana, rui = coming(), coming()
    ana.open(f"/t/{table}#{secrets[0]}")
    rui.open(f"/t/{table}#{secrets[2]}")
    people = [ana, rui]
    ends = 0
    while ends < 2:
        ends = 0
        for person in people:
            ready = person.asked()
            if ready == "move":
                person.click(person.best())
            ends += ready == "over"
        if not any(person.asked() for person in people):
            ana.page.wait_for_timeout(20)
    assert check_the_end(ana) == check_the_end(rui)
    assert ana.page.locator("dialog .result li").count() == 4
    # What was played can be looked at again, step by step.
    ana.page.get_by_role("link", name="Replay").first.click()
    slider = ana.page.get_by_role("slider")
    slider.focus()
    for key in ("End", "ArrowLeft", "Home", "ArrowRight"):
        ana.page.keyboard.press(key)
    expect(slider).to_have_value("1")


def test_choices_on_the_gray_wall_are_hidden_until_all_have_chosen(coming: Coming, server: Live) -> None:
    table, secrets = new_table(server, "here", "friend", wall="gray")
    ana, rui = coming(), coming()
    ana.open(f"/t/{table}#{secrets[0]}")
    rui.open(f"/t/{table}#{secrets[1]}")
    chosen, hidden = 0, 0
    while chosen < 6 or hidden < 3:
        for person, other in ((ana, rui), (rui, ana)):
            ready = person.asked()
            assert ready != "over"
            if ready == "move":
                person.click(person.best())
            elif ready == "choice":
                before = other.page.locator(".others .wall svg, .strip").all_inner_texts()
                wall = person.welcome()["position"]["boards"]
                person.choose()
                chosen += 1
                if other.asked() == "choice":
                    hidden += 1
                    assert other.welcome()["position"]["boards"] == wall
                    assert other.page.locator(".others .wall svg, .strip").all_inner_texts() == before
