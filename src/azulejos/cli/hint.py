"""The command that says which moves are best."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from rich.console import Console
from rich.table import Table

from azulejos.cli.options import AsJson, position_line
from azulejos.drawing.words import draft_words, headline, seat_names
from azulejos.game.game import Game
from azulejos.game.moves import Move
from azulejos.game.preview import Preview

if TYPE_CHECKING:
    from azulejos.engine.batch import Findings


def hint(
    position: str,
    *,
    nodes: int | None = None,
    milliseconds: int | None = None,
    moves: int = 5,
    player: str = "net",
    seed: int = 0,
    as_json: AsJson = False,
) -> None:
    """Say which moves are best in a position, and how good they are.

    For example:

        azulejos hint "$POSITION"
        azulejos hint "$POSITION" --milliseconds 5000 --moves 3

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
    player
        Who thinks: a player that searches.
    seed
        The same number gives the same hint for the same number of nodes.
    as_json
        Print JSON.
    """
    from azulejos.engine.batch import findings
    from azulejos.engine.engine import check_can_think, searching_player
    from azulejos.game.arguments import check_seed
    from azulejos.players.player import Limits

    game = Game.from_position(position_line(position))
    limits = Limits(nodes, milliseconds)
    if moves < 1:
        raise ValueError(f"moves must be a whole number of at least 1, not {moves}")
    check_seed(seed)
    check_can_think(game)
    found = findings(game, searching_player(player, seed).search(game, limits, settled=True), moves)
    if as_json:
        print(msgspec.json.encode(found).decode())
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
        table.add_row(str(move), _effect(move, preview), points, win, margin, f"{row.visits:,}")
    console.print(table)
    how = "solved to the end of the round" if found.solved else f"{found.depth} moves deep"
    console.print(f"{found.nodes:,} positions in {found.seconds:.2f} s, {how}.", highlight=False)


def _effect(move: Move, preview: Preview) -> str:
    """What a move does, in words."""
    if move.is_tiling:
        return f"the tile of row {move.row + 1} to column {move.column + 1}"
    return draft_words(move, preview) + (", without a place" if preview.completes and not preview.columns else "")
