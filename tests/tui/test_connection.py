"""Servers that send people away or say nothing: no wait without end, and a clear word."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.asyncio.server import ServerConnection, serve

from azulejos import Game
from azulejos.game.moves import Move
from azulejos.players.registry import make
from azulejos.tui.plain.game import PlainGame
from azulejos.tui.table import connection, remote
from azulejos.tui.table.link import Link, read_link
from azulejos.tui.table.local import LocalTable
from azulejos.tui.table.remote import RemoteTable
from azulejos.tui.table.table import Action, NotAllowed
from tests.patience import PATIENCE
from tests.server.live import Live
from tests.tui.person import at, table
from tests.tui.tables import links_of

GONE = json.dumps({"type": "refused", "code": "unknown_table", "arguments": {}})


async def no_lines() -> str:
    raise EOFError


@asynccontextmanager
async def serving(answer: Callable[[ServerConnection], Awaitable[None]]) -> AsyncIterator[RemoteTable]:
    """A table on a server that answers each hello like this."""

    async def hear(socket: ServerConnection) -> None:
        await socket.recv()
        await answer(socket)

    async with serve(hear, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        there = RemoteTable(Link(f"http://127.0.0.1:{port}", "abc", ()))
        try:
            async with asyncio.timeout(PATIENCE):
                yield there
        finally:
            there.close()


async def say_nothing(socket: ServerConnection) -> None:
    await socket.wait_closed()


async def welcome_of(server: Live, kind: str = "Ana") -> str:
    """What a real server says to somebody who sits down."""
    place = read_link(links_of(server, kind, "Rui")[0])
    async with connect(place.socket) as socket:
        await socket.send(json.dumps({"type": "hello", "secrets": list(place.secrets)}))
        return str(await socket.recv())


def welcoming(welcome: str, *, stays: bool) -> Callable[[ServerConnection], Awaitable[None]]:
    """Lets in once; then it is silent, or the table is gone."""
    said = [welcome]

    async def answer(socket: ServerConnection) -> None:
        await socket.send(said.pop() if said else GONE)
        if stays:
            await socket.wait_closed()

    return answer


def test_who_is_sent_away_before_the_first_position_is_told_why() -> None:
    async def play() -> None:
        async def send_away(socket: ServerConnection) -> None:
            await socket.send(GONE)

        async with serving(send_away) as there:
            with pytest.raises(ValueError, match=r"the table 'abc' at 'http://127.*': there is no such table"):
                await there.open()

    asyncio.run(play())


def test_the_first_position_is_not_waited_for_forever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote, "OPENING_SECONDS", 0.3)

    async def play() -> None:
        async with serving(say_nothing) as there:
            with pytest.raises(ValueError, match=r"cannot reach the server at 'http://127.*': it does not answer"):
                await there.open()

    asyncio.run(play())


def test_line_by_line_it_ends_when_the_table_is_gone(server: Live) -> None:
    async def play() -> list[str]:
        said: list[str] = []
        welcome = json.loads(await welcome_of(server))
        welcome["you"]["seats"] = []  # only watches: it is never its turn
        async with serving(welcoming(json.dumps(welcome), stays=False)) as there:
            await there.open()
            await PlainGame(there, say=said.append, ask=said.append, read=no_lines).run()
            with pytest.raises(NotAllowed, match="no such table"):
                await there.next()
        return said

    said = asyncio.run(play())
    assert said[-2:] == ["Connection lost. Reconnecting ...", "There is no such table on that server."]
    assert said.count("Connection lost. Reconnecting ...") == 1
    assert said.count("There is no such table on that server.") == 1


def test_the_screen_says_once_that_the_table_is_gone(server: Live) -> None:
    async def play() -> None:
        async with serving(welcoming(await welcome_of(server), stays=False)) as there:
            await there.open()
            async with at(there) as person:
                await person.until(lambda: "no such table" in person.prompt)
                await person.pilot.pause(0.1)
                assert person.prompt == "There is no such table on that server."

    asyncio.run(play())


def test_an_answer_is_not_waited_for_forever(server: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    async def play() -> None:
        async with serving(welcoming(await welcome_of(server), stays=True)) as there:
            await there.open()
            monkeypatch.setattr(connection, "PATIENCE_SECONDS", 0.3)
            assert there.turn
            with pytest.raises(NotAllowed, match="the connection was lost"):
                await there.play(next(iter(there.turn.options)))

    asyncio.run(play())


def test_a_move_that_is_answered_before_it_is_accepted_is_followed_by_one_question() -> None:
    class Late(LocalTable):
        async def play(self, move: Move) -> None:
            await super().play(move)
            await self._think()

    async def play() -> str:
        said: list[str] = []
        lines = ["2K3", "quit"]

        async def read() -> str:
            return lines.pop(0)

        there = Late(Game(seed=1, starter=0), [None, make("greedy")], ["You", "Greedy"])
        await PlainGame(there, say=said.append, ask=said.append, read=read).run()
        return "\n".join(said)

    told = asyncio.run(play())
    assert "Greedy 1B1: " in told
    assert told.count("Your move: ") == 2


@pytest.mark.parametrize(("number", "done"), [("2", [1]), ("0002", [1]), ("00012", []), ("0", []), ("9" * 5000, [])])
def test_a_number_without_an_action_does_nothing(number: str, done: list[int]) -> None:
    """Line by line, `table 00012` is no way to say `table 1`."""
    did: list[int] = []
    said: list[str] = []

    def action(which: int) -> Action:
        async def do() -> None:
            did.append(which)

        return Action(f"action {which}", do)

    async def play() -> None:
        local = table("person", "person")
        at_table: Any = PlainGame(local, say=said.append, ask=said.append, read=no_lines)
        await at_table._choose([action(0), action(1)], "table", number)

    asyncio.run(play())
    assert did == done
    assert bool(said) == (not done)
