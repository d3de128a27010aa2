"""The built page belongs into every package: built here where Node is, else taken as it lies there, else refused."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

STATIC = Path("src/azulejos/server/static")
WEB = Path("web")
NOT_SOURCES = {"node_modules", "paraglide", ".pseudo", "generated"}
"""Folders below web/ that are made, not written."""
OLDEST_NODE = (20, 19)
NO_PAGE = f"""azulejos: there is no page in {str(STATIC)!r}, and nothing to build it with.
Install Node {OLDEST_NODE[0]}.{OLDEST_NODE[1]} or newer and npm (on Debian: apt install nodejs npm),
or build from the sdist, which carries the page."""


class PageHook(BuildHookInterface):  # type: ignore[type-arg]
    """Sees to it that wheel and sdist carry the page of play in the browser."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 - hatch gives it
        """Before anything is packed."""
        root = Path(self.root)
        if version == "editable" or is_current(root):
            return
        npm = find_npm()
        if npm is not None:
            self.app.display_info("Building the page ...")
            build_page(root, npm)
        elif not (root / STATIC / "index.html").is_file():
            raise SystemExit(NO_PAGE)
        else:
            self.app.display_warning("No Node to build the page with: it goes into the package as it was built before.")


def is_current(root: Path) -> bool:
    """Whether the built page is there and nothing of its sources is younger; in an unpacked sdist it always is."""
    index = root / STATIC / "index.html"
    if not index.is_file():
        return False
    if (root / "PKG-INFO").is_file() or not (root / WEB).is_dir():
        return True
    stamp = root / STATIC / ".built"
    built = (stamp if stamp.is_file() else index).stat().st_mtime_ns
    return all(path.stat().st_mtime_ns <= built for path in page_sources(root))


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
    run(root, npm, "run", "--silent", "build")
    (root / STATIC / ".built").touch()


def run(root: Path, *command: str) -> None:
    """Run a command among the sources of the page; what it says is shown if it fails."""
    done = subprocess.run(
        command, cwd=root / WEB, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(f"azulejos: the page cannot be built: {' '.join(command[1:])} failed:\n{done.stdout}")
