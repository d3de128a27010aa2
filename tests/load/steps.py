"""How long steps and rounds of the server's event loop take while a stranger asks for what costs something.

    python -m tests.load.steps
    python -m tests.load.steps --at-once 300

A step is one piece of work; in a round the loop does all that is ready, and a move waits for at most one round. They
are counted in time of the processor, so that the figures hold on a busy machine, too.
"""

from __future__ import annotations

import argparse
import asyncio
import dataclasses
import os
import socket
import tempfile
import threading
import time
from collections.abc import Callable
from typing import Any

import httpx
import uvicorn
from rich.console import Console
from rich.table import Table

from azulejos.server.http.app import make_app
from azulejos.server.http.connections import Requests, Sockets
from azulejos.server.process import settle
from azulejos.server.settings import Settings
from tests.load.strangers import TOKEN, attacks, moved_table

WARM_SECONDS = 3.0
"""For what is loaded in the background."""


class Steps:
    """Every step and every round of one loop."""

    def __init__(self) -> None:
        self.seconds: list[float] = []
        self.rounds: list[float] = []
        self._thread: int | None = None

    def watch(self) -> None:
        """Measure the loop that runs in this thread from now on."""
        self._thread = threading.get_ident()
        handle, loop = asyncio.Handle, asyncio.BaseEventLoop
        handle._run = self._measured(handle._run, self.seconds)  # type: ignore[method-assign,assignment]
        loop._run_once = self._measured(loop._run_once, self.rounds)  # type: ignore[attr-defined]

    def _measured(self, run: Callable[[Any], Any], taken: list[float]) -> Callable[[Any], Any]:
        def measured(of: Any) -> Any:
            if threading.get_ident() != self._thread:
                return run(of)
            started = time.thread_time()
            try:
                return run(of)
            finally:
                taken.append(time.thread_time() - started)

        return measured


async def measure(url: str, steps: Steps, at_once: int) -> Table:
    """Ask for each kind of thing."""
    columns = ("attack", "steps", "longest, ms", "longest round, ms", "all, ms", "answers")
    rows = Table(*columns, title=f"{at_once} requests at once")
    moved = moved_table()
    limits = httpx.Limits(max_connections=at_once)
    async with httpx.AsyncClient(base_url=url, timeout=600, limits=limits) as http:
        made = (await http.post("/api/tables/moved", json=moved)).raise_for_status().json()
        await asyncio.sleep(WARM_SECONDS)
        settle()  # as a server does that has everything loaded
        for name, ask in attacks(made["table"]["id"], moved).items():
            steps.seconds.clear()
            steps.rounds.clear()
            answers = await asyncio.gather(*(ask(http) for _ in range(at_once)))
            taken, rounds = list(steps.seconds), list(steps.rounds)
            figures = [f"{1000 * value:.1f}" for value in (max(taken), max(rounds), sum(taken))]
            rows.add_row(name, str(len(taken)), *figures, " ".join(map(str, sorted(set(answers)))))
    return rows


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description="Measure the steps of a server's loop")
    parser.add_argument("--at-once", type=int, default=30, help="requests of each kind")
    options = parser.parse_args()
    steps = Steps()
    with tempfile.TemporaryDirectory() as folder, socket.create_server(("127.0.0.1", 0)) as listener:
        unlimited: dict[str, Any] = dict.fromkeys(
            ("tables_per_minute", "questions_per_minute", "unknown_per_minute", "connections_per_address"), 0
        )
        settings = Settings(database=f"{folder}/tables.db", workers=1, metrics_token=TOKEN)
        app = make_app(dataclasses.replace(settings, **unlimited))
        config = uvicorn.Config(app, http=Requests, ws=Sockets, log_config=None, lifespan="on", loop="asyncio")
        server = uvicorn.Server(config)

        def serve() -> None:
            steps.watch()
            server.run(sockets=[listener])

        threading.Thread(target=serve, daemon=True).start()
        while not server.started:
            time.sleep(0.05)
        rows = asyncio.run(measure(f"http://127.0.0.1:{listener.getsockname()[1]}", steps, options.at_once))
    Console(width=110).print(rows)
    os._exit(0)  # the server ends with the process


if __name__ == "__main__":
    main()
