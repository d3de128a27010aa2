"""Whatever opens, asks, waits or ends: axe-core finds nothing, and no text of double size leaves the screen."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Coming, new_table
from tests.e2e.looks import BEHIND_A_MENU, leaving, size, violations
from tests.e2e.person import ASK, PATIENCE_MS, Person
from tests.e2e.test_coming_back import LINES
from tests.e2e.wire import Said, play_until, resign, tell
from tests.server.live import Live

DESK, PHONE = size(1280, 800), size(360, 780)
BRIEFLY_MS = 1000
SCREENS = pytest.mark.parametrize("screen", [DESK, PHONE], ids=["desk", "phone"])


class Looks:
    """Looks at one state after another, and says at the end what was wrong with which."""

    def __init__(self) -> None:
        self.found: dict[str, list[str]] = {}

    def at(self, person: Person, state: str) -> None:
        """Look at what is shown now."""
        # Once something is wrong, the rest is looked at without patience.
        patience = BRIEFLY_MS if any(self.found.values()) else PATIENCE_MS
        passed = BEHIND_A_MENU if "menu" in state else None
        self.found[state] = violations(person, passed) + leaving(person, patience)

    def behind(self, person: Person, state: str, button: str) -> None:
        """Look at what a button opens, and close it."""
        person.page.get_by_role("button", name=button).first.click()
        self.at(person, state)
        person.page.keyboard.press("Escape")
        person.page.get_by_role("dialog").first.wait_for(state="detached")


@contextmanager
def looking() -> Iterator[Looks]:
    """Look at everything first, then say what was wrong."""
    looks = Looks()
    yield looks
    assert {state: wrong for state, wrong in looks.found.items() if wrong} == {}


@SCREENS
def test_in_the_middle_of_a_game(coming: Coming, server: Live, screen: dict[str, int]) -> None:
    table, secrets = new_table(server, "here", "friend", 1, hints=True)
    play_until(server, table, secrets, lambda said: said["version"] > 12 and said["waiting"] == [0])
    person = coming({"confirm": True}, viewport=screen)
    person.context.add_init_script(LINES)
    page = person.open(f"/t/{table}#{secrets[0]}").page
    person.wait()
    with looking() as looks:
        move = person.best()
        person.take(move)
        looks.at(person, "tiles in hand")
        looks.behind(person, "moves", "Moves and scores")
        looks.behind(person, "invite", "Invite and share")
        looks.behind(person, "menu of the table", "More about this table")
        if screen == PHONE:
            looks.behind(person, "others", "show the board")
            looks.behind(person, "menu of pages", "Open the menu")
        page.keyboard.press("?")
        looks.at(person, "keys")
        page.keyboard.press("Escape")
        looks.behind(person, "question before a hint", "Hint")
        page.keyboard.press("Escape")
        person.click(move)
        expect(page.locator(".words")).to_have_text("Press again to play")
        looks.at(person, "to be confirmed")
        page.keyboard.press("Escape")
        page.keyboard.press("h")
        page.get_by_role("button", name="Take the hint").click()
        expect(page.locator(".note")).to_contain_text("Worse: ")
        looks.at(person, "reason of a hint")
        person.context.set_offline(True)
        page.evaluate("window.lines.forEach(line => line.close())")
        expect(page.locator(".notice")).to_contain_text("econnect")
        looks.at(person, "no connection")


@SCREENS
def test_from_waiting_for_a_friend_to_a_rematch(coming: Coming, server: Live, screen: dict[str, int]) -> None:
    wish = {"seats": [{"kind": "here", "name": "Ana"}, {"kind": "friend"}], "starter": 1}
    made = ASK.post(f"{server.url}/api/tables", json=wish).raise_for_status().json()
    table, secrets = made["table"]["id"], made["secrets"]
    ana = coming(viewport=screen).open(f"/t/{table}#{secrets[0]}")
    expect(ana.page.locator(".words")).to_contain_text("to join")
    # Whoever is new here needs the way to invite most.
    expect(ana.page.locator(".status").get_by_role("button", name="Invite", exact=True)).to_be_visible()
    with looking() as looks:
        looks.at(ana, "waiting for a friend")
        friend = coming(viewport=screen).open(f"/t/{table}#{secrets[1]}")
        expect(friend.page.get_by_role("dialog").get_by_label("Name")).to_be_focused()
        looks.at(friend, "question for a name")
        resign(server, table, secrets[0])
        ana.page.wait_for_selector("dialog .result")
        looks.at(ana, "result")
        tell(server, table, secrets[1], type="rematch", same_tiles=False)
        expect(ana.page.get_by_role("dialog").get_by_role("button", name="Join")).to_be_visible()
        looks.at(ana, "rematch over the result")
        ana.page.keyboard.press("Escape")
        ana.page.get_by_role("dialog").wait_for(state="detached")
        looks.at(ana, "over")


@SCREENS
def test_choices_at_one_device(coming: Coming, server: Live, screen: dict[str, int]) -> None:
    def choosing(said: Said) -> bool:
        return bool(said["you"].get("choosing"))

    table, secrets = new_table(server, "here", "here", wall="gray")
    play_until(server, table, secrets, choosing)
    person = coming(viewport=screen).open(f"/t/{table}#{secrets[0]},{secrets[1]}")
    ready = person.page.locator(".curtain button")
    expect(ready).to_be_visible()
    with looking() as looks:
        looks.at(person, "curtain")
        ready.click()
        expect(person.page.locator(".choice").first).to_be_visible()
        looks.at(person, "choice on the gray wall")


@SCREENS
def test_games_of_the_browser(coming: Coming, screen: dict[str, int]) -> None:
    person = coming(viewport=screen)
    page = person.open("/").page
    person.wait()
    with looking() as looks:
        looks.at(person, "first view")
        looks.behind(person, "moving to the server", "Invite or go on elsewhere")
        person.open(f"/replay/{person.table}")
        expect(page.get_by_role("button", name="Look it up")).to_be_visible()
        looks.at(person, "question before a game is looked up")
        person.open("/games")
        page.get_by_role("button", name="Remove from the list").first.click()
        expect(page.get_by_role("dialog", name="Remove this game?")).to_be_visible()
        looks.at(person, "removal")
        person.open("/new")
        page.locator(".seat").first.locator('input[value="computer"]').check()
        page.locator("button[type=submit]").click()
        page.get_by_role("button", name="Pause").click()
        looks.at(person, "computers among themselves")
