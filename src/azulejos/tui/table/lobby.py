"""The lobby of a server, `http://host:port/lobby`: taking a free seat at the table that has waited for longest."""

from __future__ import annotations

from typing import Final, TypeVar
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import ProxyHandler, Request, build_opener

import msgspec

from azulejos.game.refusal import Refusal
from azulejos.server.protocol.answers import ClaimedSeat, LobbyList
from azulejos.server.protocol.incoming import ClaimSeat
from azulejos.tui import words
from azulejos.tui.table.link import SOCKETS, Link

PATIENCE_SECONDS: Final = 20.0
"""How long a server may take to answer."""

Answer = TypeVar("Answer")
"""What a server answers."""


def is_lobby(text: str) -> bool:
    """Whether this is the address of a lobby.

    >>> is_lobby("http://127.0.0.1:8421/lobby"), is_lobby("http://127.0.0.1:8421/t/abc")
    (True, False)
    """
    return "://" in text and urlsplit(text).path.rstrip("/") == "/lobby"


def take_seat(address: str, name: str) -> Link:
    """The link to a seat that was free; raises `ValueError` if there is none, or no lobby."""
    parts = urlsplit(address)
    if parts.scheme not in SOCKETS or not parts.hostname:
        raise ValueError(f"cannot read {address!r}: expected http://HOST:PORT/lobby")
    origin = f"{parts.scheme}://{parts.netloc}"
    found = _ask(f"{origin}/api/lobby", None, LobbyList)
    if not found.offered:
        raise ValueError(f"{origin}: {words.refusal('no_lobby')}")
    for table in reversed(found.tables):  # the newest stands first
        if table.free:
            mine = _claim(f"{origin}/api/tables/{table.id}/seats", name)
            if mine is not None:
                return Link(origin, table.id, (mine.secret,))
    raise ValueError(f"nobody is waiting in the lobby of {origin}: open a table there, or come back later")


def _claim(address: str, name: str) -> ClaimedSeat | None:
    """The seat; None if somebody else was quicker."""
    try:
        return _ask(address, msgspec.json.encode(ClaimSeat(name)), ClaimedSeat)
    except _Refused as refused:
        if refused.refusal.code == "seat_taken":
            return None
        raise


class _Refused(ValueError):
    """A server's refusal, in words."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(words.refusal(refusal.code, refusal.arguments))
        self.refusal = refusal


def _ask(address: str, body: bytes | None, kind: type[Answer]) -> Answer:
    request = Request(address, body, {"content-type": "application/json"})
    try:
        with build_opener(ProxyHandler({})).open(request, timeout=PATIENCE_SECONDS) as answer:
            return msgspec.json.decode(answer.read(), type=kind)
    except HTTPError as fault:
        try:
            refusal = msgspec.json.decode(fault.read(), type=Refusal)
        except msgspec.MsgspecError:
            raise ValueError(f"{address} answers {fault.code}: {fault.reason}") from fault
        raise _Refused(refusal) from fault
    except (URLError, OSError, msgspec.MsgspecError) as fault:
        raise ValueError(f"cannot ask {address}: {getattr(fault, 'reason', None) or fault}") from fault
