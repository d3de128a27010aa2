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
THINKERS: Final = Gauge("azulejos_thinkers", "Programs elsewhere that think for this server")
"""Programs elsewhere that think for this server."""
THINK_QUEUE: Final = Gauge("azulejos_think_queue", "Questions of all servers that wait elsewhere or are thought about")
"""Questions of all servers that wait elsewhere or are being thought about."""
THINK_SECONDS: Final = Histogram(
    "azulejos_think_seconds", "Thinking elsewhere, without waiting", ["who"], buckets=QUICK
)
"""How long others thought about a question, without the time it waited."""
THINK_FALLBACKS: Final = Counter("azulejos_think_fallbacks", "Questions that came back unanswered", ["why"])
"""Questions that nobody elsewhere has answered, by the reason."""
COMMIT_SECONDS: Final = Histogram("azulejos_commit_seconds", "Saving an action", buckets=QUICK)
"""How long saving an action took."""
READ_SECONDS: Final = Histogram("azulejos_read_seconds", "A question to the database, there and back", buckets=QUICK)
"""How long reading from the database took, waiting for a connection included."""
BUS_SECONDS: Final = Histogram("azulejos_bus_seconds", "Telling the bus, there and back", buckets=QUICK)
"""How long Redis took to take what was told to other servers."""
TOLD_SECONDS: Final = Histogram(
    "azulejos_told_seconds", "From an event saved to the last socket of its table written", buckets=QUICK
)
"""From when an event was saved, here or at another server, until the last socket at this one had been told."""
TABLE_QUEUE: Final = Gauge("azulejos_table_queue", "What waits to be done at all tables")
"""What waits to be done at all tables together."""
WORK_QUEUE: Final = Gauge("azulejos_work_queue", "Long work that waits for its thread")
"""Long work that waits for its thread, or is under way."""
STORE_QUEUE: Final = Gauge("azulejos_store_queue", "Events that wait to be saved")
"""Events that wait to be saved."""
REQUEST_SECONDS: Final = Histogram("azulejos_request_seconds", "Answering a request", ["method"], buckets=QUICK)
"""How long requests took, by method."""

CONTENT_TYPE: Final = CONTENT_TYPE_LATEST.removesuffix("; charset=utf-8")  # the framework adds it
"""The type of the text that Prometheus reads."""


def printed() -> bytes:
    """Everything, as Prometheus reads it."""
    return generate_latest()
