"""Everything is compiled once, before processes are started and waited for."""

from __future__ import annotations

from pathlib import Path

import pytest

from azulejos.players.registry import make
from azulejos.training.plan import TrainingPlan
from azulejos.training.selfplay_cpu import Games
from tests.training.networks import network


@pytest.fixture(scope="session", autouse=True)
def compiled(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Play a little with everything that processes will need."""
    folder: Path = tmp_path_factory.mktemp("networks")
    Games(network(folder), TrainingPlan(slots=1, simulations=2)).step()
    make(f"net:weights={folder / 'network0.npz'},nodes=4").close()
