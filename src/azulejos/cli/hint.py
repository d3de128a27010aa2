"""The command that says which moves are best."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter
from rich.console import Console
from rich.table import Table

from azulejos.cli.options import AsJson, position_line, print_json
from azulejos.drawing.words import headline, move_words, seat_names
from azulejos.game.game import Game
from azulejos.game.moves import Move
from azulejos.game.preview import Preview

if TYPE_CHECKING:
    from azulejos.engine.findings import Findings


def hint(
    position: str,
    *,
    nodes: int | None = None,
    milliseconds: int | None = None,
    moves: int = 5,
    searchmoves: Annotated[list[str] | None, Parameter(negative="")] = None,
    player: str = "net",
    seed: int = 0,
    as_json: AsJson = False,
) -> None:
    """Say which moves are best in a position, and how good they are.

    For example:

        azulejos hint "$POSITION"
        azulejos hint "$POSITION" --milliseconds 5000 --moves 3
        azulejos hint "$POSITION" --player "process:./mybot" --searchmoves 3B4

    Parameters
    ----------
    position
        The position line; the form for addresses, with _ instead of blanks, works too.
    nodes
        How many positions to look at.
    milliseconds
        How long to think; one second if neither limit is given.
    moves
        How many moves to show.
    searchmoves
        A move to look at and to show whatever the player thinks of it, such as 3B4; can be given several times.
    player
        Who thinks: a player that searches, a program of your own as in "process:./mybot", or any other, which tells the
        one move that it would play.
    seed
        The same number gives the same hint for the same number of nodes.
    as_json
        Print JSON.
    """
    from azulejos.engine.engine import check_can_think
    from azulejos.engine.findings import find_out
    from azulejos.game.arguments import check_seed
    from azulejos.players import Limits, make

    game = Game.from_position(position_line(position))
    limits = Limits(nodes, milliseconds)
    if moves < 1:
        raise ValueError(f"moves must be a whole number of at least 1, not {moves}")
    check_seed(seed)
    check_can_think(game)
    thinker = make(player, seed)
    try:
        found = find_out(thinker, game, limits, moves, tuple(map(Move.parse, searchmoves or ())))
    finally:
        thinker.close()
    if as_json:
        print_json(found)
    else:
        _print_hint(game, found)


def _print_hint(game: Game, found: Findings) -> None:
    console = Console()
    console.print(", ".join(headline(game.view, seat_names(game.view, None))), highlight=False)
    table = Table("move", "what it does", "points", "win", "margin", "visits")
    for column in table.columns[2:]:
        column.justify = "right"
    for row in found.moves:
        move = Move.parse(row.move)
        preview = game.preview(move)
        points = f"{preview.points - preview.cost:+}" if preview.points or preview.cost else ""
        win = "-" if row.win is None else f"{row.win[game.turn]:.1%}"
        margin = "-" if row.margin is None else f"{round(row.margin, 1) + 0.0:+.1f}"
        table.add_row(str(move), _effect(move, preview), points, win, margin, _count(row.visits))
    console.print(table)
    console.print(_effort(found), highlight=False, markup=False)


def _effort(found: Findings) -> str:
    """Who has looked at how much, as far as it says so."""
    seconds = f"in {found.seconds:.2f} s"
    parts = [f"{found.nodes:,} positions {seconds}" if found.nodes is not None else seconds]
    if found.solved or found.depth is not None:
        parts.append("solved to the end of the round" if found.solved else f"{found.depth} moves deep")
    return f"{found.player}: {', '.join(parts)}."


def _count(number: int | None) -> str:
    return "-" if number is None else f"{number:,}"


def _effect(move: Move, preview: Preview) -> str:
    """What a move does, in words."""
    return move_words(move, preview) + (", without a place" if preview.completes and not preview.columns else "")
