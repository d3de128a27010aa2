"""Players by name, open to other packages.

A player is named by a spec: a name, and behind a colon whatever it wants to know, as in `search:nodes=500`,
`python:mybot:MyPlayer` or `process:./mybot`. Names are entry points of the group `azulejos.players`; each is a function
that takes the text behind the colon and a seed and returns a `Player`.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import EntryPoint, entry_points
from typing import Final

from azulejos.players.player import Player, PlayerFailed

GROUP: Final = "azulejos.players"
"""The group of entry points."""

OF_OTHERS: Final = frozenset({"process", "python"})
"""Players that are whatever code their spec names: only who runs the program may name them, nobody over a wire."""

Factory = Callable[[str, int], Player]
"""Makes a player: the text behind the colon, and a seed."""


def names() -> list[str]:
    """The names of all players there are."""
    return sorted(entry_points(group=GROUP).names)


def is_of_others(spec: str) -> bool:
    """Whether a spec names code of somebody else, to be run on this machine.

    >>> is_of_others("python:mybot:MyPlayer"), is_of_others("search:nodes=500")
    (True, False)
    """
    return spec.partition(":")[0] in OF_OTHERS


def make(spec: str, seed: int = 0) -> Player:
    """The player that a spec names; the same seed gives the same player.

    >>> make("greedy").name
    'greedy'
    """
    name, _, rest = spec.partition(":")
    found = entry_points(group=GROUP, name=name)
    if not found:
        raise ValueError(f"there is no player {name!r}: expected one of {', '.join(names())}")
    return _load(next(iter(found)))(rest, seed)


def _load(entry: EntryPoint) -> Factory:
    try:
        factory: Factory = entry.load()
    except (ImportError, AttributeError) as fault:
        raise PlayerFailed(f"the player {entry.name!r} of {entry.value!r} cannot be loaded: {fault}") from fault
    return factory


def read_options(rest: str, allowed: dict[str, Callable[[str], object]], player: str) -> dict[str, object]:
    """Options of the form `name=value,name=value`, each read by its own function."""
    options: dict[str, object] = {}
    for part in filter(None, rest.split(",")):
        name, equals, value = part.partition("=")
        if name not in allowed or not equals:
            expected = ", ".join(f"{option}=..." for option in allowed) or "none"
            raise ValueError(f"cannot read the option {part!r} of the player {player!r}: expected {expected}")
        try:
            options[name] = allowed[name](value)
        except ValueError as fault:
            raise ValueError(f"cannot read {value!r} as {name!r} of the player {player!r}: {fault}") from fault
    return options
