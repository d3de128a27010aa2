"""Tables of the browser's own: whole games without a server, kept whatever happens to the page."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from azulejos.players.levels import FULL_STRENGTH
from tests.e2e.conftest import Coming
from tests.e2e.person import Person

STRONGEST = FULL_STRENGTH.number
HAS_WEIGHTS = """async () => {
  for (const name of await caches.keys())
    for (const { url } of await (await caches.open(name)).keys()) if (url.endsWith('.weights')) return true;
  return false;
}"""
CHANGE_TABLE = """([id, changes]) => new Promise((resolve, reject) => {
  const opening = indexedDB.open('azulejos');
  opening.onerror = () => reject(opening.error);
  opening.onsuccess = () => {
    const database = opening.result;
    const tables = database.transaction('tables', 'readwrite').objectStore('tables');
    const asked = tables.get(id);
    asked.onsuccess = () => tables.put({ ...asked.result, ...changes });
    tables.transaction.oncomplete = () => { database.close(); resolve(); };
  };
})"""
CLEAR = """() => new Promise((resolve, reject) => {
  const deleting = indexedDB.deleteDatabase('azulejos');
  deleting.onsuccess = () => resolve();
  deleting.onerror = () => reject(deleting.error);
})"""
FULL = """() => {
  const add = IDBObjectStore.prototype.add;
  IDBObjectStore.prototype.add = function (...given) {
    if (window.full) {
      this.transaction.abort();
      Object.defineProperty(this.transaction, 'error', { value: new DOMException('full', 'QuotaExceededError') });
      return {};
    }
    return add.apply(this, given);
  };
}"""
NO_DATABASE = "Object.defineProperty(window, 'indexedDB', { get() { throw new DOMException('no', 'SecurityError'); } })"


def begin(person: Person, *opponents: int, wall: str = "std", starter: int = 0) -> Person:
    """Start a game against these computers from the page for new games."""
    page = person.open("/new").page
    page.locator(f'input[name="players"][value="{len(opponents) + 1}"]').check()
    for at, level in enumerate(opponents, 1):
        page.locator(".seat").nth(at).locator("select").select_option(str(level))
    page.locator(f'input[name="wall"][value="{wall}"]').check()
    page.get_by_label("Who starts").select_option(str(starter))
    page.locator("button[type=submit]").click()
    page.wait_for_function("() => location.pathname.startsWith('/t/local-')")
    return person


def end_of(person: Person) -> dict[str, Any]:
    """The result, which is the one that the server's code finds in what was stored."""
    result: dict[str, Any] = person.welcome()["table"]["result"]
    assert sorted(person.shown_scores()) == sorted(result["scores"])
    return result


@pytest.mark.parametrize(("opponent", "wall"), [(STRONGEST, "std"), (8, "gray")])  # each needs another network
def test_a_whole_game_without_a_network(coming: Coming, opponent: int, wall: str) -> None:
    person = begin(coming(), opponent, wall=wall)
    first = person.table
    person.page.wait_for_function(HAS_WEIGHTS)
    person.context.set_offline(True)
    assert person.play() > 10
    assert end_of(person)["reason"] == "row"
    person.page.get_by_role("button", name="Rematch").dblclick()
    person.page.wait_for_function("first => !location.pathname.endsWith(first)", arg=first)
    assert person.wait() == "move"
    assert len(person.log()) <= 1
    expect(person.page.locator("[role=alert]")).to_have_count(0)


def test_four_players_have_a_network_of_their_own(coming: Coming) -> None:
    person = begin(coming(), 1, 2, 8)
    person.page.wait_for_function(HAS_WEIGHTS)
    person.context.set_offline(True)
    person.play(most=3)
    person.wait()
    assert len(person.log()) >= 12


def test_a_reload_loses_nothing(coming: Coming) -> None:
    person = begin(coming(), 1)
    person.play(most=3)
    person.wait()
    before = person.log()
    person.page.reload()
    person.wait()
    assert person.log() == before
    person.agrees()
    person.open("/")  # the first page goes on with it, too
    person.wait()
    assert person.log() == before
    person.play(most=1)
    person.wait()
    assert len(person.log()) == len(before) + 2


def test_a_move_is_taken_back_and_a_hint_is_told(coming: Coming) -> None:
    person = begin(coming(), 1)
    person.play(most=1)
    person.wait()
    assert len(person.log()) == 2
    person.page.keyboard.press("u")
    expect(person.page.locator(".assisted")).to_be_visible()
    person.wait()
    assert person.log() == []
    person.page.keyboard.press("h")
    person.page.wait_for_selector(".hinted")
    assert person.welcome()["table"]["assisted"]


def test_two_tabs_show_the_same_and_neither_spoils_it(coming: Coming) -> None:
    person = begin(coming(), 1)
    person.wait()
    other = Person(person.context, person.context.new_page(), person.url, person.complaints)
    other.open(f"/t/{person.table}")
    for at in range(6):
        tab = (person, other)[at % 2]
        tab.wait()
        tab.click(tab.best())
        tab.page.wait_for_function("() => !document.querySelector('.own .lit')")
        tab.wait()
        for each in (person, other):
            each.agrees()
    played = len(person.log())
    assert played >= 10
    other.page.close()  # it was the one that thought
    person.play(most=2)
    person.wait()
    assert len(person.log()) >= played + 3


def test_a_worker_that_dies_is_replaced(coming: Coming) -> None:
    person = begin(coming(), STRONGEST)
    person.wait()
    person.click(person.best())
    person.page.wait_for_event("worker", predicate=lambda _: True) if not person.page.workers else None
    person.page.workers[0].evaluate("close()")
    assert person.wait() == "move"
    assert len(person.log()) == 2


def test_storage_that_is_full_changes_nothing(coming: Coming) -> None:
    person = coming()
    person.context.add_init_script(f"({FULL})()")
    begin(person, 1)
    person.wait()
    person.page.evaluate("window.full = true")
    person.click(person.best())
    expect(person.page.locator("[role=alert]")).to_contain_text("no room left")
    assert person.log() == []
    person.page.evaluate("window.full = false")
    person.play(most=1)
    assert len(person.log()) >= 1


def test_storage_that_is_cleared_is_told(coming: Coming) -> None:
    person = begin(coming(), 1)
    person.wait()
    move = person.best()
    person.page.evaluate(CLEAR)
    person.click(move)
    expect(person.page.locator("[role=alert]")).to_contain_text("has deleted the game")
    person.open("/")  # a new game is dealt
    assert person.wait() == "move"
    assert len(person.log()) <= 1  # the computer may start


def test_without_storage_a_game_is_played_all_the_same(coming: Coming) -> None:
    person = coming()
    person.context.add_init_script(NO_DATABASE)
    person.open("/")
    person.page.wait_for_selector("text=This browser keeps nothing")
    assert person.wait() == "move"


def test_a_game_of_another_version_is_named_and_leaves_the_others_alone(coming: Coming) -> None:
    person = begin(coming(), 1)
    person.play(most=1)
    old = person.table
    begin(person, 2)
    person.wait()
    person.page.evaluate(CHANGE_TABLE, [old, {"format": 0}])
    person.open(f"/t/{old}")
    expect(person.page.locator("[role=alert]")).to_contain_text("cannot be read")
    person.open("/games")
    page = person.page
    expect(page.get_by_text("A saved game that cannot be read")).to_be_visible()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save as a file").click()
    assert old in saved.value.path().read_text("utf-8")
    page.get_by_role("link", name="Go on").first.click()
    assert person.wait() == "move"


def test_a_table_moves_to_the_server_and_a_friend_takes_the_computers_seat(coming: Coming) -> None:
    person = begin(coming(), 1)
    person.play(most=2)
    person.wait()
    before = person.welcome()
    page = person.page
    page.get_by_role("button", name="Invite or go on elsewhere").click()
    page.get_by_label("A friend plays instead of Beginner").check()
    page.get_by_role("button", name="Invite a friend").click()
    page.wait_for_function("() => !location.pathname.includes('local-')")
    link = page.locator("dialog input").first.input_value()
    assert not person.is_local
    after = person.welcome()
    for part in ("position", "log", "waiting"):
        assert after[part] == before[part]
    assert after["table"]["commitment"] == before["table"]["commitment"]
    friend = coming()
    friend.page.goto(link)
    page.keyboard.press("Escape")
    person.click(person.best())
    assert friend.wait() == "move"
    friend.click(friend.best())
    assert person.wait() == "move"
    person.open("/games")
    expect(page.get_by_text("In this browser")).to_have_count(0)


def test_computers_among_themselves_need_nobody(coming: Coming) -> None:
    person = coming()
    page = person.open("/new").page
    page.locator(".seat").first.locator('input[value="computer"]').check()
    page.locator("button[type=submit]").click()
    page.wait_for_function("() => location.pathname.startsWith('/t/local-')")
    page.wait_for_function("() => document.querySelectorAll('.log li[data-move]').length >= 2")
    assert len(person.log()) >= 2
