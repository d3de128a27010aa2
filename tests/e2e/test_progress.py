"""What a person has reached: games are counted once, reviews tell what moves cost, the next level is tried."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
from playwright.sync_api import expect

from azulejos.players import greedy
from azulejos.server.tables.events import Decided
from tests.e2e.conftest import Coming
from tests.e2e.looks import violations
from tests.e2e.person import Person

FIRST, SECOND = "1 \N{EN DASH} Beginner", "2 \N{EN DASH} Casual"
WRITE = """([id, version, events]) => new Promise((resolve, reject) => {
  const opening = indexedDB.open('azulejos');
  opening.onerror = () => reject(opening.error);
  opening.onsuccess = () => {
    const writing = opening.result.transaction('events', 'readwrite');
    const rows = writing.objectStore('events');
    events.forEach((event, at) => rows.add({ table: id, version: version + at, event }));
    writing.oncomplete = () => (opening.result.close(), resolve());
  };
})"""


def win(person: Person) -> None:
    """Go on with the browser's game to its end, while the computer drops everything: quicker than to play it."""
    table = person.stored()
    first, events = table.version + 1, []
    while not table.result:
        (seat,) = table.waiting
        game = table.game.public
        mine = table.seats[seat].kind != "computer"
        move = greedy.choose(game) if mine else next(each for each in game.legal_moves if str(each).endswith("f"))
        event = Decided(seat=seat, move=str(move), person=mine)
        table = table.after(event)[0]
        events.append(msgspec.to_builtins(event))
    person.page.evaluate(WRITE, [table.id, first, events])


def test_progress(coming: Coming, tmp_path: Path) -> None:
    person = coming().open("/progress")
    page = person.page
    expect(page.get_by_text("Nothing has been counted yet")).to_be_visible()
    assert violations(person) == []

    # A game that is given up is lost, and a review of it tells what its moves cost.
    page.get_by_role("button", name=f"Play against: {FIRST}").click()
    person.wait()
    person.click(person.best())
    person.wait()
    page.get_by_role("button", name="More about this table").click()
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    expect(page.locator("dialog .result")).to_be_visible()
    person.open("/progress")
    beginner = page.get_by_role("row", name=FIRST).first
    expect(beginner).to_contain_text("001")
    expect(page.get_by_text("1 game has no loss a move")).to_be_visible()
    page.get_by_role("link", name="Review the latest").click()
    expect(page.get_by_role("button", name="Save as a picture").first).to_be_visible()
    person.open("/progress")
    expect(page.get_by_text("In the last reviewed game you lost")).to_be_visible()
    expect(page.get_by_role("img", name="Points lost a move in 1 reviewed games")).to_be_visible()

    # A game that is won is counted once, however often it is looked at, and the next level is there to be tried.
    page.get_by_role("button", name=f"Play against: {FIRST}").click()
    person.wait()
    win(person)
    for _ in range(2):
        page.reload()
        person.wait()
        expect(page.get_by_role("button", name=f"Try the next level: {SECOND}")).to_be_visible()
    person.open("/progress")
    expect(beginner).to_contain_text("101")
    page.set_viewport_size({"width": 320, "height": 568})
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    assert violations(person) == []

    # All of it goes to another browser by a file; the same file again changes nothing, and another one is refused.
    with page.expect_download() as saving:
        page.get_by_role("button", name="Save as a file").click()
    saved, other = tmp_path / "progress.json", tmp_path / "other.json"
    saving.value.save_as(saved)
    other.write_text(json.dumps(json.loads(saved.read_text()) | {"games": [7]}))
    elsewhere = coming({"theme": "dark"}).open("/progress")
    page = elsewhere.page
    add = page.get_by_label("Add a file")
    for file, said in (
        (other, "damaged at “games[0]”"),
        (saved, "games 2"),
        (saved, "games 0"),
        (Path(__file__), "does not hold progress"),
    ):
        add.set_input_files(file)
        expect(page.get_by_text(said)).to_be_visible()
    expect(page.get_by_role("row", name=FIRST).first).to_contain_text("101")
    expect(page.get_by_text("the game is not here")).to_be_visible()
    assert violations(elsewhere) == []
    page.get_by_role("button", name=f"Try the next level: {SECOND}").click()
    elsewhere.wait()
    assert [seat.level for seat in elsewhere.stored().seats] == [None, 2]
