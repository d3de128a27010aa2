"""People who click twice, click while things move, type too fast, turn the phone and use the Back button."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from playwright.sync_api import Page, TimeoutError, expect

from tests.e2e.conftest import Coming, new_table
from tests.e2e.person import PATIENCE_MS, TROUBLE, Person, line
from tests.server.live import Live

PLACE = """([selector, number]) => {
  const all = [...document.querySelectorAll(selector)].map((each) => each.getBoundingClientRect());
  return all.length ? [all[number % all.length]].map((box) => [box.x + box.width / 2, box.y + box.height / 2]) : [];
}"""

FEWER_MOVES = "count => document.querySelectorAll('.log li[data-move]').length < count"
BREATH_MS = 100
PAUSE_MS = 5000


def hurried(person: Person, often: int, moves: int) -> Iterator[int]:
    """So many numbers at once, then more of them until so many moves were played: the computers may be slow."""
    for number in range(often + PATIENCE_MS // BREATH_MS):
        if number >= often:
            if len(person.log()) >= moves:
                return
            person.page.wait_for_timeout(BREATH_MS)
        yield number


def undo_hastily(page: Page, count: int) -> None:
    """Press U four times, and again every few seconds, until fewer moves than this are shown; none may be refused."""
    for _ in range(PATIENCE_MS // PAUSE_MS):
        for _ in range(4):
            page.keyboard.press("u")
        with suppress(TimeoutError):
            page.wait_for_function(FEWER_MOVES, arg=count, timeout=PAUSE_MS)
            return
        assert page.locator(TROUBLE).all_inner_texts() == []
    raise AssertionError(f"still {count} moves: {page.inner_text('body')}")


def test_double_clicks(coming: Coming) -> None:
    person = coming({"speed": "normal"}).open("/")
    page = person.page
    for _ in range(4):
        person.wait()
        before, move = len(person.log()), person.best()
        person.take(move)
        page.dblclick(f'.own [data-line="{line(move)}"]')
        person.wait()
        log = person.log()
        assert log[before] == move
        assert len(log) <= before + 3
        expect(page.locator(TROUBLE)).to_have_count(0)
    person.agrees()


def test_clicking_while_everything_moves(coming: Coming, server: Live) -> None:
    table, secrets = new_table(server, "here", 1, 1)
    person = coming({"speed": "normal"}).open(f"/t/{table}#{secrets[0]}")
    page = person.page
    person.wait()
    for number in hurried(person, 60, moves=6):
        for selector in ("[data-group]", ".own [data-line]"):
            for x, y in page.evaluate(PLACE, [selector, number]):
                page.mouse.click(x, y)
        if person.asked() == "over":
            break
    expect(page.locator(TROUBLE)).to_have_count(0)
    page.wait_for_function("() => document.querySelector('.words.mine') || document.querySelector('dialog .result')")
    person.agrees()
    assert len(person.log()) > 5


def test_typing_too_fast(coming: Coming) -> None:
    person = coming({"speed": "normal"}).open("/")
    person.wait()
    for number in hurried(person, 40, moves=3):
        for key in (str(number % 6), "bykrw"[number % 5], "12345f"[number % 6]):
            person.page.keyboard.press(key)
    person.page.keyboard.press("Escape")
    person.wait()
    person.agrees()
    assert len(person.log()) > 2
    expect(person.page.locator(TROUBLE)).to_have_count(0)


def test_undo_again_and_again(coming: Coming) -> None:
    person = coming({"speed": "normal"}).open("/")
    person.play(most=3)
    person.wait()
    page, moves = person.page, person.page.locator(".log li[data-move]")
    while (count := moves.count()) > 1:  # as the page shows them: one more undo may still be on its way
        undo_hastily(page, count)
        person.wait()
        person.agrees()
        expect(page.locator(TROUBLE)).to_have_count(0)
    person.click(person.best())
    person.wait()
    person.agrees()


def test_turning_the_phone_while_tiles_fly(coming: Coming) -> None:
    person = coming({"speed": "normal"}, viewport={"width": 390, "height": 844}).open("/")
    for size in ((844, 390), (390, 844), (1280, 800), (360, 640)):
        person.wait()
        person.click(person.best())
        person.page.set_viewport_size({"width": size[0], "height": size[1]})
    person.wait()
    person.agrees()
    expect(person.page.locator(".az-flights > *")).to_have_count(0)


def test_the_back_button(coming: Coming) -> None:
    person = coming().open("/")
    person.wait()
    table = person.table
    person.click(person.best())
    for name in ("New game", "Learn the rules", "Settings"):
        person.page.get_by_role("link", name=name).first.click()
        expect(person.page.get_by_role("heading", level=1).first).to_be_visible()
    for _ in range(3):
        person.page.go_back()
    person.wait()
    assert person.table == table
    person.agrees()
    person.page.go_forward()
    expect(person.page.get_by_role("heading", name="New game")).to_be_visible()


def test_two_tabs_on_the_same_seat(coming: Coming, server: Live) -> None:
    table, secrets = new_table(server, "here", "friend")
    ana, rui = coming(), coming()
    ana.open(f"/t/{table}#{secrets[0]}")
    ana.wait()
    second = ana.context.new_page()
    second.goto(f"{server.url}/t/{table}")
    second.wait_for_selector('[data-group][aria-disabled="false"]')
    rui.open(f"/t/{table}#{secrets[1]}")
    # Both tabs hold tiles; the one that is too late is told by the board, and nothing is played twice.
    move = ana.best()
    ana.take(move)
    second.locator("[data-group]").last.click()
    ana.page.click(f'.own [data-line="{line(move)}"]')
    rui.wait()
    expect(second.locator(".line.lit")).to_have_count(0)
    assert ana.log() == [move]
    rui.click(rui.best())
    ana.wait()
    second.wait_for_selector('[data-group][aria-disabled="false"]')
    second.close()
    ana.agrees()
