"""A short game a person can read, told move by move, compared with the golden text letter for letter."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from azulejos import Game
from azulejos.game.happening import Fell, Happening, Tiled

GOLDEN = Path(__file__).parent / "golden" / "playthrough.txt"
COLORS = ("blue", "yellow", "red", "black", "white")


def told(happening: Happening) -> Iterable[str]:
    """What happened, in few words."""
    drafted = happening.drafted
    if drafted is not None:
        marker = " and the marker" if drafted.marker else ""
        fallen = f"{drafted.dropped - drafted.to_lid} to the floor, {drafted.to_lid} to the lid"
        yield f"takes {drafted.taken} {COLORS[drafted.color]}{marker}: {drafted.placed} to the line, {fallen}"
    for event in happening.tiling:
        who = f"seat {event.seat + 1}, row {event.row + 1}: {COLORS[event.color]}"
        if isinstance(event, Tiled):
            yield f"{who} to column {event.column + 1}, {event.horizontal} across and {event.vertical} down"
        if isinstance(event, Fell):
            yield f"{who} falls, {event.count} tiles, {event.to_lid} of them to the lid"
    for floor in happening.floors:
        yield f"seat {floor.seat + 1}: floor costs {floor.penalty}, loses {floor.lost}"
    for bonus in happening.bonuses:
        yield (
            f"seat {bonus.seat + 1}: {bonus.rows} rows, {bonus.columns} columns, {bonus.colors} colors, "
            f"bonus {bonus.points}"
        )
    if happening.deal is not None:
        yield f"deal {happening.deal}"


def tell(moves: list[str]) -> str:
    """The whole game as text."""
    game = Game(players=2, wall="gray", seed=12, starter=0, max_rounds=3)
    lines = ["# seed 12 on the gray wall, seat 1 starts, three rounds", game.position]
    for number, move in enumerate(moves, 1):
        lines += ["", f"{number}. {move} by seat {game.turn + 1}, one of {len(game.legal_moves)} legal moves"]
        lines += [f"   {words}" for words in told(game.play(move))]
        lines.append(game.position)
    outcome = game.outcome
    assert outcome is not None
    winners = " and ".join(str(seat + 1) for seat in outcome.winners)
    return "\n".join([*lines, "", f"over by {outcome.reason}, {outcome.scores}, won by seat {winners}", ""])


def test_the_playthrough_is_as_it_was() -> None:
    golden = GOLDEN.read_text()
    assert tell(re.findall(r"^\d+\. (\S{3}) ", golden, re.MULTILINE)) == golden
