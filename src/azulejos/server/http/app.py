"""The application: routes, sockets, page, and what runs behind them from start to stop."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from litestar import Litestar, Request, Response, Router
from litestar.config.app import AppConfig
from litestar.exceptions import HTTPException
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from sqlalchemy.exc import SQLAlchemyError

from azulejos import __version__
from azulejos.game.dealer import Dealer
from azulejos.game.game import Game
from azulejos.server import metrics
from azulejos.server.bots.pool import Pool
from azulejos.server.http import routes, security
from azulejos.server.http.pages import page, static_page_for
from azulejos.server.http.sockets import table_socket
from azulejos.server.protocol.answers import Failure
from azulejos.server.protocol.wire import happening_of, position_of
from azulejos.server.settings import Settings
from azulejos.server.storage.store import StorageError, Store
from azulejos.server.tables.lobby import Hall
from azulejos.server.tables.refuse import Refuse

CODES = {404: "not_found", 405: "method_not_allowed", 413: "too_large"}
"""For refusals by the framework; a bad request is `bad_message`, and what is left is our own fault."""

log = logging.getLogger(__name__)
"""The logger of this module."""


def make_app(settings: Settings) -> Litestar:
    """The server with these settings, ready to be run by any ASGI server."""
    asked = Router("/", route_handlers=list(routes.ASKED), guards=[security.limited("questions")])
    app = Litestar(
        [asked, *routes.OTHERS, table_socket, page],
        lifespan=[_running],
        exception_handlers={
            Refuse: _answer_refusal,
            HTTPException: _answer_http_error,
            UnicodeDecodeError: _answer_unreadable,
            RecursionError: _answer_unreadable,
            SQLAlchemyError: _answer_storage_error,
            Exception: _answer_fault,
        },
        request_max_body_size=security.MOST_BODY,
        openapi_config=OpenAPIConfig(
            title="Azulejos", version=__version__, path="/schema", render_plugins=[JsonRenderPlugin()]
        ),
        on_app_init=[_without_own_logging],
    )
    app.state.settings = settings
    app.state.allowances = security.allowances(settings)
    app.state.static_page = static_page_for(settings)
    app.asgi_handler = security.Guard(app.asgi_handler, settings)
    return app


def _without_own_logging(config: AppConfig) -> AppConfig:
    config.logging_config = None
    return config


@asynccontextmanager
async def _running(app: Litestar) -> AsyncIterator[None]:
    """Open the database and the hall, start the workers in the background; at the end the other way round."""
    settings: Settings = app.state.settings
    try:
        store = app.state.store = await Store.open(settings.database_url)
    except StorageError as fault:
        app.state.fault = fault
        raise
    bots = app.state.bots = Pool(settings.workers, thinking_ms=settings.thinking_ms)
    await bots.start()
    hall = app.state.hall = Hall(settings, store, bots)
    warming = asyncio.create_task(asyncio.to_thread(_warm_up))
    try:
        yield
    finally:
        await hall.close()
        await warming
        await bots.close()
        await store.close()


def _warm_up() -> None:
    """Load the compiled rules, so that the first table is there as quickly as all others."""
    game = Game(seed=0)
    happening_of(game.play(game.legal_moves[0]))
    position_of(game)
    game.from_start().play(Dealer(bytes(32)).deal(game.from_start().states))


def _failure(code: str, arguments: dict[str, str | int] | None = None, status: int | None = None) -> Response[Failure]:
    metrics.REFUSALS.labels(code=code).inc()
    status = status or security.STATUS.get(code, 400)
    return Response(Failure(code, arguments or {}), status_code=status, media_type="application/json")


def _answer_refusal(_request: Request[Any, Any, Any], refusal: Refuse) -> Response[Failure]:
    return _failure(refusal.code, refusal.arguments)


def _answer_http_error(request: Request[Any, Any, Any], fault: HTTPException) -> Response[Failure]:
    if fault.status_code >= 500:
        return _answer_fault(request, fault)
    return _failure(CODES.get(fault.status_code, "bad_message"), _reasons(fault), fault.status_code)


def _answer_unreadable(_request: Request[Any, Any, Any], fault: Exception) -> Response[Failure]:
    """A body that is no UTF-8, or nested too deeply: the framework catches only what is no JSON."""
    return _failure("bad_message", {"reason": security.printable(str(fault))})


def _reasons(fault: HTTPException) -> dict[str, str | int]:
    """What is wrong with a message, in the words of the library that read it."""
    if fault.status_code != 400:
        return {}
    extra = fault.extra if isinstance(fault.extra, list) else []
    told = [f"{item.get('key', '')}: {item.get('message', '')}" for item in extra if isinstance(item, dict)]
    return {"reason": "; ".join(told)[:200] or security.printable(str(fault.detail))}


def _answer_storage_error(_request: Request[Any, Any, Any], fault: SQLAlchemyError) -> Response[Failure]:
    log.error("the database failed: %s", fault)
    return _failure("storage_failed")


def _answer_fault(_request: Request[Any, Any, Any], fault: Exception) -> Response[Failure]:
    log.error("an unexpected fault", exc_info=fault)
    return _failure("internal")
