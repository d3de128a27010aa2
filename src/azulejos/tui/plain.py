"""A game in plain text: the board printed, a move typed. Works in any terminal and with a screen reader."""

from __future__ import annotations

from collections.abc import Callable

from azulejos import drawing
from azulejos.drawing.words import draft_words, plural
from azulejos.game import Game
from azulejos.happening import Bonus, Fell, FloorScored, Happening, Tiled
from azulejos.moves import Deal, Move
from azulejos.players.player import Limits, Player
from azulejos.view import COLOR_NAMES

THINKING = Limits(milliseconds=1000)
"""How long the computer may think about a move."""
HELP = """\
Type a move: the source (1-9, or c for the center), the color (B blue, Y yellow, R red, K black, W white) and the
line (1-5, or f for the floor). 3B4 takes the blue tiles of display 3 to line 4.
On the gray wall you choose where a tile goes: t35 puts the tile of row 3 in column 5.
Other words: board, moves, hint, undo, record, help, quit."""


class PlainGame:
    """A person in seat 1 against a computer player in the others."""

    def __init__(
        self,
        game: Game,
        opponent: Player,
        *,
        color: bool = False,
        say: Callable[[str], None] = print,
        ask: Callable[[str], str] = input,
    ) -> None:
        self.game = game
        self._color = color
        self._say = say
        self._ask = ask
        self._seats: list[int] = []  # who has played, for undo
        self._opponent = opponent
        name = opponent.name.capitalize()
        self._names = ["You", *(f"{name} {seat}" for seat in range(1, game.players))]
        if game.players == 2:
            self._names[1] = name

    def run(self) -> None:
        """Play until the game is over or the person leaves."""
        self._say(f"Azulejos. {HELP}\n")
        try:
            while not self.game.is_over:
                if self.game.seat == 0:
                    self._show_board()
                    self._person_moves()
                else:
                    self._play(str(self._opponent.choose(self.game, THINKING).move))
        except (EOFError, KeyboardInterrupt, _Leave):
            self._say("\nGood-bye. The game so far:\n\n" + self._record())
            return
        self._show_board()
        self._say(self._result() + "\n\n" + self._record())

    def _person_moves(self) -> None:
        while True:
            text = self._ask("Your move: ").strip()
            command = self._commands().get(text.lower())
            if command:
                if command():
                    return
            elif text:
                try:
                    self._play(_spelled(text))
                except ValueError as fault:
                    self._say(f"{fault}\nType help for help.")
                else:
                    return

    def _commands(self) -> dict[str, Callable[[], bool]]:
        """Words that are not moves; each says whether the turn has to be looked at anew."""
        return {
            "help": lambda: self._tell(HELP),
            "?": lambda: self._tell(HELP),
            "board": lambda: True,
            "moves": lambda: self._tell(" ".join(map(str, self.game.legal_moves))),
            "hint": self._hint,
            "undo": self._undo,
            "record": lambda: self._tell(self._record()),
            "quit": self._quit,
            "q": self._quit,
        }

    def _hint(self) -> bool:
        choice = self._opponent.choose(self.game, THINKING)
        return self._tell(f"{self._opponent.name.capitalize()} would play {choice.move}.")

    def _tell(self, text: str) -> bool:
        self._say(text)
        return False

    def _quit(self) -> bool:
        raise _Leave

    def _undo(self) -> bool:
        """Back to the person's last decision."""
        mine = [at for at, seat in enumerate(self._seats) if seat == 0]
        if not mine:
            return self._tell("There is nothing to undo.")
        while len(self._seats) > mine[-1]:
            self.game.undo()
            self._seats.pop()
        return True

    def _play(self, move: str) -> None:
        seat = self.game.seat
        happening = self.game.play(move)
        self._seats.append(seat)
        self._say("\n".join(self._lines(happening)))

    def _lines(self, happening: Happening) -> list[str]:
        lines = []
        if happening.drafted and isinstance(happening.move, Move):
            words = draft_words(happening.move, happening.drafted)
            lines.append(f"{self._name(happening.seat)} {happening.move}: {words}.")
        lines += [f"  {self._name(tile.seat)}: {_tiling_words(tile)}." for tile in happening.tiling]
        lines += [f"  {self._name(floor.seat)}: {_floor_words(floor)}." for floor in happening.floors if floor.penalty]
        lines += [f"  {self._name(bonus.seat)}: {_bonus_words(bonus)}." for bonus in happening.bonuses]
        if happening.floors:
            scores = ", ".join(f"{self._name(seat)} {score}" for seat, score in enumerate(self.game.scores))
            lines.append(f"Scores: {scores}.")
        if isinstance(happening.deal, Deal):
            verb = "start" if self.game.starter == 0 else "starts"
            lines.append(f"\nRound {self.game.round}; {self._name(self.game.starter)} {verb}.")
        return lines

    def _name(self, seat: int | None) -> str:
        return self._names[seat or 0]

    def _show_board(self) -> None:
        self._say("\n" + drawing.text(self.game.view, color=self._color, names=self._names))

    def _record(self) -> str:
        return self.game.to_record(names=self._names)

    def _result(self) -> str:
        outcome = self.game.outcome
        if outcome is None:
            return ""
        scores = " to ".join(map(str, outcome.scores))
        if len(outcome.winners) > 1:
            return f"The victory is shared by {' and '.join(map(self._name, outcome.winners))}: {scores}."
        verb = "win" if outcome.winners == (0,) else "wins"
        return f"{self._name(outcome.winners[0])} {verb}, {scores}."


class _Leave(Exception):
    """The person has had enough."""


def _spelled(text: str) -> str:
    """A move as people type it, in any case, in our spelling."""
    if text.lower().startswith("t"):
        return text.lower()
    return text[:1].lower() + text[1:2].upper() + text[2:].lower()


def _tiling_words(tile: Tiled | Fell) -> str:
    color = COLOR_NAMES[tile.color]
    if isinstance(tile, Fell):
        return f"no place for {color} in row {tile.row + 1}, {tile.count} fall to the floor"
    return f"{color} on row {tile.row + 1}, column {tile.column + 1}: +{tile.points}"


def _floor_words(floor: FloorScored) -> str:
    stops = "" if floor.lost == floor.penalty else f" (only {floor.lost}: the score stops at 0)"
    return f"floor -{floor.penalty}{stops}"


def _bonus_words(bonus: Bonus) -> str:
    kinds = (("row", bonus.rows), ("column", bonus.columns), ("color", bonus.colors))
    complete = ", ".join(plural(count, kind) for kind, count in kinds if count)
    return f"{complete or 'nothing'} complete: +{bonus.points}"
