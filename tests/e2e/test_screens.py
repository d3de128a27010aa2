"""Every screen from 320x568 to 2560x1440: nothing to scroll sideways, and what is needed for a move in view."""

from __future__ import annotations

import pytest
from playwright.sync_api import TimeoutError as NeverCame
from playwright.sync_api import ViewportSize, expect

from tests.e2e.conftest import PAGES, Coming, new_table
from tests.e2e.person import PATIENCE_MS, Person
from tests.e2e.wire import play_until
from tests.server.live import Live

WHOLE: list[ViewportSize] = [
    {"width": 360, "height": 640},
    {"width": 390, "height": 844},
    {"width": 768, "height": 1024},
    {"width": 1280, "height": 800},
    {"width": 2560, "height": 1440},
]
LEAST: ViewportSize = {"width": 320, "height": 568}
SIDEWAYS: ViewportSize = {"width": 844, "height": 390}

OUTSIDE = """whole => {
  const page = document.scrollingElement;
  const wrong = page.scrollWidth > innerWidth ? [`${page.scrollWidth} wide`] : [];
  const needed = whole ? '.plate, .center, .own .board, .own [data-line], [data-group]' : 'none';
  for (const each of document.querySelectorAll(needed)) {
    const { left, top, right, bottom } = each.getBoundingClientRect();
    if (left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1)
      wrong.push(`${each.className} ${[left, top, right, bottom].map(Math.round)}`);
  }
  return wrong;
}"""
SMALL = """least => [...document.querySelectorAll('[data-group], .own [data-line]')]
  .filter((each) => { const box = each.getBoundingClientRect(); return Math.min(box.width, box.height) < least; })
  .map((each) => `${each.className} ${Math.round(each.offsetWidth)}x${Math.round(each.offsetHeight)}`)"""


def nothing_is_wrong(person: Person, look: str, how: object, where: str) -> None:
    """Wait until a look at the page finds nothing: after a change it is laid out anew a moment later."""
    try:
        person.page.wait_for_function(f"how => ({look})(how).length === 0", arg=how, timeout=PATIENCE_MS)
    except NeverCame:
        raise AssertionError(f"{where}: {person.page.evaluate(look, how)}") from None


@pytest.mark.parametrize("players", [2, 3, 4])
def test_all_that_a_move_needs_is_in_view(coming: Coming, server: Live, players: int) -> None:
    table, secrets = new_table(server, "here", *["friend"] * (players - 1))
    play_until(server, table, secrets, lambda said: said["version"] > 5 * players and said["waiting"] == [0])
    person = coming(has_touch=True).open(f"/t/{table}#{secrets[0]}")
    person.wait()
    for size in [*WHOLE, LEAST, SIDEWAYS]:
        person.page.set_viewport_size(size)
        whole = size in WHOLE
        nothing_is_wrong(person, OUTSIDE, whole, f"{players} players, {size}")
        if size["width"] <= 844 and whole:
            nothing_is_wrong(person, SMALL, 43.5, f"{players} players, {size}")


@pytest.mark.parametrize("language", ["en", "de"])
def test_no_page_scrolls_sideways_small_or_with_text_of_double_size(coming: Coming, language: str) -> None:
    person = coming({"language": language})
    for path in PAGES:
        person.page.set_viewport_size(LEAST)
        person.open(path)
        person.page.wait_for_selector("h1")
        person.page.wait_for_load_state("networkidle")
        nothing_is_wrong(person, OUTSIDE, False, path)
        person.page.set_viewport_size({"width": 800, "height": 900})
        person.page.evaluate("document.documentElement.style.fontSize = '200%'")
        nothing_is_wrong(person, OUTSIDE, False, f"{path}, double size")


ASIDE = """() => [...document.querySelectorAll('.plate, .own .line, .own .wall, .own .floor')].flatMap((each) => {
  const own = !!each.closest('.own');
  const { left, right } = each.getBoundingClientRect();
  const middle = document.querySelector('.own').getBoundingClientRect().left;
  return left < 0 || right > innerWidth || (own ? left < middle - 1 : right > middle + 1) ? [each.className] : [];
})"""


def test_the_table_with_text_of_double_size(coming: Coming, server: Live) -> None:
    table, secrets = new_table(server, "here", "friend", "friend", "friend")
    play_until(server, table, secrets, lambda said: said["position"]["round"] > 1 and said["waiting"] == [0])
    person = coming().open(f"/t/{table}#{secrets[0]}")
    person.wait()
    person.page.evaluate("document.documentElement.style.fontSize = '200%'")
    nothing_is_wrong(person, ASIDE, None, "double size")
    person.click(person.best())
    person.page.wait_for_function("() => !document.querySelector('.words.mine')")


def test_a_game_on_a_phone_by_touch(coming: Coming, server: Live) -> None:
    table, secrets = new_table(server, "here", 1, 1, 1)
    size: ViewportSize = {"width": 360, "height": 640}
    person = coming(viewport=size, has_touch=True, is_mobile=True, device_scale_factor=2)
    person.open(f"/t/{table}#{secrets[0]}")
    person.play(person.tap, most=8)
    person.wait()
    assert len(person.log()) >= 8
    person.page.tap(".strip .chip")
    dialog = person.page.get_by_role("dialog")
    expect(dialog.locator(".board")).to_have_count(3)
    nothing_is_wrong(person, OUTSIDE, False, "the others")
