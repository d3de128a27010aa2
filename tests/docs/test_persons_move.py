"""A person's move takes the way that is drawn: a real one is followed through a real server."""

from __future__ import annotations

import ast
import asyncio
import functools
import inspect
import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from litestar import WebSocket
from websockets.asyncio.client import connect

import azulejos.server
from azulejos.game.game import Game
from azulejos.game.happening import Happening
from azulejos.game.moves import Move
from azulejos.server.protocol import incoming
from azulejos.server.protocol import outgoing as out
from azulejos.server.tables import events as e
from tests.docs.test_drawings import DRAWINGS
from tests.server.standins import new_table, runs
from tests.server.test_sockets import hear, say, serving

SERVER = Path(azulejos.server.__file__).parent
FORMS = (incoming.Play, e.Decided, Move, Happening, out.Event)
"""What a move is on its way, from a message to what is sent; text and bytes at both ends."""
QUEUE, SOCKET = asyncio.Queue.put_nowait.__code__, WebSocket.send_text.__code__
"""Where it waits for its turn, and where it leaves."""


class Trace:
    """Every function of the server, and `Game.play`, that is called with one move."""

    def __init__(self, move: str) -> None:
        self._move = move
        self.given: list[CodeType] = []
        """In the order in which they were called first."""
        self.handed: set[tuple[CodeType, CodeType]] = set()
        """Who called whom with it."""
        self.makers: set[CodeType] = set()
        """Who gave back another form of it."""

    def __call__(self, frame: FrameType, kind: str, result: Any) -> None:
        code = frame.f_code
        if kind == "return" and code in self.given and self._is_form(result):
            self.makers.add(code)
        if kind != "call" or not (_is_ours(code) or code in (QUEUE, SOCKET)) or not self._has_move(frame):
            return
        if frame.f_back is not None and _is_ours(frame.f_back.f_code):
            self.handed.add((frame.f_back.f_code, code))
        if code not in self.given:
            self.given.append(code)

    def _has_move(self, frame: FrameType) -> bool:
        count = frame.f_code.co_argcount + frame.f_code.co_kwonlyargcount
        return any(self._is_move(frame.f_locals.get(name)) for name in frame.f_code.co_varnames[:count])

    def _is_move(self, thing: Any) -> bool:
        if isinstance(thing, functools.partial):
            return any(map(self._is_move, thing.args))
        text = thing.decode() if isinstance(thing, bytes) else thing
        return self._move in text if isinstance(text, str) else self._is_form(thing)

    def _is_form(self, thing: Any) -> bool:
        return any(map(self._is_form, thing)) if isinstance(thing, list | tuple) else isinstance(thing, FORMS)

    def steps(self) -> list[str]:
        """By the rule of docs/architecture.md: who is called with the move and hands it on or makes more of it, and the
        loops at both ends. The store is one step.
        """
        storage = [code for code in self.given if "storage" in Path(code.co_filename).parts]
        found = self.makers | {QUEUE, SOCKET, storage[0]}
        while more := {one for one, other in self.handed if other in found} - found - set(storage):
            found |= more
        (first,) = {one for one, other in self.handed if other is self.given[0]}
        (last,) = {one for one, other in self.handed if other is SOCKET}
        between = [code for code in self.given if code in found and code not in (QUEUE, SOCKET)]
        return [name_of(code) for code in (first, *between, last)]


def _is_ours(code: CodeType) -> bool:
    return SERVER in Path(code.co_filename).parents or code is Game.play.__code__


def name_of(code: CodeType) -> str:
    """A function as the drawings name it."""
    module = inspect.getmodule(code)
    assert module is not None
    return f"{module.__name__}:{code.co_qualname}"


@contextmanager
def traced(move: str) -> Iterator[Trace]:
    trace, before = Trace(move), sys.getprofile()
    sys.setprofile(trace)
    try:
        yield trace
    finally:
        sys.setprofile(before)


async def follow_a_move(folder: Path) -> Trace:
    """Play the first move of a game, and follow it until it has reached the other browser."""
    async with serving(folder) as server:
        made = await server.lobby.create(new_table("here", "friend"))
        address = server.address + made.table.id
        async with connect(address) as mine, connect(address) as theirs:
            await say(theirs, type="hello", secrets=[made.secrets[1]])
            await hear(theirs, "welcome")
            await say(mine, type="hello", secrets=[made.secrets[0]])
            seen = await hear(mine, "welcome")
            await hear(theirs, "present")
            move = seen["position"]["options"][0]["move"]
            with traced(move) as trace:
                await say(mine, type="play", seat=0, move=move, version=seen["version"])
                told = await hear(theirs, "event")
            assert told["what"]["happenings"][0]["move"] == move
    return trace


@runs
async def test_a_persons_move_takes_the_steps_that_are_drawn(tmp_path: Path) -> None:
    trace = await follow_a_move(tmp_path)
    assert trace.steps() == [step.does for step in DRAWINGS.PERSON.steps]


@runs
async def test_its_type_is_looked_at_where_the_page_says(tmp_path: Path) -> None:
    trace = await follow_a_move(tmp_path)
    server = [code for code in trace.given if SERVER in Path(code.co_filename).parents]
    assert {code.co_name for code in server if _looks_at_types(code)} == {
        *("decide", "_check_length", "after"),
        *("_hear", "_answer"),
        *("_note", "_commit", "told"),
    }


def _looks_at_types(code: CodeType) -> bool:
    tree = ast.parse(textwrap.dedent(inspect.getsource(code)))
    return any(
        isinstance(node, ast.Match) or (isinstance(node, ast.Name) and node.id in ("isinstance", "type"))
        for node in ast.walk(tree)
    )
