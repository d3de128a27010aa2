"""A PostgreSQL server and a Redis for the tests that want them, and databases."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from azulejos.server.storage.store import Store

if TYPE_CHECKING:
    from tests.server.postgres import Cluster
    from tests.server.redis_server import RedisServer


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    from tests.server.postgres import new_cluster

    with new_cluster() as cluster:
        yield cluster


@pytest.fixture(scope="session")
def redis_server() -> Iterator[RedisServer]:
    from tests.server.redis_server import new_redis

    with new_redis() as server:
        yield server


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
