"""Every test begins in English and with color."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from azulejos import locale


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.delenv("NO_COLOR", raising=False)
    locale.use("en")
    yield
    locale.use("en")
