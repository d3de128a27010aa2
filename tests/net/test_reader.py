"""Self-play asks the network through a faster reader: the same answers as the network itself gives."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np
import pytest

from azulejos import Game
from azulejos.net.features import FEATURES, write_features
from azulejos.net.inference import WeightsError
from azulejos.rules.state import ACTIONS, DRAFTS

torch = pytest.importorskip("torch", reason="training is an extra")

from azulejos.training.network import Network, Reader, Shape, read_network, save  # noqa: E402 - needs PyTorch

ROWS = 8


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_reader_answers_as_the_network_does_also_when_it_has_learned(players: int) -> None:
    torch.manual_seed(players)
    network = Network(Shape(width=48, blocks=2, source=16, policy=24, value=16))
    reader = Reader(network, players, ROWS, torch.float32)
    random = Random(1)
    for row in range(ROWS):
        game = Game(players, "gray" if row % 2 else "std", seed=row)
        for _ in range(row * 5):
            game.play(random.choice(game.legal_moves))
        x = np.zeros(FEATURES, np.int8)
        write_features(game.states[0], x)
        reader.x[:, row] = torch.from_numpy(x)
    used = [*range(30 * (reader.displays + 1)), *range(DRAFTS, ACTIONS)]
    with torch.no_grad():
        for _ in range(2):
            reader()
            logits, win, margin = network(reader.x.t() * network.scale)
            assert (reader.logits - logits)[:, used].abs().max() < 1e-5
            assert (reader.values - torch.cat([win, margin], 1)).abs().max() < 1e-5
            for parameter in network.parameters():
                parameter.add_(0.1 * torch.randn_like(parameter))
            reader.update()


def test_a_network_of_any_size_is_read_from_its_file(tmp_path: Path) -> None:
    network = Network(Shape(width=24, blocks=1, source=8, policy=16, value=8))
    save(network, tmp_path / "small.npz", games=1)
    again = read_network(tmp_path / "small.npz")
    assert again.shape == network.shape
    for one, other in zip(network.parameters(), again.parameters(), strict=True):
        assert torch.allclose(one, other, rtol=2**-8, atol=1e-5)  # kept with eight significant bits


def test_a_file_that_is_no_network_is_named(tmp_path: Path) -> None:
    (tmp_path / "teacher.npz").write_text("no weights")
    with pytest.raises(WeightsError, match=r"teacher\.npz"):
        read_network(tmp_path / "teacher.npz")
