"""What `azulejos play` starts: a game here, a table on a server, or a record; on a whole screen or line by line."""

from __future__ import annotations

import asyncio
import io
import os
import select
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib.util import find_spec

from azulejos import locale
from azulejos.drawing.words import plural
from azulejos.game.game import Game
from azulejos.game.reader import read_record, record_texts
from azulejos.game.record import Record
from azulejos.game.valid_part import read_valid_part
from azulejos.game.view import Wall
from azulejos.tui.review_words import Reviewer
from azulejos.tui.table.link import Link, is_link, read_link
from azulejos.tui.table.local import sit_down
from azulejos.tui.table.table import AnyTable


@dataclass(frozen=True, slots=True)
class Wishes:
    """What the command line asks for."""

    what: str | None = None
    """A link to a table, or a file with a record; a new game if there is neither."""
    players: int | None = None
    """How many play."""
    wall: Wall = "std"
    """The colored wall or the gray one."""
    seed: int | None = None
    """What the deals follow from."""
    me: str = "person"
    """Who plays the first seat."""
    against: Sequence[str] = ("level2",)
    """Who plays the others."""
    plain: bool = False
    """Whether to write line by line."""
    color: bool | None = None
    """Whether to use color; None: as the terminal likes."""
    language: str | None = None
    """Which language to speak; None: that of the system."""
    speed: str = "normal"
    """How fast moves are shown."""


def play(wishes: Wishes) -> None:
    """Play as wished; bad wishes are a `ValueError` or an `OSError` before anything is on the screen."""
    locale.use(wishes.language)
    plain, color = _is_plain(wishes.plain), _has_color(wishes.color)
    if sys.stdin is None and (wishes.what is None or is_link(wishes.what)):
        raise ValueError("there is no standard input to read moves from")
    if wishes.what is None:
        _play_here(wishes, plain, color)
    elif is_link(wishes.what):
        asyncio.run(_play_there(read_link(wishes.what), wishes, plain, color))
    else:
        record = read_file(wishes.what)
        replay(record, plain=plain, color=color, speed=wishes.speed, from_input=wishes.what == "-")


def _is_plain(wish: bool) -> bool:
    """Whether to go line by line: where that is wished, where there is no screen, and where Textual is missing."""
    if not wish and _has_screen() and find_spec("textual") is None:
        sys.stderr.write("azulejos: line by line, because Textual is not installed: pip install 'azulejos[tui]'\n")
        return True
    return wish or not _has_screen()


def _has_color(wish: bool | None) -> bool:
    return wish if wish is not None else "NO_COLOR" not in os.environ and sys.stdout.isatty()


def _has_keyboard() -> bool:
    return sys.stdin is not None and sys.stdin.isatty()


def _has_screen() -> bool:
    return _has_keyboard() and sys.stdout.isatty() and os.environ.get("TERM", "") not in ("dumb", "unknown")


def _play_here(wishes: Wishes, plain: bool, color: bool) -> None:
    players = wishes.players if wishes.players is not None else max(2, len(wishes.against) + 1)
    table = sit_down(players, wishes.wall, wishes.seed, wishes.me, wishes.against)
    try:
        with suppress(KeyboardInterrupt):  # one way to leave like others
            asyncio.run(_at(table, wishes, plain, color))
    finally:
        table.close()


async def _play_there(link: Link, wishes: Wishes, plain: bool, color: bool) -> None:
    from azulejos.tui.table.remote import RemoteTable  # noqa: PLC0415 - only this needs it

    table = RemoteTable(link)
    try:
        await table.open()
        await _at(table, wishes, plain, color)
    finally:
        table.close()


async def _at(table: AnyTable, wishes: Wishes, plain: bool, color: bool) -> None:
    """Play at a table, on a whole screen or line by line."""
    if plain:
        from azulejos.tui.plain.game import PlainGame  # noqa: PLC0415 - only one of the two is needed

        await PlainGame(table, color=color).run()
    else:
        from azulejos.tui.app.play_app import PlayApp  # noqa: PLC0415 - Textual is optional

        _compile()
        await PlayApp(table, color=color, speed=wishes.speed).run_async()
        if table.is_local:
            print(await table.record())


def _compile() -> None:
    """Have the rules compiled, if they are not yet, while there is no screen that would stand still."""
    game = Game(seed=0)
    game.previews()
    game.play(game.legal_moves[0])


def replay(
    record: Record,
    *,
    at: int | None = None,
    plain: bool = False,
    color: bool | None = None,
    speed: str = "normal",
    from_input: bool = False,
    review: Reviewer | None = None,
) -> None:
    """Go through a record on a whole screen, or line by line; with `at` only print that position.

    A record `from_input` has used up standard input, which answers nothing then. With a `review` what it finds is told,
    on the screen as soon as it is there.
    """
    if at is not None or _is_plain(plain):
        from azulejos.tui.plain.stepper import step_through  # noqa: PLC0415

        ask = input if _can_answer(from_input) else None
        found = review(record) if review else None
        step_through(record, at=at, color=_has_color(color), ask=ask, is_script=not _has_keyboard(), found=found)
    else:
        from azulejos.tui.app.replay_app import ReplayApp  # noqa: PLC0415 - Textual is optional

        ReplayApp(record, color=_has_color(color), speed=speed, review=review).run()


def _can_answer(is_used_up: bool) -> bool:
    """Whether questions can be answered: by somebody at a terminal who sees them, or by lines on standard input."""
    if _has_keyboard():
        return sys.stdout.isatty()
    return not is_used_up and sys.stdin is not None and not _is_at_end()


def _is_at_end() -> bool:
    """Whether standard input is known to be at its end; what has yet to write there is not waited for."""
    try:
        is_ready = bool(select.select([sys.stdin], [], [], 0)[0])
    except (OSError, ValueError):  # no real file, or a system that cannot tell
        return False
    lines = sys.stdin.buffer
    return is_ready and isinstance(lines, io.BufferedReader) and not lines.peek(1)


def read_file(name: str, game: int = 1) -> Record:
    """A record of a file, or of standard input for `-`; errors name it."""
    text = _text_of(name, game)
    with _naming(name, game):
        return read_record(text)


def read_valid_file(name: str, game: int = 1) -> tuple[Record, str | None]:
    """A record of a file as far as it is valid, and why it goes no further; errors name it."""
    text = _text_of(name, game)
    with _naming(name, game):
        return read_valid_part(text)


@contextmanager
def _naming(name: str, game: int) -> Iterator[None]:
    """Have errors name a game of a file."""
    try:
        yield
    except ValueError as fault:
        raise ValueError(f"cannot read game {game} of {name!r}: {fault}") from fault


def _text_of(name: str, game: int) -> str:
    number = 0
    for number, text in enumerate(record_texts(name), 1):
        if number == game:
            return text
    if number == 0:
        raise ValueError(f"{name!r} holds no record")
    raise ValueError(f"{name!r} has no game number {game}: it holds {plural(number, 'game')}")
