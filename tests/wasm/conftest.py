"""What tests ask the module, in Node and in Chromium: both run one bundle of `web/src/engine/checks/answers.ts`."""

from __future__ import annotations

import json
import subprocess
import threading
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.e2e.conftest import chromium

WEB = Path(__file__).parents[2] / "web"
GENERATED = WEB / "src" / "engine" / "generated"
IN_NODE = Path(__file__).parent / "ask.mjs"
IN_CHROMIUM = """async questions => {
  const { answerAll } = await import('/answers.mjs');
  return await answerAll(questions, async name => new Uint8Array(await (await fetch('/' + name)).arrayBuffer()));
}"""

Ask = Callable[[list[dict[str, Any]]], list[Any]]


@pytest.fixture(scope="package")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the bundle and all generated files, as a site would have them."""
    assert (GENERATED / "azulejos.wasm").exists(), "the module is not built: run `make wasm`"
    folder = tmp_path_factory.mktemp("bundle")
    source = "src/engine/checks/answers.ts"
    subprocess.run(["node", "scripts/bundle.mjs", source, str(folder / "answers.mjs")], cwd=WEB, check=True)
    for path in (GENERATED / "azulejos.wasm", *GENERATED.glob("*.weights")):
        (folder / path.name).symlink_to(path)
    return folder


@pytest.fixture(scope="package")
def in_node(bundle: Path) -> Ask:
    """Asks in Node."""

    def ask(questions: list[dict[str, Any]]) -> list[Any]:
        command = ["node", str(IN_NODE), str(bundle)]
        done = subprocess.run(command, input=json.dumps(questions), capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        answers: list[Any] = json.loads(done.stdout)
        return answers

    return ask


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """One browser for all of these tests."""
    with chromium() as browser:
        yield browser


@pytest.fixture(scope="package")
def in_chromium(bundle: Path, browser: Browser) -> Iterator[Ask]:
    """Asks in a page of Chromium."""
    with serving(bundle) as url:
        page = browser.new_page()
        page.goto(f"{url}/answers.mjs")
        yield lambda questions: list(page.evaluate(IN_CHROMIUM, questions))


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        """Say nothing."""


class serving:  # noqa: N801 - reads as a function does
    """A folder on a port of its own, as long as the block lasts."""

    def __init__(self, folder: Path) -> None:
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(folder)))

    def __enter__(self) -> str:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{self._server.server_port}"

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
