"""A puzzle on the page: a wrong answer is explained, a right one counts once, and the next one comes."""

from __future__ import annotations

from playwright.sync_api import expect

from azulejos.analysis.puzzles import shipped
from azulejos.game.game import Game
from tests.e2e.conftest import Coming

QUICK = [puzzle for puzzle in shipped() if puzzle.kind == (2, "std") and puzzle.theme == "end of round"]
"""The engine has little to look at in these."""
MINE = "Your rating: 1200"


def test_an_answer_counts_once_and_a_wrong_one_is_explained(coming: Coming) -> None:
    puzzle = QUICK[0]
    wrong = next(
        str(move) for move in Game.from_position(puzzle.position).legal_moves if str(move) not in puzzle.solutions
    )
    person = coming().open(f"/puzzles?p={puzzle.id}")
    page = person.page
    person.wait()
    expect(page.get_by_text(MINE)).to_be_visible()
    person.click(wrong)
    expect(page.locator("p.said")).to_have_count(0)  # until it is confirmed
    page.click(f'.own [data-line="{"12345f".index(wrong[2])}"]')
    expect(page.locator(".said.bad")).to_be_visible()
    expect(page.get_by_text(MINE)).to_have_count(0)
    expect(page.get_by_role("row", name="Your chance to win")).to_be_visible()
    page.get_by_role("button", name="Show on the board").last.click()
    expect(page.locator('li[aria-current="step"]')).to_be_visible()
    page.get_by_role("button", name="Try it again").click()
    person.wait()
    person.click(puzzle.solutions[0])
    page.click(f'.own [data-line="{"12345f".index(puzzle.solutions[0][2])}"]')
    expect(page.locator(".said.good")).to_be_visible()
    expect(page.get_by_text("You answered it before")).to_be_visible()
    page.get_by_role("button", name="Next puzzle").click()
    expect(page.locator("p.said")).to_have_count(0)
    assert person.wait() == "move"
    assert puzzle.id not in page.url
    page.reload()
    page.get_by_text("Your last puzzles: 0 of 1 solved").wait_for()
