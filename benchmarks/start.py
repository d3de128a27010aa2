"""How long `azulejos serve` takes from the command to an answer: python benchmarks/start.py [--times 5].

Prints seconds until the page is answered, a first table is made, and the computers have everything loaded; and how long
a gentle stop takes. The first line may include compiling; the others are warm starts.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from urllib.error import URLError
from urllib.request import Request, urlopen

from rich.console import Console
from rich.table import Table

NEW_TABLE = {"seats": [{"kind": "here"}, {"kind": "computer", "level": 2}]}


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure the start of the server")
    parser.add_argument("--times", type=int, default=5)
    parser.add_argument("--port", type=int, default=8433)
    options = parser.parse_args()
    table = Table("start", "page", "table", "computers", "stop", title="seconds")
    with tempfile.TemporaryDirectory() as folder:
        for number in range(1, options.times + 1):
            row = measure(Path(folder) / "tables.db", options.port)
            table.add_row(str(number), *(f"{seconds:.2f}" for seconds in row))
    Console().print(table)


def measure(database: Path, port: int) -> tuple[float, float, float, float]:
    """Seconds from the command to the page, to a table and to the computers; and of the stop."""
    command = [sys.executable, "-m", "azulejos", "serve", "--port", str(port), "--database", str(database)]
    started = time.perf_counter()
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        while server.poll() is None:
            try:
                ask(port, "/health")
                break
            except URLError:
                time.sleep(0.01)
        page = time.perf_counter() - started
        ask(port, "/api/tables", NEW_TABLE)
        table = time.perf_counter() - started
        while not json.loads(ask(port, "/health"))["computers"]:
            time.sleep(0.01)
        computers = time.perf_counter() - started
        stopped = time.perf_counter()
    finally:
        server.terminate()
        server.wait()
    return page, table, computers, time.perf_counter() - stopped


def ask(port: int, path: str, data: object = None) -> bytes:
    body = None if data is None else json.dumps(data).encode()
    with urlopen(Request(f"http://127.0.0.1:{port}{path}", body, {"content-type": "application/json"})) as answer:
        return bytes(answer.read())


if __name__ == "__main__":
    main()
