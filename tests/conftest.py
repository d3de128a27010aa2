"""Every run of the tests is the same run: hypothesis draws its examples from a fixed stream.

With `--numprocesses` the files are shared out among processes, the long ones first.
"""

from __future__ import annotations

import os
import re
import signal
from typing import Any

os.environ["AZULEJOS_QUIET"] = "1"  # whether something has to be compiled first is no test's business
os.environ["LANG"] = "C.UTF-8"  # nor is the language of whoever runs them, or their terminal

import pytest
from hypothesis import HealthCheck, settings

for other in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "COLUMNS", "LINES", "FORCE_COLOR", "NO_COLOR"):
    os.environ.pop(other, None)

settings.register_profile(
    "azulejos",
    derandomize=True,
    deadline=None,  # the first call of a compiled function may compile it
    database=None,
    max_examples=100,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("azulejos")

if (
    signal.getsignal(signal.SIGINT) is signal.SIG_IGN
):  # as in the background of a shell; programs started here hear Ctrl-C
    signal.signal(signal.SIGINT, signal.default_int_handler)

IN_ONE_PROCESS = ("tests/e2e/test_[a-l]", "tests/e2e/", "tests/wasm/", "tests/server/test_postgres")
"""How names of files begin that share something expensive: a server and a browser, or a database.

The browser's tests are half of the work, so that two processes share it.
"""

LONG = (
    "tests/e2e/test_[a-l]",
    "tests/e2e/",
    "tests/tui/",
    "tests/server/",
    "tests/package/",
    "tests/docs/",
    "tests/arena/",
)
"""What takes minutes is begun first, so that no process waits for another at the end."""


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """A process takes one file after the other; those that share something expensive count as one."""
    from xdist.scheduler import LoadFileScheduling

    class Files(LoadFileScheduling):  # type: ignore[misc]
        def _split_scope(self, nodeid: str) -> str:
            shared = (name for name in IN_ONE_PROCESS if re.match(name, nodeid))
            return next(shared, str(super()._split_scope(nodeid)))

    config.option.loadscopereorder = False  # the number of tests in a file says nothing about the time they take
    return Files(config, log)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Among processes, what is long comes first."""

    def place(item: pytest.Item) -> int:
        return next((at for at, name in enumerate(LONG) if re.match(name, item.nodeid)), len(LONG))

    if hasattr(config, "workerinput"):
        items.sort(key=place)
