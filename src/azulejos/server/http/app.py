"""The application: routes, sockets, page, and what runs behind them from start to stop."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

from litestar import Litestar, Router
from litestar.config.app import AppConfig
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin

from azulejos import __version__
from azulejos.game.dealer import Dealer
from azulejos.game.game import Game
from azulejos.server import metrics
from azulejos.server.bots.elsewhere import Elsewhere
from azulejos.server.bots.pool import Pool
from azulejos.server.bus.memory import Memory
from azulejos.server.bus.messages import Bus
from azulejos.server.bus.redis import BusError, Redis
from azulejos.server.http import refusals, routes
from azulejos.server.http.guard import MOST_BODY, Guard
from azulejos.server.http.health import Checks, Figures, trouble_of
from azulejos.server.http.pages import page, static_page_for
from azulejos.server.http.rate_limits import limited, rate_limits
from azulejos.server.http.sockets import table_socket
from azulejos.server.live.listings import Listings
from azulejos.server.live.lobby import Lobby
from azulejos.server.process import LoopComplaints
from azulejos.server.protocol.position import HappeningInfo, Position
from azulejos.server.settings import Settings
from azulejos.server.storage.database import StorageError
from azulejos.server.storage.store import Store


def make_app(settings: Settings) -> Litestar:
    """The server with these settings, ready to be run by any ASGI server."""
    asked = Router("/", route_handlers=list(routes.ASKED), guards=[limited("questions")])
    app = Litestar(
        [asked, *routes.OTHERS, table_socket, page],
        lifespan=[_running],
        exception_handlers=refusals.HANDLERS,
        request_max_body_size=MOST_BODY,
        openapi_config=OpenAPIConfig(
            title="Azulejos", version=__version__, path="/schema", render_plugins=[JsonRenderPlugin()]
        ),
        on_app_init=[_without_own_logging],
    )
    app.state.settings = settings
    app.state.rate_limits = rate_limits(settings)
    app.state.large_bodies = asyncio.Lock()
    app.state.static_page = static_page_for(settings)
    app.asgi_handler = Guard(app.asgi_handler, settings)
    return app


def _without_own_logging(config: AppConfig) -> AppConfig:
    config.logging_config = None
    return config


@asynccontextmanager
async def _running(app: Litestar) -> AsyncIterator[None]:
    """Open the database and the lobby, start the workers in the background; at the end the other way round."""
    settings: Settings = app.state.settings
    asyncio.get_running_loop().set_exception_handler(LoopComplaints())
    try:
        bus: Bus = Redis(settings.bus) if settings.bus else Memory()
        app.state.bus = bus
        store = app.state.store = await Store.open(settings.database_url, shared=bool(settings.bus))
    except (StorageError, BusError) as fault:
        app.state.fault = fault
        raise
    pool = Pool(settings.workers, thinking_ms=settings.thinking_ms, players=settings.player_specs)
    bots = app.state.bots = Elsewhere(settings.bus, pool) if settings.bus else pool
    await bots.start()
    lobby = app.state.lobby = Lobby(settings, store, bots, bus)
    app.state.listings = Listings(store, offered=settings.has_lobby)
    for gauge, queue in ((metrics.TABLE_QUEUE, lobby), (metrics.WORK_QUEUE, lobby.work), (metrics.STORE_QUEUE, store)):
        gauge.set_function(partial(getattr, queue, "waiting"))
    app.state.figures = Figures()
    app.state.checks = Checks([store.trouble, trouble_of(bus)])
    warming = app.state.warming = asyncio.create_task(asyncio.to_thread(_warm_up))
    try:
        yield
    finally:
        await lobby.close()
        await warming
        await bots.close()
        await store.close()


def _warm_up() -> None:
    """Load the compiled rules, so that the first table is there as quickly as all others."""
    game = Game(dealer=Dealer())
    HappeningInfo.of(game.play(game.legal_moves[0]))
    Position.of(game)
