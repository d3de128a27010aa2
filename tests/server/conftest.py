"""A PostgreSQL server for the tests that want one, and databases on it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from azulejos.server.storage.store import Store

if TYPE_CHECKING:
    from tests.server.postgres import Cluster


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    from tests.server.postgres import new_cluster

    with new_cluster() as cluster:
        yield cluster


@pytest.fixture(scope="session")
def template(cluster: Cluster) -> str:
    """A database that has been set up."""
    name = cluster.new()

    async def make() -> None:
        await (await Store.open(cluster.url(name))).close()

    asyncio.run(make())
    return name


@pytest.fixture(scope="session")
def shared(cluster: Cluster, template: str) -> str:
    return cluster.new(f"TEMPLATE {template}")


@pytest.fixture
def name(cluster: Cluster, shared: str) -> str:
    """A database with nothing in it."""
    cluster.ask("TRUNCATE tables, seats, events", shared)
    return shared


@pytest.fixture
def own(cluster: Cluster, template: str) -> str:
    """One that the test may spoil."""
    return cluster.new(f"TEMPLATE {template}")
