"""How a refusal is answered: by a route, or before one is reached."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, Final

import msgspec
from litestar import Request, Response
from litestar.exceptions import HTTPException
from sqlalchemy.exc import SQLAlchemyError

from azulejos.game.refusal import Refusal
from azulejos.server import metrics
from azulejos.server.http.headers import completed
from azulejos.server.logs import printable
from azulejos.server.protocol.outgoing import Refused
from azulejos.server.tables.refusal import Refuse

Scope = MutableMapping[str, Any]
"""What ASGI tells of a connection."""
Message = MutableMapping[str, Any]
"""A message of ASGI."""
Send = Callable[[Message], Awaitable[None]]
"""Sends a message."""
Receive = Callable[[], Awaitable[Message]]
"""Waits for the next message."""
AnyRequest = Request[Any, Any, Any]
"""A request of the framework."""

STATUS: Final = {
    "unknown_table": 404,
    "not_found": 404,
    "method_not_allowed": 405,
    "wrong_origin": 403,
    "wrong_link": 403,
    "not_your_seat": 403,
    "no_lobby": 404,
    "seat_taken": 409,
    "too_large": 413,
    "too_fast": 429,
    "too_many_tables": 503,
    "busy": 503,
    "no_computer": 503,
    "storage_failed": 503,
    "internal": 500,
}
"""The status of a refusal over HTTP; 400 for all others."""
CODES: Final = {404: "not_found", 405: "method_not_allowed", 413: "too_large"}
"""For refusals by the framework; a bad request is `bad_message`, and what is left is our own fault."""
POLICY_VIOLATION: Final = 1008
"""The code of WebSocket for a client that does not keep to the rules."""
TRY_AGAIN: Final = 1013
"""The code of WebSocket for a client that is to come back later."""

log = logging.getLogger(__name__)
"""The logger of this module."""


def counted(refuse: Refuse) -> Refusal:
    """What is told, and counted."""
    metrics.REFUSALS.labels(code=refuse.refusal.code).inc()
    return refuse.refusal


# ---- by a route ----


def _response(refuse: Refuse, status: int | None = None) -> Response[Refusal]:
    refusal = counted(refuse)
    status = status or STATUS.get(refusal.code, 400)
    return Response(refusal, status_code=status, media_type="application/json")


def _refused(_request: AnyRequest, refuse: Refuse) -> Response[Refusal]:
    return _response(refuse)


def _refused_by_framework(request: AnyRequest, fault: HTTPException) -> Response[Refusal]:
    if fault.status_code >= 500:
        return _unexpected(request, fault)
    reason = {"reason": _reason(fault)} if fault.status_code == 400 else {}
    return _response(Refuse(CODES.get(fault.status_code, "bad_message"), **reason), fault.status_code)


def _reason(fault: HTTPException) -> str:
    """What is wrong with a message, in the words of the library that read it."""
    extra = fault.extra if isinstance(fault.extra, list) else []
    told = [f"{item.get('key', '')}: {item.get('message', '')}" for item in extra if isinstance(item, dict)]
    return "; ".join(told)[:200] or printable(str(fault.detail))


def _unreadable(_request: AnyRequest, fault: Exception) -> Response[Refusal]:
    """A body that is no UTF-8, or nested too deeply: the framework catches only what is no JSON."""
    return _response(Refuse("bad_message", reason=printable(str(fault))))


def _storage_failed(_request: AnyRequest, fault: SQLAlchemyError) -> Response[Refusal]:
    log.error("the database failed: %s", fault)
    return _response(Refuse("storage_failed"))


def _unexpected(_request: AnyRequest, fault: Exception) -> Response[Refusal]:
    log.error("an unexpected fault", exc_info=fault)
    return _response(Refuse("internal"))


HANDLERS: Final[dict[int | type[Exception], Any]] = {
    Refuse: _refused,
    HTTPException: _refused_by_framework,
    UnicodeDecodeError: _unreadable,
    RecursionError: _unreadable,
    SQLAlchemyError: _storage_failed,
    Exception: _unexpected,
}
"""What the application does about everything that is raised in it."""


# ---- before a route ----


async def answer(refuse: Refuse, send: Send) -> None:
    """Answer a request with a refusal."""
    refusal = counted(refuse)
    body = msgspec.json.encode(refusal)
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": STATUS.get(refusal.code, 400), "headers": headers})
    await send({"type": "http.response.body", "body": body})


async def deny_socket(refuse: Refuse, scope: Scope, send: Send) -> None:
    """Answer the request for a socket with a refusal instead."""
    refusal = counted(refuse)
    if "websocket.http.response" not in (scope.get("extensions") or {}):
        await send({"type": "websocket.close", "code": POLICY_VIOLATION})
        return
    headers = completed(scope, [(b"content-type", b"application/json")])
    start = {"type": "websocket.http.response.start", "status": STATUS.get(refusal.code, 400), "headers": headers}
    await send(start)
    await send({"type": "websocket.http.response.body", "body": msgspec.json.encode(refusal)})


async def close_socket(refuse: Refuse, receive: Receive, send: Send) -> None:
    """Open a socket only to say why it is closed: a page cannot read the answer to a request for one."""
    refusal = counted(refuse)
    await receive()
    await send({"type": "websocket.accept"})
    text = msgspec.json.encode(Refused(refusal.code, refusal.arguments)).decode()
    await send({"type": "websocket.send", "text": text})
    await send({"type": "websocket.close", "code": TRY_AGAIN})
