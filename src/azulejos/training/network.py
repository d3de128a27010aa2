"""The network in PyTorch.

Displays are read by one small encoder each, the same for all, and summed: their order means nothing. The trunk is a
residual stack. Each source gets its own 30 draft logits from the trunk and its own encoding, again by shared weights.
Values are in turn order, the acting seat first: share of the victory (softmax over the seats there are) and margin.
"""

from __future__ import annotations

import io
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import torch
from msgspec.structs import asdict
from torch import Tensor, nn
from torch.nn import functional

from azulejos.net import features as f
from azulejos.net.arithmetic import MARGIN_UNIT
from azulejos.net.inference import read_weights
from azulejos.net.rows import rounded
from azulejos.rules.state import ACTIONS, COLORS, COLUMNS, DRAFTS, LINES, MAX_PLAYERS, ROWS, SOURCES, displays_for
from azulejos.training.atomic import write_atomic
from azulejos.training.plan import Shape

BOARD_PRESENT = f.BOARD_WIDTH - 3
"""The column of a board that says somebody sits there."""
ALIGNED = 8
"""Matrices whose rows are no multiple of this many half-precision numbers are slow to multiply."""


class Network(nn.Module):
    """From features to draft and tiling logits, shares of the victory and margins."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        """The size of the network."""
        self.register_buffer("scale", torch.from_numpy(f.SCALE))
        self.display = nn.Linear(f.DISPLAY_WIDTH, shape.source)
        """What a display says by itself."""
        self.center = nn.Linear(f.CENTER_WIDTH, shape.source)
        """What the center says by itself."""
        rest = f.FEATURES - f.TABLE_AT
        self.enter_rest = nn.Linear(rest, shape.width)
        """The table and the boards into the trunk."""
        self.enter_displays = nn.Linear(shape.source, shape.width, bias=False)
        """The sum of the displays into the trunk."""
        self.enter_center = nn.Linear(shape.source, shape.width, bias=False)
        """The center into the trunk."""
        self.first = nn.ModuleList(nn.Linear(shape.width, shape.width) for _ in range(shape.blocks))
        """The first half of each residual block."""
        self.second = nn.ModuleList(nn.Linear(shape.width, shape.width) for _ in range(shape.blocks))
        """The second half of each residual block."""
        self.policy_trunk = nn.Linear(shape.width, shape.policy)
        """What the trunk has to say about drafts."""
        self.policy_source = nn.Linear(shape.source, shape.policy, bias=False)
        """What a display adds to that."""
        self.policy_center = nn.Linear(shape.source, shape.policy, bias=False)
        """What the center adds to that."""
        self.drafts = nn.Linear(shape.policy, COLORS * LINES)
        """From both to a logit for each color and line of a source."""
        self.tiling = nn.Linear(shape.width, ROWS * COLUMNS)
        """A logit for each cell of the gray wall."""
        self.value_trunk = nn.Linear(shape.width, shape.value)
        """What the trunk has to say about the outcome."""
        self.outcome = nn.Linear(shape.value, 2 * MAX_PLAYERS)
        """Win logits, then margins, the acting seat first."""
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


class Reader:
    """A network in half precision, laid out for self-play: many positions of games with at most so many players.

    It reads `x[feature, position]` as the kernels write it; it leaves `logits`, and win logits and margins in `values`.
    Its memory stays where it is, so that a recorded graph of its work is still right when `update` brings new weights.
    """

    def __init__(self, network: Network, players: int, rows: int, dtype: torch.dtype = torch.bfloat16) -> None:
        self.network, self.displays, self.rows = network, displays_for(players), rows
        self._end = f.BOARDS_AT + players * f.BOARD_WIDTH
        device = network.scale.device
        self.x = torch.zeros(f.FEATURES, rows, dtype=torch.int8, device=device)
        """The features to read, a column for each position."""
        self.logits = torch.full((rows, ACTIONS), -1e9, device=device)
        """The answer: policy logits."""
        self.values = torch.zeros(rows, 2 * MAX_PLAYERS, device=device)
        """The answer: win logits and margins."""
        self._flat = torch.zeros(self._end - f.CENTER_AT, rows, dtype=dtype, device=device)
        self._seen = torch.zeros(rows, self.displays, _aligned(f.DISPLAY_WIDTH), dtype=dtype, device=device)
        self._weights = {name: value.to(dtype) for name, value in self._arranged().items()}

    @torch.no_grad()
    def update(self) -> None:
        """Take over the network's weights of now."""
        for name, value in self._arranged().items():
            self._weights[name].copy_(value)

    @torch.no_grad()
    def _arranged(self) -> dict[str, Tensor]:
        """Weights as they are multiplied from the right; a bias that nothing adds is fed by a unit that is always 1."""
        w = {name: value.detach() for name, value in self.network.state_dict().items()}
        scale = w["scale"]
        seat_columns = slice(f.TABLE_AT, self._end)
        unused = f.DISPLAYS - self.displays  # always empty, but an empty display says something too
        empty = functional.relu(w["display.bias"]) @ w["enter_displays.weight"].t()
        arranged = {
            "display": _padded(w["display.weight"].t(), _aligned(f.DISPLAY_WIDTH), self.network.shape.source),
            "center": (w["center.weight"] * scale[f.CENTER_AT : f.TABLE_AT]).t(),
            "rest": w["enter_rest.weight"][:, : self._end - f.TABLE_AT].t() * scale[seat_columns, None],
            "rest_bias": w["enter_rest.bias"] + unused * empty,
            "drafts": _padded(w["drafts.weight"].t(), self.network.shape.policy, _aligned(COLORS * LINES)),
            "drafts_bias": functional.pad(w["drafts.bias"], (0, _aligned(COLORS * LINES) - COLORS * LINES)),
            "tiling": _padded(w["tiling.weight"].t(), self.network.shape.width, _aligned(ROWS * COLUMNS)),
            "tiling_bias": functional.pad(w["tiling.bias"], (0, _aligned(ROWS * COLUMNS) - ROWS * COLUMNS)),
        }
        for name in ("display", "center", "policy_trunk", "value_trunk", "outcome"):
            arranged[f"{name}_bias"] = w[f"{name}.bias"]
        names = ("enter_displays", "enter_center", "policy_trunk", "policy_source", "policy_center")
        for name in (*names, "value_trunk", "outcome"):
            arranged[name] = w[f"{name}.weight"].t()
        one = torch.ones(1, device=scale.device)
        for i in range(self.network.shape.blocks):
            inner = self.network.shape.width + ALIGNED
            arranged[f"first{i}"] = _padded(w[f"first.{i}.weight"].t(), self.network.shape.width, inner)
            arranged[f"first{i}_bias"] = functional.pad(torch.cat([w[f"first.{i}.bias"], one]), (0, ALIGNED - 1))
            second = torch.cat([w[f"second.{i}.weight"].t(), w[f"second.{i}.bias"].unsqueeze(0)])
            arranged[f"second{i}"] = _padded(second, inner, self.network.shape.width)
        return {name: value.contiguous() for name, value in arranged.items()}

    @torch.no_grad()
    def __call__(self) -> None:
        """Answer for `x`."""
        w, d, width = self._weights, self.displays, COLORS * LINES
        self._flat.copy_(self.x[f.CENTER_AT : self._end])
        on_displays = self.x[: d * f.DISPLAY_WIDTH].view(d, f.DISPLAY_WIDTH, self.rows).permute(2, 0, 1)
        self._seen[:, :, : f.DISPLAY_WIDTH].copy_(on_displays)
        sources = _layer(w, "display", self._seen.flatten(0, 1))
        center = _layer(w, "center", self._flat[: f.CENTER_WIDTH].t())
        h = torch.addmm(w["rest_bias"], self._flat[f.CENTER_WIDTH :].t(), w["rest"])
        h.addmm_(sources.view(self.rows, d, -1).sum(1), w["enter_displays"])
        h.addmm_(center, w["enter_center"]).relu_()
        for i in range(self.network.shape.blocks):
            h.addmm_(_layer(w, f"first{i}", h), w[f"second{i}"]).relu_()
        context = torch.addmm(w["policy_trunk_bias"], h, w["policy_trunk"])
        at_center = torch.mm(center, w["policy_center"]).add_(context).relu_()
        at_displays = torch.mm(sources, w["policy_source"]).view(self.rows, d, -1)
        at_displays.add_(context.unsqueeze(1)).relu_()
        drafts = torch.addmm(w["drafts_bias"], at_displays.flatten(0, 1), w["drafts"])
        self.logits[:, :width].copy_(torch.addmm(w["drafts_bias"], at_center, w["drafts"])[:, :width])
        target = self.logits[:, width : (d + 1) * width].unflatten(1, (d, width))
        target.copy_(drafts.view(self.rows, d, -1)[:, :, :width])
        tiling = torch.addmm(w["tiling_bias"], h, w["tiling"])
        self.logits[:, DRAFTS:].copy_(tiling[:, : ROWS * COLUMNS])
        self.values.copy_(torch.addmm(w["outcome_bias"], _layer(w, "value_trunk", h), w["outcome"]))


def _layer(weights: dict[str, Tensor], name: str, x: Tensor) -> Tensor:
    """A layer and the positive part of it, in one go."""
    return torch._addmm_activation(weights[f"{name}_bias"], x, weights[name])


def _aligned(columns: int) -> int:
    return -(-columns // ALIGNED) * ALIGNED


def _padded(matrix: Tensor, rows: int, columns: int) -> Tensor:
    return functional.pad(matrix, (0, columns - matrix.shape[1], 0, rows - matrix.shape[0]))


def save(network: Network, path: Path, **card: Any) -> None:
    """Write weights with a card: how they were made, and everything needed to read them again.

    They are rounded as they are when they play, so that a network that is read again gives the same answers.
    """
    arrays: dict[str, Any] = {}
    for name, value in network.state_dict().items():
        array = value.cpu().numpy()
        arrays[name] = (rounded(array) if name.endswith("weight") else array).astype(np.float16)
    arrays["scale"] = f.SCALE
    card |= {"features_version": f.FEATURES_VERSION, "date": datetime.now(UTC).date().isoformat()}
    card |= {f"shape_{name}": value for name, value in asdict(network.shape).items()}
    arrays |= {name: np.array(value) for name, value in card.items()}
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **arrays)
    write_atomic(path, buffer.getbuffer())


def load(network: Network, path: Path) -> dict[str, Any]:
    """Take over the weights of a file; returns its card."""
    read_weights(path)  # which says what is wrong with a file that is none
    with np.load(path, allow_pickle=False) as file:
        state = {name: torch.from_numpy(file[name].astype(np.float32)) for name in network.state_dict()}
        network.load_state_dict(state)
        return {name: file[name].item() for name in file.files if name not in state}


@torch.no_grad()
def wake(network: Network, seed: int) -> int:
    """Let the units inside the blocks that say nothing begin anew; returns how many they are.

    Each hears a mixture of what two others hear, so it speaks now and then. What it says counts nothing yet: the
    network's answers stay as they are, and learning decides what it is good for.
    """
    random = torch.Generator().manual_seed(seed)
    woken = 0
    for first, second in zip(network.first, network.second, strict=True):
        speaks = second.weight.any(0)
        silent, others = (~speaks).nonzero().flatten(), speaks.nonzero().flatten()
        if not len(others):
            continue
        pairs = others[torch.randint(len(others), (2, len(silent)), generator=random).to(others.device)]
        first.weight[silent] = first.weight[pairs].sum(0) * 0.5**0.5
        first.bias[silent] = first.bias[pairs].sum(0) * 0.5**0.5
        woken += len(silent)
    return woken


def read_shape(path: Path) -> Shape:
    """The size of the network in a weights file."""
    read_weights(path)
    with np.load(path, allow_pickle=False) as file:
        return Shape(**{name: int(file[f"shape_{name}"]) for name in Shape.__struct_fields__})


def read_network(path: Path) -> Network:
    """The network of a weights file, of whatever size it is."""
    network = Network(read_shape(path))
    load(network, path)
    return network
