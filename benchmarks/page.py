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
from typing import Any, Final

from playwright.sync_api import Browser, Page, sync_playwright
from rich.console import Console
from rich.table import Table

from azulejos import Game, Phase
from azulejos.cli.bench import machine
from azulejos.game.view import Wall
from azulejos.players import registry
from azulejos.players.levels import FULL_STRENGTH, LEVELS
from azulejos.players.player import Limits
from azulejos.rules.state import DEAL_DUE
from azulejos.search import solver
from azulejos.search.evaluators import ByNetwork
from azulejos.server.http.site import write_site
from azulejos.server.settings import from_environment

VISITS = 5
MOVES = 4
"""Moves that are looked at of every computer."""
ENDINGS = 6
"""Rounds that are stopped while they are being solved."""
STOPPED_AFTER = (5, 20, 40, 80)
"""Milliseconds."""
TABLES: Final[tuple[tuple[int, Wall], ...]] = ((2, "std"), (3, "gray"), (4, "std"))
LISTEN = """
window.told = [];
window.drawn = [];
const note = (type, message) => told.push({ type, at: performance.now(), id: message.id ?? message.question?.id,
  said: message.type, state: message.progress?.state });
window.Worker = class extends Worker {
  constructor(...given) {
    super(...given);
    this.addEventListener('message', ({ data }) => note('heard', data));
    window.worker = this;
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
THINKS = "() => told.findLast(({ said }) => ['ask', 'answer', 'failed'].includes(said))?.said === 'ask'"
ANSWERED = "(count) => told.filter(({ said }) => said === 'answer' || said === 'failed').length > count"
ASK_AND_STOP = """async ([id, digits, opponent, wait]) => {
  const state = Uint8Array.from(digits.match(/../g), (pair) => Number.parseInt(pair, 16));
  worker.postMessage({ type: 'ask', question: { id, kind: 'choose', state, opponent, limits: null, drawn: 0 } });
  await new Promise((resolve) => setTimeout(resolve, wait));
  worker.postMessage({ type: 'stop', id });
  const isAnswered = () => told.some((one) => one.id === id && one.said === 'answer');
  while (!isAnswered()) await new Promise((resolve) => setTimeout(resolve, 5));
}"""
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


def listening(browser: Browser, **context: Any) -> Page:
    """A page that notes what it says to its worker, and hears of it."""
    page = browser.new_context(**context).new_page()
    page.add_init_script(LISTEN)
    return page


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


def begin(page: Page, address: str, level: int, players: int = 2, wall: Wall = "std") -> None:
    """Sit down opposite computers of a level, and begin."""
    page.goto(f"{address}#/new")
    page.locator(f'input[name="players"][value="{players}"]').check()
    page.locator(f'input[name="wall"][value="{wall}"]').check()
    for select in page.locator(".seat select").all():
        select.select_option(str(level))
    page.get_by_label("Who starts").select_option("0")
    page.locator("button[type=submit]").click()
    page.wait_for_function(MAY_MOVE)


def move(page: Page) -> int:
    """Move, once it is my turn; returns how many answers there were before."""
    page.wait_for_function(MAY_MOVE)
    answers = int(page.evaluate("told.filter(({ said }) => said === 'answer' || said === 'failed').length"))
    page.locator('[data-group][aria-disabled="false"]').first.click()
    page.locator(".own .lit").first.click()
    return answers


def spans(page: Page, first: str) -> list[tuple[float, float]]:
    """When each question was asked, or stopped, and answered."""
    told: list[dict[str, Any]] = page.evaluate("told")
    ends = {one["id"]: one["at"] for one in told if one["said"] in ("answer", "failed")}
    return [(one["at"], ends[one["id"]]) for one in told if one["said"] == first and one["id"] in ends]


def answers_of(page: Page, address: str, level: int, players: int = 2, wall: Wall = "std") -> list[float]:
    """Milliseconds from the question to the answer of a level."""
    page.goto("about:blank")
    begin(page, address, level, players, wall)
    page.wait_for_function(IS_READY)
    for _ in range(MOVES):
        page.wait_for_function(ANSWERED, arg=move(page))
    return [end - start for start, end in spans(page, "ask")]


def stops(page: Page, address: str, *, ready: bool = True) -> list[float]:
    """Milliseconds from stopping full strength, by leaving its table, to its last word; with or without its network."""
    page.goto("about:blank")
    for _ in range(MOVES):
        begin(page, address, FULL_STRENGTH.number)
        if ready:
            page.wait_for_function(IS_READY)
        answers = move(page)
        page.wait_for_function(THINKS)
        page.evaluate("location.hash = '#/games'")
        page.wait_for_function(ANSWERED, arg=answers)
    return [end - start for start, end in spans(page, "stop")]


def endings(wanted: int) -> list[str]:
    """Positions of rounds that can be solved and have many ends, as digits."""
    graph, found = solver.Graph.make(), []
    for seed in range(8 * wanted):
        game, greedy = Game(seed=seed), registry.make("greedy")
        for _ in range(6):
            game.play(greedy.choose(game, Limits()).move)
        while game.phase is Phase.DRAFTING:
            count = solver.unfold(graph, game.states[0], ByNetwork.most_ends)
            if count > 0:
                ends = int((graph.states[:count]["phase"] == DEAL_DUE).sum())
                found.append((ends, game.states.tobytes().hex()))
                break
            game.play(greedy.choose(game, Limits()).move)
    return [digits for _, digits in sorted(found, reverse=True)[:wanted]]


def stops_in_endings(page: Page, address: str) -> list[float]:
    """The same while the rest of a round is solved."""
    page.goto("about:blank")
    begin(page, address, FULL_STRENGTH.number)
    page.wait_for_function(IS_READY)
    for number, digits in enumerate(endings(ENDINGS)):
        for at, wait in enumerate(STOPPED_AFTER):
            page.evaluate(ASK_AND_STOP, [-1 - number * len(STOPPED_AFTER) - at, digits, FULL_STRENGTH.number, wait])
    return [end - start for start, end in spans(page, "stop") if end > start]  # the others were answered before


def frames(page: Page, address: str) -> list[float]:
    """Milliseconds between frames while full strength thinks."""
    page.goto("about:blank")
    begin(page, address, FULL_STRENGTH.number)
    page.wait_for_function(IS_READY)
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
        page = listening(browser)
        for players, wall in TABLES:
            found = [each for level in LEVELS for each in answers_of(page, address, level.number, players, wall)]
            row(f"a move of a level, {players} players, {wall} wall", found, "150")
        thought = answers_of(page, address, FULL_STRENGTH.number)
        row("a move of full strength", thought, f"{FULL_STRENGTH.milliseconds:,}")
        row("from stop to stopped, at a first move", stops(page, address), "50")
        row("from stop to stopped, at the end of a round", stops_in_endings(page, address), "50")
        cold = listening(browser, service_workers="block")
        cold.context.route("**/*.weights", lambda _: None)  # which never come
        row("from stop to stopped, while the network comes", stops(cold, address, ready=False), "50")
        gaps = frames(page, address)
        row("between frames while full strength thinks", gaps, "17")
        table.add_row("frames while full strength thinks", f"{1000 / mean(gaps):.0f}", "", "60", "per second")
        browser.close()
    Console().print(table)


if __name__ == "__main__":
    main()
