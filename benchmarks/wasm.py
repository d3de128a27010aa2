"""How fast the WebAssembly module is, in Node and in Chromium, beside native code: `azulejos bench` for the page.

.venv/bin/python benchmarks/wasm.py

It takes `make wasm`. One thread each; on a busy machine the figures say little.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright
from rich.console import Console
from rich.table import Table

from azulejos.arena.simulation import simulate
from azulejos.cli.bench import best, machine, search_speeds

WEB = Path(__file__).parents[1] / "web"
GENERATED = WEB / "src" / "engine" / "generated"
IN_NODE = """
import { readFile } from "node:fs/promises";
import { measure } from "./speeds.mjs";
console.log(JSON.stringify(await measure(async (name) => new Uint8Array(await readFile(name)))));
"""
IN_CHROMIUM = """async () => {
  const { measure } = await import('/speeds.mjs');
  return await measure(async (name) => new Uint8Array(await (await fetch('/' + name)).arrayBuffer()));
}"""
GOALS = {
    "random games, 2 players, std wall": 1_500_000,
    "search with the network": 15_000,
    "network alone, batches of 16": 12_000,
}


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        """Say nothing."""


def in_node(folder: Path) -> list[dict[str, Any]]:
    (folder / "measure.mjs").write_text(IN_NODE)
    done = subprocess.run(["node", "measure.mjs"], cwd=folder, check=True, capture_output=True, text=True)
    speeds: list[dict[str, Any]] = json.loads(done.stdout)
    return speeds


def in_chromium(folder: Path) -> list[dict[str, Any]]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with sync_playwright() as playwright:
        path = shutil.which("chromium") or shutil.which("google-chrome")
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        page = browser.new_page()
        page.goto(f"http://127.0.0.1:{server.server_port}/speeds.mjs")
        speeds: list[dict[str, Any]] = page.evaluate(IN_CHROMIUM)
        browser.close()
    server.shutdown()
    return speeds


def native() -> dict[str, float]:
    found = {
        f"random games, {players} players, {wall} wall": best(
            lambda p=players, w=wall: simulate(10_000, p, w, threads=1).moves_per_second  # type: ignore[misc]
        )
        for players, wall in ((2, "std"), (4, "std"), (2, "gray"))
    }
    return found | {row.name.removesuffix(", 1 thread"): row.value for row in search_speeds()}


def main() -> None:
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        source = "src/engine/checks/speeds.ts"
        subprocess.run(["node", "scripts/bundle.mjs", source, str(folder / "speeds.mjs")], cwd=WEB, check=True)
        for path in (GENERATED / "azulejos.wasm", *GENERATED.glob("*.weights")):
            shutil.copy(path, folder)
        node, page, here = in_node(folder), in_chromium(folder), native()
    table = Table("what", "Node", "Chromium", "native", "goal", "unit", title=machine())
    for column in table.columns[1:5]:
        column.justify = "right"
    for one, other in zip(node, page, strict=True):
        name, goal = one["name"], GOALS.get(one["name"])
        figures = (one["value"], other["value"], here[name], goal)
        table.add_row(name, *(f"{figure:,.0f}" if figure else "" for figure in figures), one["unit"])
    Console().print(table)


if __name__ == "__main__":
    main()
