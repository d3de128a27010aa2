"""Every test begins in English and with color; a server is started once."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from azulejos import locale
from azulejos.tui.table import remote
from tests.patience import PATIENCE
from tests.server.live import Live, live_server


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.delenv("NO_COLOR", raising=False)
    locale.use("en")
    yield
    locale.use("en")


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server on a busy machine may take longer to answer than a person would wait."""
    monkeypatch.setattr(remote, "OPENING_SECONDS", PATIENCE)


@pytest.fixture(autouse=True)
def idle_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A key has done its work when no task of the program can go on.

    Textual's own way is to wait until the process has hardly used the processor for a fiftieth of a second, twice for
    each key, and a whole second where anything else goes on, such as a second screen.
    """

    async def wait_for_idle(_least: float = 0, _most: float = 0) -> None:
        ready = getattr(asyncio.get_running_loop(), "_ready")  # noqa: B009 - what asyncio calls its own
        await asyncio.sleep(0.001)
        while ready:
            await asyncio.sleep(0.001)

    for module in ("pilot", "app"):
        monkeypatch.setattr(f"textual.{module}.wait_for_idle", wait_for_idle)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """A server in a process of its own, with a computer."""
    with live_server(tmp_path_factory.mktemp("server"), workers="1", away_seconds="0") as live:
        yield live
