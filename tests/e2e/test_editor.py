"""The editor: positions set up by mouse, touch and keys; what cannot be is told at its place; study, play on."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

from tests.e2e.conftest import Coming

EMPTY = "0:-/-/-/-/-:5/5/5/5/5:-"
PHONE = {"width": 390, "height": 844}
POSSIBLE = "This position is possible."


def place(page: Page, name: str) -> Locator:
    return page.locator(f'[data-place="{name}"]')


def piece(page: Page, name: str) -> Locator:
    return page.get_by_title(name, exact=True)


def text(page: Page) -> Locator:
    return page.get_by_label("As a line of text")


def expect_told_at(page: Page, name: str, sentence: str) -> None:
    """A place is described by a sentence that is seen."""
    expect(place(page, name)).to_have_accessible_description(re.compile(re.escape(sentence)))
    expect(page.get_by_text(sentence)).to_be_visible()


def test_a_position_is_set_up_by_mouse_and_studied(coming: Coming) -> None:
    page = coming().open("/edit").page
    piece(page, "black").click()
    for slot in range(3):
        place(page, f"display-0-{slot}").click()
    expect(page.get_by_role("button", name="1 thing here is not possible")).to_be_visible()
    expect_told_at(page, "display-0-0", "Display 1 needs 4 tiles, or none")
    expect(page.get_by_role("button", name="Study this position")).to_be_disabled()
    piece(page, "red").click()
    place(page, "display-0-3").click()
    place(page, "center-B").click()  # what is in hand, wherever one presses in the center
    place(page, "line-1-3").locator('[data-space="2"]').click()
    piece(page, "starting-player marker").click()
    place(page, "floor-0-0").click()
    expect(page.get_by_text(POSSIBLE)).to_be_visible()
    piece(page, "Take away").click()
    place(page, "cell-1-0-4").click()  # where nothing is
    piece(page, "blue").click()
    place(page, "cell-1-0-4").click()  # the colored wall has one color there
    expect_told_at(page, "cell-1-0-4", "1 on row 1: it gets one tile a round, and 0 rounds are over")
    page.get_by_label("Round", exact=True).fill("2")
    page.get_by_label("Score of Player 2").fill("1")
    page.get_by_role("combobox", name=re.compile("^To move")).select_option("Player 2")
    page.get_by_label("Lid, white").fill("19")
    place(page, "display-0-2").click(button="right")
    expect_told_at(page, "display-0-0", "Display 1 needs 4 tiles, or none")
    page.get_by_role("button", name="Undo").click()
    line = "std RK3/-/-/-/- R 0:-/-/-/-/-:5/5/5/5/5:F 1:-/-/-/R3/-:4W/5/5/5/5:- B20Y20R15K17 d2 2@1"
    expect(text(page)).to_have_value(line)
    page.get_by_role("link", name="Study this position").click()
    page.wait_for_url("**/analysis?**")
    expect(page.get_by_role("button", name="3 black from display 1, sends 1 red to the center")).to_be_visible()
    expect(page.get_by_role("group", name="Center: 1 red")).to_be_visible()
    page.go_back()
    expect(text(page)).to_have_value(line)


def test_a_position_is_set_up_by_touch_and_played_on(coming: Coming) -> None:
    person = coming(viewport=PHONE, has_touch=True).open("/edit")
    page = person.page
    page.get_by_role("combobox", name=re.compile("^Wall")).select_option("Gray wall")
    piece(page, "white").tap()
    for _ in range(2):
        place(page, "line-0-1").tap()
    place(page, "cell-0-1-3").tap()
    expect_told_at(page, "line-0-1", "Line 2 holds white, which is on row 2 of the wall already")
    piece(page, "Take away").tap()
    place(page, "cell-0-1-3").tap()
    piece(page, "yellow").tap()
    for slot in range(4):
        place(page, f"display-4-{slot}").tap()
    expect(page.get_by_text(POSSIBLE)).to_be_visible()
    page.get_by_role("button", name="Play on from here").tap()
    page.get_by_label("Level").select_option(index=0)
    page.get_by_role("button", name="Start the game").tap()
    assert person.wait() == "move"
    start = f"gray -/-/-/-/Y4 F 0:-/W2/-/-/-:5/5/5/5/5:- {EMPTY} B20Y16R20K20W18 d1 1@1"
    assert person.stored().game.public.position == start


def test_a_position_is_set_up_by_keys(coming: Coming) -> None:
    page = coming().open("/edit").page
    place(page, "display-0-0").wait_for()
    while page.evaluate("document.activeElement.dataset.place ?? ''") != "display-0-0":
        page.keyboard.press("Tab")
    page.keyboard.type("bbykrrww")
    expect(place(page, "display-2-0")).to_be_focused()
    for key in ["ArrowLeft", "ArrowLeft", "Delete", "Control+z", "Control+y", "Tab", "Tab"]:
        page.keyboard.press(key)
    expect(place(page, "line-0-0")).to_be_focused()
    for key in ["y", "ArrowDown", "ArrowDown", "k", "k", "Backspace", "ArrowRight", "w"]:
        page.keyboard.press(key)
    expect(place(page, "cell-0-2-0")).to_be_focused()
    expect(place(page, "cell-0-2-1")).to_have_accessible_name("Row 3, column 2: white")
    page.keyboard.press("Control+z")
    for key in ["ArrowDown", "ArrowDown", "ArrowDown"]:
        page.keyboard.press(key)
    place_now = page.evaluate("document.activeElement.dataset.place")
    assert re.fullmatch(r"floor-0-\d", place_now)
    page.keyboard.press("f")
    expect(text(page)).to_have_value(re.compile(r"^std B2YK/RW2/-/-/- - 0:Y/-/K/-/-:5/5/5/5/5:F "))
    expect_told_at(page, "display-1-0", "Display 2 needs 4 tiles, or none")
    page.get_by_role("button", name="1 thing here is not possible").press("Enter")
    expect(place(page, "display-1-0")).to_be_focused()


def test_a_line_of_text_is_used_as_far_as_it_can_be_read(coming: Coming) -> None:
    page = coming().open("/edit?p=nonsense").page
    expect(page.get_by_role("alert")).to_contain_text("This text is not a position")
    text(page).fill(f"std B4/-/-/-/- FW {EMPTY} {EMPTY} B99 d2 7@1")
    page.get_by_role("button", name="Use this text").click()
    expect(page.get_by_text("The text was made to fit")).to_be_visible()
    expect(text(page)).to_have_value(f"std B4/-/-/-/- FW {EMPTY} {EMPTY} B16 d2 7@1")
    text(page).fill("std B4")
    page.get_by_role("button", name="Use this text").click()
    expect(page.get_by_role("alert").last).to_contain_text("This text is not a position")
    expect(place(page, "display-0-0")).to_have_accessible_name("Display 1, tile 1: blue")  # nothing is lost by it
    page.get_by_role("button", name="Deal a new round").click()
    expect(page.get_by_text(POSSIBLE)).to_be_visible()
    page.reload()
    expect(page.get_by_text(POSSIBLE)).to_be_visible()
