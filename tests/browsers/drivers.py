"""Firefox and WebKit, driven by what they bring themselves: WebDriver BiDi, and the older WebDriver."""

from __future__ import annotations

import itertools
import json
import os
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

import httpx
from websockets.sync.client import ClientConnection, connect

from tests.server.live import free_port

PATIENCE = 60.0
"""Seconds; the machine may be busy with other things."""
MINI_BROWSER = "webkit2gtk-4.1/MiniBrowser"
ESCAPE = "\ue00c"
"""How WebDriver spells the key."""
Actions = dict[str, Any]


class Browser(Protocol):
    """What the tests do with a browser."""

    def open(self, url: str) -> None:
        """Go to an address and wait until it is loaded."""

    def run(self, script: str) -> Any:
        """The value of an asynchronous function with this body."""

    def act(self, source: Actions) -> None:
        """Do with a mouse or a keyboard what both kinds of WebDriver call actions."""

    def resize(self, width: int, height: int) -> None:
        """Give the page so much room, as nearly as the browser can."""


def click(browser: Browser, selector: str) -> None:
    """Move the mouse to the middle of the first thing of this kind, and press its button."""
    found = f"document.querySelector({json.dumps(selector)})"
    x, y = browser.run(
        f"const {{ x, y, width, height }} = {found}.getBoundingClientRect();"
        "return [Math.round(x + width / 2), Math.round(y + height / 2)];"
    )
    steps = [
        {"type": "pointerMove", "x": x, "y": y, "duration": 0, "origin": "viewport"},
        {"type": "pointerDown", "button": 0},
        {"type": "pointerUp", "button": 0},
    ]
    browser.act({"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": steps})


def press(browser: Browser, *keys: str) -> None:
    """Press keys, one after the other."""
    steps = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
    browser.act({"type": "key", "id": "keyboard", "actions": steps})


def wait_until(browser: Browser, condition: str) -> None:
    """Wait until an expression is true in the page."""
    deadline = time.monotonic() + PATIENCE
    while not browser.run(f"return !!({condition});"):
        assert time.monotonic() < deadline, f"never so: {condition}; the page shows {shown(browser)!r}"
        time.sleep(0.2)


def shown(browser: Browser) -> str:
    """The text of the page."""
    return str(browser.run("return document.body.innerText;"))


# ---- Firefox


class Firefox:
    """A headless Firefox that listens to WebDriver BiDi."""

    def __init__(self, line: ClientConnection) -> None:
        self._line = line
        self._ids = itertools.count(1)
        self.ask("session.new", capabilities={})
        self._page = self.ask("browsingContext.getTree")["contexts"][0]["context"]

    def ask(self, method: str, **params: Any) -> Any:
        """The answer to a command; what happens meanwhile is passed over."""
        number = next(self._ids)
        self._line.send(json.dumps({"id": number, "method": method, "params": params}))
        while True:
            said = json.loads(self._line.recv(PATIENCE))
            if said.get("id") == number:
                assert said["type"] == "success", said
                return said["result"]

    def open(self, url: str) -> None:
        self.ask("browsingContext.navigate", context=self._page, url=url, wait="complete")

    def run(self, script: str) -> Any:
        # The value comes as text, so that both browsers answer alike.
        called = f"async () => JSON.stringify(await (async () => {{ {script} }})() ?? null)"
        said = self.ask(
            "script.callFunction", functionDeclaration=called, awaitPromise=True, target={"context": self._page}
        )
        assert said["type"] == "success", said["exceptionDetails"]
        return json.loads(said["result"]["value"])

    def act(self, source: Actions) -> None:
        self.ask("input.performActions", context=self._page, actions=[source])

    def resize(self, width: int, height: int) -> None:
        self.ask("browsingContext.setViewport", context=self._page, viewport={"width": width, "height": height})


PREFERENCES = {"browser.shell.checkDefaultBrowser": False, "datareporting.policy.dataSubmissionEnabled": False}


@contextmanager
def firefox(folder: Path) -> Iterator[Firefox]:
    """Start Firefox with everything of its own in this folder."""
    profile = folder / "profile"
    profile.mkdir()
    (profile / "user.js").write_text(
        "".join(f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in PREFERENCES.items())
    )
    command = ["firefox-esr", "--headless", "--remote-debugging-port", "0", "--profile", str(profile)]
    log = folder / "firefox.log"
    with running(command, log, os.environ | {"HOME": str(folder)}) as process:
        found = wait_for_word(process, log, r"WebDriver BiDi listening on (ws://\S+)")
        with connect(f"{found}/session", max_size=None) as line:
            yield Firefox(line)


# ---- WebKit


class WebKit:
    """A small browser around WebKitGTK, behind its WebDriver."""

    def __init__(self, client: httpx.Client, binary: Path) -> None:
        self._client = client
        options = {"binary": str(binary), "args": ["--automation"]}
        wanted = {"capabilities": {"alwaysMatch": {"webkitgtk:browserOptions": options}}}
        self._session = f"/session/{self._ask('POST', '/session', wanted)['sessionId']}"
        self._ask("POST", f"{self._session}/timeouts", {"script": PATIENCE * 1000, "pageLoad": PATIENCE * 1000})

    def _ask(self, method: str, path: str, body: Any = None) -> Any:
        answer = self._client.request(method, path, json=body)
        value = answer.json()["value"]
        assert answer.status_code == 200, value
        return value

    def open(self, url: str) -> None:
        self._ask("POST", f"{self._session}/url", {"url": url})

    def run(self, script: str) -> Any:
        done = "const done = arguments[0];"
        told = "(value) => done({ value: JSON.stringify(value ?? null) }), (error) => done({ error: String(error) })"
        called = f"{done} (async () => {{ {script} }})().then({told});"
        said = self._ask("POST", f"{self._session}/execute/async", {"script": called, "args": []})
        assert "error" not in said, said["error"]
        return json.loads(said["value"])

    def act(self, source: Actions) -> None:
        self._ask("POST", f"{self._session}/actions", {"actions": [source]})

    def resize(self, width: int, height: int) -> None:
        self._ask("POST", f"{self._session}/window/rect", {"x": 0, "y": 0, "width": width, "height": height})

    def close(self) -> None:
        """End the browser."""
        self._ask("DELETE", self._session)


@contextmanager
def webkit(folder: Path) -> Iterator[WebKit]:
    """Start WebKit on a screen that nobody sees, with everything of its own in this folder."""
    binary = next(Path("/usr/lib").glob(f"*/{MINI_BROWSER}"))
    display = next(number for number in range(90, 200) if not Path(f"/tmp/.X11-unix/X{number}").exists())
    home = {"HOME": str(folder), "XDG_RUNTIME_DIR": str(folder), "DISPLAY": f":{display}"}
    quiet = {
        "GDK_BACKEND": "x11",
        "NO_AT_BRIDGE": "1",
        "WEBKIT_DISABLE_COMPOSITING_MODE": "1",
        "LIBGL_ALWAYS_SOFTWARE": "1",
    }
    unsandboxed = {"WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1"}  # the tests may run in a container
    port = free_port()
    screen = ["Xvfb", f":{display}", "-screen", "0", "1280x800x24", "-nolisten", "tcp"]
    driver = ["WebKitWebDriver", f"--port={port}"]
    with (
        running(screen, folder / "screen.log", dict(os.environ)),
        running(driver, folder / "webkit.log", os.environ | home | quiet | unsandboxed) as process,
        httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE) as client,
    ):
        wait_for(process, lambda: _answers(client))
        browser = WebKit(client, binary)
        try:
            yield browser
        finally:
            browser.close()


def _answers(client: httpx.Client) -> bool:
    try:
        return client.get("/status").status_code == 200
    except httpx.TransportError:
        return False


# ---- processes


@contextmanager
def running(command: list[str], log: Path, env: dict[str, str]) -> Iterator[subprocess.Popen[bytes]]:
    """A process until the end of the block; what it says goes into a file."""
    with log.open("wb") as said:
        process = subprocess.Popen(command, stdout=said, stderr=subprocess.STDOUT, env=env)
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def wait_for(process: subprocess.Popen[bytes], look: Any) -> Any:
    """Wait until something is there, as long as the process runs."""
    deadline = time.monotonic() + PATIENCE
    while True:
        found = look()
        if found:
            return found
        assert process.poll() is None, f"{process.args!r} ended"
        assert time.monotonic() < deadline, f"{process.args!r} never was ready"
        time.sleep(0.1)


def wait_for_word(process: subprocess.Popen[bytes], log: Path, pattern: str) -> str:
    """Wait until a process says something."""

    def look() -> str | None:
        found = re.search(pattern, log.read_text(errors="replace"))
        return found[1] if found else None

    return str(wait_for(process, look))


def missing(*programs: str) -> list[str]:
    """Those of these programs that are not installed."""
    return [program for program in programs if shutil.which(program) is None]
