"""Records on the screen."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from rich.cells import cell_len

from azulejos import Record, locale, read_record
from azulejos.analysis.review import Review
from azulejos.game.replay import steps
from azulejos.tui.app import replay_app
from azulejos.tui.app.replay_app import ReplayApp
from azulejos.tui.table.recorded import Recorded, RecordStep
from tests.analysis.games import short_review
from tests.patience import PATIENCE
from tests.tui.person import Watcher

GOLDEN = Path(__file__).parents[1] / "golden" / "record.azul"


@asynccontextmanager
async def watching(speed: str = "instant", size: tuple[int, int] = (80, 24)) -> AsyncIterator[Watcher[ReplayApp]]:
    app = ReplayApp(Recorded(read_record(GOLDEN.read_text())), speed=speed)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        yield Watcher(app, pilot)


def test_arrows_go_through_all_positions_and_back() -> None:
    record = read_record(GOLDEN.read_text())
    positions = [game.view for _, game in steps(record)]

    async def look() -> None:
        async with watching() as person:
            app = person.app
            assert app.view == positions[0]
            for position in positions[1:]:
                await person.press("right")
                assert app.view == position
            await person.press("right")
            assert app.view == positions[-1]
            await person.press("left")
            assert app.view == positions[-2]
            await person.press("home")
            await person.press("end")
            assert app.view == positions[-1]
            await person.press("pageup")
            assert app.view.round == positions[-1].round

    asyncio.run(look())


def test_the_prompt_says_the_step_and_the_log_what_happened() -> None:
    async def look() -> None:
        async with watching() as person:
            assert "Round 1, step 1 of 21" in person.prompt
            await person.press("right")
            assert "step 2 of 21: " in person.prompt
            await person.press("end", "m")
            await person.until(lambda: "Moves and scores" in person.screen_text)

    asyncio.run(look())


def has_scoring(step: RecordStep) -> bool:
    return bool(step.happening and step.happening.floors)


def test_a_step_with_scoring_is_shown_scene_by_scene_and_skipped_by_the_next_key() -> None:
    async def look() -> None:
        async with watching("normal") as person:
            app = person.app
            while not has_scoring(app.steps[app.here + 1]):
                app.go(app.here + 1)
            await person.press("right")
            await person.until(lambda: "(Space skips)" in person.prompt)
            await person.press("right")
            await person.until(lambda: not app.is_showing)
            assert app.view == app.steps[app.here].view

    asyncio.run(look())


@pytest.mark.parametrize("language", locale.LANGUAGES)
def test_all_keys_are_named_below_the_table(language: str) -> None:
    async def look() -> None:
        locale.use(language)
        async with watching() as person:
            row = person.app.part("keys").rows[0]
            assert row[-1].spot == ("key", "quit")
            assert sum(cell_len(piece.text) for piece in row) <= 80

    asyncio.run(look())


def test_it_runs_by_itself_but_not_below_a_panel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replay_app, "RUN_SECONDS", 0.2)

    async def look() -> None:
        async with watching() as person:
            app = person.app
            await person.press("p")
            await person.until(lambda: app.here >= 2)
            app._command("help")  # a click on its key: running goes on
            await person.until(lambda: "Keys" in person.screen_text)
            here = app.here
            await person.pilot.pause(1.0)
            assert app.here == here
            await person.press("escape")
            await person.until(lambda: app.here > here)

    asyncio.run(look())


def test_a_click_on_the_keys_steps() -> None:
    async def look() -> None:
        async with watching() as person:
            await person.click(("key", "forward"))
            assert "step 2 of 21" in person.prompt
            await person.click(("key", "back"))
            assert "step 1 of 21" in person.prompt

    asyncio.run(look())


def test_a_record_that_breaks_off_says_why_at_its_end() -> None:
    async def look() -> None:
        app = ReplayApp(Recorded(read_record(GOLDEN.read_text()), "round 3: cannot read '9Z9'"), speed="instant")
        async with app.run_test(size=(80, 24)) as pilot:
            person = Watcher(app, pilot)
            assert "no further" not in person.prompt
            await person.press("end")
            assert "The record can be followed no further: round 3: cannot read '9Z9'" in person.prompt

    asyncio.run(look())


def test_a_review_is_shown_as_soon_as_it_is_there() -> None:
    record, found = short_review()
    go_on = threading.Event()

    def reviewer(_: Record, *, tell: Callable[[int, int], None] = print, stop: Callable[[], bool] = bool) -> Review:
        tell(3, 13)
        go_on.wait(PATIENCE)
        return found if not stop() else replace(found, decisions=())

    async def look() -> None:
        app = ReplayApp(Recorded(record), speed="instant", review=reviewer)
        async with app.run_test(size=(100, 40)) as pilot:
            person = Watcher(app, pilot)
            await person.until(lambda: "Reviewing: 3 of 13" in person.prompt)
            go_on.set()
            await person.until(lambda: "Luck: Ana " in person.prompt)
            assert "Reviewing" not in person.prompt
            for each in found.decisions[:4]:
                await person.press("right")
                assert "Chance to win: Ana " in person.prompt
                assert ("Better: " in person.prompt) == bool(each.mark)

    asyncio.run(look())
