"""Every screen from 320x568 to 2560x1440: nothing to scroll sideways, and what is needed for a move in view."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import PAGES, Coming, new_table
from tests.e2e.looks import DOUBLE, settled, size
from tests.e2e.person import Person
from tests.e2e.wire import play_until, resign
from tests.server.live import Live

LEAST = size(320, 568)
TIGHT = [LEAST]
"""Where everything is in sight, and targets are as large as fits."""
PHONES = [size(360, 640), size(390, 844), size(667, 375), size(844, 326), size(740, 300)]
"""Upright and sideways, with and without the browser's own bars."""
LARGER = [size(768, 1024), size(820, 1180), size(1024, 768), size(1280, 800), size(2560, 1440)]

OUTSIDE = """whole => {
  const page = document.scrollingElement;
  const wrong = page.scrollWidth > innerWidth ? [`${page.scrollWidth} wide`] : [];
  const needed = whole ? '.plate, .center, .own .board, .own [data-line], [data-group], .chip, .others .board' : 'none';
  for (const each of document.querySelectorAll(needed)) {
    const { left, top, right, bottom } = each.getBoundingClientRect();
    if (left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1)
      wrong.push(`${each.className} ${[left, top, right, bottom].map(Math.round)}`);
  }
  for (const each of whole ? document.querySelectorAll('html, main, .room, .table') : [])
    if (each.scrollHeight > each.clientHeight + 1) wrong.push(`${each.tagName} ${each.className} scrolls`);
  return wrong;
}"""
SMALL = """least => [...document.querySelectorAll('[data-group], .own [data-line]')]
  .filter((each) => { const box = each.getBoundingClientRect(); return Math.min(box.width, box.height) < least; })
  .map((each) => `${each.className} ${Math.round(each.offsetWidth)}x${Math.round(each.offsetHeight)}`)"""
MISSED = """least => [...document.querySelectorAll('header .icon-button, .tool, .more')].flatMap((each) => {
  const { left, right, top, bottom, width } = each.getBoundingClientRect();
  if (!width) return [];
  const [x, y] = [(left + right) / 2, (top + bottom) / 2];
  const far = (dx, dy) => {
    let steps = 0;
    while (steps < least && each.contains(document.elementFromPoint(x + steps * dx, y + steps * dy))) steps++;
    return steps;
  };
  const hit = [far(1, 0) + far(-1, 0), far(0, 1) + far(0, -1)];
  return Math.min(...hit) < least ? [`${each.ariaLabel} ${hit}`] : [];
})"""
CUT = """names => [...document.querySelectorAll(names)].flatMap((each) => {
  const { left, top, right, bottom } = each.getBoundingClientRect();
  const ok = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
  return ok ? [] : [`${each.textContent} ${[left, top, right, bottom].map(Math.round)}`];
})"""


def nothing_is_wrong(person: Person, look: str, how: object, where: str) -> None:
    """Wait until a look at the page finds nothing."""
    found = settled(person, look, how)
    assert not found, f"{where}: {found}"


@pytest.mark.parametrize("players", [2, 3, 4])
def test_all_that_a_move_needs_is_in_view(coming: Coming, server: Live, players: int) -> None:
    table, secrets = new_table(server, "here", *["friend"] * (players - 1))
    play_until(server, table, secrets, lambda said: said["version"] > 5 * players and said["waiting"] == [0])
    person = coming(has_touch=True).open(f"/t/{table}#{secrets[0]}")
    person.wait()
    for screen in [*TIGHT, *PHONES, *LARGER]:
        person.page.set_viewport_size(screen)
        nothing_is_wrong(person, OUTSIDE, True, f"{players} players, {screen}")
        nothing_is_wrong(person, SMALL, 36 if screen in TIGHT else 43.5, f"{players} players, {screen}")
        nothing_is_wrong(person, MISSED, 43, f"{players} players, {screen}")
        if screen in LARGER:
            assert person.page.locator(".others .board").count() == players - 1
            assert (person.page.locator(".others .wall .cell").first.bounding_box() or {"width": 0})["width"] > 16


COVERED = """([over, needed]) => [...document.querySelectorAll(over)].flatMap((cover) => {
  const { left, top, right, bottom } = cover.getBoundingClientRect();
  return [...document.querySelectorAll(needed)].flatMap((each) => {
    const box = each.getBoundingClientRect();
    const deep = Math.min(right, box.right) - Math.max(left, box.left);
    const high = Math.min(bottom, box.bottom) - Math.max(top, box.top);
    return deep > 3 && high > 3 ? [`${cover.className} lies ${Math.round(high)} over ${each.className}`] : [];
  });
})"""
TO_SEE = "[data-group], .own [data-line], .own .tool, .status .said"
REASONS = (
    "Worse: 2 yellow, center → line 2 (-1.0). Regular 1: line 3 scores more (+3). "
    "Regular 2: line 2 scores more (+3). Ana: line 4 stays open (-2)."
)
"""As many as there ever are, of usual length."""
PLACES = (
    "() => [...document.querySelectorAll('.plate, .own, .strip, .others')].map((each) => each.getBoundingClientRect())"
)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_first_view_and_a_hint_hide_nothing(coming: Coming, server: Live, players: int) -> None:
    table, secrets = new_table(server, "here", *[1] * (players - 1))
    person = coming(has_touch=True).open("/" if players == 2 else f"/t/{table}#{secrets[0]}")
    person.wait()
    page = person.page
    for screen in [*TIGHT, *PHONES, *LARGER]:
        page.set_viewport_size(screen)
        where = f"the first view, {players} players, {screen}"
        nothing_is_wrong(person, OUTSIDE, True, where)
        nothing_is_wrong(person, CUT, ".welcome, .welcome a, .welcome svg", where)
        nothing_is_wrong(person, COVERED, [".welcome", TO_SEE + ", .others .name"], where)
    page.set_viewport_size(LEAST)
    nothing_is_wrong(person, OUTSIDE, True, "laid out anew")
    before = page.evaluate(PLACES)
    page.locator(".welcome").get_by_role("button", name="Close").click()
    expect(page.locator(".welcome")).to_have_count(0)
    assert page.evaluate(PLACES) == before
    page.keyboard.press("h")
    page.get_by_role("button", name="Take the hint").click()
    expect(page.locator(".note")).to_contain_text("Worse: ")
    assert page.evaluate(PLACES) == before
    page.evaluate("words => (document.querySelector('.note p').textContent = words)", REASONS)
    for screen in [*TIGHT, *PHONES, *LARGER]:
        page.set_viewport_size(screen)
        where = f"a hint, {players} players, {screen}"
        nothing_is_wrong(person, OUTSIDE, True, where)
        nothing_is_wrong(person, COVERED, [".note", "[data-group], .own [data-line]"], where)


def test_computers_among_themselves_on_every_screen(coming: Coming) -> None:
    page = (person := coming(has_touch=True)).open("/new").page
    page.locator('input[name="players"][value="4"]').check()
    page.locator(".seat").first.locator('input[value="computer"]').check()
    page.locator("button[type=submit]").click()
    page.get_by_role("button", name="Pause").click()
    for screen in [*TIGHT, *PHONES, *LARGER]:
        page.set_viewport_size(screen)
        nothing_is_wrong(person, OUTSIDE, True, f"computers, {screen}")
        nothing_is_wrong(person, CUT, ".pace button, .pace select", f"computers, {screen}")


@pytest.mark.parametrize("language", ["en", "de"])
def test_no_page_scrolls_sideways_small_or_with_text_of_double_size(coming: Coming, language: str) -> None:
    person = coming({"language": language})
    for path in PAGES:
        person.page.set_viewport_size(LEAST)
        person.open(path)
        person.page.wait_for_selector("h1")
        person.page.wait_for_load_state("networkidle")
        nothing_is_wrong(person, OUTSIDE, False, path)
        person.page.evaluate(DOUBLE)
        for screen in [size(360, 640), size(390, 844), size(800, 900), size(1280, 800)]:
            person.page.set_viewport_size(screen)
            nothing_is_wrong(person, OUTSIDE, False, f"{path}, double size, {screen}")


ASIDE = """() => [...document.querySelectorAll('.plate, .own .line, .own .wall, .own .floor')].flatMap((each) => {
  const own = !!each.closest('.own') && !document.querySelector('.table.tall');
  const { left, right } = each.getBoundingClientRect();
  const middle = document.querySelector('.own').getBoundingClientRect().left;
  const over = !document.querySelector('.table.tall') && (own ? left < middle - 1 : right > middle + 1);
  return left < 0 || right > innerWidth || over ? [each.className] : [];
})"""


def test_the_table_with_text_of_double_size(coming: Coming, server: Live) -> None:
    table, secrets = new_table(server, "here", "friend", "friend", "friend")
    play_until(server, table, secrets, lambda said: said["position"]["round"] > 1 and said["waiting"] == [0])
    person = coming().open(f"/t/{table}#{secrets[0]}")
    person.wait()
    person.page.evaluate(DOUBLE)
    for screen in [size(1280, 800), size(390, 844), size(360, 640)]:
        person.page.set_viewport_size(screen)
        nothing_is_wrong(person, ASIDE, None, f"double size, {screen}")
        nothing_is_wrong(person, OUTSIDE, True, f"double size, {screen}")
        nothing_is_wrong(person, CUT, "header button, header a.brand, .status", f"double size, {screen}")
    person.click(person.best())
    person.page.wait_for_function("() => !document.querySelector('.words.mine')")


def test_after_a_game_its_buttons_are_in_sight_and_a_notice_moves_nothing(coming: Coming, server: Live) -> None:
    table, secrets = new_table(server, "here", "friend")
    person = coming(viewport=size(360, 640), has_touch=True).open(f"/t/{table}#mangled")
    notice = person.page.locator(".notice")
    expect(notice).to_be_visible()
    nothing_is_wrong(person, OUTSIDE, True, "under a notice")
    board = person.page.locator(".own").bounding_box()
    notice.get_by_role("button", name="Close").click()
    expect(notice).to_have_count(0)
    assert person.page.locator(".own").bounding_box() == board
    resign(server, table, secrets[0])
    expect(person.page.locator("dialog .result")).to_be_visible()
    for screen in [size(360, 640), size(667, 375), size(1280, 720)]:
        person.page.set_viewport_size(screen)
        nothing_is_wrong(person, CUT, "dialog .after .button", f"the result, {screen}")


def test_a_game_on_a_phone_by_touch(coming: Coming, server: Live) -> None:
    table, secrets = new_table(server, "here", 1, 1, 1)
    person = coming(viewport=size(360, 640), has_touch=True, is_mobile=True, device_scale_factor=2)
    person.open(f"/t/{table}#{secrets[0]}")
    person.play(person.tap, most=8)
    person.wait()
    assert len(person.log()) >= 8
    person.page.tap(".strip .chip")
    dialog = person.page.get_by_role("dialog")
    expect(dialog.locator(".board")).to_have_count(3)
    nothing_is_wrong(person, OUTSIDE, False, "the others")
