"""The documentation as a site: it builds without a warning, has everything, and asks no other host for anything.

It is looked at in a browser, served and opened as a file: search finds, and examples are copied without prompts.
"""

from __future__ import annotations

import ast
import functools
import http.server
import os
import re
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import griffe
import pytest
from playwright.sync_api import Page

import azulejos
from tests.docs.pages import ROOT
from tests.e2e.conftest import chromium
from tests.patience import PATIENCE

PATIENCE_MS = int(1000 * PATIENCE)
NOT_PUBLIC = ("azulejos.__main__", "azulejos.server.storage.migrations")
TABS = ("start", "study", "library", "environments", "deployment", "architecture", "api/index")
"""The first page for each kind of reader: who plays, studies, programs, researches, runs a server, works on code."""


class Html(HTMLParser):
    """The anchors, the links and the resources of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: set[str] = set()
        self.resources: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.anchors |= {given[name] for name in ("id", "name") if name in given}
        if tag == "a" and "href" in given:
            self.links.add(given["href"])
        elif tag == "link":
            self.resources.add(given.get("href", ""))
        if "src" in given:
            self.resources.add(given["src"])


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built site."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    env = os.environ | {"NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False, timeout=1200)
    assert done.returncode == 0, done.stderr
    assert "WARNING" not in done.stderr
    return folder


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[str, Html]:
    """Every page of the site, read."""
    found = sorted(site.rglob("*.html"))
    return {path.relative_to(site).as_posix(): Html(path.read_text(encoding="utf-8")) for path in found}


def test_every_page_of_the_folder_is_on_the_site(pages: dict[str, Html]) -> None:
    written = {path.stem + ".html" for path in (ROOT / "docs").glob("*.md")}
    assert written | {"readme.html", "changelog.html", "contributing.html"} <= pages.keys()
    leads_to = {unquote(urlsplit(link).path) for link in pages["index.html"].links}
    assert {f"{first}.html" for first in TABS} <= leads_to
    assert written - {"index.html"} <= leads_to  # by the navigation


def test_no_link_is_broken(site: Path, pages: dict[str, Html]) -> None:
    broken, followed = [], 0
    for name, page in pages.items():
        if name == "404.html":  # made to be shown anywhere
            continue
        for link in page.links | page.resources:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            followed += 1
            target = (site / name).parent / unquote(parts.path) if parts.path else site / name
            target = target / "index.html" if target.is_dir() else target
            anchors = pages.get(target.resolve().relative_to(site.resolve()).as_posix())
            if not target.exists() or (parts.fragment and anchors and unquote(parts.fragment) not in anchors.anchors):
                broken.append(f"{name}: {link}")
    assert not broken
    assert followed > 1000


def public(parent: griffe.Object) -> Iterator[griffe.Object]:
    """Everything of the package whose name does not begin with an underscore."""
    for name, member in parent.members.items():
        if name.startswith("_") or isinstance(member, griffe.Alias) or member.path in NOT_PUBLIC:
            continue
        yield member
        if member.is_module or member.is_class:
            yield from public(member)


@pytest.fixture(scope="module")
def package() -> griffe.Object:
    """The package as it is written."""
    loaded = griffe.load("azulejos", search_paths=[str(ROOT / "src")], allow_inspection=False)
    assert isinstance(loaded, griffe.Object)
    return loaded


def is_detail(member: griffe.Object) -> bool:
    """Whether it is a constant, a field, a member of an enumeration or an attribute of objects."""
    return not (member.is_module or member.is_class or member.is_function)


def test_every_public_name_has_its_words(package: griffe.Object) -> None:
    silent = [member.path for member in public(package) if not member.docstring]
    assert not silent
    told = [member for member in public(package) if is_detail(member) and member.docstring]
    assert len(told) > 800  # so that they really are looked at


FRAGMENT = re.compile(r"(Of|And|Nor|It does|As plain|Nothing to name)\b|\S+$")
"""How words begin that only somebody understands who sees what stands around them."""


def test_the_words_of_a_public_name_stand_alone(package: griffe.Object) -> None:
    told = {member.path: member.docstring.lines[0] for member in public(package) if member.docstring}
    assert {path: line for path, line in told.items() if FRAGMENT.match(line)} == {}


def test_every_public_name_is_on_an_api_page(package: griffe.Object, pages: dict[str, Html]) -> None:
    anchors = {anchor for name, page in pages.items() if name.startswith("api/") for anchor in page.anchors}
    names = {member.path for member in public(package)}
    assert len(names) > 1000
    assert names <= anchors
    assert {f"azulejos.{name}" for name in azulejos.__all__} <= pages["api/index.html"].anchors


def test_nothing_is_named_that_another_host_has(pages: dict[str, Html]) -> None:
    foreign = {link for page in pages.values() for link in page.resources if urlsplit(link).netloc}
    assert not foreign


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves files and says nothing."""

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    """Where the site can be read in a browser."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(site))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/"
        server.shutdown()


class Visit:
    """What a browser asked for, which errors it met, and what it found."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.errors: list[str] = []
        self.found: list[str] = []


def visit(look: Callable[[Page, Visit], None]) -> Visit:
    """Look at something in a browser; in a thread of its own, where no other browser of the tests is at work."""
    seen = Visit()

    def run() -> None:
        with chromium() as browser:
            page = browser.new_page()
            page.set_default_timeout(PATIENCE_MS)
            page.on("request", lambda request: seen.asked.append(request.url))
            page.on("pageerror", lambda error: seen.errors.append(str(error)))
            look(page, seen)

    with ThreadPoolExecutor(1) as other_thread:
        other_thread.submit(run).result()
    return seen


def search(page: Page, words: str) -> list[str]:
    """Where the results of a search lead."""
    page.locator("input[name=query]").press_sequentially(words)
    results = page.locator(".md-search-result__item > a")
    results.first.wait_for(state="attached")
    return [link.get_attribute("href") or "" for link in results.all()]


def test_a_browser_asks_no_other_host_and_search_finds(address: str) -> None:
    def look(page: Page, seen: Visit) -> None:
        for name in ("index", "library", "protocol", "api/game"):
            page.goto(f"{address}{name}.html")
        seen.found = search(page, "advisory lock")

    seen = visit(look)
    assert not seen.errors
    assert len(seen.asked) > 10
    assert all(url.startswith((address, "data:", "blob:")) for url in seen.asked), seen.asked
    assert any("deployment.html" in link for link in seen.found)


def test_it_can_be_searched_when_it_is_opened_as_a_file(site: Path) -> None:
    def look(page: Page, seen: Visit) -> None:
        for name in ("index.html", "api/game.html"):
            page.goto((site / name).as_uri())
            seen.found += search(page, "advisory lock")

    seen = visit(look)
    assert not seen.errors
    assert all(url.startswith(("file:", "data:", "blob:")) for url in seen.asked), seen.asked
    assert sum("/deployment.html" in link for link in seen.found) > 1  # from the first page, and from one in a folder


def test_copying_an_example_copies_its_code(address: str) -> None:
    def look(page: Page, seen: Visit) -> None:
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        for name, text in (("study", "from azulejos import Game, Move"), ("command-line", "azulejos perft 3")):
            page.goto(f"{address}{name}.html")
            example = page.locator(".highlight", has_text=text).first
            example.hover()
            example.locator("button.md-code__button").click()
            page.locator(".md-dialog", has_text="Copied").wait_for()
            seen.found.append(page.evaluate("navigator.clipboard.readText()"))

    session, command = visit(look).found
    assert session.startswith("from azulejos import Game, Move\nfrom")
    assert ">>>" not in session
    assert "(47, True)" not in session
    ast.parse(session)
    assert command == "azulejos perft 3"
