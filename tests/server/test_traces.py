"""Traces: what a move leads to is one tree of spans; without OpenTelemetry nothing of it is even loaded."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from litestar.testing import TestClient

from azulejos.server import traces
from azulejos.server.bus.messages import Changed
from azulejos.server.bus.redis import Redis
from azulejos.server.http.app import make_app
from azulejos.server.settings import Settings
from tests.patience import PATIENCE
from tests.server.redis_server import RedisServer
from tests.server.standins import Guest, lobby_on, moves_of, runs, seated

sdk = pytest.importorskip("opentelemetry.sdk.trace", reason="the extra `traces` is not installed")


@pytest.fixture
def spans() -> Iterator[Any]:
    """Where spans are kept that have ended."""
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

    kept, provider = InMemorySpanExporter(), sdk.TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(kept))
    traces.use(provider)
    yield kept
    traces.close()


def named(spans: Any, name: str) -> list[Any]:
    return [span for span in spans.get_finished_spans() if span.name == name]


@runs
async def play_a_move_against_a_computer(database: Path) -> None:
    async with lobby_on(database) as lobby:
        secrets, live = await seated(lobby, "here", "computer")
        ana = await Guest.at(live, secrets[0])
        await ana.play(0, moves_of(live)[0])
        while live.table.version < 2:
            await ana.until("event")


def test_a_move_its_commit_and_a_computers_thinking(spans: Any, tmp_path: Path) -> None:
    play_a_move_against_a_computer(tmp_path / "t.db")
    hello, play = named(spans, "message")
    assert [span.attributes["type"] for span in (hello, play)] == ["hello", "play"]
    mine, computers = named(spans, "commit")
    assert mine.parent.span_id == play.context.span_id
    assert (mine.attributes["version"], mine.attributes["kind"]) == (1, "decided")
    assert play.start_time <= mine.start_time <= mine.end_time <= play.end_time
    (thought,) = named(spans, "think")[:1]
    assert thought.attributes["player"].startswith("level")
    assert computers.attributes["version"] == 2


def test_a_request_names_what_is_asked_for_and_no_table(spans: Any, tmp_path: Path) -> None:
    with TestClient(make_app(Settings(database=str(tmp_path / "t.db"), workers=1))) as client:
        client.get("/api/tables/avhaaj5egcdv", headers={"host": "127.0.0.1:8421"})
    (span,) = named(spans, "request")
    assert dict(span.attributes) == {"method": "GET", "path": "/api/tables"}


@runs
async def publish_something(url: str, spans: Any) -> None:
    bus = Redis(url)
    bus.start(lambda *_: None, lambda: None)
    bus.publish("t", Changed(server=1, version=1))
    async with asyncio.timeout(PATIENCE):
        while not named(spans, "publish"):
            await asyncio.sleep(0.01)
    await bus.close()


def test_what_is_told_to_other_servers(spans: Any, redis_server: RedisServer) -> None:
    publish_something(redis_server.url(), spans)
    assert named(spans, "publish")[0].attributes["messages"] == 1


SEES = """import json, sys
from azulejos.server import traces
from azulejos.cli.serve import make_server
from azulejos.server.settings import Settings
{before}
make_server(Settings(), lambda: None)
print(json.dumps([traces.span("x") is traces.span("y"), "opentelemetry.sdk" in sys.modules]))
"""
"""The web framework looks whether there is an `opentelemetry`; what makes and sends spans is below it."""


def loaded(before: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    known = {name: value for name, value in os.environ.items() if not name.startswith("OTEL_")}
    command = [sys.executable, "-c", SEES.format(before=before)]
    return subprocess.run(command, env=known | environment, capture_output=True, text=True, check=False)


def test_nothing_is_loaded_unless_it_is_wanted() -> None:
    assert json.loads(loaded().stdout) == [True, False]
    assert json.loads(loaded(OTEL_EXPORTER_OTLP_ENDPOINT="http://127.0.0.1:9").stdout) == [False, True]


def test_without_the_extra_it_is_named() -> None:
    done = loaded("sys.modules['opentelemetry'] = None", OTEL_EXPORTER_OTLP_ENDPOINT="http://127.0.0.1:9")
    assert "needs the extra `traces`: pip install 'azulejos[traces]'" in done.stderr
