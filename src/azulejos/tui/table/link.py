"""Links to tables on a server: `http://host:port/t/TABLE#SECRET`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

TABLE: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")
"""What the id of a table looks like."""
SECRET: Final = re.compile(r"[A-Za-z0-9_-]{16,64}")
"""What the secret of a seat looks like."""
SOCKETS: Final = {"http": "ws", "https": "wss"}
"""The scheme of a socket, by that of the link."""
MOST_SECRETS: Final = 4
"""Nobody has more seats than this."""
FORM: Final = "expected http://HOST:PORT/t/TABLE#SECRET"
"""What to say of a text that is no link."""


@dataclass(frozen=True, slots=True)
class Link:
    """A table on a server and the secrets of the seats to play; without secrets one watches."""

    origin: str
    """Scheme, host and port of the server."""
    table: str
    """The id of the table."""
    secrets: tuple[str, ...]
    """The secrets of the seats to play."""

    def __str__(self) -> str:
        return f"{self.origin}/t/{self.table}" + (f"#{','.join(self.secrets)}" if self.secrets else "")

    @property
    def socket(self) -> str:
        """The address of the table's socket."""
        scheme, rest = self.origin.split("://", 1)
        return f"{SOCKETS[scheme]}://{rest}/ws/tables/{self.table}"


def is_link(text: str) -> bool:
    """Whether this names a table on a server rather than a file."""
    return "://" in text


def read_link(text: str) -> Link:
    """The link that is written so.

    >>> read_link("http://127.0.0.1:8421/t/abc#" + "s" * 32).socket
    'ws://127.0.0.1:8421/ws/tables/abc'
    """
    try:
        parts = urlsplit(text)
        host = parts.hostname
        _port = parts.port  # raises where it is none
    except ValueError as fault:
        raise ValueError(f"cannot read the link {_short(text)!r}: {fault}; {FORM}") from fault
    path = parts.path.strip("/").split("/")
    if parts.scheme not in SOCKETS or not host or parts.username is not None:
        raise ValueError(f"cannot read the link {_short(text)!r}: {FORM}")
    if len(path) != 2 or path[0] != "t" or not TABLE.fullmatch(path[1]):
        raise ValueError(f"the link {_short(text)!r} names no table: {FORM}")
    secrets = tuple(filter(None, parts.fragment.split(",")))
    if len(secrets) > MOST_SECRETS or not all(map(SECRET.fullmatch, secrets)):
        raise ValueError(f"what stands behind the # of the link to {path[1]!r} is no secret of a seat: {FORM}")
    return Link(f"{parts.scheme}://{parts.netloc}", path[1], secrets)


def _short(text: str) -> str:
    """What may be shown of a link: not the secret, and not without end."""
    return text.partition("#")[0][:100]
