"""What is here and what is missing: versions, compiled code, devices, networks, the page, the database, the extras."""

from __future__ import annotations

import os
import pickle
import platform
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from importlib import metadata
from pathlib import Path
from typing import Any, Final, Literal

import azulejos

State = Literal["ok", "absent", "wrong"]
"""Everything is as it should be, something is not there and need not be, or something is wrong."""
MEGABYTE: Final = 1_000_000
"""Bytes of a megabyte."""
PACKAGE: Final = "azulejos"
"""The name under which the program is installed."""
FOR_AUTHORS: Final = ("dev", "docs")
"""Extras that nobody needs who only uses the program."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at, and how it is."""

    name: str
    """What was looked at."""
    state: State
    """absent: not there, and only needed for what `advice` names; wrong: somebody should do something."""
    value: str
    """What was found, in words."""
    advice: str = ""
    """What to do about it; empty if nothing has to be done."""

    def json(self) -> dict[str, Any]:
        """The finding as plain data."""
        return asdict(self)


def examine() -> list[Finding]:
    """Look at everything; what cannot be looked at is a finding too, never an error.

    >>> {finding.name for finding in examine()} >= {"azulejos", "python", "page", "database"}
    True
    """
    findings = []
    for look in PARTS:
        try:
            findings += list(look())
        except Exception as fault:  # whatever it is, the other findings are wanted too
            name = look.__name__.strip("_").replace("_", " ")
            findings.append(Finding(name, "wrong", f"cannot be looked at: {type(fault).__name__}: {fault}"))
    return findings


def _versions() -> Iterator[Finding]:
    where = Path(azulejos.__file__).parent
    yield Finding("azulejos", "ok", f"{azulejos.__version__} in {str(where)!r}")
    yield Finding("python", "ok", f"{platform.python_version()} in {sys.prefix!r}")
    yield Finding("system", "ok", f"{platform.platform()}, {os.cpu_count()} cores")


def _libraries() -> Iterator[Finding]:
    for package in _needed()[""]:
        version = _version(package)
        if version is None:
            yield Finding(package, "wrong", "not installed", f"pip install {package}")
        else:
            yield Finding(package, "ok", version)


def _extras() -> Iterator[Finding]:
    for extra, packages in _needed().items():
        if not extra or extra in FOR_AUTHORS:
            continue
        lacking = [package for package in packages if _version(package) is None]
        name = f"extra {extra}"
        if lacking:
            yield Finding(name, "absent", f"without {', '.join(lacking)}", f"pip install '{PACKAGE}[{extra}]'")
        else:
            yield Finding(name, "ok", ", ".join(f"{package} {_version(package)}" for package in packages))


def _needed() -> dict[str, list[str]]:
    """The packages of each extra, and under "" those that are always needed."""
    needed: dict[str, list[str]] = {"": []}
    for requirement in metadata.requires(PACKAGE) or []:
        package = re.split(r"[^\w.-]", requirement, maxsplit=1)[0]
        extra = re.search(r"extra == ['\"]([\w-]+)", requirement)
        if package != PACKAGE:  # an extra may hold other extras
            needed.setdefault(extra[1] if extra else "", []).append(package)
    return needed


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def _compiled_code() -> Iterator[Finding]:
    from azulejos.rules import compiled

    if compiled.INTERPRETED:
        yield Finding("compiled code", "ok", "none: NUMBA_DISABLE_JIT is set, so the rules run as plain Python")
        return
    folder = compiled.cache_folder()
    if folder is None:
        advice = "name a folder that can be written with AZULEJOS_CACHE"
        yield Finding("compiled code", "wrong", "cannot be kept: everything is compiled at every start", advice)
        return
    files = [*folder.glob("*.nbi"), *folder.glob("*.nbc")]  # not those that are being written now
    size = sum(path.stat().st_size for path in files) / MEGABYTE
    sources = [path for name in compiled.COMPILED_FOLDERS for path in (compiled.PACKAGE / name).glob("*.py")]
    stamps = {compiled.source_stamp(path) for path in sources}
    indices = [path for path in files if path.suffix == ".nbi"]
    current = sum(1 for path in indices if _stamp(path) in stamps)
    told = f"{current} of {len(indices)} functions are up to date, {size:.0f} MB in {str(folder)!r}"
    yield Finding("compiled code", "ok", told if current else told + "; the next start compiles, once")


def _stamp(index: Path) -> str | None:
    """The stamp of the sources under which a function was kept; None if the file cannot be read."""
    try:
        with index.open("rb") as file:
            pickle.load(file)  # the version of Numba
            stamp, _ = pickle.loads(file.read())
    except Exception:  # a file that was cut short is compiled anew, whatever is wrong with it
        return None
    return stamp if isinstance(stamp, str) else None


def _cuda_device() -> Iterator[Finding]:
    what = "only for simulate --device cuda, CudaBatch and training"
    if _version("numba-cuda") is None:
        what += f": pip install '{PACKAGE}[cuda]'"
        yield Finding("CUDA device", "absent", "cannot be used without numba-cuda", what)
        return
    from numba import cuda

    if cuda.is_available():
        name = cuda.get_current_device().name
        yield Finding("CUDA device", "ok", name.decode() if isinstance(name, bytes) else str(name))
    else:
        yield Finding("CUDA device", "absent", "none was found", what)


def _networks() -> Iterator[Finding]:
    from azulejos.net import choice

    folder = Path(choice.__file__).parent / "weights"
    for name in sorted(set(choice.WEIGHTS.values())):
        games = ", ".join(f"{players} {wall}" for (players, wall), file in choice.WEIGHTS.items() if file == name)
        try:
            card = choice.read_card(folder / name)
        except (OSError, ValueError) as fault:
            yield Finding(f"network {name}", "wrong", f"cannot be read: {fault}", "install Azulejos again")
        else:
            yield Finding(f"network {name}", "ok", f"for {games}; of {card.date}, {card.games:,} games of self-play")


def _players() -> Iterator[Finding]:
    from azulejos.players import registry

    yield Finding("players", "ok", ", ".join(registry.names()))


def _page() -> Iterator[Finding]:
    from azulejos.server.settings import from_environment

    folder = from_environment().static_folder
    if (folder / "index.html").is_file():
        size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / MEGABYTE
        yield Finding("page", "ok", f"built, {size:.1f} MB in {str(folder)!r}")
    else:
        advice = "make page, in the folder of the project, or install a wheel; needed for play in the browser"
        yield Finding("page", "absent", f"not built: there is no index.html in {str(folder)!r}", advice)
        return
    yield _module_in(folder / "assets")


def _module_in(folder: Path) -> Finding:
    """The compiled rules and networks with which the page plays by itself."""
    from azulejos.net import choice

    modules, weights = list(folder.glob("*.wasm")), list(folder.glob("*.weights"))
    networks = len(set(choice.WEIGHTS.values()))
    if len(modules) == 1 and len(weights) == networks:
        sizes = [sum(path.stat().st_size for path in paths) / MEGABYTE for paths in (modules, weights)]
        return Finding(
            "module", "ok", f"{modules[0].name}, {sizes[0]:.2f} MB, with {networks} networks, {sizes[1]:.1f} MB"
        )
    found = f"the page has {len(modules)} modules and {len(weights)} networks instead of 1 and {networks}"
    return Finding("module", "wrong", found, "make page, in the folder of the project; or install Azulejos again")


def _database() -> Iterator[Finding]:
    from azulejos.server.settings import from_environment
    from azulejos.server.storage import address as store_address

    url = from_environment().database_url
    if store_address.is_postgres(url):
        yield _database_on_a_server(url)
        return
    file = store_address.path_of(url)
    yield _database_in(file) if file.exists() else _place_for(file)


def _database_in(file: Path) -> Finding:
    from azulejos.server.storage import database as store_database
    from azulejos.server.storage import sqlite as store_sqlite

    try:
        tables = store_sqlite.look(file)
    except store_database.StorageError as fault:
        return Finding("database", "wrong", f"{str(file)!r} cannot be used: {fault}", "name another with --database")
    return Finding("database", "ok", f"{str(file)!r}, {_held(tables)}, {file.stat().st_size / MEGABYTE:.1f} MB")


def _database_on_a_server(url: str) -> Finding:
    from azulejos.server.storage import address as store_address
    from azulejos.server.storage import database as store_database
    from azulejos.server.storage import postgres as store_postgres

    name = repr(store_address.shown(url))
    try:
        seen = store_postgres.look(url)
    except store_database.StorageError as fault:
        advice = "see to that, or name another with --database or AZULEJOS_DATABASE"
        return Finding("database", "wrong", f"{name} cannot be used: {fault}", advice)
    used = ", in use by a server" if seen.in_use else ""
    size = f"{seen.size / MEGABYTE:.1f} MB on PostgreSQL {seen.version.split()[0]}"
    return Finding("database", "ok", f"{name}, {_held(seen.tables)}, {size}{used}")


def _held(tables: int | None) -> str:
    return "nothing yet: the first start of the server sets it up" if tables is None else f"{tables} tables"


def _place_for(file: Path) -> Finding:
    """Whether a database can be made there."""
    above = next(folder for folder in file.parents if folder.exists())
    if above.is_dir() and os.access(above, os.W_OK):
        return Finding("database", "ok", f"{str(file)!r}, which the first start of the server will make")
    advice = "name another file with --database or AZULEJOS_DATABASE"
    return Finding("database", "wrong", f"{str(file)!r} cannot be made: {str(above)!r} cannot be written", advice)


def _settings() -> Iterator[Finding]:
    from azulejos.server.settings import from_environment

    chosen = sorted(name for name in os.environ if name.startswith("AZULEJOS_"))
    try:
        from_environment()
    except ValueError as fault:
        yield Finding("settings", "wrong", str(fault), "change the variable of the environment, or remove it")
    else:
        yield Finding("settings", "ok", "from " + ", ".join(chosen) if chosen else "no variables AZULEJOS_* are set")


PARTS: Final[tuple[Callable[[], Iterator[Finding]], ...]] = (
    _versions,
    _libraries,
    _compiled_code,
    _cuda_device,
    _networks,
    _players,
    _page,
    _settings,
    _database,
    _extras,
)
"""What is looked at, in this order."""
