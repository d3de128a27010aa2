"""The commands about puzzles: those that ship, and how they are found."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, wait
from itertools import count
from pathlib import Path
from typing import Any, Final

import msgspec
from cyclopts import App

from azulejos.cli.options import AsJson, OptionalPlayerCount, print_json
from azulejos.game.view import Wall

NEWS_SECONDS: Final = 10.0
"""How often it is told how many there are."""

HELP: Final = """List puzzles, positions with one clearly best move, and find new ones.

For example:

    azulejos puzzles list --theme floor
"""
"""What `azulejos puzzles --help` says."""
puzzles = App(name="puzzles", help=HELP)
"""All of them; `azulejos puzzles --help` lists them."""


@puzzles.command(name="list")
def show(
    *,
    theme: str | None = None,
    players: OptionalPlayerCount = None,
    wall: Wall | None = None,
    as_json: AsJson = False,
) -> None:
    """List the puzzles that ship.

    For example:

        azulejos puzzles list --theme floor --players 2
        azulejos puzzles list --json

    Parameters
    ----------
    theme
        Only those about "blocking", "end of round", "end of game", "floor" or "first player".
    players
        Only those for 2, 3 or 4.
    wall
        Only those on this wall, std or gray.
    as_json
        A line of JSON for each: id, position, solutions, theme, rating.
    """
    from azulejos.analysis.puzzles import shipped
    from azulejos.game.arguments import check_whole

    theme = _theme(theme)
    if players is not None:
        check_whole("players", players, 2, 4)
    for puzzle in shipped():
        its_players, its_wall = puzzle.kind
        if theme in (None, puzzle.theme) and players in (None, its_players) and wall in (None, its_wall):
            if as_json:
                print_json(puzzle)
            else:
                print(f"{puzzle.id}  {puzzle.rating:4}  {puzzle.theme:12}  {' '.join(puzzle.solutions)}")
                print(f"    {puzzle.position}")


@puzzles.command
def make(
    file: Path,
    *,
    seconds: float | None = None,
    games: int | None = None,
    theme: str | None = None,
    seed: int = 0,
    workers: int | None = None,
) -> None:
    """Play games and look for puzzles in them; a file that is there is gone on with.

    For example:

        azulejos puzzles make mined.jsonl --seconds 600 --workers 8

    Parameters
    ----------
    file
        Where each game's puzzles are added, as a line of JSON.
    seconds
        How long to look; games under way are finished. Without it, and without games, until Ctrl-C.
    games
        How many games, those in the file included.
    theme
        Only puzzles about this, which is quicker than finding all: some themes are rare.
    seed
        The same number gives the same games and puzzles.
    workers
        How many processes; 0 for none but this one. Every core if not said.
    """
    from azulejos.game.arguments import check_seed, check_whole

    theme = _theme(theme)
    check_seed(seed)
    check_whole("games", games or 0, 0, 10**9)
    if seconds is not None and not 0 < seconds < 1e9:
        raise ValueError(f"cannot look for {seconds!r} seconds: expected a number above 0")
    done, found = _already(file, seed)
    began = told = time.monotonic()
    with file.open("a", encoding="utf-8") as out:
        for row in _mined(done, games, (seed, theme), workers, began + (seconds or 1e9)):
            out.write(msgspec.json.encode(row).decode() + "\n")
            out.flush()
            done.add(row.game)
            found += len(row.puzzles)
            if time.monotonic() - told > NEWS_SECONDS:
                told = time.monotonic()
                print(f"{len(done)} games, {found} puzzles, {told - began:.0f} s", file=sys.stderr, flush=True)
    print(f"{len(done)} games, {found} puzzles: {file}")


@puzzles.command
def choose(*files: Path, out: Path, most: int = 1500) -> None:
    """Choose from what was mined, and write the file that ships.

    For example:

        azulejos puzzles choose mined.jsonl --out src/azulejos/analysis/puzzles.deflate

    Parameters
    ----------
    files
        What `azulejos puzzles make` wrote, of any seeds.
    out
        The file to write.
    most
        How many puzzles to choose.
    """
    from azulejos.analysis.choosing import choose as choice
    from azulejos.analysis.puzzles import write_puzzles

    if not files:
        raise ValueError("nothing to choose from: expected files that azulejos puzzles make wrote")
    rows = [puzzle for file in files for line in _lines(file) for puzzle in line.puzzles]
    chosen = choice(rows, most)
    write_puzzles(chosen, out)
    print(f"{len(chosen)} of {len(rows)} puzzles, {out.stat().st_size} bytes: {out}")


def _theme(given: str | None) -> str | None:
    """A theme that somebody has named in their own spelling."""
    from azulejos.analysis.themes import THEMES

    theme = given and given.replace("-", " ").replace("_", " ").lower()
    if theme is not None and theme not in THEMES:
        raise ValueError(f"there is no theme {theme!r}: expected one of {', '.join(THEMES)}")
    return theme


def _mined(
    done: set[int], games: int | None, what: tuple[int, str | None], workers: int | None, end: float
) -> Iterator[_MinedGame]:
    """What each game of a seed brought about a theme, as they are finished, until the end."""
    from azulejos.analysis.mining import mine, warm_up
    from azulejos.arena.workers import hired

    seed, theme = what
    warm_up()
    numbers = (number for number in (count() if games is None else range(games)) if number not in done)
    with hired(workers) as crew:
        running: dict[Any, int] = {}
        while True:
            while len(running) < 2 * crew.size and time.monotonic() < end:
                number = next(numbers, None)
                if number is None:
                    break
                running[crew.submit(mine, seed, number, theme)] = number
            if time.monotonic() >= end:
                running = {future: number for future, number in running.items() if not future.cancel()}
            if not running:
                return
            done_now = wait(running, 1.0, FIRST_COMPLETED).done
            for future in [each for each in running if each in done_now]:  # in the order in which they were given away
                yield _MinedGame(seed, running.pop(future), future.result())


def _already(file: Path, seed: int) -> tuple[set[int], int]:
    """The games that are in a file already, and how many puzzles it holds."""
    if not file.exists():
        return set(), 0
    lines = _lines(file)
    if any(line.seed != seed for line in lines):
        raise ValueError(f"{str(file)!r} was made with another seed: expected {seed}")
    return {line.game for line in lines}, sum(len(line.puzzles) for line in lines)


class _MinedGame(msgspec.Struct):
    """A line of a file that was mined: what one game brought."""

    seed: int
    game: int
    puzzles: list[dict[str, Any]]


def _lines(file: Path) -> list[_MinedGame]:
    """The lines of a file that was mined."""
    rows = []
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        try:
            rows.append(msgspec.json.decode(line, type=_MinedGame))
        except msgspec.MsgspecError as fault:
            raise ValueError(f"cannot read line {number} of {str(file)!r}: expected a line of mined puzzles") from fault
    return rows
