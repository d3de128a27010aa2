"""One thread is enough for small batches, and does not wait for others on a machine with other work to do."""

from __future__ import annotations

from collections.abc import Iterator

import numba
import pytest
from threadpoolctl import threadpool_limits


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    before = numba.get_num_threads()
    numba.set_num_threads(1)
    with threadpool_limits(1):
        yield
    numba.set_num_threads(before)
