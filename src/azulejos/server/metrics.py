"""What is counted and timed, for Prometheus: `/metrics` prints it."""

from __future__ import annotations

from typing import Final

from prometheus_client import Counter, Gauge, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST

QUICK: Final = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
"""The limits of the histograms' buckets, in seconds."""

TABLES: Final = Gauge("azulejos_tables_live", "Tables in memory")
"""Tables in memory."""
SOCKETS: Final = Gauge("azulejos_sockets", "Open sockets")
"""Open sockets."""
MADE: Final = Counter("azulejos_tables_made", "Tables made")
"""Tables that were made."""
MOVES: Final = Counter("azulejos_moves", "Moves played", ["by"])
"""Moves that were played, by people and by computers."""
REFUSALS: Final = Counter("azulejos_refusals", "Messages and requests refused", ["code"])
"""What was refused, by its code."""
BOT_SECONDS: Final = Histogram("azulejos_bot_seconds", "From question to answer of a computer", ["who"], buckets=QUICK)
"""How long computers took from question to answer."""
BOT_FAILURES: Final = Counter("azulejos_bot_failures", "Workers that died, stalled or answered nonsense", ["how"])
"""Workers that died, stalled or answered nonsense."""
BOT_QUEUE: Final = Gauge("azulejos_bot_queue", "Questions that wait for a worker")
"""Questions that wait for a worker."""
COMMIT_SECONDS: Final = Histogram("azulejos_commit_seconds", "Saving an action", buckets=QUICK)
"""How long saving an action took."""
REQUEST_SECONDS: Final = Histogram("azulejos_request_seconds", "Answering a request", ["method"], buckets=QUICK)
"""How long requests took, by method."""

CONTENT_TYPE: Final = CONTENT_TYPE_LATEST.removesuffix("; charset=utf-8")  # the framework adds it
"""The type of the text that Prometheus reads."""


def printed() -> bytes:
    """Everything, as Prometheus reads it."""
    return generate_latest()
