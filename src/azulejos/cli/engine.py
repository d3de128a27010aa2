"""The command that talks with programs in lines: the engine protocol."""

from __future__ import annotations

import io
import sys


def engine(*, player: str = "net") -> None:
    """Talk with a program in lines: the engine protocol, on standard input and output.

    For example:

        azulejos engine
        azulejos engine --player search:nodes=5000

    Parameters
    ----------
    player
        Who thinks: a player that searches.
    """
    from azulejos.engine.engine import Engine
    from azulejos.engine.protocol import Protocol, read_lines

    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")
    Protocol(Engine(player), lambda line: print(line, flush=True)).run(read_lines(sys.stdin.buffer))
