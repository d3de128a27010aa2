"""The folder of a match or tournament: its plan, a line for each finished game, and the records of all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, Any

import msgspec
from filelock import FileLock, Timeout

from azulejos.arena.game_task import FinishedGame, RecordedGame

PLAN = "plan.json"
"""The file with the plan."""
GAMES = "games.jsonl"
"""The file with a line for each finished game."""
RECORDS = "records.azul"
"""The file with the records of all games."""
LOCK = "lock"
"""The file that a match keeps locked while it writes."""


class _Written(msgspec.Struct):
    """Where the record of a game ends, in bytes."""

    record_end: int


class Folder:
    """Keeps every game as it finishes; opened again with the same plan it knows what is done.

    A line of `games.jsonl` says where its record ends in `records.azul`, so that whatever was cut off by a sudden end
    is found and dropped.
    """

    def __init__(self, path: Path, plan: dict[str, Any]) -> None:
        path.mkdir(parents=True, exist_ok=True)
        with ExitStack() as stack:
            stack.enter_context(_locked(path))
            _check_plan(path, plan)
            self._games: IO[bytes] = stack.enter_context((path / GAMES).open("a+b"))
            self._records: IO[bytes] = stack.enter_context((path / RECORDS).open("a+b"))
            self.finished = self._recover()
            """The games that are in the folder, by pair and rotation."""
            self._open = stack.pop_all()

    def _recover(self) -> list[FinishedGame]:
        """The games that are whole; everything behind them is dropped."""
        self._games.seek(0)
        finished: dict[tuple[int, int], FinishedGame] = {}
        whole = end = 0
        for number, line in enumerate(self._games, 1):
            if not line.endswith(b"\n"):
                break
            try:
                game = msgspec.json.decode(line, type=FinishedGame)
                end = msgspec.json.decode(line, type=_Written).record_end
            except (msgspec.MsgspecError, ValueError) as fault:
                raise ValueError(f"cannot read line {number} of {self._games.name!r} as a game: {fault}") from fault
            finished.setdefault(game.key, game)
            whole += len(line)
        size = self._records.seek(0, os.SEEK_END)
        if size < end:
            raise ValueError(f"{self._records.name!r} has {size} bytes: expected {end}, as {GAMES} says")
        self._games.truncate(whole)
        self._records.truncate(end)
        return list(finished.values())

    def add(self, played: RecordedGame) -> None:
        """Keep a game; when this returns a sudden end of the process no longer loses it."""
        self._records.seek(0, os.SEEK_END)
        self._records.write(played.record.encode() + b"\n")
        self._records.flush()
        line = {**played.game.json(), "record_end": self._records.tell()}
        self._games.write(msgspec.json.encode(line) + b"\n")
        self._games.flush()

    def close(self) -> None:
        """Close the files, and let others write."""
        self._open.close()


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Two matches writing into one folder would spoil it; the lock goes with the process, however it ends."""
    try:
        with FileLock(path / LOCK, timeout=0, thread_local=False):
            yield
    except Timeout as fault:
        raise ValueError(f"{str(path)!r} is being written by another match") from fault


def _check_plan(path: Path, plan: dict[str, Any]) -> None:
    file = path / PLAN
    if file.exists():
        try:
            there = msgspec.json.decode(file.read_bytes(), type=dict[str, Any])
        except (msgspec.MsgspecError, ValueError) as fault:
            raise ValueError(f"cannot read {str(file)!r} as a plan: {fault}") from fault
        here = msgspec.json.decode(msgspec.json.encode(plan))
        names = [name for name in {**there, **here} if there.get(name) != here.get(name)]
        if names:
            differences = "; ".join(f"{name} {there.get(name)!r} there, {here.get(name)!r} here" for name in names)
            raise ValueError(f"{str(path)!r} holds games of another plan: {differences}")
        return
    for name in (GAMES, RECORDS):
        if (path / name).exists():
            raise ValueError(f"{str(path)!r} holds {name} but no {PLAN}: choose another folder")
    fresh = path / f"{PLAN}.new"
    fresh.write_bytes(msgspec.json.format(msgspec.json.encode(plan)) + b"\n")
    fresh.replace(file)
