"""Taking back, several people at one device, hints, confirming, and the small things around a move."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.e2e.conftest import Coming, new_table
from tests.e2e.person import line
from tests.server.live import Live

SIGNS = """() => {
  window.signs = [];
  const look = () => window.signs.push(...[...document.querySelectorAll('.sign')].map((each) => each.textContent));
  new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
}"""


def test_undo_against_a_computer(coming: Coming) -> None:
    person = coming().open("/")
    person.play(most=2)
    person.wait()
    before, position = person.log(), person.welcome()["position"]["line"]
    person.click(person.best())
    person.wait()
    assert len(person.log()) >= len(before) + 2
    person.page.keyboard.press("u")
    expect(person.page.locator(".log li[data-move]")).to_have_count(len(before))
    person.wait()
    assert person.log() == before
    assert person.welcome()["position"]["line"] == position
    assert person.welcome()["table"]["assisted"] is True
    expect(person.page.get_by_text("assisted", exact=True).first).to_be_visible()


def test_undo_ends_when_the_next_person_has_acted(coming: Coming, server: Live) -> None:
    table, secrets = new_table(server, "here", "friend")
    ana, rui = coming(), coming()
    ana.open(f"/t/{table}#{secrets[0]}")
    rui.open(f"/t/{table}#{secrets[1]}")
    ana.wait()
    undo = ana.page.get_by_role("button", name="Undo")
    expect(undo).to_have_attribute("aria-disabled", "true")
    ana.click(ana.best())
    rui.wait()
    expect(undo).to_have_attribute("aria-disabled", "false")
    undo.click()
    ana.wait()
    assert ana.log() == []
    rui.agrees()  # or he would still think that it is his turn
    ana.click(ana.best())
    rui.wait()
    rui.click(rui.best())
    ana.wait()
    expect(undo).to_have_attribute("aria-disabled", "true")
    ana.page.keyboard.press("u")
    assert len(ana.log()) == 2


def test_hot_seat(coming: Coming, server: Live) -> None:
    table, secrets = new_table(server, "here", "here", wall="gray")
    person = coming().open(f"/t/{table}#{secrets[0]},{secrets[1]}")
    curtains = 0
    names = set()
    while curtains < 4:
        person.page.wait_for_selector(".curtain button, .choice, [data-group][aria-disabled='false']")
        if person.page.locator(".curtain button").count():
            curtains += 1
            person.page.locator(".curtain button").click()
        elif person.asked() == "choice":
            person.choose()
        else:
            names.add(person.page.locator(".own .name").inner_text())
            person.click(person.best())
    assert names == {"Ana", "Rui"}


def test_what_is_held_is_shown_and_put_back(coming: Coming) -> None:
    person = coming().open("/")
    person.wait()
    page, move = person.page, person.best()
    person.take(move)
    assert page.locator(".line.lit").count() + page.locator(".floor.lit").count() >= 2
    page.hover(f'.own [data-line="{line(move)}"]')
    expect(page.locator(".own .ghost").first).to_be_attached()
    page.keyboard.press("Escape")
    expect(page.locator(".line.lit")).to_have_count(0)
    person.take(move)
    person.take(move)
    expect(page.locator(".line.lit")).to_have_count(0)
    assert person.log() == [] or len(person.log()) == 1


def test_a_closed_line_says_why(coming: Coming, server: Live) -> None:
    table, secrets = new_table(server, "here", "here")
    person = coming().open(f"/t/{table}#{secrets[0]},{secrets[1]}")
    for _ in range(40):
        person.wait()
        found = person.welcome()["position"]
        letters = [color for color, lines in found["refusals"].items() if lines]
        offered = {option["move"][1]: option["move"] for option in found["options"]}
        shut = [color for color in letters if color in offered]
        if shut:
            number = next(iter(found["refusals"][shut[0]]))
            person.take(offered[shut[0]])
            person.page.hover(f'.own [data-line="{int(number) - 1}"]')
            expect(person.page.locator(".own .why")).to_be_visible()
            before = person.log()
            person.page.click(f'.own [data-line="{int(number) - 1}"]', force=True)
            assert person.log() == before
            return
        person.click(person.best())
    raise AssertionError("no line was ever closed")


def test_confirm(coming: Coming) -> None:
    person = coming({"confirm": True}).open("/")
    person.wait()
    before, move = len(person.log()), person.best()
    person.click(move)
    expect(person.page.locator(".words")).to_have_text("Press again to play")
    assert len(person.log()) == before
    person.page.click(f'.own [data-line="{line(move)}"]')
    person.page.wait_for_function("count => document.querySelectorAll('.log li[data-move]').length > count", arg=before)
    assert person.log()[before] == move


def test_a_hint_shows_a_move_and_marks_the_game(coming: Coming) -> None:
    person = coming().open("/")
    person.wait()
    person.page.keyboard.press("h")
    expect(person.page.locator(".hinted").first).to_be_visible()
    assert person.welcome()["table"]["assisted"] is True


def test_resign(coming: Coming) -> None:
    person = coming().open("/")
    person.wait()
    person.page.get_by_role("button", name="More about this table").click()
    person.page.get_by_role("button", name="Resign").click()
    person.page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    expect(person.page.locator("dialog .result")).to_be_visible()
    assert person.welcome()["table"]["result"]["reason"] == "resigned"


def test_friends_from_the_form_to_the_first_move(coming: Coming, server: Live) -> None:
    ana = coming().open("/new")
    page = ana.page
    page.get_by_label("Friend by link").nth(1).check()
    page.get_by_label("Name").first.fill("Ana <b>")
    page.locator("button[type=submit]").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("img")).to_be_visible()  # the QR code
    link = dialog.get_by_role("textbox").first.input_value()
    rui = coming().open(link.removeprefix(server.url))
    rui.page.wait_for_selector(".plate")
    page.keyboard.press("Escape")
    expect(page.locator(".own .name")).to_have_text("Ana <b>")
    first, second = (ana, rui) if ana.welcome()["waiting"] == [0] else (rui, ana)
    first.wait()
    first.click(first.best())
    second.wait()
    assert len(ana.log()) == 1
    # A hint is found by the browser of who takes it, and the other one is told.
    second.page.keyboard.press("h")
    expect(second.page.locator(".hinted").first).to_be_visible()
    expect(first.page.locator(".assisted")).to_be_visible()
    # A sign is seen by the other, for a moment.
    rui.page.evaluate(SIGNS)
    page.get_by_role("button", name="Send a reaction").click()
    page.get_by_role("button", name="Well played").click()
    rui.page.wait_for_function("() => window.signs.includes('Well played')")
