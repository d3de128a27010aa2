"""A game in plain text: the board printed, a move typed. Works in any terminal, in a pipe and with a screen reader."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from azulejos import drawing
from azulejos.game.errors import IllegalMove, InvalidNotation
from azulejos.game.game import Game
from azulejos.game.view import View
from azulejos.locale import _
from azulejos.players.player import Player
from azulejos.tui import words
from azulejos.tui.board.pieces import table_text
from azulejos.tui.table.sitting import PERSON, Sitting, names_of
from azulejos.tui.table.table import Advice, Change, Refused


def help_text() -> str:
    """How moves are typed, and the other words."""
    return _(
        "Type a move: the source (1-9, or c for the center), the color (B blue, Y yellow, R red, K black, W white) and "
        "the\nline (1-5, or f for the floor). 3B4 takes the blue tiles of display 3 to line 4.\n"
        "On the gray wall you choose where a tile goes: t35 puts the tile of row 3 in column 5.\n"
        "Other words: board, say, moves, hint, undo, record, help, quit."
    )


class Leave(Exception):
    """The person has had enough."""


class PlainGame:
    """People and computers at one keyboard."""

    def __init__(
        self,
        sitting: Sitting,
        *,
        color: bool = False,
        say: Callable[[str], None] = print,
        ask: Callable[[str], str] = input,
    ) -> None:
        self._sitting = sitting
        self._color = color
        self._say = say
        self._ask = ask

    @classmethod
    def against(cls, game: Game, opponent: Player, **options: object) -> PlainGame:
        """A person in seat 1 against a computer player in the others."""
        names = names_of([PERSON, *[opponent.name] * (game.players - 1)])
        return cls(Sitting(game, [None, *[opponent] * (game.players - 1)], names), **options)  # type: ignore[arg-type]

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self._sitting.game

    def run(self) -> None:
        """Play until the game is over or the person leaves."""
        self._say(f"Azulejos. {help_text()}\n")
        try:
            while not self.game.is_over:
                if self._sitting.is_persons_turn:
                    self._say("\n" + table(self.game.view, self._sitting.names, color=self._color))
                    self._person_moves()
                else:
                    self._tell_change(self._sitting.play(self._sitting.think()))
        except (EOFError, KeyboardInterrupt, Leave):
            self._say("\n" + _("Good-bye. The game so far:") + "\n\n" + self._sitting.record)
            return
        self._say("\n" + table(self.game.view, self._sitting.names, color=self._color))
        ending = self._sitting.ending
        told = words.result(ending.winners, ending.scores, self._sitting.names) if ending else ""
        self._say(told + "\n\n" + self._sitting.record)

    def _person_moves(self) -> None:
        while True:
            text = self._ask(
                prompt(self._sitting.names, self.game.turn, alone=len(self._sitting.own_seats) == 1)
            ).strip()
            command = self._commands().get(text.lower())
            if command:
                if command():
                    return
            elif text:
                try:
                    self._tell_change(self._sitting.play(spelled(text)))
                except (IllegalMove, InvalidNotation) as fault:
                    self._say(words.sentence(why_not(text, fault)) + "\n" + _("Type help for help."))
                else:
                    return

    def _commands(self) -> dict[str, Callable[[], bool]]:
        """Words that are not moves; each says whether the turn has to be looked at anew."""
        return {
            "help": lambda: self._tell(help_text()),
            "?": lambda: self._tell(help_text()),
            "board": lambda: True,
            "say": lambda: self._tell("\n".join(words.position(self.game.view, self._sitting.names))),
            "moves": lambda: self._tell(" ".join(map(str, self.game.legal_moves))),
            "hint": lambda: self._tell(hint_text(self._sitting.advise())),
            "undo": self._undo,
            "record": lambda: self._tell(self._sitting.record),
            "quit": _quit,
            "q": _quit,
        }

    def _tell(self, text: str) -> bool:
        self._say(text)
        return False

    def _undo(self) -> bool:
        """Back to the last decision of a person."""
        try:
            self._sitting.undo()
        except Refused as refusal:
            return self._tell(words.sentence(str(refusal)))
        return True

    def _tell_change(self, change: Change) -> None:
        for line in change_lines(change, self._sitting.names):
            self._say(line)


def _quit() -> bool:
    raise Leave


def change_lines(change: Change, names: Sequence[str]) -> list[str]:
    """What happened, a line for each thing, the head of a round set off."""
    lines = []
    for happening in change.happenings:
        story = words.story(happening, names, change.after)
        if happening.deal:
            story[-1] = f"\n{story[-1]}"
        lines += story
    return lines + words.notes(change, names)


def table(view: View, names: Sequence[str], *, color: bool = False) -> str:
    """The table as text; the drawing that everything else uses where the language is its own."""
    if _("blue") == "blue":
        return drawing.text(view, color=color, names=names)
    return table_text(view, names)


def prompt(names: Sequence[str], seat: int, *, alone: bool) -> str:
    """The question for a move."""
    return _("Your move: ") if alone else _("{name}, your move: ").format(name=names[seat])


def hint_text(advice: Advice) -> str:
    """A hint as a sentence."""
    told = _("Hint: {move}").format(move=advice.move)
    if advice.margin is None or advice.win is None:
        return told
    more = _("(expected lead {margin}, chance to win {win} %)")
    return f"{told} {more.format(margin=f'{advice.margin:+.1f}', win=round(100 * advice.win))}"


def why_not(text: str, fault: IllegalMove | InvalidNotation) -> str:
    """Why what was typed cannot be played."""
    if isinstance(fault, IllegalMove):
        return words.refusal(fault.code, fault.arguments)
    return _("cannot read {text} as a move").format(text=repr(text[:40]))


def spelled(text: str) -> str:
    """A move as people type it, in any case, in our spelling."""
    if text.lower().startswith("t"):
        return text.lower()
    first = "c" if text[:1] == "0" else text[:1].lower()
    return first + text[1:2].upper() + text[2:].lower()
