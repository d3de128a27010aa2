"""A table on a server in plain text: what happens is printed as it comes, a move is typed when it is one's turn."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Awaitable, Callable

from azulejos.errors import InvalidNotation
from azulejos.moves import Move
from azulejos.tui import words
from azulejos.tui.plain import change_lines, help_text, hint_text, prompt, sentence, spelled, table, why_not
from azulejos.tui.table import Refused, Table


class PlainTable:
    """Plays at any `Table` by lines of text."""

    def __init__(
        self,
        at: Table,
        *,
        color: bool = False,
        say: Callable[[str], None] = print,
        ask: Callable[[str], Awaitable[str]] | None = None,
    ) -> None:
        self._table = at
        self._color = color
        self._say = say
        self._ask = ask or ask_in_thread

    async def run(self) -> None:
        """Play or watch until the game is over or the person leaves."""
        self._say(f"Azulejos. {help_text()}\n")
        self._show()
        news = asyncio.create_task(self._news())
        try:
            while not self._table.ending:
                if self._table.turn:
                    if not await self._answer():
                        return
                else:
                    await asyncio.sleep(0.05)
            ending = self._table.ending
            await asyncio.sleep(0.1)
            self._show()
            self._say(words.result(ending.winners, ending.scores, self._table.names))
        finally:
            news.cancel()

    async def _news(self) -> None:
        while True:
            change = await self._table.next()
            for line in change_lines(change, self._table.names):
                self._say(line)
            if self._table.turn:
                self._show()

    def _show(self) -> None:
        self._say("\n" + table(self._table.view, self._table.names, color=self._color))

    async def _answer(self) -> bool:
        """Take one line; whether to go on."""
        turn = self._table.turn
        if turn is None:
            return True
        asked = prompt(self._table.names, turn.seat, alone=self._table.is_here_alone)
        try:
            text = (await self._ask(asked)).strip()
        except EOFError:
            return False
        try:
            return await self._obey(text)
        except Refused as refusal:
            self._say(sentence(str(refusal)))
            return True

    async def _obey(self, text: str) -> bool:
        word, turn = text.lower(), self._table.turn
        if word in ("quit", "q"):
            return False
        if word in ("help", "?"):
            self._say(help_text())
        elif word == "board":
            self._show()
        elif word == "say":
            self._say("\n".join(words.position(self._table.view, self._table.names)))
        elif word == "moves":
            self._say(" ".join(turn.options) if turn else "")
        elif word == "hint":
            self._say(hint_text(await self._table.hint()))
        elif word == "undo":
            await self._table.undo()
        elif word == "record":
            self._say(await self._table.record())
        elif text:
            await self._play(text)
        return True

    async def _play(self, text: str) -> None:
        turn = self._table.turn
        try:
            move = str(Move.parse(spelled(text)))
        except InvalidNotation as fault:
            raise Refused(why_not(text, fault)) from fault
        await self._table.play(move)
        while self._table.turn is turn:  # its event is on the way
            await asyncio.sleep(0.01)


async def ask_in_thread(asked: str) -> str:
    """A line from standard input, without holding up what happens meanwhile.

    The thread dies with the program: nobody has to press a key after the game is over.
    """
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[str] = loop.create_future()

    def read() -> None:
        print(asked, end="", flush=True)
        line = sys.stdin.readline()
        loop.call_soon_threadsafe(_settle, answer, line)

    threading.Thread(target=read, daemon=True).start()
    return await answer


def _settle(answer: asyncio.Future[str], line: str) -> None:
    if answer.done():
        return
    if line:
        answer.set_result(line)
    else:
        answer.set_exception(EOFError())
