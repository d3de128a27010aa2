"""What is made smaller: policy, win and margin loss of a batch, shown under symmetries of the gray wall."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from azulejos.net import symmetry
from azulejos.net.arithmetic import MARGIN_UNIT
from azulejos.training.network import Network
from azulejos.training.replay import SAMPLE

WIN_WEIGHT: Final = 1.5
"""What the loss of the victory counts beside that of the policy."""
MARGIN_WEIGHT: Final = 0.5
"""What the loss of the margin counts beside that of the policy."""
UNDEALT_WEIGHT: Final = 4.0
"""What the outcome of a position before a deal counts beside that of another: there are few, and every search of a
round ends in them."""


SampleBatch = tuple[Tensor, Tensor, Tensor, Tensor, Tensor]
"""Features, policy, win, margin and the search's own win of some samples; those with a win below -1 are unfit."""


class Symmetries:
    """Shows positions of the gray wall with other colors and mirrored columns, each time by lot; others as they are."""

    def __init__(self, device: torch.device, seed: int) -> None:
        self._features = torch.from_numpy(symmetry.feature_table().astype(np.int64)).to(device)
        self._actions = torch.from_numpy(symmetry.action_table().astype(np.int64)).to(device)
        self._random = torch.Generator(device).manual_seed(seed)

    def __call__(self, x: Tensor, policy: Tensor) -> tuple[Tensor, Tensor]:
        """Features and policies under a symmetry of each position's own."""
        which = torch.randint(len(self._features), (len(x),), device=x.device, generator=self._random)
        which = which * (x[:, symmetry.GRAY_AT] > 0)
        return x.gather(1, self._features[which]), policy.gather(1, self._actions[which])


def batch_of(symmetries: Symmetries, device: torch.device, samples: NDArray[Any]) -> SampleBatch:
    """Samples of a replay buffer on the learner's device, those of the gray wall under a symmetry."""
    columns = (np.ascontiguousarray(samples[name]) for name in SAMPLE.names or ())
    x, policy, win, margin, search = (torch.from_numpy(column).to(device) for column in columns)
    return *symmetries(x, policy.float()), win, margin, search


def losses(
    network: Network, x: Tensor, policy: Tensor, win: Tensor, margin: Tensor, search: Tensor, trust: float
) -> tuple[Tensor, Tensor, Tensor]:
    """Policy, win and margin loss, each a mean over the samples that have such a target."""
    with torch.autocast(x.device.type, torch.bfloat16):
        scaled = x.to(torch.bfloat16) * network.scale.to(torch.bfloat16)
        logits, win_logits, margins = network(scaled)
    fit = win[:, 0] > -1.5
    legal = policy >= 0
    has_policy = fit & legal.any(1)
    log_policy = functional.log_softmax(logits.float().masked_fill(~legal, -1e9), 1)
    policy_loss = -(policy.clamp(min=0) * log_policy).sum(1)
    there = win >= 0
    target = torch.where((search[:, :1] >= 0) & there, (1 - trust) * win + trust * search, win)
    log_win = functional.log_softmax(win_logits.float().masked_fill(~there & fit.unsqueeze(1), -1e9), 1)
    win_loss = -(target.clamp(min=0) * log_win).sum(1)
    difference = functional.smooth_l1_loss(margins.float(), margin / MARGIN_UNIT, reduction="none")
    margin_loss = (difference * there).sum(1) / there.sum(1).clamp(min=1)
    counts = fit * torch.where(legal.any(1), 1.0, UNDEALT_WEIGHT)
    return (
        (policy_loss * has_policy).sum() / has_policy.sum().clamp(min=1),
        (win_loss * counts).sum() / counts.sum().clamp(min=1),
        (margin_loss * counts).sum() / counts.sum().clamp(min=1),
    )


def total(parts: tuple[Tensor, Tensor, Tensor]) -> Tensor:
    """The one number that is made smaller, from policy, win and margin loss."""
    policy, win, margin = parts
    return policy + WIN_WEIGHT * win + MARGIN_WEIGHT * margin
