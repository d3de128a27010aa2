"""Options that several commands have, how they print JSON, and the bar that shows how far they are."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Final, Literal

import msgspec
from cyclopts import Parameter
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

AsJson = Annotated[bool, Parameter(name="--json", negative="")]
"""The option `--json`."""
PlayerCount = Annotated[int, Parameter(name=["--players", "-p"])]
"""The option `--players`."""
OptionalPlayerCount = Annotated[int | None, Parameter(name=["--players", "-p"])]
"""The option `--players` where something else may say how many."""
InputFile = Annotated[Path, Parameter(allow_leading_hyphen=True)]
"""A path, or - for standard input."""
Plain = Annotated[bool, Parameter(negative="")]
"""A switch that is off unless it is named."""
RayOption = Annotated[list[str] | None, Parameter(consume_multiple=(0, 1), negative="")]
"""The option `--ray`: an address, or none to start Ray here."""
Speed = Literal["normal", "fast", "instant"]
"""How fast the terminal program shows what happens."""

BAD_INPUT: Final = 2
"""The exit code for input that cannot be used."""
INTERRUPTED: Final = 130
"""The exit code after Ctrl-C."""
FAILED: Final = 1
"""The exit code when what was asked for could not be done to its end."""


def position_line(text: str) -> str:
    """A position line, from the form for addresses too, which has _ instead of blanks."""
    return text.replace("_", " ")


def print_json(data: object) -> None:
    """Print data as a line of JSON."""
    print(msgspec.json.encode(data).decode(), flush=True)


def ray_address(ray: list[str] | None) -> str | None:
    """Where the Ray cluster is, "local" for one started here; None without the option."""
    return None if ray is None else (ray or ["local"])[0]


def progress_bar(what: str = "games") -> Progress:
    """A bar of games, or of something else, on the terminal, on standard error; invisible elsewhere."""
    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    return Progress(*columns, console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty())
