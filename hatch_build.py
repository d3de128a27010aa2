"""The built page belongs into every package: built here where Node is, else taken as it lies there, else left out.

Left out it is of what somebody installs for himself, `pip install .` or `pip install git+...`, with a warning: library,
terminal and server work without it. An sdist, and what `make package` makes, is refused without it.

With the page come the rules and the search, compiled for the browser. That takes what the library itself needs, which
an isolated build does not have.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

STATIC = Path("src/azulejos/server/static")
WEB = Path("web")
NOT_SOURCES = {"node_modules", "paraglide", ".pseudo", "generated"}
"""Folders below web/ that are made, not written."""
PACKAGE = Path("src/azulejos")
COMPILED = ("rules", "game", "net", "net/weights", "search", "players", "analysis", "wasm")
"""Folders of the package from which the page's module is compiled; the Makefile has them, too."""
GENERATED = WEB / "src" / "engine" / "generated"
MODULE = GENERATED / "azulejos.wasm"
COMPILERS = ("numba", "msgspec")
"""Libraries without which the module cannot be compiled."""
OLDEST_NODE = (20, 19)
STRICT = "AZULEJOS_REQUIRE_PAGE"
"""The variable that has a wheel refused, too, if there is no page to put into it."""
WITHOUT = "The package is made without the page: library, terminal and server work, play in the browser does not."
NO_PAGE = f"""azulejos: there is no page in {str(STATIC)!r}, and nothing to build it with.
Install Node {OLDEST_NODE[0]}.{OLDEST_NODE[1]} or newer and npm (on Debian: apt install nodejs npm),
or build from the sdist, which carries the page."""
NO_MODULE = f"""azulejos: there is no module for the page in {str(MODULE)!r}, and no Numba here to compile it with.
Run `make page` first, or build where Azulejos is installed (with pip: --no-build-isolation),
or build from the sdist, which carries the page with its module."""


class PageHook(BuildHookInterface):  # type: ignore[type-arg]
    """Sees to it that wheel and sdist carry the page of play in the browser."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 - hatch gives it
        """Before anything is packed."""
        root = Path(self.root)
        if version == "editable" or is_current(root):
            return
        npm = find_npm()
        missing = NO_PAGE if npm is None else NO_MODULE if not can_have_module(root) else ""
        if npm is not None and not missing:
            self.app.display_info("Building the page ...")
            build_page(root, npm)
        elif not (root / STATIC / "index.html").is_file():
            if self.target_name == "sdist" or os.environ.get(STRICT):
                raise SystemExit(missing)
            self.app.display_warning(f"{missing}\n{WITHOUT}")
        else:
            tool = "Node to build the page" if npm is None else "Numba to compile the page's module"
            self.app.display_warning(f"No {tool} with: the page goes into the package as it was built before.")


def is_current(root: Path) -> bool:
    """Whether the built page is there and nothing of its sources is younger; in an unpacked sdist it always is."""
    index = root / STATIC / "index.html"
    if not index.is_file():
        return False
    if (root / "PKG-INFO").is_file() or not (root / WEB).is_dir():
        return True
    stamp = root / STATIC / ".built"
    built = (stamp if stamp.is_file() else index).stat().st_mtime_ns
    return all(path.stat().st_mtime_ns <= built for path in [*page_sources(root), *module_sources(root)])


def module_sources(root: Path) -> list[Path]:
    """The files from which the page's module is compiled."""
    return [path for name in COMPILED for path in (root / PACKAGE / name).glob("*.*") if path.is_file()]


def module_is_current(root: Path) -> bool:
    """Whether the page's module is there and nothing of its sources is younger."""
    module = root / MODULE
    return module.is_file() and all(
        path.stat().st_mtime_ns <= module.stat().st_mtime_ns for path in module_sources(root)
    )


def page_sources(root: Path) -> list[Path]:
    """The files from which the page is built."""
    return [
        path
        for path in (root / WEB).rglob("*")
        if not NOT_SOURCES & set(path.relative_to(root / WEB).parts)
        and not path.name.endswith(".test.ts")
        and path.is_file()
    ]


def find_npm() -> str | None:
    """The program npm, if there is a Node that is new enough beside it."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        return None
    said = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    found = re.match(r"v(\d+)\.(\d+)", said)
    return npm if found and (int(found[1]), int(found[2])) >= OLDEST_NODE else None


def build_page(root: Path, npm: str) -> None:
    """Build the page from its sources, with what it is built with in the locked versions."""
    if not (root / WEB / "node_modules").exists():
        run(root, npm, "install", "--no-save", "--no-audit", "--no-fund", "--loglevel=error")
    if not module_is_current(root):
        compile_module(root)
    run(root, npm, "run", "--silent", "build")
    (root / STATIC / ".built").touch()


def can_have_module(root: Path) -> bool:
    """Whether the page's module is there or can be compiled."""
    return module_is_current(root) or all(find_spec(name) for name in COMPILERS)


def compile_module(root: Path) -> None:
    """Compile the rules and the search for the browser."""
    run(root, sys.executable, "-m", "azulejos.wasm", str(root / GENERATED))
    run(root, str(shutil.which("node")), "scripts/link-wasm.mjs")


def run(root: Path, *command: str) -> None:
    """Run a command among the sources of the page; what it says is shown if it fails."""
    env = os.environ | {"PYTHONPATH": str(root / "src")}
    done = subprocess.run(
        command, cwd=root / WEB, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(f"azulejos: the page cannot be built: {' '.join(command[1:])} failed:\n{done.stdout}")
