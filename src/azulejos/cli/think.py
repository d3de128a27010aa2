"""The command that thinks for servers on other machines."""

from __future__ import annotations

import asyncio
import os
import signal

from azulejos.cli.serve import Flag


def think(*, bus: str | None = None, workers: int | None = None, log_json: Flag = None) -> None:
    """Think for the computers of servers that share a Redis: take questions there, and answer them.

    Any number of these may run, on any machines; one that dies or stalls has its work taken over by the others. Only
    servers with the same version of Azulejos and the same networks are answered. The settings can also come from the
    environment, as AZULEJOS_BUS and so on: a password belongs there.

    For example:

        azulejos think --bus redis://localhost
        azulejos think --bus redis://10.0.0.5:6379 --workers 8

    Parameters
    ----------
    bus
        redis://HOST:PORT, the bus of the servers.
    workers
        How many processes think; as many as there are processor cores if not given.
    log_json
        Write logs as lines of JSON.
    """
    from azulejos.server.bus.redis import BusError, check_address
    from azulejos.server.settings import check_workers, given

    settings = given(None, "bus", "workers", "log_json", bus=bus, workers=workers, log_json=log_json)
    if "bus" not in settings:
        raise ValueError("for whom? expected --bus redis://HOST:PORT, the bus of the servers")
    check_address(settings["bus"])
    workers = settings.get("workers", os.cpu_count() or 1)
    check_workers(workers, 1)
    try:
        asyncio.run(_think(settings["bus"], workers, as_json=settings.get("log_json", False)))
    except BusError as fault:
        raise ValueError(str(fault)) from fault


async def _think(bus: str, workers: int, *, as_json: bool) -> None:
    """Think until a signal says that it is enough."""
    from azulejos.server import logs
    from azulejos.server.bots import stream
    from azulejos.server.bots.pool import Pool
    from azulejos.server.bots.thinker import END_SECONDS, StreamThinker

    thinker, loop = StreamThinker(bus, Pool(workers)), asyncio.get_running_loop()
    try:
        await thinker.join()
        logs.set_up(as_json=as_json)
        running = asyncio.create_task(thinker.run())

        def end() -> None:
            thinker.end()
            loop.call_later(END_SECONDS, running.cancel)

        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: loop.call_soon_threadsafe(end))
        print(f"Thinking for servers at {thinker.place}, version {stream.version()}  (Ctrl-C ends it)", flush=True)
        await asyncio.wait([running])
        if not running.cancelled():
            running.result()
    finally:
        await thinker.close()
