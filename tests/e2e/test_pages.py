"""The pages around the table: learning, watching, replaying, studying; clocks, stand-ins, a browser without a store."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import expect

from tests.e2e.conftest import Coming, new_table
from tests.e2e.person import ASK
from tests.e2e.wire import play_until
from tests.server.live import Live

ANSWERS = ["1B2", "1R3", "1Y2", "cY3", "cY3", "cK2", "cW1", "t22"]


def test_the_rules_are_learned_step_by_step(coming: Coming) -> None:
    person = coming().open("/learn")
    page = person.page
    for number, answer in enumerate(ANSWERS, 1):
        expect(page.locator(".count").first).to_have_text(f"Step {number} of {len(ANSWERS)}")
        person.wait()
        if answer.startswith("t"):
            page.click(f'.choice[data-move="{answer}"]')
        elif number == 1:
            person.click("1Bf")  # allowed, but not what was asked for
            expect(page.locator(".said.bad")).to_be_visible()
            person.wait()
            person.click(answer)
        else:
            person.click(answer)
        expect(page.locator(".said.good")).to_be_visible()
        if number < len(ANSWERS):
            page.get_by_role("button", name="Next").click()
    page.get_by_role("link", name="Play a game").click()
    assert person.wait() == "move"


def test_computers_can_be_watched(coming: Coming) -> None:
    person = coming().open("/new")
    page = person.page
    page.get_by_label("Computer").first.check()
    page.get_by_role("button", name="Watch the computers play").click()
    page.wait_for_function("() => document.querySelectorAll('.log li').length >= 2")
    assert page.locator('[data-group][aria-disabled="false"]').count() == 0


def test_a_record_is_saved_and_opened_again(coming: Coming, server: Live, tmp_path: Path) -> None:
    table, secrets = new_table(server, "here", "friend")
    play_until(server, table, secrets, lambda _said: False)
    person = coming().open(f"/replay/{table}")
    with person.page.expect_download() as saving:
        person.page.get_by_role("link", name="Save the record").click()
    file = tmp_path / saving.value.suggested_filename
    saving.value.save_as(file)
    assert file.suffix == ".azul"
    person.open("/replay")
    person.page.set_input_files("input[type=file]", file)
    person.page.get_by_role("button", name="To the end").click()
    scores = ASK.get(f"{server.url}/api/tables/{table}").json()["table"]["result"]["scores"]
    expect(person.page.locator(".own .points")).to_contain_text(str(scores[0]))
    person.open("/games")
    expect(person.page.get_by_text("Ana and Rui").first).to_be_visible()
    # Something else is refused in words.
    person.open("/replay")
    wrong = tmp_path / "wrong.azul"
    wrong.write_text("nothing of the kind")
    person.page.set_input_files("input[type=file]", wrong)
    expect(person.page.get_by_role("alert")).to_be_visible()


def test_a_replay_keeps_its_place(coming: Coming, server: Live) -> None:
    table, secrets = new_table(server, "here", "friend")
    play_until(server, table, secrets, lambda said: bool(said["position"]["round"] > 1))
    person = coming().open(f"/replay/{table}")
    count = person.page.locator(".bar .count")
    expect(count).to_contain_text("step 0 of")
    for _ in range(3):
        person.page.keyboard.press("ArrowRight")
    expect(count).to_contain_text("step 3 of")
    person.page.wait_for_url("**?at=3")
    person.page.reload()
    expect(count).to_contain_text("step 3 of")
    person.page.get_by_role("link", name="Analysis board").last.click()
    assert person.wait() == "move"
    person.page.go_back()
    expect(count).to_contain_text("step 3 of")


def test_a_position_is_studied(coming: Coming) -> None:
    person = coming().open("/analysis")
    page = person.page
    assert person.wait() == "move"
    page.get_by_role("button", name="Best moves").click()
    expect(page.locator(".values tbody tr").first).to_be_visible()
    page.locator(".values tbody button").first.click()
    expect(page.locator(".log li")).to_have_count(1)
    page.get_by_role("button", name="Step back").click()
    expect(page.locator(".log li")).to_have_count(0)
    page.get_by_role("button", name="Set up a position").click()
    page.locator("textarea").fill("std nonsense")
    page.get_by_role("button", name="Show this position").click()
    expect(page.get_by_role("alert")).to_be_visible()


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
    expect(page.locator(".log li")).to_have_count(3)  # the stand-in's and the computer's
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
    page.wait_for_function("() => document.querySelectorAll('.log li').length >= 2")
