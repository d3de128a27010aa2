"""How long somebody waits for a review in Chromium: until the first values, and until all of it is there.

make page && .venv/bin/python benchmarks/review_page.py

It opens a two-player game from a link, on the page as a site of files, in a browser that was never there before, and
asks for its review. On a busy machine the figures say little; so the load is told.
"""

from __future__ import annotations

import base64
import os
import shutil
import zlib
from statistics import median
from typing import Any

from page import site
from playwright.sync_api import Browser, sync_playwright
from rich.console import Console
from rich.table import Table

from azulejos import Game
from azulejos.cli.bench import machine
from azulejos.players import greedy

VISITS = 3
ASK = """(button) => {
  window.times = { asked: performance.now() };
  const note = (name, is) => { if (!(name in times) && is) times[name] = performance.now() - times.asked; };
  const look = () => {
    const progress = document.querySelector('.review progress');
    note('values', document.querySelector('.review .now')?.textContent);
    note('move', progress?.value > 1); // the first thing looked at is the deal
    note('all', 'values' in times && !progress);
    if (!('all' in times)) setTimeout(look, 5);
  };
  button.click();
  look();
}"""
"""Asks for the review, and notes when there are values, when the first move is judged, and when all is done."""


def game() -> str:
    """The record of a game between two quick players."""
    played = Game(seed=5, starter=0)
    while not played.is_over:
        played.play(greedy.choose(played))
    return played.to_record()


def link_to(address: str, record: str) -> str:
    """The link to a game."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = packer.compress(record.encode()) + packer.flush()
    return f"{address}#/analysis?g={base64.urlsafe_b64encode(packed).decode().rstrip('=')}"


def visit(browser: Browser, link: str, looking: float) -> dict[str, float]:
    """Milliseconds from asking to each thing, after somebody has looked at the game for so many milliseconds."""
    context = browser.new_context(service_workers="block")
    page = context.new_page()
    page.set_default_timeout(600_000)
    page.goto(link)
    button = page.locator(".review .button.primary")
    button.wait_for()
    page.wait_for_timeout(looking)
    button.evaluate(ASK)
    times: dict[str, Any] = page.wait_for_function("() => 'all' in times && times").json_value()
    context.close()
    return times


def main() -> None:
    """Print the table."""
    table = Table("what", "usually", "at worst", "goal", "unit", title=f"{machine()}, load {os.getloadavg()[0]:.1f}")
    for column in table.columns[1:4]:
        column.justify = "right"
    with site() as address, sync_playwright() as playwright:
        path = shutil.which("chromium") or shutil.which("google-chrome")
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        link = link_to(address, game())
        for name, looking in (("at once", 0), ("after 3 s of looking", 3000)):
            visits = [visit(browser, link, looking) for _ in range(VISITS)]
            for what, goal in (("values", "1.0"), ("move", ""), ("all", "20.0")):
                found = [each[what] / 1000 for each in visits]
                said = {"values": "first values", "move": "first move judged", "all": "whole review"}[what]
                table.add_row(f"{said}, asked {name}", f"{median(found):.2f}", f"{max(found):.2f}", goal, "s")
        browser.close()
    table.caption = f"load at the end: {os.getloadavg()[0]:.1f}"
    Console().print(table)


if __name__ == "__main__":
    main()
