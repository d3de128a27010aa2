"""The folder of a match or tournament: its plan, a line for each finished game, and the records of all."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import IO, Any

from azulejos.arena.game_task import FinishedGame, RecordedGame

PLAN = "plan.json"
"""The file with the plan."""
GAMES = "games.jsonl"
"""The file with a line for each finished game."""
RECORDS = "records.azul"
"""The file with the records of all games."""


class Folder:
    """Keeps every game as it finishes; opened again with the same plan it knows what is done.

    A line of `games.jsonl` says where its record ends in `records.azul`, so that whatever was cut off by a sudden end
    is found and dropped.
    """

    def __init__(self, path: Path, plan: dict[str, Any]) -> None:
        path.mkdir(parents=True, exist_ok=True)
        _check_plan(path, plan)
        self._games: IO[bytes] = (path / GAMES).open("a+b")
        self._records: IO[bytes] = (path / RECORDS).open("a+b")
        try:
            _lock(self._games, path)
            self.finished = self._recover()
            """The games that are in the folder, by pair and rotation."""
        except BaseException:
            self.close()
            raise

    def _recover(self) -> list[FinishedGame]:
        """The games that are whole; everything behind them is dropped."""
        self._games.seek(0)
        finished: dict[tuple[int, int], FinishedGame] = {}
        whole = end = 0
        for number, line in enumerate(self._games, 1):
            if not line.endswith(b"\n"):
                break
            try:
                data = json.loads(line)
                game = FinishedGame.from_json(data)
                end = int(data["record_end"])
            except (ValueError, KeyError, TypeError) as fault:
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
        self._games.write(json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode() + b"\n")
        self._games.flush()

    def close(self) -> None:
        """Close the files."""
        self._games.close()
        self._records.close()


def _check_plan(path: Path, plan: dict[str, Any]) -> None:
    file = path / PLAN
    if file.exists():
        try:
            there = json.loads(file.read_bytes())
        except ValueError as fault:
            raise ValueError(f"cannot read {str(file)!r} as a plan: {fault}") from fault
        here = json.loads(json.dumps(plan))
        names = [name for name in {**there, **here} if there.get(name) != here.get(name)]
        if names:
            differences = "; ".join(f"{name} {there.get(name)!r} there, {here.get(name)!r} here" for name in names)
            raise ValueError(f"{str(path)!r} holds games of another plan: {differences}")
        return
    for name in (GAMES, RECORDS):
        if (path / name).exists():
            raise ValueError(f"{str(path)!r} holds {name} but no {PLAN}: choose another folder")
    fresh = path / f"{PLAN}.new"
    fresh.write_text(json.dumps(plan, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    fresh.replace(file)


def _lock(file: IO[bytes], path: Path) -> None:
    """Two matches writing into one folder would spoil it; the lock goes with the process, however it ends."""
    if sys.platform != "win32":
        import fcntl  # noqa: PLC0415 - only where there is one

        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as fault:
            raise ValueError(f"{str(path)!r} is being written by another match") from fault
