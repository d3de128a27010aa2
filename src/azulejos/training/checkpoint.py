"""The checkpoint of a run: the learner's state and how far the run has come, in one atomic file."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any, Final

import msgspec
import torch
from msgspec import Struct

from azulejos.training.atomic import write_atomic
from azulejos.training.learner import Learner

CHECKPOINT: Final = "checkpoint.pt"
"""The file of a run folder with its checkpoint."""


class Progress(Struct):
    """How far a run has come."""

    games: int = 0
    """Self-play games so far."""
    positions: int = 0
    """Positions of self-play so far."""
    minutes: float = 0.0
    """Minutes of training so far."""


def save_checkpoint(path: Path, learner: Learner, progress: Progress) -> None:
    """Write a checkpoint."""
    buffer = io.BytesIO()
    torch.save({"learner": learner.state(), "progress": msgspec.to_builtins(progress)}, buffer)
    write_atomic(path, buffer.getbuffer())


def load_checkpoint(path: Path, learner: Learner) -> Progress:
    """Let the learner go on from a checkpoint; returns how far the run had come."""
    device = learner.network.scale.device
    try:
        saved: dict[str, Any] = torch.load(path, map_location=device, weights_only=True)
        learner.restore(saved["learner"])
        return msgspec.convert(saved["progress"], Progress)
    except Exception as fault:  # PyTorch raises many kinds for a file that is cut short
        raise ValueError(f"cannot read {str(path)!r} as a checkpoint: {fault}") from fault
