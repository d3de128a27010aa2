"""The command line: `azulejos --help` lists the commands, each in a file of its own."""

from __future__ import annotations

import os
import sys
from typing import Final, NoReturn

from cyclopts import App, CycloptsError, UnusedCliTokensError

import azulejos
from azulejos.cli.options import BAD_INPUT, INTERRUPTED
from azulejos.players.player import PlayerFailed

COMMANDS: Final = (
    "serve",
    "prune",
    "think",
    "site",
    "play",
    "bot",
    "show",
    "new",
    "replay",
    "review",
    "luck",
    "verify",
    "perft",
    "simulate",
    "bench",
    "engine",
    "analyze",
    "hint",
    "match",
    "tournament",
    "puzzles",
    "train",
    "doctor",
    "completion",
)
"""Every command; the function `NAME` in the file `NAME.py` of this folder."""

app = App(
    name="azulejos",
    help="Play, study and simulate the tile-drafting board game Azul.",
    version=azulejos.__version__,
)
"""All commands; `main` runs it."""
for command in COMMANDS:
    app.command(f"azulejos.cli.{command}:{command}")  # imported when it is asked for


@app.default
def play_in_browser(
    *, host: str | None = None, port: int | None = None, database: str | None = None, browser: bool = True
) -> None:
    """Play in the browser: run the server for this machine and open its page.

    For example:

        azulejos
        azulejos --host 0.0.0.0

    Parameters
    ----------
    host
        0.0.0.0 to play with others in the network.
    port
        Another port than 8421.
    database
        Another SQLite file than the one in the user's data folder, or postgresql://USER@HOST/NAME.
    browser
        Whether to open the page in a browser.
    """
    from azulejos.cli.serve import serve

    serve(host=host, port=port, database=database, browser=browser)


def main() -> None:
    """Run a command; bad input ends with one line on standard error and exit code 2."""
    try:
        app(exit_on_error=False, print_error=False)
    except CycloptsError as fault:
        _fail(_without_command(fault) or fault)
    except BrokenPipeError:  # the reader of a pipe has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (ValueError, OSError, PlayerFailed) as fault:
        _fail(fault)
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)


def _without_command(fault: CycloptsError) -> Exception | None:
    """A better word for an unknown command than that the one without a name takes no arguments."""
    if isinstance(fault, UnusedCliTokensError) and not fault.command_chain and fault.unused_tokens:
        return ValueError(f"there is no command {fault.unused_tokens[0]!r}: azulejos --help lists them")
    return None


def _fail(fault: Exception) -> NoReturn:
    reason = f"{fault.strerror}: {fault.filename!r}" if isinstance(fault, OSError) and fault.filename else str(fault)
    sys.stderr.write(f"azulejos: {' '.join(reason.split())}\n")
    sys.exit(BAD_INPUT)
