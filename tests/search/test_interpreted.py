"""The search runs as plain Python too, to read and step through, and then finds exactly the same."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.training.networks import write_network

PROGRAM = """
import sys
from pathlib import Path
from azulejos import Game
from azulejos.net.inference import Inference, read_weights
from azulejos.search.batches import BATCH
from azulejos.search.evaluators import ByHand, ByNetwork
from azulejos.search.searcher import Searcher

for players, wall in ((2, "std"), (3, "gray")):
    evaluators = {
        "by hand": ByHand,
        "with the network": lambda: ByNetwork(Inference(read_weights(Path(sys.argv[2])), players, BATCH)),
    }
    report = Searcher([evaluators[sys.argv[1]]()], 100).search(Game(players, wall, seed=3).states, nodes=24)
    print([(each.action, each.visits, round(each.win[0], 4), each.line) for each in report.candidates])
"""


def found(evaluator: str, network: Path, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, evaluator, network],
        env=os.environ | {"AZULEJOS_QUIET": "1"} | environment,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("evaluator", ["by hand", "with the network"])
def test_an_interpreted_search_finds_what_the_compiled_one_finds(evaluator: str, tmp_path: Path) -> None:
    network = tmp_path / "network.npz"
    write_network(network)  # a small one: those that play would keep plain Python busy for half a minute
    compiled = found(evaluator, network)
    assert len(compiled.splitlines()) == 2
    assert found(evaluator, network, NUMBA_DISABLE_JIT="1") == compiled
