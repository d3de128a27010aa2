"""The bus over a real Redis: hints arrive, and again after it has been away, without anything being restarted."""

from __future__ import annotations

import asyncio
import logging
import os
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
import redis

from azulejos.server.bus.messages import Changed, Connected, Message, Shown
from azulejos.server.bus.redis import CHANNEL, Redis, check_address
from azulejos.server.settings import Settings
from tests.patience import PATIENCE
from tests.server.redis_server import PASSWORD, RedisServer
from tests.server.standins import runs
from tests.server.wire import wire_to

POSTGRES = "postgresql://ana@localhost/tiles"


class Ear:
    """A bus, and what it has heard."""

    def __init__(self, url: str) -> None:
        self.heard: list[tuple[str, Message]] = []
        self.times_back = 0
        self.bus = Redis(url)
        self.bus.start(lambda *said: self.heard.append(said), self._back)

    def _back(self) -> None:
        self.times_back += 1


@asynccontextmanager
async def ears(*urls: str) -> AsyncIterator[list[Ear]]:
    made = [Ear(url) for url in urls]
    try:
        for ear in made:
            await until(lambda ear=ear: ear.bus.is_well)
        yield made
    finally:
        for ear in made:
            await ear.bus.close()


async def until(condition: Any) -> None:
    async with asyncio.timeout(PATIENCE):
        while not condition():
            await asyncio.sleep(0.01)


async def reaches(one: Ear, other: Ear, number: int) -> None:
    """Tell until it is heard: what is told while a channel is being followed may be lost."""
    async with asyncio.timeout(PATIENCE):
        while ("t", Changed(server=1, version=number)) not in other.heard:
            one.bus.publish("t", Changed(server=1, version=number))
            await asyncio.sleep(0.05)


@runs
async def test_what_is_told_is_heard_by_who_follows_the_table_in_order(redis_server: RedisServer) -> None:
    async with ears(redis_server.url(), redis_server.url()) as (one, other):
        other.bus.follow("t")
        await reaches(one, other, 0)
        other.heard.clear()
        told: list[Message] = [Changed(server=1, version=version) for version in range(1, 300)]
        told += [Connected(server=1, seats=[0], watchers=2, asks=True), Shown(server=1, seat=0, emote="wow")]
        for message in told:
            one.bus.publish("x", message)
            one.bus.publish("t", message)
        await until(lambda: other.heard and other.heard[-1] == ("t", told[-1]))
        assert [said for said in other.heard if said != ("t", Changed(server=1, version=0))] == [
            ("t", message) for message in told
        ]
        other.bus.leave("t")
        other.bus.follow("u")
        while ("u", told[0]) not in other.heard:
            one.bus.publish("u", told[0])
            await asyncio.sleep(0.05)
        other.heard.clear()
        one.bus.publish("t", told[0])
        one.bus.publish("u", told[1])
        await until(lambda: ("u", told[1]) in other.heard)
        assert ("t", told[0]) not in other.heard


def test_a_redis_that_goes_and_comes_back(redis_server: RedisServer, caplog: pytest.LogCaptureFixture) -> None:
    @runs
    async def test() -> None:
        async with ears(redis_server.url(), redis_server.url()) as (one, other):
            other.bus.follow("t")
            await reaches(one, other, 1)
            for number in (2, 3):
                await asyncio.to_thread(redis_server.stop)
                await until(lambda: not one.bus.is_well and not other.bus.is_well)
                one.bus.publish("t", Changed(server=1, version=0))  # into the void
                await asyncio.to_thread(redis_server.start)
                await reaches(one, other, number)
            assert other.times_back == 3

    with caplog.at_level(logging.INFO):
        test()
    assert caplog.text.count("the bus is away") == 4
    assert PASSWORD not in caplog.text


@runs
async def test_only_one_is_cut_off(redis_server: RedisServer) -> None:
    with wire_to(redis_server.port) as wire:
        async with ears(redis_server.url(wire.port), redis_server.url()) as (one, other):
            one.bus.follow("t")
            await reaches(other, one, 1)
            wire.cut()
            await until(lambda: one.times_back == 2)
            assert other.times_back == 1
            await reaches(other, one, 2)


@runs
async def test_what_cannot_be_read_is_passed_over(redis_server: RedisServer) -> None:
    async with ears(redis_server.url(), redis_server.url()) as (one, other):
        other.bus.follow("t")
        await reaches(one, other, 1)
        with redis.Redis.from_url(redis_server.url()) as client:
            for nonsense in (b"", b"\xff", b"{}", b'{"type":"changed"}', b'{"type":"x","server":1}', b"9" * 10_000):
                client.publish(f"{CHANNEL}t", nonsense)
        await reaches(one, other, 2)


@runs
async def test_a_server_may_start_before_its_redis(redis_server: RedisServer) -> None:
    redis_server.stop()
    ear = Ear(redis_server.url())
    ear.bus.follow("t")
    ear.bus.publish("t", Changed(server=1, version=1))
    await asyncio.sleep(0.1)
    assert not ear.bus.is_well
    await asyncio.to_thread(redis_server.start)
    await until(lambda: ear.bus.is_well)
    await ear.bus.close()


# ---- settings ----


@pytest.mark.parametrize("url", ["redis://localhost", "rediss://:wr0ng@db:6380/3", "unix:///run/redis.sock"])
def test_addresses(url: str) -> None:
    settings = Settings(database=POSTGRES, bus=url)
    assert "wr0ng" not in repr(settings)


@pytest.mark.parametrize("url", ["http://localhost", "redis:wr0ng", "redis://:wr0ng@db:nine", "redis://", "wr0ng"])
def test_addresses_that_cannot_be_read_are_not_repeated(url: str) -> None:
    with pytest.raises(ValueError, match="cannot read the address of the bus") as refused:
        check_address(url)
    assert "wr0ng" not in str(refused.value)


def test_what_cannot_be_shared_is_refused() -> None:
    with pytest.raises(ValueError, match="a bus needs --database postgresql"):
        Settings(database="games.db", bus="redis://localhost")
    with pytest.raises(ValueError, match=r"2 processes need --database postgresql.* and --bus redis"):
        Settings(database=POSTGRES, processes=2)
    with pytest.raises(ValueError, match="processes must be a whole number from 1 to 256"):
        Settings(database=POSTGRES, bus="redis://localhost", processes=0)


def test_without_the_extra_it_is_named() -> None:
    code = "import sys; sys.modules['redis'] = None; from azulejos.cli import main; main()"
    command = [sys.executable, "-c", code, "serve", "--port", "0", "--database", POSTGRES, "--bus", "redis://:wr0ng@x"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False, env=os.environ)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), done.stderr
    assert "pip install 'azulejos[redis]'" in done.stderr
    assert "wr0ng" not in done.stderr
