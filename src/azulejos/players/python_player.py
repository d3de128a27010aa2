"""Python code as a player: `python:MODULE:CLASS`, and any object that has a method `choose`.

Such code is somebody else's, and may be its author's first try: whatever it does wrong is told with its name, what it
was asked and what came back.
"""

from __future__ import annotations

import importlib
import inspect
import sys
import traceback
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from reprlib import repr as shortened
from typing import Any, Final, Protocol

from azulejos.game.errors import InvalidNotation
from azulejos.game.game import Game
from azulejos.game.moves import Move
from azulejos.players.player import Choice, Limits, PlayerFailed, check_can_choose

PREFIX: Final = "python:"
"""How the spec of a class begins."""
FORM: Final = "expected python:MODULE:CLASS, as in 'python:mybot:MyPlayer'"
"""What to say of a spec that is none."""
FAULTS: Final = (Exception, SystemExit)
"""What code of others may raise; a script without a main guard leaves by `sys.exit`."""


class Chooser(Protocol):
    """Anything that chooses moves: it has a method `choose` of a game, or of a game and limits."""

    @property
    def choose(self) -> Callable[..., Move | str | Choice]:
        """A legal move for the seat to act: a `Move`, its text, or a `Choice`."""


class PythonPlayer:
    """An object that chooses moves, as a player: it may leave out its name, `close`, `begin` and the limits.

    >>> class First:
    ...     def choose(self, game):
    ...         return game.legal_moves[0]
    >>> player = PythonPlayer(First())
    >>> player.name, player.choose(Game(seed=1, starter=0), Limits())
    ('First', Choice(move=Move.parse('1B1'), win=(), margin=None, why=''))
    """

    def __init__(self, chooser: object, spec: str = "") -> None:
        """A player that asks `chooser`; errors call it by its spec if it has one."""
        self._chooser = chooser
        self.name = _name_of(chooser)
        """How tables and records call it."""
        self._who = repr(spec or self.name)
        self._choose = self._method("choose")
        if self._choose is None:
            raise ValueError(f"{self._who} has no method 'choose': {shortened(chooser)} is no player")
        self._takes_limits = _takes_limits(self._choose, self._who)

    def choose(self, game: Game, limits: Limits) -> Choice:
        """What the object chooses, if it is a legal move; it may do with its copy of the game what it likes."""
        check_can_choose(game)
        arguments = (game.public_copy(), limits) if self._takes_limits else (game.public_copy(),)
        return self._checked(self._call("choose", *arguments), game)

    def begin(self, seed: int) -> None:
        """Tell the object of a new game, if it wants to know."""
        if self._method("begin"):
            self._call("begin", seed)

    def close(self) -> None:
        """Have the object let go of what it holds, if it holds anything."""
        if self._method("close"):
            self._call("close")

    def _method(self, name: str) -> Callable[..., Any] | None:
        method = getattr(self._chooser, name, None)
        return method if callable(method) else None

    def _call(self, name: str, *arguments: object) -> object:
        try:
            return getattr(self._chooser, name)(*arguments)
        except FAULTS as fault:
            raise PlayerFailed(f"{self._who} failed in {name}: {told(fault)}") from fault

    def _checked(self, answer: object, game: Game) -> Choice:
        choice = answer if isinstance(answer, Choice) else None
        given: object = choice.move if choice else answer
        try:
            move = Move.parse(given) if isinstance(given, str) else given
        except InvalidNotation as fault:
            raise PlayerFailed(f"{self._who} answered {shortened(given)}, which is not a move") from fault
        if not isinstance(move, Move):
            expected = "expected a Move, its text or a Choice"
            raise PlayerFailed(f"{self._who} answered {shortened(given)}: {expected}")
        refusal = game.why_illegal(move)
        if refusal:
            raise PlayerFailed(f"{self._who} answered {str(move)!r} in {game.position!r}: {refusal}")
        return replace(choice, move=move) if choice else Choice(move)


def as_player(thing: Chooser) -> PythonPlayer:
    """Anything with a method `choose` as a player; a `ValueError` names what has none."""
    return thing if isinstance(thing, PythonPlayer) else PythonPlayer(thing)


def make(rest: str, seed: int) -> PythonPlayer:
    """The player `python`; behind the colon stand a module, a class and perhaps options, with colons between them."""
    spec = PREFIX + rest
    module, _, called = rest.partition(":")
    name, _, options = called.partition(":")
    if not name.isidentifier() or not all(part.isidentifier() for part in module.split(".")):
        raise ValueError(f"cannot read {spec!r} as a player: {FORM}")
    found = getattr(_load(module, spec), name, None)
    if not callable(found):
        raise ValueError(f"{spec!r}: the module {module!r} has no class {name!r}")
    given = _arguments(found, options, seed, spec)
    try:
        made = found(**given)
    except FAULTS as fault:
        raise PlayerFailed(f"{spec!r} cannot be made: {told(fault)}") from fault
    return PythonPlayer(made, spec)


def told(fault: BaseException) -> str:
    """An error of somebody else's code: its kind, what it says, and the line that raised it.

    >>> try:
    ...     1 / 0
    ... except ZeroDivisionError as fault:
    ...     print(told(fault))
    ZeroDivisionError: division by zero (line 2 of ...)
    """
    said = f"{type(fault).__name__}: {fault}" if str(fault) else type(fault).__name__
    frames = traceback.extract_tb(fault.__traceback__)
    if isinstance(fault, SyntaxError) or not frames:  # which names its place itself
        return said
    return f"{said} (line {frames[-1].lineno} of {frames[-1].filename!r})"


def _name_of(chooser: object) -> str:
    """The name that an object gives itself, or that of its class."""
    name = getattr(chooser, "name", None)
    given = isinstance(name, str) and name.strip() and name.isprintable()
    return str(name) if given else type(chooser).__name__


def _load(module: str, spec: str) -> object:
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)  # as for a script that lies here
    importlib.invalidate_caches()
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as fault:
        if fault.name is None or not f"{module}.".startswith(f"{fault.name}."):  # another one, which it wants itself
            raise PlayerFailed(f"{spec!r}: the module {module!r} cannot be imported: {told(fault)}") from fault
        hint = f" (the file {module!r} is the module {module[:-3]!r})" if module.endswith(".py") else ""
        where = f"there is no module {fault.name!r} in {here!r} or on the Python path"
        raise ValueError(f"{spec!r}: {where}{hint}") from fault
    except FAULTS as fault:
        raise PlayerFailed(f"{spec!r}: the module {module!r} cannot be imported: {told(fault)}") from fault


def _arguments(make_it: Callable[..., object], options: str, seed: int, spec: str) -> dict[str, object]:
    """Those of `options` and `seed` that a class wants to know."""
    signature = _signature(make_it)
    offered: dict[str, object] = {"options": options, "seed": seed}
    given = {name: value for name, value in offered.items() if signature and name in signature.parameters}
    if options and "options" not in given:
        raise ValueError(f"{spec!r} cannot be told {options!r}: it has no parameter 'options'")
    try:
        if signature:
            signature.bind(**given)
    except TypeError as fault:
        told_to = "it is given 'options' and 'seed', or what it takes of them"
        raise ValueError(f"{spec!r} cannot be made: {fault}; {told_to}") from fault
    return given


def _takes_limits(choose: Callable[..., object], who: str) -> bool:
    """Whether `choose` wants the limits besides the game."""
    signature = _signature(choose)
    if signature is None:
        return True
    parameters = list(signature.parameters.values())
    second = parameters[1] if len(parameters) > 1 else None
    wants = second is not None and (second.name == "limits" or second.default is second.empty)
    wants = wants or any(parameter.kind is parameter.VAR_POSITIONAL for parameter in parameters)
    try:
        signature.bind(*(("game", "limits") if wants else ("game",)))
    except TypeError as fault:
        expected = "expected choose(game) or choose(game, limits)"
        raise ValueError(f"{who} has a method choose{signature}: {expected}") from fault
    return wants


def _signature(call: Callable[..., object]) -> inspect.Signature | None:
    """What a call takes; None of compiled code that does not say."""
    try:
        return inspect.signature(call)
    except (TypeError, ValueError):
        return None
