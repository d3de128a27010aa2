"""What a training run can be told: the size of the network, and how to play, learn and judge."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal, TypeVar

import msgspec
from msgspec import Meta, Struct

Mix = tuple[tuple[int, int, float], ...]
"""Players, gray wall, share of the games."""
MixName = Literal["2std", "2gray", "3std", "3gray", "4std", "4gray", "gray", "many", "rest", "all"]
"""The mixes that can be asked for."""
Device = Literal["auto", "cpu", "cuda"]
"""The devices to compute on."""

Count = Annotated[int, Meta(ge=1)]
"""A count of at least one."""
LayerSize = Annotated[int, Meta(ge=1, le=8192)]
"""The size of a part of the network."""
Positive = Annotated[float, Meta(gt=0, le=1e9)]
"""More than nothing, and not endless."""
Share = Annotated[float, Meta(ge=0, le=1)]
"""A part of the whole."""

MIXES: Final[dict[MixName, Mix]] = {
    "2std": ((2, 0, 1.0),),
    "2gray": ((2, 1, 1.0),),
    "3std": ((3, 0, 1.0),),
    "3gray": ((3, 1, 1.0),),
    "4std": ((4, 0, 1.0),),
    "4gray": ((4, 1, 1.0),),
    "gray": ((2, 1, 0.2), (3, 1, 0.4), (4, 1, 0.4)),
    "many": ((3, 0, 0.5), (4, 0, 0.5)),
    "rest": ((2, 1, 0.2), (3, 0, 0.18), (3, 1, 0.22), (4, 0, 0.18), (4, 1, 0.22)),
    "all": ((2, 0, 0.3), (2, 1, 0.14), (3, 0, 0.14), (3, 1, 0.14), (4, 0, 0.14), (4, 1, 0.14)),
}
"""`gray` is the gray wall, `many` more than two on the colored one, `rest` both of them."""
ROUND_LIMIT: Final = 20
"""A self-play game that is longer ends with this round."""
DEPTH_PER_PLAYER: Final = 64
"""Room for the samples of a self-play game, for each seat; a game has fewer."""
EDGES_PER_NODE: Final = 176
"""Room for so many edges of a self-play tree on average."""


class Shape(Struct, frozen=True, forbid_unknown_fields=True):
    """The size of a network; it stays the same for a whole run."""

    width: LayerSize = 384
    """Numbers between two blocks of the network."""
    blocks: LayerSize = 3
    """Residual blocks of the network."""
    source: LayerSize = 96
    """Numbers that stand for a display or the center."""
    policy: LayerSize = 128
    """Numbers from which drafts are valued."""
    value: LayerSize = 64
    """Numbers from which the outcome is told."""


class TrainingPlan(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How to play, learn and judge; may be changed from one piece of a run to the next."""

    mix: MixName = "2std"
    """Which games: gray is 2 to 4 players on the gray wall, many 3 and 4 on the colored one, rest both."""
    device: Device = "auto"
    """Where to play and learn; auto takes a CUDA device if there is one."""
    workers: Annotated[int, Meta(ge=0)] | None = None
    """Processes that play on processor cores: all cores but one if not given; 0 plays and learns in turns."""
    slots: Count = 64
    """Games side by side in each process; 32768 on a CUDA device."""
    simulations: Count = 64
    """MCTS simulations for each move."""
    candidates: Count = 32
    """Moves of the root that are compared."""
    temperature: Positive = 1.0
    """How freely the first moves of a round are drawn: what noise counts beside log priors and values."""
    late_temperature: Positive = 0.5
    """How freely the other moves of a round are drawn."""
    opening: Annotated[int, Meta(ge=0)] = 4
    """Moves of a round that are played at the first temperature."""
    exploration: Positive = 1.1
    """How much the search is drawn to moves with high priors (PUCT)."""
    fpu_reduction: Annotated[float, Meta(ge=0, le=2)] = 0.25
    """First-play urgency: how much worse than its parent a move is taken to be before it is tried."""
    root_temperature: Positive = 1.2
    """Temperature of the root's priors, lest self-play grow ever surer of its first thought."""
    value_scale: Annotated[float, Meta(ge=0)] = 0.5
    """What values of the root's moves count beside their log priors, times their visits and the offset."""
    visit_offset: Annotated[float, Meta(ge=0)] = 50.0
    """Added to the visits of the root's most visited move in that."""
    teacher: str = ""
    """A file of weights whose network, of any size, plays the games; none by default."""
    rate: Positive = 1e-3
    """Learning rate at the beginning of the minutes."""
    final_rate: Positive = 1e-4
    """Learning rate at their end."""
    batch: Count = 512
    """Positions of a gradient step; 16384 on a CUDA device."""
    reuse: Positive = 4.0
    """How often each position is learned from, on average; 2 on a CUDA device."""
    wake: bool = False
    """Whether units that a file to start with has zeros for begin anew."""
    trust: Share = 0.25
    """Share of the search's own value in the value target."""
    replay: Count = 250_000
    """Newest positions in the replay buffer; a CUDA device keeps as many as its games have room for."""
    candidate_steps: Count = 500
    """Gradient steps from one saved network to the next; 5000 on a CUDA device."""
    gate_games: Annotated[int, Meta(ge=0)] = 100
    """Games of the match that lets a saved network play; with 0, as on a CUDA device, the newest plays."""
    gate_nodes: Count = 64
    """Positions that both look at for a move in that match."""
    threshold: Annotated[float, Meta(gt=0, lt=1)] = 0.55
    """The score that is needed there, where an equal gets 0.5."""
    scale_games: Annotated[int, Meta(ge=0)] = 20
    """Games in which the scale of the policy is measured when the minutes are over, 0 for none; 80 on a CUDA device."""
    save_seconds: Positive = 90.0
    """How often everything is saved."""

    @property
    def games(self) -> Mix:
        """Players, gray wall and share of each kind of game."""
        return MIXES[self.mix]

    @property
    def most_players(self) -> int:
        """Players at the largest table."""
        return max(players for players, _, _ in self.games)

    @property
    def compared(self) -> int:
        """Moves of the root that are compared: each is tried."""
        return min(self.candidates, self.simulations)


ON_CUDA: Final[Mapping[str, object]] = {
    "slots": 32768,
    "batch": 16384,
    "reuse": 2.0,
    "candidate_steps": 5000,
    "gate_games": 0,
    "scale_games": 80,
}
"""What is usual on a CUDA device and not on processor cores."""

Told = TypeVar("Told", bound=Struct)
"""A structure of options."""


def read_options(kind: type[Told], given: Mapping[str, Any]) -> Told:
    """Options of some kind with what was given; a `ValueError` names what cannot be.

    >>> read_options(TrainingPlan, {"simulations": 0})
    Traceback (most recent call last):
        ...
    ValueError: simulations: expected `int` >= 1, not 0
    """
    try:
        return msgspec.convert(given, kind)
    except msgspec.ValidationError as fault:
        what, _, where = str(fault).partition(" - at `$.")
        name = where.rstrip("`")
        if not name:
            raise ValueError(f"cannot read the options {dict(given)!r}: {what}") from fault
        said = what[:1].lower() + what[1:]
        raise ValueError(f"{name.replace('_', '-')}: {said}, not {given[name]!r}") from fault


def plan_for(given: Mapping[str, Any], *, cuda: bool) -> TrainingPlan:
    """The plan on such a device, with what was given.

    >>> plan_for({"batch": 8192}, cuda=True).slots, plan_for({"mix": "all"}, cuda=False).slots
    (32768, 64)
    """
    return read_options(TrainingPlan, {**(ON_CUDA if cuda else {}), **given})
