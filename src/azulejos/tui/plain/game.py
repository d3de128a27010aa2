"""A game in plain text: what happens is printed as it comes, moves and words are typed.

Works in any terminal, in a pipe and with a screen reader, at a table here or on a server.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Sequence
from functools import partial
from typing import Final

from azulejos import drawing
from azulejos.game.errors import InvalidNotation
from azulejos.game.moves import Move
from azulejos.game.view import View
from azulejos.locale import _
from azulejos.tui import words
from azulejos.tui.plain.keyboard import Keyboard
from azulejos.tui.table.table import Action, AnyTable, Change, NotAllowed, PendingDecision

SAY: Final = partial(print, flush=True)
"""Prints a line at once, also into a pipe."""
ASK: Final = partial(print, end="", flush=True)
"""Prints what is answered on the same line."""


class PlainGame:
    """Plays at any table by lines of text."""

    def __init__(
        self,
        table: AnyTable,
        *,
        color: bool = False,
        to_the_end: bool = False,
        say: Callable[[str], None] = SAY,
        ask: Callable[[str], None] = ASK,
        read: Callable[[], Awaitable[str]] | None = None,
    ) -> None:
        """`read` gives the next line that is typed; it raises `EOFError` where no more will come.

        A game that is followed `to_the_end` is left there, also at a table where another could follow.
        """
        self._table = table
        self._ends_with_game = to_the_end or table.is_local
        self._color = color
        self._print, self._ask = say, ask
        self._read = read or Keyboard().read
        self._is_asking = False  # the line of the last question is still open
        self._asked: PendingDecision | None = None  # the decision that was asked for last
        self._question: Action | None = None  # what is to be done after a yes
        self._noticed = ""
        self._is_over = self._is_deaf = self._has_left = False

    async def run(self) -> None:
        """Play or watch until the person leaves or is sent away; where nobody types, until somebody would have to.

        A game that is played in this program ends with its record, however it is left.
        """
        self._say(f"Azulejos. {self._help()}\n")
        if self._table.turn or not self._table.is_local:
            self._say(self._drawn())
        self._settle()
        try:
            await self._follow()
        except NotAllowed as refusal:
            if str(refusal) != self._noticed:
                self._say(words.sentence(str(refusal)))
        finally:
            if self._table.is_local:
                told = "" if self._is_over else _("Good-bye. The game so far:") + "\n\n"
                self._say(f"\n{told}{await self._table.record()}")

    async def _follow(self) -> None:
        """Take what happens and what is typed, one thing after the other."""
        change: asyncio.Future[Change] | None = None
        line: asyncio.Future[str] | None = None
        try:
            while not self._is_done:
                change = change or asyncio.ensure_future(self._table.next())
                if line is None and self._listens:
                    line = asyncio.ensure_future(self._read())
                await asyncio.wait([one for one in (change, line) if one], return_when=asyncio.FIRST_COMPLETED)
                if change.done():
                    self._tell(change.result())
                    change = None
                elif line:
                    await self._hear(line)
                    line = None
        finally:
            for waiting in (change, line):
                if waiting:
                    waiting.cancel()

    @property
    def _is_done(self) -> bool:
        is_needed = self._table.turn is not None or self._is_over
        return self._has_left or (self._is_over and self._ends_with_game) or (self._is_deaf and is_needed)

    @property
    def _listens(self) -> bool:
        """Whether a line is read now; what is typed or piped ahead of computers here waits for its turn."""
        return not self._is_deaf and (self._table.turn is not None or not self._table.is_local)

    def _say(self, text: str) -> None:
        if self._is_asking:
            self._print("")
            self._is_asking = False
        self._print(text)

    # ---- what happens ----

    def _tell(self, change: Change) -> None:
        """Print what happened, and ask for what is due then."""
        lines = change_lines(change, self._table.names)
        for line in lines:
            self._say(line)
        if self._table.notice in lines and not self._table.actions:
            self._noticed = self._table.notice  # just said
        if self._table.turn and change.before != change.after:
            self._say(self._drawn())
        self._settle()

    def _settle(self) -> None:
        """Ask for a move, once for each; say once what keeps the game from going on, and how it ended."""
        ending, turn, notice = self._table.ending, self._table.turn, self._table.notice
        if ending and not self._is_over:
            self._say(self._drawn())
            self._say(words.reason(ending.reason) + ".")
            self._say(words.result(ending.winners, ending.scores, self._table.names))
            if not self._ends_with_game:
                self._say(_("Type again for another game, record, or quit."))
        self._is_over = ending is not None
        if notice and notice != self._noticed:
            self._say(notice + (" " + _("Type table to see what can be done.") if self._table.actions else ""))
        self._noticed = notice
        if turn != self._asked:
            self._prompt()
        self._asked = turn

    def _prompt(self) -> None:
        turn = self._table.turn
        if turn:
            is_alone = len(self._table.own_seats) == 1
            name = self._table.names[turn.seat]
            self._ask(_("Your move: ") if is_alone else _("{name}, your move: ").format(name=name))
            self._is_asking = True

    # ---- what is typed ----

    async def _hear(self, line: asyncio.Future[str]) -> None:
        """Obey a line, and ask again where that has changed nothing."""
        try:
            text = line.result().strip()
        except EOFError:
            self._is_deaf = True
            return
        self._is_asking = False
        try:
            await self._obey(text)
        except NotAllowed as refusal:
            self._say(words.sentence(str(refusal)))
        if not self._question and not self._has_left and self._table.turn == self._asked:
            self._prompt()

    async def _obey(self, text: str) -> None:
        line = text.lower()
        word, _blank, rest = line.partition(" ")
        texts = {"help": self._help, "?": self._help, "board": self._drawn, "say": self._told, "moves": self._moves}
        if self._question:
            await self._answer(line)
        elif line in texts:
            self._say(texts[line]())
        elif line in ("quit", "q"):
            self._has_left = True
        elif line == "hint":
            seat = self._asked.seat if self._asked else 0
            self._say(words.hint(await self._table.hint(), seat))
        elif line == "undo":
            await self._table.undo()
        elif line == "record":
            self._say(await self._table.record())
        elif line == "again" and not self._table.is_local:
            await self._table.again()
        elif word in ("table", "react"):
            await self._choose(self._table.actions if word == "table" else self._table.reactions, word, rest)
        elif line:
            await self._play(text)

    def _help(self) -> str:
        """How moves are typed, and the other words."""
        told = _(
            "Type a move: the source (1-9, or c for the center), the color (B blue, Y yellow, R red, K black, W white) "
            "and the\nline (1-5, or f for the floor). 3B4 takes the blue tiles of display 3 to line 4.\n"
            "On the gray wall you choose where a tile goes: t35 puts the tile of row 3 in column 5.\n"
            "Other words: board, say, moves, hint, undo, record, help, quit."
        )
        if self._table.is_local:
            return told
        more = _(
            "At this table also: table, to let a computer play or to resign; react, to send the others a reaction."
        )
        return f"{told}\n{more}"

    def _drawn(self) -> str:
        turn = self._table.turn
        options = turn.options if turn else ()
        return "\n" + table_text(self._table.view, self._table.names, options, color=self._color)

    def _told(self) -> str:
        """The position, and who is away."""
        remarks = zip(self._table.names, self._table.remarks, strict=True)
        people = [f"{name}: {remark}." for name, remark in remarks if remark]
        return "\n".join(words.position(self._table.view, self._table.names) + people)

    def _moves(self) -> str:
        turn = self._table.turn
        return " ".join(map(str, turn.options)) if turn else words.sentence(words.refusal("not_your_turn"))

    async def _play(self, text: str) -> None:
        try:
            move = Move.parse(spelled(text))
        except InvalidNotation:
            told = _("cannot read {text} as a move").format(text=repr(text[:40]))
        else:
            if not self._table.turn or move in self._table.turn.options:
                await self._table.play(move)
                return
            told = self._table.why_not(move)
        self._say(words.sentence(told) + "\n" + _("Type help for help."))

    # ---- what one may do besides playing ----

    async def _choose(self, actions: Sequence[Action], word: str, rest: str) -> None:
        """Do the one with this number, or list them all."""
        number = int(rest) if rest.isdecimal() and len(rest) < 10 else 0
        if 1 <= number <= len(actions):
            action = actions[number - 1]
            if action.question:
                self._question = action
                self._say(f"{action.question} {action.consequence} " + _("Type yes or no."))
            else:
                await action.do()
        elif actions:
            for number, action in enumerate(actions, 1):
                self._say(f"{word} {number}: {action.words}")
        else:
            self._say(_("There is nothing to choose now."))

    async def _answer(self, text: str) -> None:
        """The answer to the question before something that cannot be taken back."""
        action, self._question = self._question, None
        if action and text in (_("yes"), "yes"):
            await action.do()
        elif action:
            self._say(f"{action.refusal}.")


def change_lines(change: Change, names: Sequence[str]) -> list[str]:
    """What happened, a line for each thing, the head of a round set off."""
    lines = []
    for happening in change.happenings:
        story = words.story(happening, names, change.after)
        if happening.deal:
            story[-1] = f"\n{story[-1]}"
        lines += story
    return lines + words.notes(change, names)


def table_text(view: View, names: Sequence[str], options: Collection[Move] = (), *, color: bool = False) -> str:
    """The table as text, the same in every language but for its words."""
    return drawing.text(view, color=color, names=names, words=words.captions(view, names, options))


def spelled(text: str) -> str:
    """A move as people type it, in any case, in our spelling."""
    if text.lower().startswith("t"):
        return text.lower()
    first = "c" if text[:1] == "0" else text[:1].lower()
    return first + text[1:2].upper() + text[2:].lower()
