"""How the server is set up: from flags, from variables of the environment named AZULEJOS_*, else as written here."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from platformdirs import user_data_path

from azulejos.players import registry
from azulejos.server.bus.redis import check_address
from azulejos.server.storage import address
from azulejos.server.tables.setup import LONGEST_NAME

PREFIX: Final = "AZULEJOS_"
"""How the variables' names begin."""
LOOPBACK: Final = ("127.0.0.1", "::1", "localhost")
"""Hosts that only this machine can reach."""
EVERYWHERE: Final = ("0.0.0.0", "::")
"""Hosts that stand for all addresses of this machine."""
DATABASE_NAME: Final = "tables.db"
"""The file of the database in the data folder."""
DEFAULT_WORKERS: Final = min(2, os.cpu_count() or 1)
"""Processes that think, if nobody says how many."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that can be chosen about a server."""

    host: str = "127.0.0.1"
    """The address to listen at; 0.0.0.0 for everybody in the network."""
    port: int = 8421
    """The port to listen at; 0 for any free one."""
    database: str = field(default="", repr=False)
    """A file for SQLite, sqlite:///FILE or postgresql://USER@HOST/NAME; empty for a file in the data folder."""
    bus: str = field(default="", repr=False)
    """redis://HOST:PORT by which servers that share a PostgreSQL database tell each other; empty: this one is alone."""
    processes: int = 1
    """How many server processes share the port."""
    data: str = ""
    """The data folder; empty for the user's own."""
    workers: int = DEFAULT_WORKERS
    """How many processes think for the computers; 0 where others think for this server (`azulejos think`)."""
    pace_ms: int | None = None
    """Milliseconds between the moves of computers; None: 900 at tables with computers only, else none."""
    thinking_ms: int | None = None
    """How long a computer that is no level thinks about a move; None: a second."""
    players: tuple[str, ...] = ()
    """Players besides the levels that may be seated at tables, as NAME=SPEC, or just a spec."""
    public_url: str = ""
    """The address under which others reach this server, if a proxy stands before it."""
    trusted_proxies: tuple[str, ...] = ()
    """Addresses of proxies whose X-Forwarded-For is believed."""
    static: str = ""
    """Where the built page is; empty for the one that comes with the package."""
    lobby: bool | None = None
    """Whether people can put their tables into a lobby; None: if others than this machine can reach the server."""
    log_json: bool = False
    """Whether the log is written as JSON."""
    tables_per_minute: int = 30
    """New tables from one address in a minute; here and below 0 means any number."""
    questions_per_minute: int = 300
    """Other questions that cost work (tables, records, lists, codes) from one address."""
    messages_per_second: int = 20
    """Messages on one socket in a second."""
    unknown_per_minute: int = 60
    """Tables that there are not, from one address: whoever guesses links."""
    sockets_per_address: int = 100
    """Open sockets from one address; of IPv6 from one network of 64 bits, here and in all limits by address."""
    most_sockets: int = 10_000
    """Open sockets in all."""
    connections_per_address: int = 250
    """Open connections from one address that is no trusted proxy's."""
    most_connections: int = 12_000
    """Open connections in all."""
    metrics_token: str = field(default="", repr=False)
    """Who sends this as `Authorization: Bearer ...` is shown the figures; without it only this machine is."""
    away_seconds: int = 60
    """After so long without anybody at a seat the others may let a computer play for it."""
    most_tables: int = 100_000
    """Tables in the database; with more no new one is made."""
    keep_days: int = 0
    """After so many days without anything happening at it a table is deleted; 0: never."""
    archive: str = ""
    """A folder into which the records of tables are written before they are deleted; empty: they are not."""

    def __post_init__(self) -> None:
        _check_whole("port", self.port, 0, 65535)
        check_workers(self.workers, 0)
        _check_whole("processes", self.processes, 1, 256)
        _check_sharing(self)
        if self.pace_ms is not None:
            _check_whole("pace_ms", self.pace_ms, 0, 60_000)
        if self.thinking_ms is not None:
            _check_whole("thinking_ms", self.thinking_ms, 1, 60_000)
        _check_whole("keep_days", self.keep_days, 0, 36_500)
        _check_whole("away_seconds", self.away_seconds, 0, 86_400)
        for name in _COUNTS:
            _check_whole(name, getattr(self, name), 0, 10**9)
        if self.public_url:
            _check_url(self.public_url)
        _ = self.database_url, self.data_folder, self.static_folder, self.player_specs

    @property
    def data_folder(self) -> Path:
        """Where files are kept."""
        return address.home_path(self.data) if self.data else user_data_path("azulejos", appauthor=False)

    @property
    def database_url(self) -> str:
        """The database as an address, which may hold a password.

        >>> Settings(database="/srv/games.db").database_url
        'sqlite:////srv/games.db'
        >>> Settings(database="postgres://ana@localhost/azulejos").database_url
        'postgresql://ana@localhost/azulejos'
        """
        if address.is_postgres(self.database):
            return address.read(self.database)
        path = address.path_of(self.database) if self.database else self.data_folder / DATABASE_NAME
        return address.of_file(path)

    @property
    def player_specs(self) -> dict[str, str]:
        """The specs of the players that may be seated besides the levels, by the names that tables have for them.

        >>> Settings(players=("greedy", "Rosa=process:python rosa.py")).player_specs
        {'greedy': 'greedy', 'Rosa': 'process:python rosa.py'}
        """
        return dict(map(_read_player, self.players))

    @property
    def static_folder(self) -> Path:
        """Where the built page is."""
        return address.home_path(self.static) if self.static else Path(__file__).parent / "static"

    @property
    def is_local(self) -> bool:
        """Whether only this machine can reach the server."""
        return self.host in LOOPBACK

    @property
    def has_lobby(self) -> bool:
        """Whether people can put their tables into a lobby.

        >>> Settings().has_lobby, Settings(host="0.0.0.0").has_lobby, Settings(lobby=True).has_lobby
        (False, True, True)
        """
        return bool(not self.is_local or self.public_url) if self.lobby is None else self.lobby

    @property
    def local_url(self) -> str:
        """The address for a browser on this machine.

        >>> Settings(host="0.0.0.0", port=80).local_url
        'http://127.0.0.1:80'
        """
        host = "127.0.0.1" if self.host in EVERYWHERE else self.host
        return f"http://[{host}]:{self.port}" if ":" in host else f"http://{host}:{self.port}"


_COUNTS: Final = tuple(each.name for each in fields(Settings) if each.name.startswith("most_") or "_per_" in each.name)


def from_environment(environment: Mapping[str, str] | None = None, **flags: Any) -> Settings:
    """The settings; a flag that is not None wins over the environment.

    >>> from_environment({"AZULEJOS_PORT": "9000"}, host=None, workers=1).port
    9000
    """
    return Settings(**given(environment, *(each.name for each in fields(Settings)), **flags))


def given(environment: Mapping[str, str] | None, *names: str, **flags: Any) -> dict[str, Any]:
    """Those of the settings with these names that are given; a flag that is not None wins over the environment."""
    environment = os.environ if environment is None else environment
    values = {name: value for name, value in flags.items() if value is not None}
    for name in names:
        variable = PREFIX + name.upper()
        text = environment.get(variable, "")
        if text and name not in values:
            try:
                values[name] = _reader(name)(text)
            except ValueError as fault:
                raise ValueError(f"cannot read {variable}={text!r}: {fault}") from fault
    return values


def _reader(name: str) -> Callable[[str], Any]:
    default = next(each.default for each in fields(Settings) if each.name == name)
    if isinstance(default, bool) or name == "lobby":
        return _yes_or_no
    if isinstance(default, tuple):
        return lambda text: tuple(part.strip() for part in text.split(",") if part.strip())
    return str if isinstance(default, str) else _whole


def _yes_or_no(text: str) -> bool:
    if text.lower() not in ("yes", "no", "true", "false", "1", "0"):
        raise ValueError("expected yes or no")
    return text.lower() in ("yes", "true", "1")


def _whole(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise ValueError("expected a whole number") from None


def _check_sharing(settings: Settings) -> None:
    if settings.bus:
        check_address(settings.bus)
        if not address.is_postgres(settings.database):
            raise ValueError(
                "several servers can share tables only in PostgreSQL: a bus needs --database postgresql://..."
            )
    elif settings.processes > 1:
        shared = "--database postgresql://... and --bus redis://..."
        raise ValueError(f"{settings.processes} processes need {shared} to share their tables")
    if settings.workers == 0 and not settings.bus:
        raise ValueError(
            "without workers somebody else has to think: 0 workers need --bus redis://... (azulejos think)"
        )
    if settings.workers == 0 and settings.players:
        raise ValueError("players besides the levels think on this machine: --player needs at least 1 worker")


def check_workers(workers: int, fewest: int) -> None:
    """Raise `ValueError` unless so many processes can think."""
    _check_whole("workers", workers, fewest, 256)


def _check_whole(name: str, value: int, low: int, high: int) -> None:
    if not low <= value <= high:
        raise ValueError(f"{name} must be a whole number from {low} to {high}, not {value!r}")


def _read_player(text: str) -> tuple[str, str]:
    """The name and the spec of a player; a name has no colon, so that options of a spec are not taken for one."""
    name, equals, spec = text.partition("=")
    if not equals or ":" in name:
        name = spec = text
    if spec.partition(":")[0] not in registry.names() or not 1 <= len(name) <= LONGEST_NAME:
        raise ValueError(
            f"cannot seat {text!r}: expected a player as in 'greedy' or 'Rosa=process:python rosa.py', "
            f"with a name of at most {LONGEST_NAME} characters"
        )
    return name, spec


def _check_url(url: str) -> None:
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.path.strip("/") or parts.query:
        raise ValueError(
            f"cannot use {url!r} as the public address: expected one such as 'https://azulejos.example.org'"
        )
