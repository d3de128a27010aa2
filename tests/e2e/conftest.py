"""One server and one browser for all tests of a run; every person in a test has a fresh context."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, expect, sync_playwright

from azulejos.server.settings import Settings
from tests.e2e.person import ASK, PATIENCE_MS, Person
from tests.server.live import Live, live_server, wait_for_computers

CHROMIUM = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
ANY_NUMBER = dict.fromkeys(("tables_per_minute", "questions_per_minute", "sockets_per_address", "away_seconds"), 0)
QUIET = {"speed": "instant", "sounds": False}
KEEP = """settings => {
  if (!location.protocol.startsWith('http')) return;
  if (!localStorage.getItem('azulejos.settings')) localStorage.setItem('azulejos.settings', settings);
}"""
PAGES = [
    "/",
    "/new",
    "/lobby",
    "/learn",
    "/puzzles",
    "/progress",
    "/games",
    "/analysis",
    "/edit",
    "/settings",
    "/help",
    "/replay",
    "/nothing",
]
"""Every page of the page, and an address that is none; those of a table apart."""
Coming = Callable[..., Person]
expect.set_options(timeout=PATIENCE_MS)


@pytest.fixture(scope="package")
def page_is_built() -> Path:
    """Where the built page is."""
    folder = Path(Settings().static_folder)
    assert (folder / "index.html").exists(), "the page is not built: run `make page`"
    return folder


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory, page_is_built: Path) -> Iterator[Live]:
    """A server without limits, with its computers ready."""
    assert page_is_built
    with live_server(tmp_path_factory.mktemp("server"), "--workers", "1", "--lobby", **ANY_NUMBER) as live:
        wait_for_computers(live)
        yield live


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """A real browser."""
    with chromium() as browser:
        yield browser


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start Chromium, wherever it is; the one without windows, if it is there, shows a page in a third of the time."""
    path = next(filter(None, map(shutil.which, CHROMIUM)), None)
    assert path, (
        "these tests play in Chromium, which is not here: install it (`make chromium`, or apt install chromium)"
    )
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS, headless=True, timeout=PATIENCE_MS)
        yield browser
        browser.close()


@pytest.fixture
def coming(browser: Browser, server: Live) -> Iterator[Coming]:
    """Makes people; afterwards looks whether their browsers complained or asked another host for something."""
    people: list[Person] = []

    def come(settings: dict[str, Any] | None = None, url: str = server.url, **context: Any) -> Person:
        person = arrive(browser, url, QUIET | (settings or {}), **context)
        people.append(person)
        return person

    yield come
    complaints = [complaint for person in people for complaint in person.complaints]
    for person in people:
        person.context.close()
    assert not complaints


def arrive(browser: Browser, url: str, settings: dict[str, Any], **context: Any) -> Person:
    """A person with a browser of their own, with these settings stored in it."""
    usual = {"locale": "en-US", "viewport": {"width": 1280, "height": 800}, "service_workers": "block"}
    made = browser.new_context(**usual | context)
    made.set_default_timeout(PATIENCE_MS)
    made.add_init_script(f"({KEEP})({json.dumps(json.dumps(settings))})")
    person = Person(made, made.new_page(), url)
    made.on("page", lambda page: _listen(page, person))
    _listen(person.page, person)
    made.on("request", lambda request: _check_host(request.url, person))
    return person


def _listen(page: Page, person: Person) -> None:
    page.on("pageerror", lambda error: person.complaints.append(f"error: {error}"))
    page.on("console", lambda message: _note(message, person))
    page.on("websocket", lambda socket: _check_host(socket.url.replace("ws", "http", 1), person))


def _note(message: ConsoleMessage, person: Person) -> None:
    # A cut line and a refused request are told by the browser too; whether the page copes is what the tests look at.
    text, expected = message.text, ("Failed to load resource", "WebSocket connection to")
    if message.type == "error" and not any(part in text for part in expected):
        person.complaints.append(f"console: {text}")


def _check_host(address: str, person: Person) -> None:
    if not address.startswith((person.url, "data:", "blob:", "about:")):
        person.complaints.append(f"asked another host: {address}")


def seats(*kinds: str | int) -> list[dict[str, Any]]:
    """Seats of a new table: `here`, `friend`, or the level of a computer."""
    names = iter(["Ana", "Rui", "Eva", "Max"])
    return [
        {"kind": "computer", "level": kind} if isinstance(kind, int) else {"kind": kind, "name": next(names)}
        for kind in kinds
    ]


def new_table(live: Live, *kinds: str | int, **more: Any) -> tuple[str, list[str | None]]:
    """Make a table; its id and the secrets of its seats."""
    wish = {"seats": seats(*kinds), "starter": 0, **more}
    made = ASK.post(f"{live.url}/api/tables", json=wish).raise_for_status().json()
    return made["table"]["id"], made["secrets"]
