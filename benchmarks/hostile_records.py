"""Records of 64 kB made to take long: how much of a processor each one takes, to read and as a table for a server.

.venv/bin/python benchmarks/hostile_records.py

The first table is of texts, which the page and the programs read. A server takes games only as the events of a table
from somebody's browser (`/api/tables/moved`): the second is of such bodies, with all that is done with them there.
"""

from __future__ import annotations

import itertools
import json
import time
from collections.abc import Callable, Iterator
from functools import partial

import msgspec
from rich.console import Console
from rich.table import Table

from azulejos import Dealer, Game, Record
from azulejos.game.reader import read_record
from azulejos.game.view import Wall
from azulejos.server.protocol.incoming import MOST_MOVED, MovedTable
from azulejos.server.tables import events as e
from azulejos.server.tables.moving import check_moved
from azulejos.server.tables.refusal import Refuse
from azulejos.server.tables.setup import NewSeat, Setup
from azulejos.server.tables.table import Table as GameTable
from azulejos.server.tables.undo import decisions_of

SIZE = 64 * 1024
"""Bytes of a record."""
REPETITIONS = 3
"""The best of so many counts."""


def filled(head: str, part: str, tail: str) -> str:
    """A text of the size, with as many parts in the middle as fit."""
    return head + part * ((SIZE - len(head) - len(tail)) // len(part)) + tail


def longest(game: Game) -> str:
    """A move with which a game goes on for long."""
    previews = game.previews()
    open_ended = [move for move in previews if not previews[move].completes] or list(previews)
    return str(min(open_ended, key=lambda move: (previews[move].taken, str(move)[-1] == "f")))


def endless_game() -> str:
    """As many moves as fit: single tiles, and no line completed; with the secret of the deals."""
    dealer = Dealer.from_text("1" * 64)
    game = Game(dealer=dealer, starter=0)
    while len(game.history) < 10_200:
        game.play(longest(game))
    return game.to_record(DealCommitment=dealer.commitment, DealSecret=dealer.secret)


def records() -> Iterator[tuple[str, str]]:
    """Names and texts."""
    game = Game(seed=1, starter=0)
    dealt = game.to_record().removesuffix("*\n")
    move = str(game.legal_moves[0])
    game.play(move)
    played = game.to_record().removesuffix("*\n")
    yield "comments", filled(dealt, "{x}", "*\n")
    yield "comments before the deal", filled(dealt.partition("=")[0], "{x}", "*\n")
    yield "glyphs", filled(dealt, "$1", "*\n")
    yield "variations", filled(played, f"({move})", "*\n")
    yield "variations in each other", filled(played, f"({move}", "*\n")
    yield "braces", filled(dealt, "{", "*\n")
    yield "tags", "".join(f'[A{number} "x"]\n' for number in range(5000))
    yield "a tag without an end", filled('[A "', '\\"', "")
    yield "comments in JSON", json.dumps({**Record.of(Game(seed=1)).json(), "comments": 12_000 * ["x"]})
    yield "JSON that breaks off in a text", filled('{"v":1,"a":"', '\\"', "\\q")
    yield "lists in each other", filled('{"v":1,"a":', "[", "")
    yield "moves without end", endless_game()


def table_body(wall: Wall, players: int, following: Callable[[GameTable], e.TableEvent | None]) -> bytes:
    """The body of a request with as many events as may be, each of which follows from the table so far."""
    seats = [NewSeat("here", f"P{at}") for at in range(players)]
    setup, dealer = Setup(wall, seats, 0), Dealer.from_text("1" * 64)
    happened: list[e.TableEvent] = [e.Started()]
    table, _ = GameTable("", "", setup, dealer).after(happened[0])
    while len(happened) < MOST_MOVED and not table.result and (event := following(table)) is not None:
        happened.append(event)
        table, _ = table.after(event)
    if table.result:  # a game that is over is refused
        happened.pop()
    return msgspec.json.encode(MovedTable(setup, dealer.secret, happened))


def decision(table: GameTable) -> e.TableEvent:
    """Somebody decides so that the game goes on for long."""
    seat, game = table.waiting[0], table.game
    move = str(game.own(seat).moves[0]) if game.is_choosing else longest(game.public)
    return e.Decided(seat=seat, move=move)


def there_and_back(table: GameTable, moves: int) -> e.TableEvent:
    """So many decisions at first; then the last one is taken back and made again, for ever."""
    if table.version > moves and table.version % 2:
        seat = table.game.decisions[-1].seat
        gone = table.game.decisions[decisions_of(table.game, seat)]
        return e.Undone(seat=seat, moves=sum(decision.plays for decision in gone))
    return decision(table)


def tables() -> Iterator[tuple[str, bytes]]:
    """Names and bodies."""
    numbers = itertools.count()
    yield "moves without end", table_body("std", 2, decision)
    yield "the same of four, gray", table_body("gray", 4, decision)
    yield "one move, there and back", table_body("std", 2, lambda table: there_and_back(table, 1))
    yield "the last of 500 moves, there and back", table_body("std", 2, lambda table: there_and_back(table, 500))
    yield "names", table_body("std", 2, lambda _: e.Renamed(seat=0, name=f"name {next(numbers):015d}"))
    yield "hints", table_body("gray", 4, lambda _: e.Assisted(seat=0))
    whole = table_body("std", 2, decision)
    yield "a last event that cannot be", whole[: whole.rindex(b',{"type"')] + b',{"type":"resigned","seat":3}]}'
    yield "lists in each other", filled('{"setup":', "[", "").encode()


def take_over(body: bytes) -> str:
    """Do what a server does with a table that comes from somebody's browser, and write its record."""
    try:
        moved = msgspec.json.decode(body, type=MovedTable)
        dealer = Dealer.from_text(moved.secret)
        table = check_moved(moved.setup, dealer, moved.events)
    except (Refuse, ValueError, RecursionError) as fault:
        return str(fault)[:50]
    return f"{len(moved.events)} events, a record of {len(table.record().text())} bytes"


def read(text: str) -> str:
    """Read a record; what can be said of it."""
    try:
        return f"{len(read_record(text).entries)} entries"
    except ValueError as fault:
        return str(fault)[:50]


def seconds_of(work: Callable[[], str]) -> tuple[str, str]:
    """How long some work takes at best, and what it says."""
    best, said = 1e9, ""
    for _ in range(REPETITIONS):
        started = time.process_time()
        said = work()
        best = min(best, time.process_time() - started)
    return f"{best:.3f}", said


def main() -> None:
    """Measure and print two tables."""
    columns = ("record", "bytes", "seconds", "what is said of it")
    reading = Table(*columns, title="reading a record")
    for name, text in records():
        reading.add_row(name, str(len(text)), *seconds_of(partial(read, text)))
    taking = Table(*columns, title="a table that moves to a server")
    for name, body in tables():
        taking.add_row(name, str(len(body)), *seconds_of(partial(take_over, body)))
    console = Console(width=130)
    console.print(reading)
    console.print(taking)


if __name__ == "__main__":
    main()
