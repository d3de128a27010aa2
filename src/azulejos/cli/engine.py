"""The command that talks with programs in lines: the engine protocol."""

from __future__ import annotations


def engine(*, player: str = "net") -> None:
    """Talk with a program in lines: the engine protocol, on standard input and output.

    For example:

        azulejos engine
        azulejos engine --player search:nodes=5000

    Parameters
    ----------
    player
        Who thinks to begin with.
    """
    from azulejos.engine.protocol import converse

    converse(player)
