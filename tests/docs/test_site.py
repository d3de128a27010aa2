"""The documentation as a site: it builds without a warning, has everything, and asks no other host for anything."""

from __future__ import annotations

import functools
import http.server
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import griffe
import pytest
from playwright.sync_api import sync_playwright

import azulejos
from tests.docs.pages import ROOT

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
PATIENCE_MS = 120_000
NOT_PUBLIC = ("azulejos.__main__", "azulejos.server.storage.migrations")
TOPICS = ("start", "play", "rules", "library", "notation", "protocol", "engine", "environments", "training",
          "deployment", "architecture", "decisions", "changelog")  # fmt: skip
"""What the site has to tell, by the names of the pages."""


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
    assert {f"{topic}.html" for topic in TOPICS} <= leads_to  # by the navigation


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


def read_in_browser(address: str) -> tuple[list[str], list[str]]:
    """Read some pages and search; the addresses asked for, and the errors of the page."""
    asked: list[str] = []
    errors: list[str] = []
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS, timeout=PATIENCE_MS)
        page = browser.new_page()
        page.set_default_timeout(PATIENCE_MS)
        page.on("request", lambda request: asked.append(request.url))
        page.on("pageerror", lambda error: errors.append(str(error)))
        for name in ("index", "library", "protocol", "api/game"):
            page.goto(f"{address}{name}.html")
        page.locator("input[name=query]").fill("starting-player marker")
        page.locator(".md-search-result__item a").first.wait_for(state="attached")
        browser.close()
    return asked, errors


def test_a_browser_asks_no_other_host_and_search_finds(address: str) -> None:
    with ThreadPoolExecutor(1) as other_thread:  # where no other browser of the tests is at work
        asked, errors = other_thread.submit(read_in_browser, address).result()
    assert not errors
    assert len(asked) > 10
    assert all(url.startswith((address, "data:", "blob:")) for url in asked), asked
