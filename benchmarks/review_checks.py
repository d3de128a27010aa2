"""What reviews of games are checked by: luck that is zero on average, losses by level, receipts, planted blunders.

    .venv/bin/python benchmarks/review_checks.py results.jsonl --seconds 600
    .venv/bin/python benchmarks/review_checks.py results.jsonl --parts luck planted --games 500 --blunders 200
    .venv/bin/python benchmarks/review_checks.py results.jsonl more.jsonl --seconds 0 --write losses starts

Every finished piece of work is a line of the first file at once, so it can be read, stopped and started again at any
time: what any of the files has is not done again. The parts take turns, so that a short run has something of each. At
the end tables are printed from all lines; `--write` writes what the levels lose, or what is expected at the start of a
game, to src/azulejos/analysis. Work is shared among processes, and can be shared among several runs by its seeds:

    for i in 0 1 2; do .venv/bin/python benchmarks/review_checks.py part-$i.jsonl --share $i/3 --workers 1 & done; wait
    .venv/bin/python benchmarks/review_checks.py part-*.jsonl --seconds 0
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Final

from review_tables import QUICK, STRONG, Line, report, write_losses, write_starts

from azulejos.analysis.analyst import DEFAULT_NODES, Analyst, game_value, lines_of
from azulejos.analysis.luck import DEAL_NODES
from azulejos.analysis.marks import MARKS
from azulejos.analysis.receipt import PARTS
from azulejos.analysis.review import FEWEST_NODES, DealReview, DecisionReview, Review, review
from azulejos.game.game import Game
from azulejos.game.view import Wall
from azulejos.net.choice import WEIGHTS, fingerprint
from azulejos.players.levels import LEVELS, RATED_TABLE
from azulejos.players.player import Limits, Player, begin
from azulejos.players.registry import make
from azulejos.search.batches import deal_number

KINDS: Final[tuple[tuple[int, Wall], ...]] = ((2, "gray"), (3, "std"), (3, "gray"), (4, "std"), (4, "gray"))
"""The kinds of games beside the one where the levels are rated."""
KIND_PLAYER: Final = "level6"
DEEP_NODES: Final = 20_000
"""Positions that say whether a planted move is a blunder."""
SCREEN_NODES: Final = 2000
"""Positions that say whether it is worth to ask that."""
PLANTED_LOSS: Final = 0.20
"""So much of the share of the victory a planted move loses at least."""
MOST_TRIES: Final = 40
"""Positions of a game in which a blunder is looked for."""
START_DEALS: Final = 25
"""Deals at the start of a game that are searched in one piece of work."""
PARTS_OF_WORK: Final = ("quick", "levels", "kinds", "planted", "strong", "luck", "starts")

Task = tuple[str, str, int, Wall, int, int]
"""Part, player, number of players, wall, seed, nodes of the review."""


def tasks(args: argparse.Namespace) -> Iterator[Task]:
    """All pieces of work, the parts in turn."""
    players, wall = RATED_TABLE
    turn, of = args.share
    pieces = args.starts // START_DEALS
    most = (args.games, args.strong_games, args.level_games, args.kind_games, args.blunders, pieces)
    for number in range(turn, max(most), of):
        if "quick" in args.parts and number < args.games:
            yield "self", QUICK, players, wall, number, args.nodes
        if "strong" in args.parts and number < args.strong_games:
            yield "self", STRONG, players, wall, number, args.nodes
        if "luck" in args.parts and number < args.games:
            yield "luck", QUICK, players, wall, number, FEWEST_NODES  # deals are always looked at as deeply
        if "levels" in args.parts and number < args.level_games:
            for level in LEVELS:
                yield "self", level.spec, players, wall, number, args.nodes
        if "planted" in args.parts and number < args.blunders:
            yield "planted", QUICK, players, wall, 1_000_000 + number, args.nodes
        if "kinds" in args.parts and number < args.kind_games:
            for kind in KINDS:
                yield "self", KIND_PLAYER, *kind, number, args.nodes
        if "starts" in args.parts and number < pieces:
            for kind in WEIGHTS:
                yield "starts", "", *kind, number, DEAL_NODES


def key(line: Line) -> Task:
    """Which piece of work a line tells of."""
    return line["part"], line["player"], line["players"], line["wall"], line["seed"], line["nodes"]


_players: dict[str, Player] = {}
_analysts: dict[int, Analyst] = {}


def play(spec: str, game: Game, seed: int, plies: int = 10_000) -> Game:
    """Let a player play a game against itself, or so many moves and deals of it."""
    if spec not in _players:
        _players[spec] = make(spec, 0)
    begin(_players[spec], seed)
    while not game.is_over and len(game.history) < plies:
        game.play(_players[spec].choose(game, Limits()).move)
    return game


def do(task: Task) -> Line:
    """One piece of work."""
    part, player, players, wall, seed, nodes = task
    started = time.perf_counter()
    head = {"part": part, "player": player, "players": players, "wall": wall, "seed": seed, "nodes": nodes}
    found = {"planted": _plant, "starts": _starts}.get(part, _reviewed_game)(task)
    return {**head, **found, "seconds": round(time.perf_counter() - started, 2)}


def _reviewed_game(task: Task) -> Line:
    _, player, players, wall, seed, nodes = task
    game = play(player, Game(players, wall, seed=seed, starter=seed % players), seed)
    started = time.perf_counter()
    found = review(game.record(), nodes=nodes, workers=1)
    own = [[each for each in found.decisions if each.seat == seat and not each.forced] for seat in range(players)]
    return {
        "review_seconds": round(time.perf_counter() - started, 2),
        "decisions": len(found.decisions),
        "starter": seed % players,
        "luck": [[receipt["luck"].win, receipt["luck"].margin] for receipt in found.receipts],
        "first_luck": [[luck.win, luck.margin] for luck in found.deals[0].luck],
        "moves": [len(each) for each in own],
        "lost": [[sum(each.loss.win for each in of), sum(each.loss.margin for each in of)] for of in own],
        "marks": [[sum(each.mark == mark for each in of) for mark in MARKS[1:]] for of in own],
        "identity": _identity(found, game),
        "remainders": _remainders(found),
        "total_remainder": [abs(receipt["remainder"].margin) for receipt in found.receipts],
    }


def _identity(found: Review, game: Game) -> float:
    """How far the receipts are from adding up to the result, at most, each line added up once more from its parts."""
    steps = _steps(found)
    off = 0.0
    for seat, receipt in enumerate(found.receipts):
        for what in ("win", "margin"):
            sums = dict.fromkeys(PARTS, 0.0)
            sums["expected"] = _value_before(steps[0], what, seat)
            sums["result"] = getattr(game_value(game), what)[seat]
            for step, after in zip(steps, [*steps[1:], None], strict=True):
                now = _value_before(after, what, seat) if after else sums["result"]
                before = _value_before(step, what, seat)
                if not isinstance(step, DecisionReview):
                    sums["luck"] += getattr(step.luck[seat], what)
                    sums["remainder"] += now - before - getattr(step.luck[seat], what)
                    continue
                cost = getattr(step.played.value, what)[seat] - before if getattr(step.loss, what) else 0.0
                sums["own" if step.seat == seat else "others"] += cost
                sums["remainder"] += now - before - cost
            off = max(off, *(abs(sums[part] - getattr(receipt[part], what)) for part in PARTS))
            off = max(off, abs(sum(getattr(receipt[part], what) for part in PARTS[:-1]) - sums["result"]))
    return off


def _steps(found: Review) -> list[DealReview | DecisionReview]:
    steps: list[DealReview | DecisionReview] = [*found.deals, *found.decisions]
    return sorted(steps, key=lambda step: step.ply)


def _value_before(step: DealReview | DecisionReview, what: str, seat: int) -> float:
    value = step.best.value if isinstance(step, DecisionReview) else step.expected
    return float(getattr(value, what)[seat])


def _remainders(found: Review) -> dict[str, list[float]]:
    """How far the value of a move was from what was found after it, in points for the mover.

    Two lists: where the round went on, and where it ended.
    """
    steps = _steps(found)
    sizes: dict[str, list[float]] = {"within": [], "ends": []}
    for step, after in zip(steps, [*steps[1:], None], strict=True):
        if not isinstance(step, DecisionReview):
            continue
        seat = step.seat
        now = _value_before(after, "margin", seat) if after else found.receipts[seat]["result"].margin
        within = isinstance(after, DecisionReview) and after.round == step.round
        sizes["within" if within else "ends"].append(round(abs(now - step.played.value.margin[seat]), 4))
    return sizes


def _starts(task: Task) -> Line:
    """What positions after the first deal are worth to each seat, who starts first, by the search that reviews use."""
    _, _, players, wall, number, _ = task
    analyst = Analyst(players, wall)
    values = []
    for deal in range(number * START_DEALS, (number + 1) * START_DEALS):
        states = Game.undealt(players, wall, starter=0).states.copy()
        deal_number(states[0], deal)
        value = analyst.value_dealt(states)
        values.append([[round(each, 5) for each in of] for of in (value.win, value.margin)])
    return {"network": fingerprint(WEIGHTS[players, wall]), "values": values}


def _plant(task: Task) -> Line:
    """Replace one move of a game by a blunder, and see whether the review marks it.

    A review looks at each position anew, so it says the same of the move whether it sees all of the game or, as here,
    only the position and the move.
    """
    _, player, players, wall, seed, nodes = task
    random = Random(seed)
    played = play(player, Game(players, wall, seed=seed, starter=seed % players), seed)
    if DEEP_NODES not in _analysts:
        _analysts[DEEP_NODES] = Analyst(players, wall, DEEP_NODES)
    deep = _analysts[DEEP_NODES]
    for _ in range(MOST_TRIES):
        before = played.from_start()
        for play_ in played.history[: random.randrange(len(played.history))]:
            before.play(play_)
        choices = list(before.legal_moves)
        if len(choices) < 2:
            continue
        random.shuffle(choices)
        screened = deep.search(before.states, [move.id for move in choices[:8]], nodes=SCREEN_NODES)
        lines = lines_of(screened)
        seat = before.turn
        worse = {line.move for line in lines if lines[0].value.win[seat] - line.value.win[seat] >= PLANTED_LOSS}
        for move in (move for move in choices if move in worse):
            sure = lines_of(deep.search(before.states, [move.id]))
            value = next(line.value.win[seat] for line in sure if line.move == move)
            if sure[0].value.win[seat] - value < PLANTED_LOSS:
                continue
            middle = Game.from_position(before.position)
            middle.play(move)
            (found,) = review(middle.record(), nodes=nodes, workers=1).decisions
            return {
                "move": str(move),
                "position": before.position,
                "deep": round(sure[0].value.win[seat] - value, 4),
                "loss": round(found.loss.win, 4),
                "mark": found.mark,
            }
    return {"mark": None}


def _calm() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def work(args: argparse.Namespace, known: set[Task]) -> None:
    """Do what is missing until the time is over, and write each line when it is there."""
    missing = [task for task in tasks(args) if task not in known]
    deadline = time.monotonic() + args.seconds
    if not missing or args.seconds <= 0:
        return
    _warm_up(missing)
    method = "fork" if "fork" in multiprocessing.get_all_start_methods() else "spawn"  # a fork is warm already
    with multiprocessing.get_context(method).Pool(args.workers, _calm) as pool, args.files[0].open("a") as out:
        finished = pool.imap_unordered(do, missing)
        for number in range(len(missing)):
            try:
                line = finished.next(max(0.01, deadline - time.monotonic()))
            except (multiprocessing.TimeoutError, KeyboardInterrupt):
                break
            out.write(json.dumps(line) + "\n")
            out.flush()
            print(f"{number + 1}/{len(missing)} {line['part']} {line['player']} {line['seconds']} s", flush=True)
        pool.terminate()


def _warm_up(missing: list[Task]) -> None:
    """Have everything compiled before there are many processes."""
    for spec, players, wall in sorted({(task[1], task[2], task[3]) for task in missing}):
        plies = 40 if spec else 3  # where only first deals are looked at no later one is wanted
        review(play("greedy", Game(players, wall, seed=1), 1, plies).record(), nodes=100, workers=1)
        if spec:
            play(spec, Game(players, wall, seed=1), 1, 3)


def read(files: list[Path]) -> list[Line]:
    """All lines of all files, each piece of work once; a last line that was cut off is passed over."""
    found: dict[Task, Line] = {}
    for file in filter(Path.exists, files):
        for text in file.read_text("utf-8").splitlines():
            try:
                line = json.loads(text)
            except ValueError:
                continue
            found[key(line)] = line
    return list(found.values())


def _share(text: str) -> tuple[int, int]:
    turn, _, of = text.partition("/")
    if not 0 <= int(turn) < int(of):
        raise ValueError
    return int(turn), int(of)


def main() -> None:
    """Do what is missing, then print what was found."""
    parser = argparse.ArgumentParser(description="Checks of reviews.")
    parser.add_argument("files", type=Path, nargs="+", help="results; the first one is written to")
    parser.add_argument("--parts", nargs="+", choices=PARTS_OF_WORK, default=PARTS_OF_WORK)
    parser.add_argument("--games", type=int, default=500, help=f"of {QUICK}, for its losses and for luck (500)")
    parser.add_argument("--strong-games", type=int, default=160, help=f"of {STRONG} (160)")
    parser.add_argument("--level-games", type=int, default=60, help="of each level (60)")
    parser.add_argument("--kind-games", type=int, default=8, help="of each other kind of game (8)")
    parser.add_argument("--blunders", type=int, default=200, help="that are planted (200)")
    parser.add_argument("--starts", type=int, default=2000, help="first deals of each kind of game (2000)")
    parser.add_argument("--nodes", type=int, default=DEFAULT_NODES, help="positions for each decision")
    parser.add_argument("--share", type=_share, default=(0, 1), help="3/16: only every 16th seed, from 3 on")
    parser.add_argument("--workers", type=int, default=os.cpu_count(), help="processes; every core if not said")
    parser.add_argument("--seconds", type=float, default=1e9, help="stop after so many, compiling included")
    parser.add_argument("--write", nargs="+", choices=("losses", "starts"), default=(), help="files of the package")
    args = parser.parse_args()
    work(args, {key(line) for line in read(args.files)})
    lines = read(args.files)
    report(lines)
    if "losses" in args.write:
        write_losses(lines, args.nodes)
    if "starts" in args.write:
        write_starts(lines)


if __name__ == "__main__":
    main()
