"""The module, the worker, and games without a network, in Firefox and in WebKit."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest

from azulejos.server.http.site import write_site
from azulejos.server.settings import Settings
from tests.browsers.drivers import Browser, firefox, missing, wait_until, webkit
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
    wait_until(browser, f"{NETWORKS} === 3")
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
