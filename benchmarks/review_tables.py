"""The tables of what `review_checks.py` found, and the files of the package that are made from it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from statistics import fmean, stdev
from typing import Any, Final

from azulejos.analysis.likeness import LOSSES
from azulejos.analysis.luck import DEAL_NODES
from azulejos.analysis.starts import STARTS
from azulejos.arena.statistics import student95
from azulejos.game.view import Wall
from azulejos.net.choice import WEIGHTS, fingerprint
from azulejos.players.levels import FULL_STRENGTH, LEVELS, RATED_TABLE

FOLDER: Final = Path(__file__).resolve().parent.parent / "src/azulejos/analysis"
QUICK: Final = f"{FULL_STRENGTH.spec}:nodes=800"
"""The strongest player with a tenth of the positions that a review looks at: quick, and not full strength."""
STRONG: Final = f"{FULL_STRENGTH.spec}:nodes=20000"
"""Full strength, with a limit that makes its games the same everywhere."""
SPECS: Final = (*(level.spec for level in LEVELS), QUICK, STRONG)
"""Who is measured, from the weakest to the strongest."""

Line = dict[str, Any]
"""What came of one piece of work."""


def estimate(values: list[float]) -> tuple[float, float]:
    """A mean and one standard error of it."""
    return fmean(values), stdev(values) / len(values) ** 0.5 if len(values) > 1 else float("inf")


def shown(values: list[float], scale: float = 1, digits: int = 2) -> str:
    """A mean with the half of its 95 % interval."""
    if len(values) < 2:
        return "-"
    mean, error = estimate(values)
    return f"{scale * mean:.{digits}f} ± {scale * student95(len(values) - 1) * error:.{digits}f}"


def losses(games: list[Line]) -> list[tuple[float, float]]:
    """What each seat of each game lost a move: of the share of the victory, and in points."""
    return [
        (win / moves, margin / moves)
        for line in games
        for (win, margin), moves in zip(line["lost"], line["moves"], strict=True)
        if moves
    ]


def report(lines: list[Line]) -> None:
    """Print the tables, for the documentation."""
    games = [line for line in lines if line["part"] == "self"]
    rated = rated_games(lines)
    _report_losses(rated)
    _report_luck([line for line in lines if line["part"] == "luck"])
    _report_receipts(games)
    for nodes in sorted({line["nodes"] for line in rated}):
        seconds = [line["review_seconds"] for line in rated if line["nodes"] == nodes]
        print(
            f"\n{len(seconds)} reviews of two-player games, {nodes} positions: {fmean(seconds):.1f} s each on one core"
        )
    for players, wall, deals, row in measured_starts(lines):
        print(f"{players} {wall}: {deals} first deals, by turn {row}")
    planted = [line for line in lines if line["part"] == "planted" and line["mark"] is not None]
    if planted:
        marked = sum(bool(line["mark"]) for line in planted) / len(planted)
        bad = sum(line["mark"] in {"mistake", "blunder"} for line in planted) / len(planted)
        print(f"\nplanted blunders: {len(planted)}; marked {marked:.1%}, as mistake or blunder {bad:.1%}")


def rated_games(lines: list[Line]) -> list[Line]:
    """The games at the table where the levels are rated."""
    return [line for line in lines if line["part"] == "self" and (line["players"], line["wall"]) == RATED_TABLE]


def _report_losses(rated: list[Line]) -> None:
    print("\n| player | games | win lost a move, % | points lost a move | inaccuracies | mistakes | blunders |")
    print("|---|---|---|---|---|---|---|")
    bad = []
    for spec in SPECS:
        own = [line for line in rated if line["player"] == spec]
        if not own:
            continue
        lost = losses(own)
        cells = [shown([win for win, _ in lost], 100), shown([margin for _, margin in lost])]
        cells += [_marked(own, {at}) for at in range(3)]
        print(f"| {spec} | {len(own)} | {' | '.join(cells)} |")
        moves = sum(sum(line["moves"]) for line in own)
        bad.append(f"{spec}: mistakes and blunders together {_marked(own, {1, 2})} of {moves} moves")
    print("\n".join(["", *bad]))


def _marked(games: list[Line], marks: set[int]) -> str:
    """The share of the moves of a game that have one of these marks: 0 is an inaccuracy, 2 a blunder."""
    counts = [(sum(seat[at] for seat in line["marks"] for at in marks), sum(line["moves"])) for line in games]
    if not any(count for count, _ in counts):
        return "none"  # no interval follows from games that are all alike
    return shown([count / moves for count, moves in counts if moves], 100) + " %"


def _report_luck(games: list[Line]) -> None:
    if not games:
        return
    print("\n| games | luck | of who starts the first round: win, % | points | of the other: win, % | points |")
    print("|---|---|---|---|---|---|")
    for name, luck in (("of the whole game", "luck"), ("of the first deal", "first_luck")):
        cells = [
            shown([line[luck][(line["starter"] + turn) % 2][at] for line in games], 100 if at == 0 else 1)
            for turn in range(2)
            for at in range(2)
        ]
        print(f"| {len(games)} | {name} | {' | '.join(cells)} |")


def _report_receipts(games: list[Line]) -> None:
    print("\n| kind | games | receipt off by at most | remainder a decision, within rounds | with round ends | total |")
    print("|---|---|---|---|---|---|")
    for players, wall in WEIGHTS:
        of = [line for line in games if (line["players"], line["wall"]) == (players, wall)]
        if not of:
            continue
        within = [fmean(line["remainders"]["within"]) for line in of]
        both = [fmean(line["remainders"]["within"] + line["remainders"]["ends"]) for line in of]
        total = [fmean(line["total_remainder"]) / line["decisions"] for line in of]
        worst = max(line["identity"] for line in of)
        cells = " | ".join(shown(values) for values in (within, both, total))
        print(f"| {players} {wall} | {len(of)} | {worst:.1e} | {cells} |")


def write_losses(lines: list[Line], nodes: int) -> None:
    """Write what the levels lose to the package, from the weakest on."""
    rated = [line for line in rated_games(lines) if line["nodes"] == nodes]
    table = {}
    for spec in SPECS[:-1]:
        games = [line for line in rated if line["player"] == spec]
        if len(games) < 2:
            continue
        row: Line = {"player": spec, "games": len(games), "moves": sum(sum(line["moves"]) for line in games)}
        for at, what in enumerate(("win", "margin")):
            mean, error = estimate([lost[at] for lost in losses(games)])
            row[what] = {"mean": round(mean, 5), "error": round(error, 5)}
        table[spec.partition(":")[0]] = row
    head = {"nodes": nodes, "date": _today(), "network": fingerprint(WEIGHTS[RATED_TABLE])}
    _write(LOSSES, {**head, "losses": table})


def write_starts(lines: list[Line]) -> None:
    """Write what is expected at the start of each kind of game to the package."""
    rows = [
        {"players": players, "wall": wall, "network": fingerprint(WEIGHTS[players, wall]), "deals": deals, **row}
        for players, wall, deals, row in measured_starts(lines)
    ]
    _write(STARTS, {"nodes": DEAL_NODES, "date": _today(), "starts": rows})


def measured_starts(lines: list[Line]) -> Iterator[tuple[int, Wall, int, Line]]:
    """What today's networks expect at the start of each kind of game: players, wall, deals, means and errors."""
    for (players, wall), weights in WEIGHTS.items():
        values = [
            value
            for line in lines
            if (line["part"], line["players"], line["wall"]) == ("starts", players, wall)
            and (line["nodes"], line["network"]) == (DEAL_NODES, fingerprint(weights))
            for value in line["values"]
        ]
        row: Line = {"expected": {}, "error": {}}
        for at, what in enumerate(("win", "margin")):
            turns = [estimate([value[at][turn] for value in values]) for turn in range(players) if len(values) > 1]
            row["expected"][what] = [round(mean, 5) for mean, _ in turns]
            row["error"][what] = [round(error, 5) for _, error in turns]
        if len(values) > 1:
            yield players, wall, len(values), row


def _today() -> str:
    return datetime.now(UTC).date().isoformat()


def _write(name: str, data: Line) -> None:
    (FOLDER / name).write_text(json.dumps(data, indent=1) + "\n", "utf-8")
