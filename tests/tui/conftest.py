"""Every test begins in English, at instant speed and with color."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from azulejos import locale


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    before = os.environ.pop("NO_COLOR", None)
    locale.use("en")
    yield
    locale.use("en")
    os.environ.pop("NO_COLOR", None)
    if before is not None:
        os.environ["NO_COLOR"] = before
