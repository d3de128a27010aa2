"""The command that lets a computer player play at tables on a server."""

from __future__ import annotations

import asyncio
import sys
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from azulejos.cli.options import FAILED, AsJson, print_json

if TYPE_CHECKING:
    from azulejos.tui.bots import BotGame
    from azulejos.tui.table.link import Link


def bot(
    *links: Annotated[str, Parameter(allow_leading_hyphen=True)],
    player: str = "level3",
    milliseconds: int | None = None,
    seed: int = 0,
    as_json: AsJson = False,
) -> None:
    """Let a computer player play at tables on a server, at all of them at once, to the end of each game.

    It takes the seats of the links, under its own name. Lost connections come back by themselves. The exit code is 0 if
    all games were played to the end.

    For example:

        azulejos bot http://192.168.1.7:8421/t/TABLE#SECRET
        azulejos bot http://192.168.1.7:8421/t/TABLE#SECRET --player python:mybot:MyPlayer
        azulejos bot - --player "process:./mybot" < links.txt

    Parameters
    ----------
    links
        The links to seats; - reads them from standard input, one on each line.
    player
        Who plays: a level, or any player of ours or of your own, as process:COMMAND or python:MODULE:CLASS.
    milliseconds
        How long it may think about a move, 1000 if not given; a clock at the table may leave it less.
    seed
        The same number gives the same choices where the player draws lots.
    as_json
        Print a line of JSON for each game.
    """
    from azulejos.game.arguments import check_seed
    from azulejos.players import Limits
    from azulejos.players.registry import make
    from azulejos.tui.bots import play_tables
    from azulejos.tui.table.local import THINKING

    check_seed(seed)
    limits = THINKING if milliseconds is None else Limits(milliseconds=milliseconds)
    tables = _read(links)
    make(player, seed).close()  # what is wrong with it is told before anybody sits down
    tell = _print_json if as_json else _print
    games = asyncio.run(play_tables(tables, player, seed=seed, limits=limits, done=tell, note=_note))
    if any(game.result is None for game in games):
        sys.exit(FAILED)


def _read(texts: tuple[str, ...]) -> list[Link]:
    from azulejos.tui.table.link import read_link

    given = sys.stdin.read().split() if texts == ("-",) else texts
    links = list(dict.fromkeys(map(read_link, given)))
    if not links:
        raise ValueError("no table to play at: expected links such as http://HOST:PORT/t/TABLE#SECRET")
    watching = next((link for link in links if not link.secrets), None)
    if watching is not None:
        raise ValueError(f"the link to {watching.table!r} has no secret of a seat behind a #: it only watches")
    return links


def _print(game: BotGame) -> None:
    if game.result is None:
        sys.stderr.write(f"{game.address}: {game.fault}\n")
        return
    scores = "-".join(map(str, game.result.scores))
    verdict = "lost" if not game.has_won else "won" if len(game.result.winners) == 1 else "shared the victory"
    seats = " and ".join(str(seat + 1) for seat in game.seats)
    print(f"{game.address}: seat {seats} {verdict}, {scores} ({game.result.reason})", flush=True)


def _print_json(game: BotGame) -> None:
    result = game.result
    said = {
        "table": game.address,
        "seats": list(game.seats),
        "won": game.has_won,
        "winners": list(result.winners) if result else None,
        "scores": list(result.scores) if result else None,
        "reason": result.reason if result else None,
        "fault": game.fault or None,
    }
    print_json(said)


def _note(link: Link, said: str) -> None:
    sys.stderr.write(f"{link.origin}/t/{link.table}: {said}\n")
