"""The command that plays in the terminal."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from azulejos.cli.options import OptionalPlayerCount, Plain, Speed
from azulejos.game.view import Wall
from azulejos.locale import Language


def play(
    what: str | None = None,
    *,
    players: OptionalPlayerCount = None,
    wall: Wall | None = None,
    seed: int | None = None,
    against: Annotated[list[str] | None, Parameter(negative="")] = None,
    me: str | None = None,
    plain: Plain = False,
    color: bool | None = None,
    language: Language | None = None,
    speed: Speed | None = None,
) -> None:
    """Play in the terminal: against computers, with others at this keyboard, or at a table on a server.

    Three keys make a move: 3 B 4 takes the blue tiles of display 3 to line 4. The key ? lists all others.

    For example:

        azulejos play
        azulejos play --against level5
        azulejos play --against net
        azulejos play --players 4 --wall gray --against level3
        azulejos play --against person:Rui --against level4 --me person:Ana
        azulejos play http://192.168.1.7:8421/t/TABLE#SECRET
        azulejos play http://192.168.1.7:8421/t/TABLE#SECRET --me level3
        azulejos play http://192.168.1.7:8421/lobby
        azulejos play game.azul

    Parameters
    ----------
    what
        The link to a seat on a server, the lobby of one, where a free seat is taken, or a file with a record to look
        at; a new game if not given.
    players
        How many sit at the table, you included: 2, 3 or 4.
    wall
        std for the colored wall, which is the default, or gray for the gray one.
    seed
        The same number gives the same tiles.
    against
        Who else plays: level1 to level8, net for full strength, greedy, random, search, process:COMMAND or
        python:MODULE:CLASS of your own, or person or person:NAME for somebody at this keyboard; once for all other
        seats, or once for each of them; level2 if not given.
    me
        Who sits on the first seat, or on that of the link: person, person:NAME, or a computer as above, to watch.
    plain
        Line by line instead of a whole screen, for screen readers; the same without a terminal.
    color
        Whether to use color; NO_COLOR in the environment means no.
    language
        Of everything on the screen; the environment's if not given.
    speed
        How fast moves and scoring are shown on a whole screen: normal, which is the default, fast or instant.
    """
    from azulejos.tui.start import Wishes
    from azulejos.tui.start import play as start

    others = None if against is None else tuple(against)
    start(Wishes(what, players, wall, seed, me, others, plain, color, language, speed))
