"""Taking back, several people at one device, hints, confirming, and the small things around a move."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.e2e.conftest import Coming, new_table
from tests.e2e.person import group, line
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


def test_tiles_are_dragged_by_mouse_and_by_finger(coming: Coming) -> None:
    person = coming(has_touch=True).open("/")
    page = person.page
    person.wait()

    def middle(selector: str) -> tuple[float, float]:
        box = page.locator(selector).first.bounding_box()
        assert box
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    move, before = person.best(), len(person.log())
    page.mouse.move(*middle(f'[data-group="{group(move)}"]'))
    page.mouse.down()
    page.mouse.move(*middle(".own .floor"), steps=4)
    expect(page.locator(".carried")).to_have_count(1)
    page.mouse.move(5, 5, steps=3)
    page.mouse.up()  # beside everything: they go back
    expect(page.locator(".held, .carried")).to_have_count(0)
    assert len(person.log()) == before
    page.mouse.move(*middle(f'[data-group="{group(move)}"]'))
    page.mouse.down()
    page.mouse.move(*middle(f'.own [data-line="{line(move)}"]'), steps=4)
    page.mouse.up()
    page.wait_for_function(f"() => document.querySelectorAll('.log li[data-move]').length > {before}")
    assert person.log()[before] == move

    person.wait()
    move, before = person.best(), len(person.log())
    finger = page.context.new_cdp_session(page)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        finger.send(
            "Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y, "id": 1} for x, y in points]}
        )

    (x, y), (to_x, to_y) = middle(f'[data-group="{group(move)}"]'), middle(f'.own [data-line="{line(move)}"]')
    touch("touchStart", (x, y))
    for part in (0.3, 0.6, 1):
        touch("touchMove", (x + (to_x - x) * part, y + (to_y - y) * part))
    expect(page.locator(".carried")).to_have_count(1)
    touch("touchEnd")
    page.wait_for_function(f"() => document.querySelectorAll('.log li[data-move]').length > {before}")
    assert person.log()[before] == move


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


BEHIND_CURTAIN = "() => document.activeElement !== document.body && !document.activeElement.closest('.curtain')"


def lift_curtain(page: Page) -> None:
    """The focus is on it and stays there, and it hides everything, until it is lifted by its button."""
    ready = page.locator(".curtain button")
    expect(ready).to_be_focused()
    for key in ("Escape", "Escape", "Tab", "Tab", "Tab"):
        page.keyboard.press(key)
        assert page.evaluate(BEHIND_CURTAIN) is False
    assert page.evaluate("() => document.elementFromPoint(innerWidth / 3, innerHeight / 3).matches('.curtain')")
    ready.click()


def test_hot_seat(coming: Coming, server: Live) -> None:
    table, secrets = new_table(server, "here", "here", wall="gray")
    person = coming().open(f"/t/{table}#{secrets[0]},{secrets[1]}")
    curtains = 0
    names = set()
    while curtains < 4:
        person.page.wait_for_selector(".curtain button, .choice, [data-group][aria-disabled='false']")
        if person.page.locator(".curtain button").count():
            curtains += 1
            lift_curtain(person.page)
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
    expect(person.page.get_by_role("dialog")).to_contain_text("A hint marks this game as assisted.")
    assert not person.welcome()["table"].get("assisted")
    person.page.get_by_role("button", name="Take the hint").click()
    expect(person.page.locator(".hinted").first).to_be_visible()
    expect(person.page.locator(".note")).to_contain_text("Worse: ")
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
    page.get_by_label("Allow hints").check()
    page.locator("button[type=submit]").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("img")).to_be_visible()  # the QR code
    link = dialog.get_by_role("textbox").first.input_value()
    rui = coming().open(link.removeprefix(server.url))
    # Who comes is asked for a name, and the host sees it.
    rui.page.get_by_role("dialog").get_by_label("Name").fill("Rui")
    rui.page.keyboard.press("Enter")
    expect(dialog.get_by_role("heading", name="Seat of Rui")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".log .aside").last).to_have_text("A player is now called Rui")
    expect(page.locator(".own .name")).to_have_text("Ana <b>")
    first, second = (ana, rui) if ana.welcome()["waiting"] == [0] else (rui, ana)
    first.wait()
    first.click(first.best())
    second.wait()
    assert len(ana.log()) == 1
    # A hint is found by the browser of who takes it, and the other one is told.
    second.page.keyboard.press("h")
    second.page.get_by_role("button", name="Take the hint").click()
    expect(second.page.locator(".hinted").first).to_be_visible()
    expect(first.page.locator(".assisted")).to_be_visible()
    # A sign is seen by the other, for a moment.
    rui.page.evaluate(SIGNS)
    page.get_by_role("button", name="Send a reaction").click()
    page.get_by_role("button", name="Well played").click()
    rui.page.wait_for_function("() => window.signs.includes('Well played')")
