"""The address of a database, as people write it; checked before anything else reads it.

An address of PostgreSQL may hold a password. One that cannot be read is therefore never repeated, not even in part, and
one that can is only ever shown without it.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final
from urllib.parse import parse_qsl, urlencode

SQLITE: Final = "sqlite"
"""How an address of a file begins."""
SCHEMES: Final = ("postgresql", "postgres", "postgresql+psycopg")
"""How an address of PostgreSQL may begin."""
EXPECTED: Final = "a file, sqlite:///FILE or postgresql://USER@HOST/NAME"
"""What can be named as a database."""
SHOWN_OPTIONS: Final = ("host", "port", "dbname", "user")
"""Options of an address that may be shown."""

_SHAPE: Final = re.compile(
    r"(?:(?P<user>[^:@/?#\s]*)(?::(?P<password>[^@/?#\s]*))?@)?"
    r"(?P<hosts>[^@/?#\s]*)(?:/(?P<name>[^@/?#\s]*))?(?:\?(?P<options>[^@#\s]*))?"
)
_HOSTS: Final = re.compile(r"(?:(?:\[[0-9A-Fa-f:.%]+\]|[^:\[\],]*)(?::[0-9]{0,5})?(?:,|$))*")
_BAD_PERCENT: Final = re.compile(r"%(?![0-9A-Fa-f]{2})|%00")


def is_postgres(text: str) -> bool:
    """Whether this is meant to be an address of a PostgreSQL database.

    >>> is_postgres("postgres://localhost/azulejos"), is_postgres("games.db")
    (True, False)
    """
    return text.partition(":")[0].lower() in SCHEMES and ":" in text


def home_path(text: str) -> Path:
    """A path in which `~` stands for somebody's home; raises `ValueError` if nobody has that name."""
    try:
        return Path(text).expanduser()
    except RuntimeError as fault:
        raise ValueError(f"cannot use the path {text!r}: {fault}") from fault


def path_of(text: str) -> Path:
    """The file that is meant by a path or by an address such as sqlite:///FILE; raises `ValueError` if none can be.

    >>> path_of("/srv/games.db") == path_of("sqlite:////srv/games.db") == Path("/srv/games.db").absolute()
    True
    """
    scheme, separator, rest = text.partition("://")
    if not separator:
        return home_path(text).absolute()
    if scheme != SQLITE:
        raise ValueError(f"cannot use a database of the kind {scheme!r}: expected {EXPECTED}")
    return Path(rest.removeprefix("/")).absolute()


def of_file(path: Path) -> str:
    """The address of a database that is a file.

    >>> of_file(Path("games.db")) == of_file(path_of("sqlite:///games.db"))
    True
    """
    return f"{SQLITE}:///{path.absolute()}"


def read(text: str) -> str:
    """The address as libpq reads it; raises `ValueError` if it cannot be one.

    >>> read("postgres://ana@localhost/azulejos")
    'postgresql://ana@localhost/azulejos'
    """
    _, separator, rest = text.partition("://")
    found = _SHAPE.fullmatch(rest) if separator else None
    if not found or not _HOSTS.fullmatch(found["hosts"]) or _BAD_PERCENT.search(rest) or not _are_options(found):
        raise ValueError(
            "cannot read the address of the PostgreSQL database (not repeated here, it may hold a password): "
            "expected postgresql://USER:PASSWORD@HOST:PORT/NAME, and inside of these %40 for @, %2F for /, %3A for :, "
            "%3F for ?, %23 for #, %25 for % and %20 for a space"
        )
    return f"postgresql://{rest}"


def _are_options(found: re.Match[str]) -> bool:
    return all(re.match(r"[A-Za-z_]+=", option) for option in (found["options"] or "").split("&") if found["options"])


def shown(url: str) -> str:
    """An address that `read` has accepted, without a password.

    >>> shown("postgresql://ana:tiles@db.example:5433/games?sslmode=require&password=more")
    'postgresql://ana@db.example:5433/games'
    >>> shown("postgresql:///games?host=/run/postgresql")
    'postgresql:///games?host=/run/postgresql'
    """
    found = _SHAPE.fullmatch(url.partition("://")[2])
    if not found:
        return "postgresql://..."
    user = f"{found['user']}@" if found["user"] else ""
    name = "" if found["name"] is None else f"/{found['name']}"
    options = [(key, value) for key, value in parse_qsl(found["options"] or "") if key in SHOWN_OPTIONS]
    query = f"?{urlencode(options, safe='/')}" if options else ""
    return f"postgresql://{user}{found['hosts']}{name}{query}"
