"""The pictures of the README, taken from the running page: `python -m tests.e2e.pictures`."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser

from tests.e2e.conftest import ANY_NUMBER, QUIET, arrive, chromium, new_table
from tests.e2e.person import Person, line
from tests.e2e.wire import Said, play_until
from tests.server.live import Live, live_server, wait_for_computers

DOCS = Path(__file__).parents[2] / "docs"
DESK = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 780}


def main() -> None:
    """Take all of them."""
    with tempfile.TemporaryDirectory() as folder, live_server(Path(folder), **ANY_NUMBER) as live:
        wait_for_computers(live)
        with chromium() as browser:
            take(browser, live, "play", [3], viewport=DESK)
            take(browser, live, "play-dark", [2, 4, 6], {"theme": "dark"}, viewport=DESK)
            take(browser, live, "play-phone", [2, 3], viewport=PHONE, device_scale_factor=2, has_touch=True)
            scoring(browser, live)


def take(
    browser: Browser, live: Live, name: str, levels: list[int], settings: dict[str, Any] | None = None, **context: Any
) -> None:
    """The fourth round against these computers, with tiles in hand over the line they go to."""
    table, secrets = new_table(live, "here", *levels)
    play_until(live, table, secrets, lambda said: _rich(said, 4))
    person = arrive(browser, live.url, QUIET | (settings or {}), **context).open(f"/t/{table}#{secrets[0]}")
    person.wait()
    move = person.best()
    person.take(move)
    person.page.hover(f'.own [data-line="{line(move)}"]')
    _shoot(person, name)


def scoring(browser: Browser, live: Live) -> None:
    """The end of a round, while it is counted."""
    table, secrets = new_table(live, "here", "here")
    play_until(live, table, secrets, _last_of_round)
    person = arrive(browser, live.url, QUIET | {"speed": "normal"}, viewport=DESK)
    person.open(f"/t/{table}#{secrets[0]},{secrets[1]}")
    person.wait()
    person.click(person.best())
    person.page.wait_for_selector(".run")
    _shoot(person, "scoring")


def _rich(said: Said, number: int) -> bool:
    """Whether it is my turn early in this round, with a line to complete."""
    position = said["position"]
    mine = position["round"] == number and said["waiting"] == [0]
    return bool(mine) and any(option.get("points", 0) > 2 for option in position["options"])


def _last_of_round(said: Said) -> bool:
    position = said["position"]
    groups = sum(count > 0 for source in [position["center"], *position["displays"]] for count in source)
    return bool(groups == 1 and position["round"] > 2)


def _shoot(person: Person, name: str) -> None:
    person.page.screenshot(path=DOCS / f"{name}.png", animations="allow")
    person.context.close()


if __name__ == "__main__":
    main()
