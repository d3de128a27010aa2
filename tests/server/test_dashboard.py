"""The panels for Grafana: they show what the server counts, all of it, and nothing else."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Final

from azulejos.server import metrics

DASHBOARD = Path(__file__).parents[2] / "deploy" / "grafana.json"
SAMPLES: Final = {"counter": ("",), "gauge": ("",), "histogram": ("_bucket", "_sum", "_count")}
"""What is asked for, by the kind that Prometheus is told."""


def printed_names() -> dict[str, set[str]]:
    """The names that can be asked for, by the metric."""
    kinds = dict(re.findall(r"^# TYPE (azulejos_\w+) (\w+)$", metrics.printed().decode(), re.MULTILINE))
    return {
        name: {name + ending for ending in SAMPLES[kind]}
        for name, kind in kinds.items()
        if not name.endswith("_created")  # which the library prints beside counters and histograms
    }


def test_every_metric_is_shown_and_every_one_that_is_shown_exists() -> None:
    board = json.loads(DASHBOARD.read_text("utf-8"))
    asked = {
        name
        for panel in board["panels"]
        for target in panel["targets"]
        for name in re.findall(r"azulejos_\w+", target["expr"])
    }
    known = printed_names()
    assert asked <= set().union(*known.values())
    assert {name for name, names in known.items() if not names & asked} == set()


def test_panels_lie_beside_each_other() -> None:
    panels = json.loads(DASHBOARD.read_text("utf-8"))["panels"]
    places = {(panel["gridPos"]["x"], panel["gridPos"]["y"]) for panel in panels}
    assert len(places) == len(panels) == len({panel["id"] for panel in panels})
