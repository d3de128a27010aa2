"""Learning: positions of the gray wall under other names, and what a sample counts; needs PyTorch."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

torch = pytest.importorskip("torch", reason="needs PyTorch: pip install 'azulejos[train]'")

from azulejos import Game  # noqa: E402 - needs PyTorch
from azulejos.game.view import Wall  # noqa: E402
from azulejos.net.features import FEATURES, write_features  # noqa: E402
from azulejos.net.symmetry import action_table, feature_table  # noqa: E402
from azulejos.rules.state import ACTIONS  # noqa: E402
from azulejos.rules.turn import legal_mask  # noqa: E402
from azulejos.training.losses import UNDEALT_WEIGHT, Symmetries, losses  # noqa: E402
from azulejos.training.network import Network, Shape, wake  # noqa: E402

SMALL = Shape(width=16, blocks=1, source=8, policy=8, value=8)


def positions(wall: Wall, count: int) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Features, and a policy that gives every legal action another share."""
    x, legal = np.zeros((count, FEATURES), np.int8), np.zeros((count, ACTIONS), np.uint8)
    for row in range(count):
        game = Game(3, wall, seed=row)
        for _ in range(12):
            game.play(game.legal_moves[row % len(game.legal_moves)])
        write_features(game.states[0], x[row])
        legal_mask(game.states[0], legal[row])
    shares = np.random.default_rng(1).random((count, ACTIONS), np.float32)
    return x, np.where(legal, shares, np.float32(-1))


def test_gray_positions_are_shown_under_a_symmetry_of_their_own_and_others_as_they_are() -> None:
    (gray, gray_policy), (colored, colored_policy) = positions("gray", 20), positions("std", 20)
    x, policy = np.concatenate([gray, colored]), np.concatenate([gray_policy, colored_policy])
    show = Symmetries(torch.device("cpu"), 3)
    features, actions = feature_table(), action_table()
    found: list[int] = []
    for _ in range(2):
        shown, targets = (part.numpy() for part in show(torch.from_numpy(x), torch.from_numpy(policy)))
        assert (shown[20:] == colored).all()
        assert (targets[20:] == colored_policy).all()
        for row in range(20):
            alike = np.flatnonzero((gray[row, features] == shown[row]).all(1)).tolist()
            same = [which for which in alike if (gray_policy[row, actions[which]] == targets[row]).all()]
            assert same, "features and policy by the same symmetry"
            found += same[:1]
    assert len(set(found)) > 30


def test_the_outcome_of_a_position_before_a_deal_counts_more() -> None:
    x, policy = (torch.from_numpy(part) for part in positions("std", 2))
    policy[1] = -1  # no legal action: a deal is due
    win, margin, search = (torch.zeros(2, 4) for _ in range(3))
    win[0, 0], win[1, 2], margin[1] = 1, 1, 30
    win[:, 3] = search[:, 3] = -1
    network = Network(SMALL)
    with torch.no_grad():
        both = losses(network, x, policy, win, margin, search, 0.0)
        each = [
            losses(network, x[row], policy[row], win[row], margin[row], search[row], 0.0)
            for row in (slice(0, 1), slice(1, 2))
        ]
    for which in (1, 2):
        one, other = (float(parts[which]) for parts in each)
        assert abs(one - other) > 1e-3
        assert float(both[which]) == pytest.approx((one + UNDEALT_WEIGHT * other) / (1 + UNDEALT_WEIGHT), rel=1e-2)


def test_silent_units_wake_without_changing_an_answer() -> None:
    silent = [2, 5, 11]
    asleep, woken = Network(SMALL), Network(SMALL)
    with torch.no_grad():
        asleep.second[0].weight[:, silent] = 0
    woken.load_state_dict(asleep.state_dict())
    assert wake(woken, seed=1) == 3
    x = torch.randint(3, (200, FEATURES)) * asleep.scale
    for one, other in zip(asleep(x), woken(x), strict=True):
        assert torch.equal(one, other)
    h = torch.rand(500, SMALL.width)
    assert not torch.equal(woken.first[0](h), asleep.first[0](h))
    assert (woken.first[0](h)[:, silent] > 0).any(), "they speak now"
    woken(x)[1].square().sum().backward()
    learned = woken.second[0].weight.grad
    assert learned is not None
    assert learned[:, silent].any(), "and can learn what they are good for"
