"""A finished game is reviewed: values, marks, a better move to be found, a receipt; and all of it is kept."""

from __future__ import annotations

import base64
import re
from pathlib import Path

from playwright.sync_api import Locator, expect

from azulejos.analysis.html import page as report
from azulejos.analysis.receipt import PARTS
from azulejos.tui.review_words import texts
from tests.analysis.games import short_review
from tests.e2e.conftest import Coming, new_table
from tests.e2e.looks import violations
from tests.e2e.person import Person
from tests.e2e.wire import play_until
from tests.server.live import Live

PAINTED = """async (png) => {
  const bytes = Uint8Array.from(atob(png), (letter) => letter.charCodeAt(0));
  const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
  const canvas = new OffscreenCanvas(image.width, image.height);
  const context = canvas.getContext('2d');
  context.drawImage(image, 0, 0);
  const dots = new Uint32Array(context.getImageData(0, 0, image.width, image.height).data.buffer);
  const counts = {};
  for (const dot of dots) counts[dot & 0xffffff] = (counts[dot & 0xffffff] ?? 0) + 1;
  return { size: [image.width, image.height], counts };
}"""
"""How large a picture is, and how many of its dots have each color, as numbers: blue, green, red."""
FITS = """() => {
  const { scrollWidth, scrollHeight } = document.documentElement;
  return scrollWidth <= innerWidth && scrollHeight <= innerHeight;
}"""
NODES = 64
"""Positions that the review looks at for each decision; what it says with so few matters to nobody here."""


def test_a_finished_game_is_reviewed_and_the_review_is_kept(coming: Coming, server: Live) -> None:
    table, secrets = new_table(server, "here", "friend")
    play_until(server, table, secrets, lambda _said: False)
    person = coming().open(f"/replay/{table}?review={NODES}")
    page = person.page
    graph = page.get_by_role("slider", name="Winning chance of")
    expect(graph).to_be_visible()
    expect(page.get_by_role("progressbar", name="Progress of the review")).to_have_count(0)
    page.keyboard.press("End")
    receipt = page.get_by_role("table", name=re.compile("won by|lost by|ended level"))
    for column in (1, 2):  # points and winning chance
        numbers = figures(receipt, column)
        assert len(numbers) == len(PARTS)
        assert sum(numbers[:-1]) == numbers[-1]
    assert figures(receipt, 2)[-1] in {0, 50, 100}
    expect(page.get_by_text(re.compile(r"played like .+: \d+\.\d ± \d+\.\d points"))).to_be_visible()
    check_picture(person)
    # The graph and its table lead to any step, and the address keeps it.
    graph.click(position={"x": 60, "y": 60})
    expect(graph).to_have_attribute("aria-valuetext", re.compile("round 1"))
    page.get_by_role("button", name="As a table").click()
    assert page.get_by_role("table", name="The graph as a table").locator("tbody tr").count() > 20
    assert violations(person) == []
    page.get_by_role("button", name="As a table").click()
    # Somebody plays at random: there is a mistake, and the answer waits until it is wanted.
    page.keyboard.press("m")
    expect(page.locator(".what .mark")).to_have_text(re.compile("inaccuracy|mistake|blunder"))
    expect(page.get_by_text("Better:")).to_have_count(0)
    page.get_by_role("button", name="Find it yourself").click()
    expect(page.get_by_text("Find a better move for")).to_be_visible()
    person.wait()
    page.locator("[data-group]").first.click()
    page.locator('.own [data-line="5"]').click()
    expect(page.get_by_text(re.compile("^(Yes!|Good:|Not yet:|That is the move)"))).to_be_visible()
    page.get_by_role("button", name="Show the better move").click()
    expect(page.get_by_text("Better:")).to_be_visible()
    assert 1 <= page.locator(".review li").count() <= 3
    page.emulate_media(color_scheme="dark")
    assert violations(person) == []
    # The next time everything is there at once.
    page.reload()
    expect(graph).to_be_visible()
    page.keyboard.press("End")
    expect(receipt).to_be_visible()
    expect(page.get_by_role("button", name="Review this game")).to_have_count(0)
    # The report that the command line writes is a page, too.
    record, found = short_review()
    page.goto("about:blank")
    page.set_content(report(found, texts(record, found)))
    expect(page.locator("h1")).to_be_visible()
    assert violations(person) == []
    page.emulate_media(color_scheme="light")
    assert violations(person) == []


def figures(receipt: Locator, column: int) -> list[int]:
    """What a column of a receipt says, without units."""
    cells = receipt.locator(f"tbody td:nth-of-type({column})").all_inner_texts()
    return [int(cell.replace("\N{MINUS SIGN}", "-").removesuffix("%")) for cell in cells]


def fits(person: Person) -> bool:
    """Whether nothing is wider than the screen, and the page does not go on below what is shown."""
    return bool(person.page.evaluate(FITS))


def test_a_review_fits_the_smallest_phone_in_another_language(coming: Coming, server: Live) -> None:
    table, secrets = new_table(server, "here", "friend")
    play_until(server, table, secrets, lambda _said: False)
    person = coming({"language": "de"}, viewport={"width": 320, "height": 568})
    page = person.open(f"/replay/{table}?review={NODES}").page
    expect(page.get_by_role("slider", name="Gewinnchance von")).to_be_visible()
    expect(page.locator(".review progress")).to_have_count(0)
    found = {}

    def look(name: str) -> None:
        found[name] = violations(person) + ([] if fits(person) else ["too wide or too high"])

    page.keyboard.press("End")
    expect(page.get_by_role("table", name=re.compile("gewann|verlor|punktgleich"))).to_be_visible()
    look("receipt")
    page.keyboard.press("m")
    page.get_by_role("button", name="Den besseren Zug zeigen").click()
    expect(page.get_by_text("Besser:")).to_be_visible()
    look("mark")
    page.locator(".review [aria-expanded]").click()
    expect(page.locator(".review tbody tr").nth(20)).to_be_attached()
    look("table")
    assert {name: wrong for name, wrong in found.items() if wrong} == {}


def test_a_game_with_a_move_taken_back_is_reviewed(coming: Coming) -> None:
    person = coming().begin(1)
    page = person.page
    for back in (True, False, True, False, False):
        assert person.wait() == "move"
        person.click(person.best())
        if back:
            person.wait()
            page.keyboard.press("u")
            page.wait_for_function("() => document.querySelector('.words.mine')")
    person.wait()
    played = len(person.log())
    person.open(f"/replay/{person.table}?review={NODES}")
    expect(page.locator(".review progress")).to_have_count(0)
    receipt = page.get_by_role("table", name="so far")
    expect(receipt).to_be_visible()
    for column in (1, 2):
        numbers = figures(receipt, column)
        assert sum(numbers[:-1]) == numbers[-1]
    page.get_by_role("button", name="As a table").click()
    rows = page.get_by_role("table", name="The graph as a table").locator("tbody tr")
    expect(rows).to_have_count(played + 1)  # and the deal


def check_picture(person: Person) -> None:
    """The picture of a review is a PNG of its size, with the graph's line and the receipt's losses on it."""
    with person.page.expect_download() as download:
        person.page.get_by_role("button", name="Save as a picture").click()
    png = Path(download.value.path()).read_bytes()
    painted = person.page.evaluate(PAINTED, base64.b64encode(png).decode())
    assert painted["size"] == [1200, 630]
    paper, line, loss = (painted["counts"].get(str(color), 0) for color in (0xF8FDFF, 0x9C4E1F, 0x2C43B4))
    assert paper < 0.9 * 1200 * 630
    assert line > 500
    assert loss > 100
