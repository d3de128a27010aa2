"""The page as files on a host, below a path: without a server, without a network, and when there is a new version."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Browser, Page, expect

from azulejos.players.levels import FULL_STRENGTH
from azulejos.server.http.site import write_site
from tests.e2e.conftest import QUIET, arrive
from tests.e2e.host import Host, hosted
from tests.e2e.person import Person

MESSAGES = Path(__file__).parents[2] / "web" / "messages"
LANGUAGES = sorted(path.stem for path in MESSAGES.glob("*.json"))
PAGES = {
    "new": "New game",
    "learn": "Learn the rules",
    "puzzles": "Puzzles",
    "analysis": "Analysis board",
    "games": "Games",
    "replay": "Replay",
    "settings": "Settings",
    "help": "Help",
}
NETWORKS_ARE_KEPT = "async (most) => (await (await caches.open('azulejos-weights')).keys()).length === most"
IS_KEPT = "() => navigator.serviceWorker.controller !== null"
Visiting = Callable[..., Person]


@pytest.fixture
def site(page_is_built: Path, tmp_path: Path) -> Iterator[Host]:
    """The site on a host."""
    write_site(page_is_built, tmp_path / "site")
    with hosted(tmp_path / "site") as host:
        yield host


@pytest.fixture
def visiting(browser: Browser, site: Host) -> Iterator[Visiting]:
    """Makes visitors; afterwards looks whether their browsers complained."""
    people: list[Person] = []

    def visit(settings: dict[str, Any] | None = None, **context: Any) -> Person:
        context = {"service_workers": "allow", **context}
        people.append(arrive(browser, site.url, QUIET | (settings or {}), **context))
        return people[-1]

    yield visit
    for person in people:
        person.context.close()
    assert not [complaint for person in people for complaint in person.complaints]


def message(language: str, key: str, **values: str) -> str:
    text = str(json.loads((MESSAGES / f"{language}.json").read_text())[key])
    return re.sub(r"\{(\w+)\}", lambda found: values[found[1]], text)


def play(page: Page, moves: int) -> None:
    """Take the first tiles that may be taken, to the first line that takes them."""
    for _ in range(moves):
        page.wait_for_selector(".words.mine, dialog .result")
        page.locator('[data-group][aria-disabled="false"]').first.click()
        count = page.locator(".log li[data-move]").count()
        page.locator(".own .lit").first.click()
        page.wait_for_function(f"() => document.querySelectorAll('.log li[data-move]').length > {count}")


def shows(page: Page, title: str) -> None:
    """Wait until the page with this title is there."""
    expect(page).to_have_title(re.compile(rf"^{title}\b"))
    expect(page.locator("main h1").first).to_be_attached()


def is_kept(person: Person, site: Host) -> None:
    """Wait until everything is in the browser's own store, all networks included."""
    person.page.wait_for_function(IS_KEPT)
    person.until(NETWORKS_ARE_KEPT, len(list(site.folder.rglob("*.weights"))))


# ---- below any path


def test_a_game_is_played_and_kept_below_any_path(visiting: Visiting) -> None:
    person = visiting(service_workers="block")
    page = person.page
    failures: list[str] = []
    page.on("response", lambda answer: failures.append(answer.url) if answer.status >= 400 else None)
    person.open("")
    assert person.wait() == "move"
    play(page, 2)
    moves = page.locator(".log li[data-move]").count()
    page.reload()
    assert person.wait() == "move"
    assert page.locator(".log li[data-move]").count() >= moves
    assert page.url.removeprefix(person.url) in ("", "#/")
    assert failures == []


def test_every_page_is_found_by_link_and_after_a_reload(visiting: Visiting) -> None:
    person = visiting(service_workers="block").open("")
    page = person.page
    for name, title in PAGES.items():
        if name != "replay":
            page.locator(f'nav a[href="#/{name}"]').click()
        else:
            page.goto(f"{person.url}#/replay")
        shows(page, title)
        page.reload()
        shows(page, title)
        assert page.url.startswith(f"{person.url}#/{name}")
    page.go_back()
    shows(page, PAGES["settings"])
    page.evaluate("window.before = document.querySelector('h1')")
    page.locator(".skip").focus()
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
    assert page.url == f"{person.url}#/settings"
    assert page.evaluate("window.before === document.querySelector('h1')")  # nothing was shown anew


def test_friends_need_a_server_and_are_told(visiting: Visiting) -> None:
    person = visiting(service_workers="block").open("#/new")
    sentence = message("en", "refusal_no_server")
    expect(person.page.get_by_text(sentence)).to_be_visible()
    expect(person.page.get_by_label("Friend by link").first).to_be_disabled()
    person.open("#/t/w3gufy85nqv5")
    person.page.reload()
    expect(person.page.get_by_role("alert")).to_have_text(sentence)
    asked: list[str] = []
    person.page.on("request", lambda request: asked.append(request.url))
    person.open("#/games")
    person.page.reload()
    person.page.wait_for_load_state("networkidle")
    assert not [url for url in asked if "/api/" in url]


# ---- without a network


def test_after_the_first_visit_it_needs_no_network(visiting: Visiting, site: Host) -> None:
    person = visiting().open("")
    assert person.wait() == "move"
    play(person.page, 1)
    is_kept(person, site)
    moves = person.page.locator(".log li[data-move]").count()
    site.stop()
    page = person.page
    page.reload()
    assert person.wait() == "move"
    assert page.locator(".log li[data-move]").count() >= moves
    play(page, 2)
    for name, title in PAGES.items():
        person.open(f"?{name}#/{name}")  # loaded anew, not only shown
        shows(page, title)


@pytest.mark.parametrize(
    ("opponents", "wall"),
    [((1,), "gray"), ((FULL_STRENGTH.number,), "std"), ((1, 8), "gray"), ((8, 2, 1), "std")],
    ids=["2 players, level 1", "2 players, full strength", "3 players, level 8", "4 players, level 8"],
)
def test_a_whole_game_without_a_network(visiting: Visiting, site: Host, opponents: tuple[int, ...], wall: str) -> None:
    person = visiting().open("#/help")
    is_kept(person, site)
    site.stop()
    person.begin(*opponents, wall=wall, new="?anew#/new")  # loaded anew, not only shown
    first, page = person.table, person.page
    assert person.play() > 10
    assert person.result()["reason"] == "row"
    page.get_by_role("button", name="Rematch").dblclick()
    page.wait_for_function("first => !location.href.endsWith(first)", arg=first)
    assert person.wait() == "move"
    assert len(person.log()) <= len(opponents)
    assert page.locator(".notice, [role=alert]").all_inner_texts() == []  # their network was there


# ---- a new version


def renew(site: Host) -> None:
    """Put a new version on the host, with a mark by which it is known."""
    index, worker = site.folder / "index.html", site.folder / "sw.js"
    index.write_text(index.read_text().replace("<title>", '<meta name="second" content="" /><title>'))
    text, count = re.subn(r"(version:[`'\"])[0-9a-f]{12}", r"\g<1>secondsecond", worker.read_text())
    assert count == 1
    worker.write_text(text)


def is_second(page: Page) -> bool:
    return page.locator('meta[name="second"]').count() == 1


def test_a_new_version_is_offered_and_not_forced_into_a_game(visiting: Visiting, site: Host) -> None:
    person = visiting().open("")
    page = person.page
    assert person.wait() == "move"
    is_kept(person, site)
    renew(site)
    offer = page.locator(".notice", has_text=message("en", "version_new"))
    page.reload()
    expect(offer).to_be_visible()
    assert person.wait() == "move"
    play(page, 1)
    assert not is_second(page)
    page.get_by_role("button", name=message("en", "version_later")).click()
    expect(offer).to_be_hidden()
    page.reload()  # loads the version that was there before, and offers again
    expect(offer).to_be_visible()
    assert not is_second(page)
    moves = page.locator(".log li[data-move]").count()
    page.get_by_role("button", name=message("en", "reload")).click()
    page.wait_for_selector('meta[name="second"]', state="attached")
    assert person.wait() == "move"
    assert page.locator(".log li[data-move]").count() >= moves
    expect(offer).to_be_hidden()
    site.stop()
    page.reload()
    assert person.wait() == "move"
    assert is_second(page)


def test_another_tab_goes_on_with_its_version_and_is_told(visiting: Visiting, site: Host) -> None:
    person = visiting().open("")
    assert person.wait() == "move"
    is_kept(person, site)
    other = person.context.new_page()
    other.goto(person.url + "#/help")
    shows(other, "Help")
    renew(site)
    person.page.reload()
    person.page.get_by_role("button", name=message("en", "reload")).click()
    person.page.wait_for_selector('meta[name="second"]', state="attached")
    expect(other.locator(".notice", has_text=message("en", "version_new"))).to_be_visible()
    other.locator('nav a[href="#/settings"]').click()  # a part that this tab had not loaded
    shows(other, "Settings")
    assert not is_second(other)


# ---- a browser that cannot


@pytest.mark.parametrize(
    ("lack", "part"),
    [("delete globalThis.WebAssembly;", "WebAssembly"), ("WebAssembly.validate = () => false;", "WebAssembly SIMD")],
)
def test_a_browser_that_is_too_old_is_told(visiting: Visiting, lack: str, part: str) -> None:
    person = visiting(service_workers="block")
    person.page.add_init_script(lack)
    for language in LANGUAGES:
        person.speaking(language).open(f"?{language}")
        expect(person.page.get_by_text(message(language, "browser_too_old", part=part)).first).to_be_visible()
        person.open(f"?{language}#/settings")
        expect(person.page.get_by_role("heading", level=1).first).to_contain_text(message(language, "nav_settings"))


# ---- installed


def test_it_can_be_installed(visiting: Visiting, site: Host) -> None:
    person = visiting().open("")
    person.page.wait_for_function(IS_KEPT)
    wire = person.context.new_cdp_session(person.page)
    found = wire.send("Page.getAppManifest")
    assert found["errors"] == []
    manifest = json.loads(found["data"])
    assert found["url"].removeprefix(person.url) == "manifest.webmanifest"
    assert (manifest["start_url"], manifest["scope"], manifest["display"]) == ("./", "./", "fullscreen")
    for icon in manifest["icons"]:
        with Image.open(site.folder / icon["src"]) as drawn:
            assert f"{drawn.width}x{drawn.height}" == icon["sizes"]
    errors = [each["errorId"] for each in wire.send("Page.getInstallabilityErrors")["installabilityErrors"]]
    assert errors in ([], ["in-incognito"])  # as every browser of a test is
