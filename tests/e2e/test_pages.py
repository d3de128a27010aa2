"""The pages around the table: learning, watching, replaying, studying; clocks, stand-ins, a browser without a store."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import expect

from tests.e2e.conftest import Coming, new_table
from tests.e2e.person import ASK
from tests.e2e.wire import play_until
from tests.server.live import Live

ANSWERS = ["", "1B2", "1R3", "1Y2", "cY3", "cY3", "cK2", "cW1", "t22", ""]
"""The move of every lesson; the first and the last are only read."""


def test_the_rules_are_learned_step_by_step(coming: Coming) -> None:
    person = coming().open("/learn")
    page = person.page
    for number, answer in enumerate(ANSWERS, 1):
        expect(page.locator(".count").first).to_have_text(f"Step {number} of {len(ANSWERS)}")
        if not answer:
            if number < len(ANSWERS):
                page.get_by_role("button", name="Next").click()
            continue
        person.wait()
        if answer.startswith("t"):
            page.click(f'.choice[data-move="{answer}"]')
        elif number == 2:
            person.click("1Bf")  # allowed, but not what was asked for
            expect(page.locator(".said.bad")).to_be_visible()
            person.wait()
            person.click(answer)
        else:
            # What to click is outlined, and nothing else is.
            expect(page.locator(".own .line.hinted")).to_have_attribute("data-line", str(int(answer[-1]) - 1))
            person.click(answer)
        expect(page.locator(".said.good")).to_be_visible()
        page.get_by_role("button", name="Next").click()
    page.get_by_role("link", name="Play a game").click()
    assert person.wait() == "move"


def test_computers_can_be_watched(coming: Coming) -> None:
    person = coming().open("/new")
    page = person.page
    page.get_by_label("Computer").first.check()
    page.get_by_role("button", name="Watch the computers play").click()
    page.wait_for_function("() => document.querySelectorAll('.log li[data-move]').length >= 2")
    assert page.locator('[data-group][aria-disabled="false"]').count() == 0


def test_a_record_is_saved_and_opened_again(coming: Coming, server: Live, tmp_path: Path) -> None:
    table, secrets = new_table(server, "here", "friend")
    play_until(server, table, secrets, lambda _said: False)
    person = coming().open(f"/replay/{table}")
    with person.page.expect_download() as saving:
        person.page.get_by_role("button", name="More about this game").click()
        person.page.get_by_role("button", name="Save the record").click()
    file = tmp_path / saving.value.suggested_filename
    saving.value.save_as(file)
    assert file.suffix == ".azul"
    person.open("/replay")
    person.page.set_input_files("input[type=file]", file)
    # A game that is over is opened to be reviewed.
    expect(person.page.get_by_role("button", name="Review", exact=True)).to_have_attribute("aria-pressed", "true")
    person.page.get_by_role("button", name="To the end").click()
    scores = ASK.get(f"{server.url}/api/tables/{table}").json()["table"]["result"]["scores"]
    for name, score in zip(("Ana", "Rui"), scores, strict=True):
        expect(person.page.get_by_role("region", name=f"Board of {name}")).to_contain_text(f"{score} points")
    person.open("/games")
    expect(person.page.get_by_text("Ana and Rui").first).to_be_visible()
    # Something else is refused in words.
    person.open("/replay")
    wrong = tmp_path / "wrong.azul"
    wrong.write_text("nothing of the kind")
    person.page.set_input_files("input[type=file]", wrong)
    expect(person.page.get_by_role("alert")).to_be_visible()
    # One that breaks off is opened as far as it goes, and reviewed; where it stops is said, after a reload as well.
    text = file.read_text()
    wrong.write_text(text[: text.index("R2@")])
    person.page.set_input_files("input[type=file]", wrong)
    stopped = person.page.get_by_text("The record stops in round 2, before move 1. The text breaks off here.")
    expect(stopped).to_be_visible()
    person.page.get_by_role("button", name="Review", exact=True).click()
    person.page.get_by_role("button", name="Review this game").click()
    expect(person.page.get_by_role("slider", name="Winning chance of")).to_be_visible()
    person.page.reload()
    expect(stopped).to_be_visible()
    # A link that is damaged is told of, and there is a board.
    person.open("/analysis#g=abcd")
    expect(person.page.get_by_role("alert")).to_have_text("This link is damaged: perhaps a part of it is missing.")
    expect(person.page.locator("[data-group]").first).to_be_visible()


def test_a_game_that_is_looked_at_keeps_place_variations_and_notes(coming: Coming, server: Live) -> None:
    table, secrets = new_table(server, "here", "friend")
    play_until(server, table, secrets, lambda said: bool(said["position"]["round"] > 1))
    person = coming().open(f"/replay/{table}")
    page = person.page
    count, here = page.locator(".bar .count"), page.locator("li [aria-current=step]")
    expect(count).to_contain_text("step 0 of")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    expect(count).to_contain_text("step 3 of")
    page.wait_for_url("**?at=3")
    # A move that nobody played, with a note about it.
    page.locator("[data-group]").first.click()
    page.locator('.own [data-line="5"]').click()
    expect(here).to_contain_text("floor")
    page.keyboard.press("n")
    page.keyboard.type("Not so good")
    page.get_by_role("button", name="mistake", exact=True).click()
    page.wait_for_url("**?at=3.1.0")
    page.reload()
    expect(here).to_contain_text("floor")
    expect(here).to_contain_text("mistake")
    expect(page.locator("[data-note]")).to_have_value("Not so good")
    here.focus()
    page.keyboard.press("ArrowUp")
    expect(here).not_to_contain_text("floor")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Delete")
    expect(page.get_by_text("Not so good")).to_have_count(0)
    page.keyboard.press("Control+z")
    expect(here).to_contain_text("floor")


def test_a_game_is_shared_as_a_link(coming: Coming) -> None:
    person = coming(permissions=["clipboard-read", "clipboard-write"]).open("/analysis")
    page = person.page
    page.add_init_script("delete Navigator.prototype.share;")
    page.reload()
    assert person.wait() == "move"
    person.page.locator("[data-group]").first.click()
    page.locator('.own [data-line="5"]').click()
    page.get_by_role("button", name="More about this game").click()
    page.get_by_role("button", name="Share as a link").click()
    expect(page.get_by_text("Copied.")).to_be_visible()
    link = str(page.evaluate("navigator.clipboard.readText()"))
    other = coming()
    other.page.goto(link)
    expect(other.page.locator("li .move")).to_have_count(2)  # the deal and the move
    # A part of it is missing: that is said, and there is a board all the same.
    other.page.goto("about:blank")
    other.page.goto(link[:-30])
    expect(other.page.get_by_role("alert")).to_be_visible()
    assert other.wait() == "move"


def test_a_position_is_studied(coming: Coming) -> None:
    person = coming().open("/analysis")
    page = person.page
    assert person.wait() == "move"
    page.get_by_role("switch", name="Engine").check()
    best = page.locator(".best").first
    best.wait_for()
    groups = page.locator(".left [data-group]").count()
    page.get_by_role("switch", name="Engine").focus()
    for _ in range(3):
        page.keyboard.press("Tab")
    expect(best).to_be_focused()
    page.wait_for_function("count => document.querySelectorAll('.left [data-group]').length !== count", arg=groups)
    page.keyboard.press("Enter")
    expect(page.locator("li .move")).to_have_count(2)
    page.get_by_role("button", name="One step back").click()
    page.get_by_role("button", name="One step back").click()
    page.get_by_role("button", name="Choose the tiles").click()
    page.keyboard.press("b")
    page.get_by_role("button", name="The rest by chance").click()
    page.get_by_role("button", name="Deal these").click()
    expect(page.locator("li [aria-current=step]")).to_contain_text("other tiles")
    page.get_by_role("button", name="More about this game").click()
    page.get_by_role("button", name="Open a game").click()
    page.get_by_role("dialog").locator("textarea").fill("std nonsense")
    page.get_by_role("button", name="Show", exact=True).click()
    expect(page.get_by_role("dialog").get_by_role("alert")).to_be_visible()


def test_a_clock_runs_out(coming: Coming, server: Live) -> None:
    clock = {"seconds": 10, "increment": 0, "at_zero": "lose"}
    table, secrets = new_table(server, "here", 1, clock=clock)
    person = coming().open(f"/t/{table}#{secrets[0]}")
    expect(person.page.locator(".own .clock")).to_be_visible()
    assert person.wait() in ("move", "over")
    expect(person.page.locator("dialog .result")).to_contain_text("A clock ran out")


def test_a_computer_stands_in_and_leaves_again(coming: Coming, server: Live) -> None:
    table, secrets = new_table(server, "here", "friend", 1)
    person = coming().open(f"/t/{table}#{secrets[0]}")
    person.wait()
    page = person.page
    page.get_by_role("button", name="More about this table").click()
    page.get_by_role("button", name="Let a computer play for Rui").click()
    stand_in = page.locator("button", has_text="Let a computer play for Rui")
    expect(stand_in).to_have_count(0)  # nor in the menu, which is closed now
    person.click(person.best())
    expect(page.locator(".log li[data-move]")).to_have_count(3)  # the stand-in's and the computer's
    person.wait()
    rui = coming().open(f"/t/{table}#{secrets[1]}")
    rui.page.get_by_role("button", name="Take my seat back").click()
    expect(rui.page.get_by_role("button", name="Take my seat back")).to_have_count(0)
    person.click(person.best())
    assert rui.wait() == "move"


def test_a_browser_that_keeps_nothing(coming: Coming) -> None:
    person = coming()
    refuse = "() => { throw new DOMException('no', 'SecurityError'); }"
    person.page.add_init_script(f"Storage.prototype.getItem = Storage.prototype.setItem = {refuse};")
    person.open("/")
    page = person.page
    page.wait_for_selector('[data-group][aria-disabled="false"]')
    page.locator("[data-group]").first.click()
    page.locator(".own .lit").first.click()
    page.wait_for_function("() => document.querySelectorAll('.log li[data-move]').length >= 2")
