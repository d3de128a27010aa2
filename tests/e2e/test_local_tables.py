"""Tables of the browser's own: kept whatever happens to the page."""

from __future__ import annotations

import json
from pathlib import Path

from playwright.sync_api import Route, expect

from azulejos.players.levels import FULL_STRENGTH
from tests.e2e.conftest import Coming
from tests.e2e.person import TROUBLE, Person
from tests.e2e.test_words import LANGUAGES, words

STRONGEST = FULL_STRENGTH.number
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
STORE = """({ tables, events }) => new Promise((resolve, reject) => {
  const opening = indexedDB.open('azulejos');
  opening.onerror = () => reject(opening.error);
  opening.onsuccess = () => {
    const writing = opening.result.transaction(['tables', 'events'], 'readwrite');
    for (const table of tables) writing.objectStore('tables').put(table);
    for (const event of events) writing.objectStore('events').put(event);
    writing.oncomplete = () => { opening.result.close(); resolve(); };
    writing.onabort = () => reject(writing.error);
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
SAVED = Path(__file__).parents[1] / "golden" / "saved_games.json"
"""Tables as an early version of the page stored them in the browser, and the records it made of them."""
FEW_BYTES = 50_000
NO_DATABASE = "Object.defineProperty(window, 'indexedDB', { get() { throw new DOMException('no', 'SecurityError'); } })"


def cut_short(route: Route) -> None:
    """Send the beginning of a file."""
    answer = route.fetch()
    route.fulfill(response=answer, body=answer.body()[:FEW_BYTES])


def test_a_reload_loses_nothing(coming: Coming) -> None:
    person = coming().begin(1)
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
    person = coming().begin(1)
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
    person = coming().begin(1)
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
    person = coming().begin(STRONGEST)
    person.wait()
    person.click(person.best())
    person.page.wait_for_event("worker", predicate=lambda _: True) if not person.page.workers else None
    person.page.workers[0].evaluate("close()")
    assert person.wait() == "move"
    assert len(person.log()) == 2


def test_a_module_that_is_cut_short_is_named(coming: Coming) -> None:
    person = coming()
    person.context.route("**/*.wasm", cut_short)
    for language in LANGUAGES:
        person.speaking(language).open("/")
        told = words(language)["refusal_module_damaged"].replace("{file}", "azulejos.wasm")
        expect(person.page.get_by_text(told).first).to_be_visible()
    person.context.unroute("**/*.wasm")
    assert person.speaking("en").open("/").wait() == "move"


def test_weights_that_are_cut_short_are_named_and_the_game_goes_on(coming: Coming) -> None:
    person = coming()
    person.context.route("**/*.weights", cut_short)
    person.begin(8)
    for language in LANGUAGES:
        person.speaking(language).page.reload()
        told = words(language)["network_damaged"].replace("{file}", "two-std.weights")
        expect(person.page.get_by_text(told).first).to_be_visible()
    person.play(most=1)
    person.wait()
    assert len(person.log()) == 2
    person.context.unroute("**/*.weights")
    person.page.reload()
    person.play(most=1)
    expect(person.page.locator(".notice")).to_have_count(0)


def test_storage_that_is_full_changes_nothing(coming: Coming) -> None:
    person = coming()
    person.context.add_init_script(f"({FULL})()")
    person.begin(1)
    person.wait()
    person.page.evaluate("window.full = true")
    person.click(person.best())
    expect(person.page.locator(TROUBLE)).to_contain_text("no room left")
    assert person.log() == []
    person.page.evaluate("window.full = false")
    person.play(most=1)
    assert len(person.log()) >= 1


def test_storage_that_is_cleared_is_told(coming: Coming) -> None:
    person = coming().begin(1)
    person.wait()
    move = person.best()
    person.page.evaluate(CLEAR)
    person.click(move)
    expect(person.page.locator(TROUBLE)).to_contain_text("has deleted the game")
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
    person = coming().begin(1)
    person.play(most=1)
    old = person.table
    person.begin(2)
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


def test_games_of_an_earlier_version_go_on_and_a_damaged_one_is_named(coming: Coming) -> None:
    saved = json.loads(SAVED.read_text("utf-8"))
    over, gray, _ = (table["id"] for table in saved["tables"])
    damaged = over.replace("local-", "local-2")
    saved["tables"] += [{**table, "id": damaged} for table in saved["tables"] if table["id"] == over]
    saved["events"] += [{**row, "table": damaged} for row in saved["events"] if row["table"] == over]
    saved["events"][-3]["event"] = {"type": "decided", "seat": 0, "move": "9Z9"}
    person = coming().open("/games")
    page = person.page
    person.until("async () => (await indexedDB.databases()).some(({ name }) => name === 'azulejos')")
    page.evaluate(STORE, saved)
    page.reload()
    expect(page.get_by_text("A saved game that cannot be read")).to_have_count(1)
    with page.expect_download() as raw:
        page.get_by_role("button", name="Save as a file").click()
    assert "9Z9" in raw.value.path().read_text("utf-8")
    for table, record in saved["records"].items():
        kept = page.get_by_role("listitem").filter(has=page.locator(f'a[href*="{table}"]'))
        with page.expect_download() as file:
            kept.get_by_role("button", name="Save the record").click()
        assert file.value.path().read_text("utf-8") == record
    person.open(f"/t/{damaged}")
    expect(page.locator("[role=alert]")).to_contain_text("cannot be read")
    expect(page.get_by_role("button", name="Save as a file")).to_be_visible()
    person.open(f"/t/{gray}")
    before = len(person.log())
    person.play(most=1)
    person.wait()
    assert len(person.log()) > before


def test_a_table_moves_to_the_server_and_a_friend_takes_the_computers_seat(coming: Coming) -> None:
    person = coming().begin(1)
    person.play(most=2)
    person.wait()
    before = person.welcome()
    page = person.page
    page.get_by_role("button", name="Invite or go on elsewhere").click()
    page.get_by_label("A friend plays instead of Beginner").check()
    page.get_by_role("button", name="Invite a friend").click()
    page.wait_for_function("() => !location.pathname.includes('local-')")
    page.get_by_role("button", name="Play without a name").click()
    link = page.locator("dialog input").first.input_value()
    assert not person.is_local
    after = person.welcome()
    for part in ("position", "log", "waiting"):
        assert after[part] == before[part]
    assert after["table"]["commitment"] == before["table"]["commitment"]
    friend = coming()
    friend.page.goto(link)
    friend.page.get_by_role("button", name="Play without a name").click()
    expect(friend.page.locator(".own .name")).to_have_text("You")
    page.keyboard.press("Escape")
    person.click(person.best())
    assert friend.wait() == "move"
    friend.click(friend.best())
    assert person.wait() == "move"
    person.open("/games")
    expect(page.get_by_text("In this browser")).to_have_count(0)


def test_two_people_at_one_device_play_a_game_and_the_same_tiles_again(coming: Coming) -> None:
    person = coming()
    page = person.open("/new").page
    page.locator(".seat").nth(1).locator('input[value="here"]').check()
    page.locator("button[type=submit]").click()
    page.wait_for_function("() => location.pathname.startsWith('/t/local-')")
    first = person.table
    dealt = person.welcome()
    assert [seat["kind"] for seat in dealt["table"]["seats"]] == ["here", "here"]
    person.play()
    assert {entry["seat"] for entry in person.welcome()["log"]} == {0, 1}
    assert person.result()["reason"] == "row"
    page.get_by_role("button", name="Same tiles again").click()
    page.wait_for_function("first => !location.pathname.endsWith(first)", arg=first)
    assert person.wait() == "move"
    again = person.welcome()
    assert again["table"]["same_tiles"]
    assert again["table"]["commitment"] == dealt["table"]["commitment"]
    assert again["position"] == dealt["position"]
    person.play(most=2)
    assert [entry["seat"] for entry in person.welcome()["log"]] in ([0, 1], [1, 0])


def test_computers_among_themselves_need_nobody(coming: Coming) -> None:
    person = coming()
    page = person.open("/new").page
    page.locator(".seat").first.locator('input[value="computer"]').check()
    page.locator("button[type=submit]").click()
    page.wait_for_function("() => location.pathname.startsWith('/t/local-')")
    page.wait_for_function("() => document.querySelectorAll('.log li[data-move]').length >= 2")
    assert len(person.log()) >= 2
