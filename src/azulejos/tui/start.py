"""What `azulejos play` starts: a game here, a table on a server, or a record; on a whole screen or line by line."""

from __future__ import annotations

import asyncio
import io
import os
import select
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Final

from azulejos import locale
from azulejos.drawing.words import plural
from azulejos.game.game import Game
from azulejos.game.reader import record_texts
from azulejos.game.record import Record
from azulejos.game.valid_part import read_valid_part
from azulejos.game.view import Wall
from azulejos.tui.review_words import Reviewer
from azulejos.tui.table.link import Link, is_link, read_link
from azulejos.tui.table.local import PERSON, is_person, own_name, sit_down
from azulejos.tui.table.recorded import Recorded
from azulejos.tui.table.table import AnyTable, NotAllowed

EASY: Final = ("level2",)
"""Against whom one plays who does not say."""


@dataclass(frozen=True, slots=True)
class Wishes:
    """What the command line asks for."""

    what: str | None = None
    """A link to a table, or a file with a record; a new game if there is neither."""
    players: int | None = None
    """How many play."""
    wall: Wall | None = None
    """The colored wall or the gray one; None: the colored one."""
    seed: int | None = None
    """What the deals follow from."""
    me: str | None = None
    """Who plays the first seat, or that of the link; None: a person."""
    against: Sequence[str] | None = None
    """Who plays the others; None: an easy level."""
    plain: bool = False
    """Whether to write line by line."""
    color: bool | None = None
    """Whether to use color; None: as the terminal likes."""
    language: str | None = None
    """Which language to speak; None: that of the system."""
    speed: str | None = None
    """How fast moves are shown on a whole screen; None: so that they can be followed."""

    @property
    def pace(self) -> str:
        """How fast moves are shown, whether it was said or not."""
        return self.speed or "normal"

    def refuse(self, where: str, *names: str) -> None:
        """Raise a `ValueError` that names the first of these options that was given: it would have no effect."""
        for name in names:
            if getattr(self, name) is not None:
                raise ValueError(f"--{name} has no effect {where}: leave it out")


def play(wishes: Wishes) -> None:
    """Play as wished; bad wishes are a `ValueError` or an `OSError` before anything is on the screen."""
    locale.use(wishes.language)
    plain, color = _is_plain(wishes.plain), _has_color(wishes.color)
    if plain and wishes.pace != "instant":  # which is what it does
        wishes.refuse("line by line", "speed")
    if sys.stdin is None and (wishes.what is None or is_link(wishes.what)):
        raise ValueError("there is no standard input to read moves from")
    if wishes.what is None:
        _play_here(wishes, plain, color)
    elif is_link(wishes.what):
        wishes.refuse("at a table on a server", "players", "wall", "seed", "against")
        asyncio.run(_play_there(_link_of(wishes.what, wishes), wishes, plain, color))
    else:
        wishes.refuse("where a record is looked at", "players", "wall", "seed", "against", "me")
        record, fault = read_file(wishes.what)
        replay(record, plain=plain, color=color, speed=wishes.pace, from_input=wishes.what == "-", fault=fault)


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
    against = wishes.against or EASY
    players = wishes.players if wishes.players is not None else max(2, len(against) + 1)
    table = sit_down(players, wishes.wall or "std", wishes.seed, wishes.me or PERSON, against)
    try:
        with suppress(KeyboardInterrupt):  # one way to leave like others
            asyncio.run(_at(table, wishes, plain, color))
    finally:
        table.close()


def _link_of(text: str, wishes: Wishes) -> Link:
    """The link to a table; a lobby's address becomes that of a free seat, which is said, since it leads back there."""
    from azulejos.tui.table.lobby import is_lobby, take_seat  # noqa: PLC0415 - only this needs it

    if not is_lobby(text):
        return read_link(text)
    me = wishes.me or PERSON
    link = take_seat(text, (own_name(me) if is_person(me) else "") or "")
    print(link, flush=True)
    return link


async def _play_there(link: Link, wishes: Wishes, plain: bool, color: bool) -> None:
    """Play at a table on a server, or have a computer play there and watch it."""
    from azulejos.tui.bots import seated  # noqa: PLC0415 - only this needs it
    from azulejos.tui.table.remote import RemoteTable  # noqa: PLC0415 - only this needs it

    me = wishes.me or PERSON
    if me != PERSON and not link.secrets:
        raise ValueError(f"--me {me} needs a seat: the link has no secret behind a #, and only watches")
    if not is_person(me):
        async with seated(link, me) as bot:
            await _at(bot, wishes, plain, color, to_the_end=True)
        return
    table = RemoteTable(link)
    try:
        await table.open()
        if name := own_name(me):
            await table.rename(name)
        await _at(table, wishes, plain, color)
    except NotAllowed as refusal:
        raise ValueError(str(refusal)) from refusal
    finally:
        table.close()


async def _at(table: AnyTable, wishes: Wishes, plain: bool, color: bool, *, to_the_end: bool = False) -> None:
    """Play at a table, on a whole screen or line by line; `to_the_end` of one game where nobody types."""
    if plain:
        from azulejos.tui.plain.game import PlainGame  # noqa: PLC0415 - only one of the two is needed

        await PlainGame(table, color=color, to_the_end=to_the_end).run()
    else:
        from azulejos.tui.app.play_app import PlayApp  # noqa: PLC0415 - Textual is optional

        _compile()
        await PlayApp(table, color=color, speed=wishes.pace).run_async()
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
    fault: str | None = None,
) -> None:
    """Go through a record on a whole screen, or line by line; with `at` only print that position.

    A record `from_input` has used up standard input, which answers nothing then. With a `review` what it finds is told,
    on the screen as soon as it is there. A `fault` is why the record goes no further, told at its end.
    """
    recorded = Recorded(record, fault)
    if at is not None or _is_plain(plain):
        from azulejos.tui.plain.stepper import step_through  # noqa: PLC0415

        ask = input if _can_answer(from_input) else None
        found = review(record) if review else None
        step_through(recorded, at=at, color=_has_color(color), ask=ask, is_script=not _has_keyboard(), found=found)
    else:
        from azulejos.tui.app.replay_app import ReplayApp  # noqa: PLC0415 - Textual is optional

        ReplayApp(recorded, color=_has_color(color), speed=speed, review=review).run()


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


def read_file(name: str, game: int = 1) -> tuple[Record, str | None]:
    """A record of a file, or of standard input for `-`, as far as it is valid, and why it goes no further.

    Errors name the file.
    """
    text = _text_of(name, game)
    try:
        return read_valid_part(text)
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
