"""The network in PyTorch.

Displays are read by one small encoder each, the same for all, and summed: their order means nothing. The trunk is a
residual stack. Each source gets its own 30 draft logits from the trunk and its own encoding, again by shared weights.
Values are in turn order, the acting seat first: share of the victory (softmax over the seats there are) and margin.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from azulejos.net import features as f
from azulejos.net.inference import MARGIN_UNIT
from azulejos.rules.state import ACTIONS, COLORS, COLUMNS, MAX_PLAYERS, ROWS, SOURCES
from azulejos.rules.turn import LINES

BOARD_PRESENT = f.BOARD_WIDTH - 3
"""The column of a board that says somebody sits there."""


@dataclass(frozen=True)
class Shape:
    """The size of a network."""

    width: int = 384
    blocks: int = 3
    source: int = 96
    policy: int = 128
    value: int = 64


class Network(nn.Module):
    """From features to draft and tiling logits, shares of the victory and margins."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        self.register_buffer("scale", torch.from_numpy(f.SCALE))
        self.display = nn.Linear(f.DISPLAY_WIDTH, shape.source)
        self.center = nn.Linear(f.CENTER_WIDTH, shape.source)
        rest = f.FEATURES - f.TABLE_AT
        self.enter_rest = nn.Linear(rest, shape.width)
        self.enter_displays = nn.Linear(shape.source, shape.width, bias=False)
        self.enter_center = nn.Linear(shape.source, shape.width, bias=False)
        self.first = nn.ModuleList(nn.Linear(shape.width, shape.width) for _ in range(shape.blocks))
        self.second = nn.ModuleList(nn.Linear(shape.width, shape.width) for _ in range(shape.blocks))
        self.policy_trunk = nn.Linear(shape.width, shape.policy)
        self.policy_source = nn.Linear(shape.source, shape.policy, bias=False)
        self.policy_center = nn.Linear(shape.source, shape.policy, bias=False)
        self.drafts = nn.Linear(shape.policy, COLORS * LINES)
        self.tiling = nn.Linear(shape.width, ROWS * COLUMNS)
        self.value_trunk = nn.Linear(shape.width, shape.value)
        self.outcome = nn.Linear(shape.value, 2 * MAX_PLAYERS)
        with torch.no_grad():
            for layer in self.second:
                layer.weight.mul_(0.3)  # blocks begin close to the identity
            self.outcome.weight.mul_(0.1)
            self.drafts.weight.mul_(0.3)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """From scaled features [B, FEATURES] to logits [B, ACTIONS], win logits [B, 4], margins [B, 4]."""
        displays = x[:, : f.CENTER_AT].reshape(-1, SOURCES - 1, f.DISPLAY_WIDTH)
        sources = functional.relu(self.display(displays))
        center = functional.relu(self.center(x[:, f.CENTER_AT : f.TABLE_AT]))
        h = self.enter_rest(x[:, f.TABLE_AT :]) + self.enter_displays(sources.sum(1)) + self.enter_center(center)
        h = functional.relu(h)
        for first, second in zip(self.first, self.second, strict=True):
            h = functional.relu(h + second(functional.relu(first(h))))
        context = self.policy_trunk(h)
        per_source = torch.cat([self.policy_center(center).unsqueeze(1), self.policy_source(sources)], 1)
        drafts = self.drafts(functional.relu(context.unsqueeze(1) + per_source)).reshape(-1, ACTIONS - ROWS * COLUMNS)
        logits = torch.cat([drafts, self.tiling(h)], 1)
        value = self.outcome(functional.relu(self.value_trunk(h)))
        return logits, value[:, :MAX_PLAYERS], value[:, MAX_PLAYERS:]


def seats_there(x: Tensor) -> Tensor:
    """Which turns somebody has, [B, 4], from (scaled) features."""
    return x[:, f.BOARDS_AT + BOARD_PRESENT :: f.BOARD_WIDTH] > 0


def outcomes(x: Tensor, win_logits: Tensor, margins: Tensor) -> Tensor:
    """Shares of the victory and margins in points, [B, 2, 4], seats nobody has at 0."""
    there = seats_there(x)
    win = functional.softmax(win_logits.float().masked_fill(~there, -1e9), 1)
    return torch.stack([win, margins.float() * MARGIN_UNIT * there], 1)


def save(network: Network, path: str, **card: Any) -> None:
    """Write weights in half precision with everything needed to read them again."""
    arrays: dict[str, Any] = {
        name: value.cpu().numpy().astype(np.float16) for name, value in network.state_dict().items()
    }
    arrays["scale"] = f.SCALE
    arrays |= {f"shape_{name}": np.array(value) for name, value in asdict(network.shape).items()}
    np.savez_compressed(path, features_version=np.array(f.FEATURES_VERSION), **arrays, **card)


def load(network: Network, path: Path) -> int:
    """Take over the weights of a file; returns how many games they have learned from."""
    with np.load(path, allow_pickle=False) as file:
        state = {name: torch.from_numpy(file[name].astype(np.float32)) for name in network.state_dict()}
        network.load_state_dict(state)
        return int(file["games"])
