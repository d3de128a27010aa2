"""How the page feels in Chromium: the first move after a cold load, computers, stopping, and frames while one thinks.

make page && .venv/bin/python benchmarks/page.py

It visits the page as a site of files, without a server. On a busy machine the figures say little.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from pathlib import Path
from statistics import mean, median
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright
from rich.console import Console
from rich.table import Table

from azulejos.cli.bench import machine
from azulejos.players.levels import FULL_STRENGTH, LEVELS
from azulejos.server.http.site import write_site
from azulejos.server.settings import from_environment

VISITS = 5
MOVES = 4
"""Moves that are looked at of every computer."""
LISTEN = """
window.told = [];
window.drawn = [];
const note = (type, message) => told.push({ type, at: performance.now(), id: message.id ?? message.question?.id,
  said: message.type, state: message.progress?.state });
window.Worker = class extends Worker {
  constructor(...given) {
    super(...given);
    this.addEventListener('message', ({ data }) => note('heard', data));
  }
  postMessage(message, ...rest) {
    note('said', message);
    super.postMessage(message, ...rest);
  }
};
const draw = (at) => { drawn.push(at); requestAnimationFrame(draw); };
requestAnimationFrame(draw);
"""
MAY_MOVE = """() => document.querySelector('.words.mine')
  && document.querySelector('[data-group][aria-disabled="false"]') && performance.now()"""
THINKS = "() => told.findLast(({ said }) => said === 'ask' || said === 'answer')?.said === 'ask'"
ANSWERED = "(count) => told.filter(({ said }) => said === 'answer').length > count"
IS_READY = "() => told.findLast(({ said }) => said === 'network')?.state !== 'loading'"


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@contextmanager
def site() -> Iterator[str]:
    """The address of the page, below a path of a host."""
    with tempfile.TemporaryDirectory() as made:
        write_site(from_environment().static_folder, Path(made) / "azulejos")
        server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=made))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/azulejos/"
        server.shutdown()


def first_moves(browser: Browser, address: str) -> list[float]:
    """Milliseconds until somebody who was never here can move, of visits in which nobody moves before."""
    found: list[float] = []
    while len(found) < VISITS:
        page = browser.new_context(service_workers="block").new_page()
        page.goto(address)
        ready = page.wait_for_function(MAY_MOVE).json_value()
        if not page.locator(".log li[data-move]").count():  # else the computer began
            found.append(ready)
        page.context.close()
    return found


def begin(page: Page, address: str, level: int) -> None:
    """Sit down opposite a computer, and begin."""
    page.goto(f"{address}#/new")
    page.locator(".seat select").select_option(str(level))
    page.get_by_label("Who starts").select_option("0")
    page.locator("button[type=submit]").click()
    page.wait_for_function(MAY_MOVE)
    page.wait_for_function(IS_READY)


def move(page: Page) -> int:
    """Move, once it is my turn; returns how many answers there were before."""
    page.wait_for_function(MAY_MOVE)
    answers = int(page.evaluate("told.filter(({ said }) => said === 'answer').length"))
    page.locator('[data-group][aria-disabled="false"]').first.click()
    page.locator(".own .lit").first.click()
    return answers


def spans(page: Page, first: str) -> list[tuple[float, float]]:
    """When each question was asked, or stopped, and answered."""
    told: list[dict[str, Any]] = page.evaluate("told")
    ends = {one["id"]: one["at"] for one in told if one["said"] == "answer"}
    return [(one["at"], ends[one["id"]]) for one in told if one["said"] == first and one["id"] in ends]


def answers_of(page: Page, address: str, level: int) -> list[float]:
    """Milliseconds from the question to the answer of a level."""
    page.goto("about:blank")
    begin(page, address, level)
    for _ in range(MOVES):
        page.wait_for_function(ANSWERED, arg=move(page))
    return [end - start for start, end in spans(page, "ask")]


def stops(page: Page, address: str) -> list[float]:
    """Milliseconds from stopping full strength, by leaving its table, to its last word."""
    page.goto("about:blank")
    for _ in range(MOVES):
        begin(page, address, FULL_STRENGTH.number)
        answers = move(page)
        page.wait_for_function(THINKS)
        page.evaluate("location.hash = '#/games'")
        page.wait_for_function(ANSWERED, arg=answers)
    return [end - start for start, end in spans(page, "stop")]


def frames(page: Page, address: str) -> list[float]:
    """Milliseconds between frames while full strength thinks."""
    page.goto("about:blank")
    begin(page, address, FULL_STRENGTH.number)
    for _ in range(MOVES):
        page.wait_for_function(ANSWERED, arg=move(page))
    drawn: list[float] = page.evaluate("drawn")
    thought = spans(page, "ask")
    return [
        end - start
        for start, end in pairwise(drawn)
        if any(begun <= start and end <= ended for begun, ended in thought)
    ]


def main() -> None:
    table = Table("what", "usually", "at worst", "goal", "unit", title=f"{machine()}, load {os.getloadavg()[0]:.1f}")
    for column in table.columns[1:4]:
        column.justify = "right"

    def row(name: str, found: list[float], goal: str) -> None:
        table.add_row(name, f"{median(found):,.0f}", f"{max(found):,.0f}", goal, "ms")

    with site() as address, sync_playwright() as playwright:
        path = shutil.which("chromium") or shutil.which("google-chrome")
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        row("cold load to the first possible move", first_moves(browser, address), "2,000")
        page = browser.new_page()
        page.add_init_script(LISTEN)
        for level in LEVELS:
            row(f"a move of level {level.number}", answers_of(page, address, level.number), "150")
        row("full strength, from stop to stopped", stops(page, address), "50")
        gaps = frames(page, address)
        row("between frames while full strength thinks", gaps, "17")
        table.add_row("frames while full strength thinks", f"{1000 / mean(gaps):.0f}", "", "60", "per second")
        browser.close()
    Console().print(table)


if __name__ == "__main__":
    main()
