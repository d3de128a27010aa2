"""The command that trains a network: `train`."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from cyclopts import Parameter

from azulejos.cli.options import FAILED, AsJson, Ray, ray_address

Mix = Literal["2std", "2gray", "3std", "3gray", "4std", "4gray", "gray", "many", "rest", "all"]
"""Which games a network learns."""


@Parameter(name="*")
@dataclass(frozen=True)
class Options:
    """How to play, learn and judge; a run remembers what it was told last."""

    mix: Mix | None = None
    "Which games: gray is 2 to 4 players on the gray wall, many 3 and 4 on the colored one, rest both; 2std by default."
    device: Literal["auto", "cpu", "cuda"] | None = None
    "Where to play and learn: a CUDA device if there is one, if not said."
    workers: int | None = None
    "Self-play processes on processor cores; 0 is all cores but one."
    slots: int | None = None
    "Games side by side in each; 0 is 64 on a core and 16384 on a CUDA device."
    simulations: int | None = None
    "Of the search for each move; 64 if not said."
    temperature: float | None = None
    "How freely the first moves of a round are drawn; 1 if not said."
    late_temperature: float | None = None
    "And the others; 0.5 if not said."
    shard_seconds: float | None = None
    "How often self-play writes what is finished; 10 if not said."
    rate: float | None = None
    "Learning rate; 0.001 if not said."
    final_rate: float | None = None
    "The rate falls to this one in the course of the minutes; it stays if not said."
    batch: int | None = None
    "Positions of a learning step; 0 is 512 on a core and 8192 on a CUDA device."
    trust: float | None = None
    "How much of the target is the search's own opinion; 0.25 if not said."
    window: int | None = None
    "How many of the newest positions are learned from; 250000 if not said."
    reuse: float | None = None
    "How often each is learned from, on average; 4 if not said."
    candidate_steps: int | None = None
    "Learning steps from one candidate to the next; 500 if not said."
    gate_games: int | None = None
    "Of a candidate's match; 100 if not said."
    gate_nodes: int | None = None
    "Positions that both look at for a move there; 64 if not said."
    gate_workers: int | None = None
    "Processes that play it; 1 if not said."
    threshold: float | None = None
    "The score that a candidate needs, where an equal gets 0.5; 0.55 if not said."


def train(
    *,
    out: Path,
    minutes: float = 9.0,
    width: int | None = None,
    blocks: int | None = None,
    seed: int | None = None,
    start: Path | None = None,
    ray: Ray = None,
    as_json: AsJson = False,
    options: Options = Options(),  # noqa: B008 - it cannot be changed
) -> None:
    """Train a network by self-play: games, learning and gate matches, for so many minutes.

    The same command goes on where the last one ended, however it ended. Needs PyTorch.

    For example:

        azulejos train --out runs/two --minutes 9
        azulejos train --out runs/two --minutes 9 --simulations 128 --final-rate 0.0001
        azulejos train --out runs/all --mix all --minutes 60 --ray auto

    Parameters
    ----------
    out
        The folder of the run.
    minutes
        How long; everything is kept to go on later.
    width
        Of a new network's layers.
    blocks
        How many a new network has.
    seed
        Of a new run.
    start
        A file of weights for a new run to begin with.
    ray
        Play on a Ray cluster: its address, or none to start Ray here. Write it last.
    as_json
        Print lines of JSON.
    """
    from azulejos.training.loop import TrainingFailed, Wish
    from azulejos.training.loop import train as train_for

    address = ray_address(ray)
    wish = Wish(out, minutes, width, blocks, seed, start, address, asdict(options))
    kept = f"what is finished is in {str(out)!r}, the same command goes on"
    try:
        end = train_for(wish, lambda news: print(json.dumps(news) if as_json else _line(news), flush=True))
    except TrainingFailed as fault:
        print(f"azulejos: {fault}; {kept}", file=sys.stderr)
        sys.exit(FAILED)
    except KeyboardInterrupt:
        print(f"azulejos: stopped; {kept}", file=sys.stderr)
        raise
    if not as_json:
        print(f"network {end['network']} is in {str(out / 'accepted' / end['network'])!r}; {kept}")


def _line(news: dict[str, Any]) -> str:
    """How the run stands, for people."""
    losses = " ".join(f"{name} {value:.3f}" for name, value in (news["losses"] or {}).items()) or "none yet"
    rating = news["rating"] or {"elo": 0.0, "low": 0.0, "high": 0.0}
    elo = f"{rating['elo']:+.0f} [{rating['low']:+.0f}, {rating['high']:+.0f}]"
    counts = f"{news['games']:,} games, {news['positions']:,} positions, {news['steps']:,} steps"
    gates = f"{news['accepted']} accepted, {news['rejected']} rejected, {news['candidates']} waiting"
    return f"{news['minutes']:6.1f} min: {counts}; losses {losses}; network {news['network']}, Elo {elo}; {gates}"
