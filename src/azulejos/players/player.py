"""What a player is: something that chooses a move in a game, within limits, and can say why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from azulejos.game.game import Game
from azulejos.game.moves import Move
from azulejos.game.refusal import refuse


class ImpossibleLimit(ValueError):
    """Limits that nobody can keep to."""


class PlayerFailed(RuntimeError):
    """A player that crashed, kept silent, or answered nonsense; the game is forfeited."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How long to think: positions looked at, milliseconds, or both, whichever comes first."""

    nodes: int | None = None
    """Positions looked at; None: no limit."""
    milliseconds: int | None = None
    """Time; None: no limit."""

    def __post_init__(self) -> None:
        for name, value in (("nodes", self.nodes), ("milliseconds", self.milliseconds)):
            if value is not None and (not isinstance(value, int) or isinstance(value, bool) or value < 1):
                raise ImpossibleLimit(f"{name} must be a whole number of at least 1, not {value!r}")


@dataclass(frozen=True, slots=True)
class Choice:
    """A move, what it promises, and a word on why."""

    move: Move
    """The move that is played."""
    win: tuple[float, ...] = ()
    """Expected share of the victory of each seat; empty from players that do not know."""
    margin: float | None = None
    """Expected final score less that of the best opponent."""
    why: str = ""
    """A word on why; may be empty."""


class Player(Protocol):
    """A computer player. It sees what everybody sees: a `Game` asked only for its public face."""

    name: str
    """How tables and records call it."""

    def choose(self, game: Game, limits: Limits) -> Choice:
        """A legal move for the seat to act."""

    def close(self) -> None:
        """Let go of processes and memory."""


def begin(player: Player, seed: int) -> None:
    """Have what a player does depend on this seed and on nothing before; one without a method `begin` draws no lots."""
    start = getattr(player, "begin", None)
    if start:
        start(seed)


def check_can_choose(game: Game) -> None:
    """Raise the refusal that a move would get where nobody can choose: the game is over, or a deal is due."""
    if not game.legal_moves:
        raise refuse("game_over" if game.is_over else "deal_due").error("choose")
