"""The coach: silent until a move was made, objects before anybody answers, and sums up a round."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Locator, expect

from tests.e2e.conftest import Coming, new_table
from tests.e2e.looks import violations
from tests.e2e.person import Person
from tests.server.live import Live

NO_HURRY = """(() => {
  const real = window.setTimeout;
  window.setTimeout = (act, after, ...rest) => real(act, after === 1000 || after === 6000 ? 1e6 : after, ...rest);
})()"""
"""However slow this machine is, nobody gets tired of waiting for the coach, who has some seconds otherwise."""
WHAT_NOW = """() => {
  if (document.querySelector('.note')) return 'note';
  if (document.querySelector('.coach')) return 'coach';
  return document.querySelector('.words.mine') ? 'move' : '';
}"""


def worst(person: Person) -> str:
    """The move that throws most to the floor."""
    options: list[dict[str, Any]] = person.welcome()["position"]["options"]
    return str(max(options, key=lambda option: option.get("cost", 0))["move"])


def card(person: Person) -> Locator:
    """What the coach objects."""
    return person.page.get_by_role("dialog", name="Coach")


def test_the_coach_fits_the_smallest_phone_in_another_language(coming: Coming) -> None:
    person = coming({"coach": "inaccuracy"}, viewport={"width": 320, "height": 568})
    person.context.add_init_script(NO_HURRY)
    person.begin(1).speaking("de").page.reload()
    person.wait()
    person.click(worst(person))
    expect(person.page.get_by_role("dialog", name="Trainer")).to_be_focused()
    expect(person.page.locator(".coach li").first).to_be_visible()
    assert person.page.evaluate("document.documentElement.scrollWidth") <= 320
    assert violations(person) == []


def test_a_bad_move_may_be_taken_back_before_anybody_answers(coming: Coming) -> None:
    person = coming(viewport={"width": 390, "height": 844})
    page = person.page
    person.context.add_init_script(NO_HURRY)
    person.open("/settings")
    page.get_by_label("Inaccuracies, too").check()
    person.begin(1).wait()
    expect(card(person)).to_have_count(0)
    # A bad move waits, and the table knows nothing of it.
    move = worst(person)
    person.click(move)
    expect(card(person)).to_be_focused()
    expect(card(person).get_by_role("listitem").first).to_be_visible()
    expect(page.locator("[aria-live]")).to_have_count(1)  # one voice for everything
    expect(page.locator("[aria-live] p", has_text=re.compile("[.] Take it back, or keep it"))).to_have_count(1)
    assert violations(person) == []
    assert person.log() == []
    card(person).get_by_role("button", name="Show the better move").click()
    expect(card(person)).to_contain_text("Better:")
    expect(page.locator("[data-group].hinted")).to_have_count(1)
    card(person).get_by_role("button", name="Take it back").click()
    expect(card(person)).to_have_count(0)
    expect(page.get_by_text("assisted", exact=True)).to_be_visible()
    person.wait()
    assert person.log() == []
    # By keys, and this time it stays; the computer answers.
    person.type(move)
    expect(card(person)).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    person.wait()
    assert person.log()[0] == move
    while (now := page.wait_for_function(WHAT_NOW).json_value()) != "note":
        if now == "coach":
            card(person).get_by_role("button", name="Keep it").click()
            expect(card(person)).to_have_count(0)
        elif person.asked() == "move":
            person.click(person.best())
            expect(page.locator(".status .words")).not_to_have_text("The coach looks at your move.")
    expect(page.locator(".note")).to_contain_text("Round 1. ")
    assert violations(person) == []


def test_a_server_hears_of_a_move_when_it_is_kept_and_of_help_only_if_that_was_chosen(
    coming: Coming, server: Live
) -> None:
    table, secrets = new_table(server, "here", 1)
    person = coming({"coach": "inaccuracy", "coachAssists": False})
    person.context.add_init_script(NO_HURRY)
    person.open(f"/t/{table}#{secrets[0]}").wait()
    move = worst(person)
    person.click(move)
    expect(card(person)).to_be_focused()
    assert person.log() == []
    person.page.keyboard.press("u")
    expect(card(person)).to_have_count(0)
    person.wait()
    person.click(move)
    card(person).get_by_role("button", name="Keep it").click()
    person.wait()
    assert person.log()[0] == move
    assert not person.welcome()["table"].get("assisted")
