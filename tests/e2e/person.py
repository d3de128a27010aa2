"""A person at the page: looks, points, clicks and types, and knows nothing that is not shown, asked of the server, or
kept by the browser: what it stores of a table of its own is read as the server reads what it stores.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import httpx
import msgspec
from playwright.sync_api import BrowserContext, Page

from azulejos.game.dealer import Dealer
from azulejos.server.protocol.encoding import encode, welcome
from azulejos.server.tables.events import TableEvent
from azulejos.server.tables.setup import Setup
from azulejos.server.tables.table import Table
from tests.patience import PATIENCE

PATIENCE_MS = int(1000 * PATIENCE)
"""What the browser's driver counts in."""

ASK = httpx.Client(timeout=PATIENCE, limits=httpx.Limits(max_keepalive_connections=0))
"""For questions to the server; each on a line of its own, since a kept one may be closed just when it is used again."""

TROUBLE = ".notice.warn, [role=alert]"
"""Where the page says that something was refused or lost."""

READY = """() => {
  if (document.querySelector('dialog .result')) return 'over';
  if (document.querySelector('.table .choice')) return 'choice';
  if (document.querySelector('.words.mine') && document.querySelector('[data-group][aria-disabled="false"]'))
    return 'move';
  return '';
}"""

STORED = """id => new Promise((resolve, reject) => {
  const opening = indexedDB.open('azulejos');
  opening.onerror = () => reject(opening.error);
  opening.onsuccess = () => {
    const database = opening.result;
    const reading = database.transaction(['tables', 'events']);
    const table = reading.objectStore('tables').get(id);
    const events = reading.objectStore('events').getAll(IDBKeyRange.bound([id, 0], [id, Infinity]));
    reading.oncomplete = () => {
      database.close();
      resolve({ table: table.result, events: events.result.map((row) => row.event) });
    };
  };
})"""

CHOOSE_LANGUAGE = """language => {
  const settings = JSON.parse(localStorage.getItem('azulejos.settings'));
  localStorage.setItem('azulejos.settings', JSON.stringify({ ...settings, language }));
}"""

SAME_TILES = """wanted => {
  const shown = [...document.querySelectorAll('[data-group]')].map((group) => [
    group.dataset.group,
    group.querySelectorAll('.quarter').length || Number(group.closest('[data-pile]')?.dataset.pile),
  ]);
  return shown.length === Object.keys(wanted).length && shown.every(([name, count]) => wanted[name] === count);
}"""


@dataclass
class Person:
    """Somebody with a browser of their own."""

    context: BrowserContext
    page: Page
    url: str
    complaints: list[str] = field(default_factory=list)

    def open(self, path: str) -> Person:
        self.page.goto(self.url + path)
        return self

    def speaking(self, language: str) -> Person:
        """From the next page that is loaded, the page is in this language."""
        if self.page.url == "about:blank":
            self.open("")
        self.page.evaluate(CHOOSE_LANGUAGE, language)
        return self

    # ---- what there is to do ----
    def wait(self) -> str:
        """Wait until it is my turn: `move`, `choice`, or `over` at the end of the game."""
        found = self.page.wait_for_function(READY, timeout=PATIENCE_MS).json_value()
        return str(found)

    def until(self, question: str, given: Any = None) -> None:
        """Wait until the page answers yes; it may be asked for a promise, which `wait_for_function` takes for a yes."""
        deadline = time.monotonic() + PATIENCE_MS / 1000
        while not self.page.evaluate(question, given):
            assert time.monotonic() < deadline, f"never true: {question}"
            self.page.wait_for_timeout(100)

    def asked(self) -> str:
        """The same without waiting; empty if somebody else is to act."""
        return str(self.page.evaluate(READY))

    @property
    def table(self) -> str:
        """The table at which this browser played last."""
        found = re.search(r"/t/([^/#?]+)", self.page.url)
        if found:
            return found.group(1)
        return str(json.loads(self.page.evaluate("localStorage.getItem('azulejos.tables')"))[0]["id"])

    @property
    def is_local(self) -> bool:
        """Whether that table is kept by the browser."""
        return self.table.startswith("local-")

    def stored(self) -> Table:
        """The table that follows, in the server's own code, from what the browser has stored."""
        found = self.page.evaluate(STORED, self.table)
        kept, events = found["table"], msgspec.convert(found["events"], list[TableEvent])
        setup = msgspec.convert(kept["setup"], Setup)
        return Table.rebuilt(kept["id"], kept["created"], setup, Dealer.from_text(kept["secret"]), events)

    def welcome(self) -> dict[str, Any]:
        """What a server says about the table."""
        if self.is_local:
            table = self.stored()
            people = [seat for seat, info in enumerate(table.seats) if info.kind != "computer"]
            return dict(json.loads(encode(welcome(table, people, [True] * table.players, 0, 0))))
        return dict(ASK.get(f"{self.url}/api/tables/{self.table}").raise_for_status().json())

    def best(self) -> str:
        """A sensible move that brings the end of the game nearer."""
        return sensible(self.welcome()["position"]["options"])

    def result(self) -> dict[str, Any]:
        """The result as it is shown, which is the one that the server has or finds in what was stored."""
        result: dict[str, Any] = self.welcome()["table"]["result"]
        assert sorted(self.shown_scores()) == sorted(result["scores"])
        return result

    # ---- doing it ----
    def begin(self, *opponents: int, wall: str = "std", starter: int = 0, new: str = "/new") -> Person:
        """Start a game against these computers from the page for new games."""
        page = self.open(new).page
        page.locator(f'input[name="players"][value="{len(opponents) + 1}"]').check()
        for at, level in enumerate(opponents, 1):
            page.locator(".seat").nth(at).locator("select").select_option(str(level))
        page.locator(f'input[name="wall"][value="{wall}"]').check()
        page.get_by_label("Who starts").select_option(str(starter))
        page.locator("button[type=submit]").click()
        page.wait_for_function("() => location.href.includes('/t/local-')")
        return self

    def take(self, move: str) -> None:
        """Click the tiles of a move."""
        self.page.click(f'[data-group="{group(move)}"]')

    def click(self, move: str) -> None:
        """Two clicks: the tiles, the line."""
        self.take(move)
        self.page.click(f'.own [data-line="{line(move)}"]')

    def type(self, move: str) -> None:
        """Three keys."""
        for key in keys(move):
            self.page.keyboard.press(key)

    def tap(self, move: str) -> None:
        """Two taps of a finger; the browser makes a click of each a moment later."""
        self.page.tap(f'[data-group="{group(move)}"]')
        self.page.wait_for_selector(f'[data-group="{group(move)}"][aria-pressed="true"]')
        self.page.tap(f'.own [data-line="{line(move)}"]')
        self.page.wait_for_function("() => !document.querySelector('.own .lit')")

    def choose(self) -> None:
        """Click the first place on the gray wall that is offered."""
        self.page.locator(".choice").first.click()

    def play(self, way: Callable[[str], None] | None = None, most: int = 400) -> int:
        """Play until the end, or so many decisions; how many there were."""
        for count in range(most):
            ready = self.wait()
            if ready == "over":
                return count
            if ready == "choice":
                self.choose()
            else:
                (way or self.click)(self.best())
        return most

    # ---- what is seen ----
    def agrees(self) -> None:
        """Wait until the tiles on the page are those that the server has then: a last move may still be on its way."""
        deadline = time.monotonic() + PATIENCE_MS / 1000
        while not self.page.evaluate(SAME_TILES, self._tiles()):
            assert time.monotonic() < deadline, f"the page never shows {self._tiles()}"
            self.page.wait_for_timeout(250)

    def _tiles(self) -> dict[str, int]:
        """How many tiles of each color each source has, as the server has them; named as the page marks them."""
        position = self.welcome()["position"]
        sources = [position["center"], *position["displays"]]
        return {
            f"{source}{color}": count
            for source, counts in enumerate(sources)
            for color, count in zip("BYRKW", counts, strict=True)
            if count
        }

    def log(self) -> list[str]:
        """The moves that were played, as the server has them."""
        return [entry["move"] for entry in self.welcome()["log"]]

    def shown_scores(self) -> list[int]:
        """The scores in the result."""
        return [int(text) for text in self.page.locator("dialog .result .score").all_inner_texts()]


def group(move: str) -> str:
    """Where the tiles of a move lie, as the page marks it.

    >>> group("cK1")
    '0K'
    """
    return move[:2].replace("c", "0")


def line(move: str) -> int:
    """The line of a move, from 0; the floor is 5.

    >>> line("3B4"), line("3Bf")
    (3, 5)
    """
    return 5 if move[2] == "f" else int(move[2]) - 1


def keys(move: str) -> list[str]:
    """The keys of a move.

    >>> keys("cWf")
    ['0', 'w', 'f']
    """
    return list(move.replace("c", "0").lower())


def sensible(options: list[dict[str, Any]]) -> str:
    """Complete short lines, lose nothing.

    >>> sensible([{"move": "1B2", "cost": 1}, {"move": "1B1", "completes": True}])
    '1B1'
    """

    def worth(option: dict[str, Any]) -> tuple[int, int, str]:
        gain = 4 * option.get("completes", False) + 2 * option.get("points", 0) - 2 * option.get("cost", 0)
        return (gain, -line(option["move"]), option["move"])

    return str(max(options, key=worth)["move"])
