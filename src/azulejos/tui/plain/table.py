"""A table on a server in plain text: what happens is printed as it comes, moves and words are typed at any time."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Awaitable, Callable, Sequence

from azulejos.game.errors import InvalidNotation
from azulejos.game.moves import Move
from azulejos.locale import _
from azulejos.tui import words
from azulejos.tui.plain.game import change_lines, help_text, hint_text, prompt, spelled, table, why_not
from azulejos.tui.table.table import Deed, Refused, Table, Turn


class PlainTable:
    """Plays at any `Table` by lines of text."""

    def __init__(
        self,
        at: Table,
        *,
        color: bool = False,
        say: Callable[[str], None] = print,
        read: Callable[[], Awaitable[str]] | None = None,
    ) -> None:
        """`read` gives the next line that is typed; it raises `EOFError` where no more will come."""
        self._table = at
        self._color = color
        self._say = say
        self._read = read or Keyboard().read
        self._asked: Turn | None = None  # the decision that was asked for last
        self._noticed = ""
        self._is_over = False
        self._question: Deed | None = None

    async def run(self) -> None:
        """Play or watch until the person leaves or is sent away; where nobody types, until somebody would have to."""
        self._say(f"Azulejos. {help_text()}\n{table_help()}\n")
        self._show()
        tasks = {asyncio.create_task(self._news()), asyncio.create_task(self._lines())}
        try:
            done, _pending = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            for task in tasks:
                task.cancel()

    # ---- what happens ----

    async def _news(self) -> None:
        """Print what happens, until nothing more can come."""
        self._ask_for_what_is_due()
        while True:
            try:
                change = await self._table.next()
            except Refused as refusal:
                if str(refusal) != self._noticed:
                    self._say(words.sentence(str(refusal)))
                return
            lines = change_lines(change, self._table.names)
            for line in lines:
                self._say(line)
            if self._table.notice in lines and not self._table.deeds:
                self._noticed = self._table.notice  # just said
            if self._table.turn and change.before != change.after:
                self._show()
            self._ask_for_what_is_due()

    def _ask_for_what_is_due(self) -> None:
        """Ask for a move, once for each; say once what keeps the game from going on, and how it ended."""
        ending, turn, notice = self._table.ending, self._table.turn, self._table.notice
        if ending and not self._is_over:
            self._show()
            self._say(words.reason(ending.reason) + ".")
            self._say(words.result(ending.winners, ending.scores, self._table.names))
            self._say(_("Type again for another game, record, or quit."))
        self._is_over = ending is not None
        if notice and notice != self._noticed:
            self._say(notice + (" " + _("Type table to see what can be done.") if self._table.deeds else ""))
        self._noticed = notice
        if turn != self._asked:
            self._prompt()
        self._asked = turn

    def _prompt(self) -> None:
        turn = self._table.turn
        if turn:
            self._say(prompt(self._table.names, turn.seat, alone=self._table.is_here_alone))

    def _show(self) -> None:
        self._say("\n" + table(self._table.view, self._table.names, color=self._color))

    # ---- what is typed ----

    async def _lines(self) -> None:
        """Obey line after line until the person leaves."""
        while True:
            try:
                text = (await self._read()).strip()
            except EOFError:
                await self._until_somebody_is_needed()
                return
            asked = self._asked
            try:
                if not await self._obey(text):
                    return
            except Refused as refusal:
                self._say(words.sentence(str(refusal)))
            if not self._question and self._asked == asked:  # or the news have asked for the next one already
                self._prompt()

    async def _until_somebody_is_needed(self) -> None:
        """Nobody types anymore: watch on for as long as that goes."""
        while not self._table.turn and not self._is_over:
            await asyncio.sleep(0.05)

    async def _obey(self, text: str) -> bool:
        """Do what a line says; whether to go on."""
        word, _blank, rest = text.lower().partition(" ")
        if self._question:
            await self._answer(text.lower())
        elif word in ("quit", "q"):
            return False
        elif word in ("help", "?"):
            self._say(f"{help_text()}\n{table_help()}")
        elif word == "board":
            self._show()
        elif word == "say":
            self._say("\n".join(words.position(self._table.view, self._table.names)))
            self._say("\n".join(self._who_is_there()))
        elif word == "table":
            await self._choose(self._table.deeds, word, rest)
        elif word == "sign":
            await self._choose(self._table.signs, word, rest)
        elif word == "again":
            await self._table.again()
        elif text:
            await self._obey_about_the_game(word, text)
        return True

    async def _obey_about_the_game(self, word: str, text: str) -> None:
        turn = self._table.turn
        if word == "moves":
            self._say(" ".join(turn.options) if turn else words.sentence(words.refusal("not_your_turn", {})))
        elif word == "hint":
            self._say(hint_text(await self._table.hint()))
        elif word == "undo":
            await self._table.undo()
        elif word == "record":
            self._say(await self._table.record())
        else:
            await self._play(text)

    async def _play(self, text: str) -> None:
        try:
            move = str(Move.parse(spelled(text)))
        except InvalidNotation as fault:
            raise Refused(why_not(text, fault)) from fault
        await self._table.play(move)

    def _who_is_there(self) -> list[str]:
        """A line for each player of whom there is something to say."""
        told = zip(self._table.names, self._table.remarks, strict=True)
        return [f"{name}: {remark}." for name, remark in told if remark]

    # ---- what one may do besides playing ----

    async def _choose(self, deeds: Sequence[Deed], word: str, rest: str) -> None:
        """Do the deed with this number, or list them all."""
        number = int(rest) if rest.isdecimal() and len(rest) < 10 else 0
        if 1 <= number <= len(deeds):
            deed = deeds[number - 1]
            if deed.question:
                self._question = deed
                self._say(f"{deed.question} {deed.consequence} " + _("Type yes or no."))
            else:
                await deed.do()
        elif deeds:
            for number, deed in enumerate(deeds, 1):
                self._say(f"{word} {number}: {deed.words}")
        else:
            self._say(_("There is nothing to choose now."))

    async def _answer(self, text: str) -> None:
        """The answer to the question before a deed that cannot be taken back."""
        deed, self._question = self._question, None
        if deed and text in (_("yes"), "yes"):
            await deed.do()
        elif deed:
            self._say(f"{deed.refusal}.")


def table_help() -> str:
    """The words that only a table on a server knows."""
    return _("At this table also: table, to let a computer play or to resign; sign, to show the others a sign.")


class Keyboard:
    """Lines from standard input, without holding up what happens meanwhile.

    The thread dies with the program: nobody has to press a key after the game is over.
    """

    def __init__(self) -> None:
        self._lines: asyncio.Queue[str] | None = None

    async def read(self) -> str:
        """The next line."""
        if self._lines is None:
            self._lines = asyncio.Queue()
            loop = asyncio.get_running_loop()
            threading.Thread(target=self._listen, args=(loop, self._lines), daemon=True).start()
        line = await self._lines.get()
        if not line:
            self._lines.put_nowait("")
            raise EOFError
        return line

    @staticmethod
    def _listen(loop: asyncio.AbstractEventLoop, lines: asyncio.Queue[str]) -> None:
        while not loop.is_closed():
            line = sys.stdin.readline()
            loop.call_soon_threadsafe(lines.put_nowait, line)
            if not line:
                return
