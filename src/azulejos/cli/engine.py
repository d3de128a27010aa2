"""The commands that think: `engine` and `analyze` for programs, `hint` for people."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, BinaryIO

from cyclopts import App, Parameter
from rich.console import Console
from rich.table import Table

from azulejos.drawing.words import draft_words, headline, seat_names
from azulejos.game.game import Game
from azulejos.game.moves import Move
from azulejos.game.preview import Preview

if TYPE_CHECKING:
    from azulejos.players.searching import SearchingPlayer

AsJson = Annotated[bool, Parameter(name="--json", negative="")]
"""The option `--json`."""
QuestionFile = Annotated[Path, Parameter(allow_leading_hyphen=True)]
"""A path, or - for standard input."""


def register(app: App) -> None:
    """Add the commands of this file to the application."""
    for command in (engine, analyze, hint):
        app.command(command)


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

    _speak_utf8()
    Protocol(Engine(player), _print_at_once).run(read_lines(sys.stdin.buffer))


def analyze(file: QuestionFile = Path("-"), *, player: str = "net", seed: int = 0) -> None:
    """Analyze many positions: a line of JSON for each question, a line of JSON for each answer.

    For example:

        azulejos analyze questions.jsonl
        azulejos analyze - --seed 7 < questions.jsonl

    Parameters
    ----------
    file
        A file of lines such as {"id": "a", "position": "...", "nodes": 800}; - for standard input.
    player
        Who thinks: a player that searches.
    seed
        The same number gives the same answers.
    """
    from azulejos.engine.batch import analyze as answers

    thinker = _player(player, seed)
    with sys.stdin.buffer if str(file) == "-" else file.open("rb") as lines:
        for answer in answers(_decoded(lines), thinker):
            _print_at_once(answer)
    thinker.close()


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
    from azulejos.engine.engine import check_can_think
    from azulejos.players.player import Limits

    game = Game.from_position(position.replace("_", " "))
    limits = Limits(nodes, milliseconds)
    if moves < 1:
        raise ValueError(f"moves must be a whole number of at least 1, not {moves}")
    check_can_think(game)
    found = findings(game, _player(player, seed).search(game, limits), moves)
    if as_json:
        print(json.dumps(found))
    else:
        _print_hint(game, found)


def _print_hint(game: Game, found: dict[str, Any]) -> None:
    console = Console()
    console.print(", ".join(headline(game.view, seat_names(game.view, None))), highlight=False)
    table = Table("move", "what it does", "points", "win", "margin", "visits")
    for column in table.columns[2:]:
        column.justify = "right"
    for row in found["moves"]:
        known = row["win"] is not None
        move = Move.parse(row["move"])
        preview = game.preview(move)
        points = f"{preview.points - preview.cost:+}" if preview.points or preview.cost else ""
        win = f"{row['win'][game.seat]:.1%}" if known else "-"
        margin = f"{round(row['margin'], 1) + 0.0:+.1f}" if known else "-"
        table.add_row(str(move), _effect(move, preview), points, win, margin, f"{row['visits']:,}")
    console.print(table)
    how = "solved to the end of the round" if found["solved"] else f"{found['depth']} moves deep"
    console.print(f"{found['nodes']:,} positions in {found['seconds']:.2f} s, {how}.", highlight=False)


def _effect(move: Move, preview: Preview) -> str:
    """What a move does, in words."""
    if move.is_tiling:
        return f"the tile of row {move.row + 1} to column {move.column + 1}"
    return draft_words(move, preview) + (", without a place" if preview.completes and not preview.columns else "")


def _player(spec: str, seed: int) -> SearchingPlayer:
    from azulejos.engine.engine import searching_player
    from azulejos.game.arguments import check_seed

    check_seed(seed)
    return searching_player(spec, seed)


def _decoded(stream: BinaryIO) -> Iterator[str]:
    return (line.decode(errors="backslashreplace") for line in stream)


def _speak_utf8() -> None:
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")


def _print_at_once(text: str) -> None:
    print(text, flush=True)
