"""The module, the worker, games without a network, and a whole game by mouse and by keys, in Firefox and in WebKit."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest

from azulejos.net.choice import WEIGHTS
from azulejos.server.http.site import write_site
from azulejos.server.settings import Settings
from tests.browsers.drivers import ESCAPE, Browser, click, firefox, missing, press, shown, wait_until, webkit
from tests.e2e.host import Host, hosted

Start = Callable[[Path], AbstractContextManager[Any]]
BROWSERS: dict[str, tuple[Start, tuple[str, ...]]] = {
    "firefox": (firefox, ("firefox-esr",)),
    "webkit": (webkit, ("WebKitWebDriver", "Xvfb")),
}
TILES = """document.querySelector('[data-group][aria-disabled="false"]')"""
MY_TURN = f"document.querySelector('.words.mine') && {TILES}"
KEPT = """
  const done = (asked) => new Promise((found, failed) => {
    asked.onsuccess = () => found(asked.result);
    asked.onerror = failed;
  });
  const database = await done(indexedDB.open("azulejos"));
  const count = await done(database.transaction("events").objectStore("events").count());
  database.close();
"""
"""Counts what is stored of all games; each move adds one."""
FLOOR = 5
"""How the page numbers the floor among the lines."""
NETWORKS = "(await (await caches.open('azulejos-weights')).keys()).length"


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Host]:
    """The built page on a host of files."""
    page = Settings().static_folder
    assert (page / "index.html").exists(), "the page is not built: run `make page`"
    write_site(page, tmp_path / "site")
    with hosted(tmp_path / "site") as host:
        yield host


@pytest.fixture(params=BROWSERS)
def browser(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Browser]:
    """Each of them, where it is installed."""
    start, programs = BROWSERS[request.param]
    if lacking := missing(*programs):
        pytest.skip(f"{' and '.join(lacking)} is not installed; `make browsers` does that, as root on Debian")
    folder = tmp_path / request.param
    folder.mkdir()
    with start(folder) as started:
        yield started


def play(browser: Browser, count: int) -> None:
    """Take the first tiles that may be taken to the first line that takes them, and wait for the computers."""
    for _ in range(count):
        wait_until(browser, MY_TURN)
        before = stored(browser)
        browser.run(f"{TILES}.click();")
        wait_until(browser, "document.querySelector('.own .lit')")
        browser.run("document.querySelector('.own .lit').click();")
        wait_until(browser, f"await (async () => {{ {KEPT} return count > {before + 1}; }})()")  # mine, and an answer


def stored(browser: Browser) -> int:
    return int(browser.run(f"{KEPT} return count;"))


def test_games_are_played_without_a_server_and_without_a_network(browser: Browser, site: Host) -> None:
    browser.open(site.url)
    wait_until(browser, MY_TURN)
    browser.run("localStorage.setItem('azulejos.settings', JSON.stringify({speed: 'instant', sounds: false}));")
    browser.open(f"{site.url}?again")
    play(browser, 2)
    wait_until(browser, "navigator.serviceWorker.controller !== null")
    wait_until(browser, f"{NETWORKS} === {len(set(WEIGHTS.values()))}")
    moves = stored(browser)
    site.stop()
    browser.open(f"{site.url}?without-network")
    wait_until(browser, MY_TURN)
    assert stored(browser) >= moves
    play(browser, 1)
    # Full strength: its network comes from the browser's own store.
    browser.open(f"{site.url}?new#/new")
    wait_until(browser, "document.querySelector('form select')")
    browser.run(
        "const level = document.querySelector('form select'); level.selectedIndex = level.options.length - 1;"
        "level.dispatchEvent(new Event('change', { bubbles: true })); document.querySelector('form').requestSubmit();"
    )
    wait_until(browser, "location.hash.startsWith('#/t/local-')")
    play(browser, 1)
    assert browser.run("return document.querySelectorAll('.notice').length;") == 0


QUICK = "{speed: 'instant', sounds: false, theme: 'dark'}"
STATE = """
  if (document.querySelector('dialog .result')) return 'over';
  if (document.querySelector('.words.mine') && document.querySelector('[data-group][aria-disabled="false"]'))
    return 'move';
  return '';
"""
BEST = """
  const worth = ({ ariaLabel }) => {
    const cost = /costs ([0-9]+) point/.exec(ariaLabel);
    return 4 * ariaLabel.includes('completes') - 2 * (cost ? Number(cost[1]) : 0) + 2 * ariaLabel.includes('becomes');
  };
  const lit = [...document.querySelectorAll('.own .lit')];
  return Number(lit.reduce((one, other) => (worth(other) > worth(one) ? other : one)).dataset.line);
"""
"""The line of those that take the tiles in hand that seems best by its name."""
ACROSS = "document.documentElement.scrollWidth <= innerWidth"
IN_SIGHT = """[...document.querySelectorAll('[data-group], .own [data-line]')].every((each) => {
  const { left, right, bottom } = each.getBoundingClientRect();
  return left >= 0 && right <= innerWidth && bottom <= innerHeight;
})"""
DARK = """(() => {
  const [red, green, blue] = getComputedStyle(document.body).backgroundColor.match(/[0-9]+/g).map(Number);
  return red + green + blue < 200;
})()"""


def move(browser: Browser, by_keys: bool) -> None:
    """Take the first tiles and put them where they seem best."""
    group = browser.run(f"return {TILES}.dataset.group;")
    if by_keys:
        press(browser, *group.lower())
    else:
        click(browser, f'[data-group="{group}"]')
    wait_until(browser, "document.querySelector('.own .lit')")
    line = browser.run(BEST)
    if by_keys:
        press(browser, "f" if line == FLOOR else str(line + 1))
    else:
        click(browser, f'.own [data-line="{line}"]')
    wait_until(browser, "!document.querySelector('.own .lit')")


def test_a_whole_game_by_mouse_and_by_keys(browser: Browser, site: Host) -> None:
    browser.open(site.url)
    wait_until(browser, MY_TURN)
    first = shown(browser)
    assert "Learn in 3 minutes" in first
    assert "Click tiles of one color, then a line" in first
    browser.run(f"localStorage.setItem('azulejos.settings', JSON.stringify({QUICK}));")
    browser.open(f"{site.url}?again")
    wait_until(browser, DARK)
    rounds, by_keys = 0, False
    while True:
        wait_until(browser, f"(() => {{ {STATE} }})()")
        if browser.run(STATE) == "over":
            break
        now = browser.run("return Number(/[0-9]+/.exec(document.querySelector('.status .round').textContent)[0]);")
        if now > rounds + 1:
            rounds, by_keys = now - 1, not by_keys
            look_at_the_scores(browser, rounds, by_keys)
        move(browser, by_keys)
    assert rounds > 1
    assert " won" in browser.run("return document.querySelector('dialog .result').textContent;")
    press(browser, ESCAPE)
    wait_until(browser, "!document.querySelector('dialog')")
    # A phone's width.
    browser.resize(390, 844)
    browser.open(f"{site.url}?new#/")
    wait_until(browser, f"innerWidth < 500 && {MY_TURN}")
    assert browser.run(f"return {ACROSS} && {IN_SIGHT} && {DARK};")
    move(browser, by_keys=False)


def look_at_the_scores(browser: Browser, ended: int, by_keys: bool) -> None:
    """What a round brought lies on the boards though nothing moves, and every number of it is one press away."""
    assert browser.run("return document.querySelectorAll('.wall .float').length;") > 0
    click(browser, ".status .pill")
    wait_until(browser, "document.querySelector('dialog table')")
    assert f"Scores of round {ended}" in browser.run("return document.querySelector('dialog table').textContent;")
    if by_keys:
        press(browser, ESCAPE)
    else:
        click(browser, "dialog .close")
    wait_until(browser, "!document.querySelector('dialog')")
