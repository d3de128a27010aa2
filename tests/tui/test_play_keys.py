"""What the keys do that make no move: hint, last move, all moves, save, help, quit."""

from __future__ import annotations

import asyncio
import threading
import time
from pathlib import Path

import pytest

from azulejos import Game, read_record
from azulejos.players.player import Choice
from tests.patience import PATIENCE
from tests.tui.person import at, table


def test_the_keys_below_the_table_can_be_clicked() -> None:
    async def play() -> None:
        local = table("person", "person")
        async with at(local) as person:
            await person.move("2K3")
            assert len(local.game.history) == 2
            await person.click(("key", "u"))
            await person.until(lambda: len(local.game.history) == 1)
            await person.click(("key", "?"))
            await person.until(lambda: "Three keys make a move" in person.screen_text)
            await person.press("escape")
            await person.until(lambda: "Three keys make a move" not in person.screen_text)

    asyncio.run(play())


def test_hint_thinks_while_the_screen_goes_on_and_then_holds_its_move(monkeypatch: pytest.MonkeyPatch) -> None:
    async def play() -> None:
        local = table("person", "greedy")
        gaps, looks, was_seen, advise = [0.0], 0, threading.Event(), local._adviser._find

        def advise_when_seen(game: Game) -> Choice:
            advice = advise(game)
            assert was_seen.wait(PATIENCE), "the screen stands still"
            return advice

        monkeypatch.setattr(local._adviser, "_find", advise_when_seen)
        async with at(local) as person:

            async def watch() -> None:
                nonlocal looks
                last = time.monotonic()
                while True:
                    await asyncio.sleep(0.005)
                    gaps.append(time.monotonic() - last)
                    looks += "Thinking about a hint ..." in person.prompt
                    if looks >= 20:
                        was_seen.set()
                    last = time.monotonic()

            watching = asyncio.create_task(watch())
            await person.press("h")
            await person.until(lambda: "chance to win" in person.prompt)
            watching.cancel()
            print(f"the screen stood still for at most {max(gaps):.2f} s")
            assert looks >= 20
            assert person.app.selection
            move = person.app.selection.pointed_move
            assert move in local.game.legal_moves
            await person.press("enter")
            assert local.game.history[1] == move

    asyncio.run(play())


def test_last_move_and_all_moves_can_be_read() -> None:
    async def play() -> None:
        local = table("person", "greedy")
        async with at(local) as person:
            await person.press("l")
            assert "No move yet" in person.prompt
            await person.move("2K3")
            await person.until_my_turn()
            await person.press("l")
            assert "Greedy 1B1: 1 blue from display 1 to line 1" in person.prompt
            await person.press("m")
            await person.until(lambda: "You 2K3: 2 black from display 2 to line 3." in person.screen_text)

    asyncio.run(play())


def test_save_writes_a_record_that_can_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    async def play() -> None:
        local = table("person", "greedy")
        async with at(local) as person:
            await person.move("2K3")
            await person.until_my_turn()
            await person.press("s")
            await person.until(lambda: "Saved as" in person.prompt)
            await person.press("s")
            await person.until(lambda: len(list(tmp_path.iterdir())) == 2)

    asyncio.run(play())
    for file in tmp_path.iterdir():
        record = read_record(file.read_text())
        assert [str(entry.play) for entry in record.entries[1:3]] == ["2K3", "1B1"]


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()

    async def play() -> None:
        local = table("person", "greedy")
        async with at(local) as person:
            await person.press("s")
            await person.until(lambda: "Cannot save" in person.prompt)

    asyncio.run(play())


def test_q_leaves() -> None:
    async def play() -> None:
        local = table("person", "greedy")
        async with at(local) as person:
            await person.press("q")
            await person.until(lambda: not person.app.is_running)

    asyncio.run(play())
