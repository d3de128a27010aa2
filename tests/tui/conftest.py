"""Every test begins in English and with color; a server is started once."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from azulejos import locale
from tests.server.live import Live, live_server


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.delenv("NO_COLOR", raising=False)
    locale.use("en")
    yield
    locale.use("en")


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """A server in a process of its own, with a computer."""
    with live_server(tmp_path_factory.mktemp("server"), workers="1") as live:
        yield live
