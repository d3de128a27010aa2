"""The command that trains a network: `train`."""

from __future__ import annotations

import functools
import importlib
import sys
from collections.abc import Iterator
from dataclasses import make_dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter
from docstring_parser import parse_from_object
from msgspec.structs import fields

from azulejos.cli.options import FAILED, AsJson, RayOption, print_json, ray_address
from azulejos.training.plan import Shape, TrainingPlan


def _options() -> Iterator[tuple[str, Any, None]]:
    """Every option of the network and of the plan with its own words, each of which may be left out."""
    for kind in (Shape, TrainingPlan):
        words = {each.arg_name: each.description for each in parse_from_object(kind).params}
        for each in fields(kind):
            usual = f" [default: {each.default}]" if each.default not in (None, "") else ""
            yield each.name, Annotated[each.type | None, Parameter(help=f"{words[each.name]}{usual}")], None


if TYPE_CHECKING:
    Options = TrainingPlan
    """What can be said about the network and the plan; what is not said stays as it was."""
else:
    # the module says that the class is not one of Python's own, into whose fields Cyclopts would not look
    Options = make_dataclass("Options", _options(), frozen=True, namespace={"__module__": __name__})
    Options = Parameter(name="*")(Options)


def train(
    *,
    out: Path,
    minutes: float = 9.0,
    seed: int | None = None,
    start: Path | None = None,
    ray: RayOption = None,
    as_json: AsJson = False,
    options: Options = Options(),  # noqa: B008 - it cannot be changed
) -> None:
    """Train a network by self-play for so many minutes, on a CUDA device or on processor cores.

    The same command goes on where the last one ended, however it ended; options not given stay as they were. The
    network's size and the seed are those of a new run. Needs PyTorch.

    For example:

        azulejos train --out runs/two --minutes 9
        azulejos train --out runs/two --minutes 9 --simulations 128 --final-rate 0.00003
        azulejos train --out runs/all --mix all --minutes 60 --ray auto

    Parameters
    ----------
    out
        The folder of the run.
    minutes
        How long; everything is kept to go on later.
    seed
        What the random numbers of a new run follow from; 1 if not said.
    start
        A file of weights, or the checkpoint of another run, for a new run to begin with.
    ray
        Play on a Ray cluster: its address, or none to start Ray here. Write it last.
    as_json
        Print lines of JSON.
    """
    from azulejos.training.pool import TrainingFailed
    from azulejos.training.run_folder import RunFolder

    if not 0 < minutes < float("inf"):
        raise ValueError(f"minutes must be more than 0, not {minutes!r}")
    run = RunFolder(out, {**vars(options), "seed": seed})
    _require_torch()
    from azulejos.training.trainer import train as train_for

    kept = f"what is finished is in {str(out)!r}, the same command goes on"
    try:
        tell = functools.partial(_tell, as_json)
        end = train_for(run, minutes, start, ray_address(ray), tell)
    except TrainingFailed as fault:
        print(f"azulejos: {fault}; {kept}", file=sys.stderr)
        sys.exit(FAILED)
    except KeyboardInterrupt:
        print(f"azulejos: stopped; {kept}", file=sys.stderr)
        raise
    if not as_json:
        scaled = f", its policy times {end['policy_scale']:g}" if "policy_scale" in end else ""
        print(f"network {end['network']} is {str(out / 'weights.npz')!r}{scaled}; {kept}")


def _require_torch() -> None:
    try:
        importlib.import_module("torch")
    except ImportError as fault:
        raise ValueError("training needs the package torch: pip install 'azulejos[train]'") from fault


def _tell(as_json: bool, news: dict[str, Any]) -> None:
    if as_json:
        print_json(news)
    else:
        print(_line(news), flush=True)


def _line(news: dict[str, Any]) -> str:
    """How the run stands, for people."""
    losses = " ".join(f"{name} {value:.3f}" for name, value in (news["losses"] or {}).items()) or "none yet"
    counts = f"{news['games']:,} games, {news['positions']:,} positions, {news['steps']:,} steps"
    speed = f"{news['simulations_per_second']:,} simulations/s, {news['rounds']} rounds, {news['score']} points"
    rating = news["rating"]
    elo = f", Elo {rating['value']:+.0f} [{rating['low']:+.0f}, {rating['high']:+.0f}]" if rating else ""
    gates = f"{news['accepted']} accepted, {news['rejected']} rejected, {news['waiting']} waiting"
    return f"{news['minutes']:6.1f} min: {counts}; {speed}; losses {losses}; network {news['network']}{elo}; {gates}"
