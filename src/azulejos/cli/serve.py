"""The command that runs the server, and opens the page in a browser."""

from __future__ import annotations

import dataclasses
import errno
import logging
import os
import socket
import sys
import threading
import time
import webbrowser
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Final

from cyclopts import Parameter

if TYPE_CHECKING:
    from azulejos.server.settings import Settings

Flag = Annotated[bool | None, Parameter(negative="")]
"""An option without a value; None if it is not given."""
Proxies = Annotated[list[str] | None, Parameter(name="--trusted-proxy", negative="")]
"""The option `--trusted-proxy`, which may be repeated."""
Players = Annotated[list[str] | None, Parameter(name="--player", negative="")]
"""The option `--player`, which may be repeated."""
GRACE_SECONDS: Final = 5
"""How long open requests may take at the end."""


def serve(
    *,
    host: str | None = None,
    port: int | None = None,
    database: str | None = None,
    bus: str | None = None,
    processes: int | None = None,
    workers: int | None = None,
    pace_ms: int | None = None,
    public_url: str | None = None,
    trusted_proxy: Proxies = None,
    player: Players = None,
    lobby: bool | None = None,
    log_json: Flag = None,
    browser: bool = False,
) -> None:
    """Run the server for play in the browser.

    Every setting can also come from the environment, as AZULEJOS_PORT and so on.

    For example:

        azulejos serve
        azulejos serve --host 0.0.0.0
        azulejos serve --port 9000 --database games.db
        azulejos serve --database postgresql://azulejos@localhost/azulejos
        azulejos serve --database postgresql://azulejos@localhost/azulejos --bus redis://localhost --processes 2

    Parameters
    ----------
    host
        The address to listen at: 127.0.0.1, this machine only, or 0.0.0.0 for everybody in the network.
    port
        8421 if not given; 0 for any free one.
    database
        The SQLite file of all tables, or postgresql://USER@HOST/NAME; tables.db in the user's data folder if not given.
    bus
        redis://HOST:PORT, by which servers that share a PostgreSQL database tell each other what happens.
    processes
        How many server processes share the port; more than one need a PostgreSQL database and a bus.
    workers
        How many processes think for the computers; 0 if only others are to (azulejos think).
    pace_ms
        Milliseconds between the moves of computers among themselves.
    public_url
        The address under which others reach the server through a proxy, such as https://azulejos.example.org.
    trusted_proxy
        The address of a proxy whose X-Forwarded-For is believed; can be given several times.
    player
        A player that may be seated besides the levels, such as greedy, Rosa=python:rosa:Rosa or "Rosa=process:./rosa";
        can be given several times.
    lobby
        Let people put their tables into a lobby, where anybody may take a free seat or watch; if not given, only where
        others than this machine can reach the server.
    log_json
        Write logs as lines of JSON.
    browser
        Open the page in a browser.
    """
    from azulejos.server.settings import from_environment

    settings = from_environment(
        host=host,
        port=port,
        database=database,
        bus=bus,
        processes=processes,
        workers=workers,
        pace_ms=pace_ms,
        public_url=public_url,
        trusted_proxies=tuple(trusted_proxy) if trusted_proxy else None,
        players=tuple(player) if player else None,
        lobby=lobby,
        log_json=log_json or None,
    )
    run(settings, open_browser=browser)


def run(settings: Settings, *, open_browser: bool = False) -> None:
    """Run the server until it is told to stop."""
    from azulejos.server import logs, process

    logs.set_up(as_json=settings.log_json)
    process.raise_file_limit()
    listener = bind(settings)
    settings = dataclasses.replace(settings, port=listener.getsockname()[1])
    if settings.processes > 1:
        from azulejos.cli.processes import run_processes

        run_processes(settings, listener, lambda: _greet(settings, open_browser))
        return
    server = make_server(settings, lambda: _greet(settings, open_browser))
    try:
        server.run(sockets=[listener])
    except SystemExit:  # it could not start
        if server.fault is None:
            raise
        raise ValueError(str(server.fault)) from server.fault


def bind(settings: Settings, *, shared: bool = False) -> socket.socket:
    """The socket to listen at, perhaps shared with other processes; an address that cannot be had is named."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        if os.name == "posix":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if shared:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        listener.bind((settings.host, settings.port))
    except (OSError, OverflowError) as fault:
        listener.close()
        raise ValueError(_why_not(settings, fault)) from fault
    listener.set_inheritable(True)
    return listener


def _why_not(settings: Settings, fault: Exception) -> str:
    if isinstance(fault, OSError) and fault.errno == errno.EADDRINUSE:
        return (
            f"port {settings.port} at {settings.host!r} is in use, perhaps by another azulejos: open "
            f"{settings.local_url}, or choose another port with --port (0 for any free one)"
        )
    if isinstance(fault, OSError) and fault.errno == errno.EACCES:
        return f"port {settings.port} needs rights that you do not have: choose one above 1023 with --port"
    reason = fault.strerror if isinstance(fault, OSError) else fault
    return f"cannot listen at {settings.host!r}, port {settings.port}: {reason}"


def make_server(settings: Settings, greet: Callable[[], None]) -> Any:
    """A server that greets when it is ready, to be run at a socket."""
    import uvicorn

    from azulejos.server import traces
    from azulejos.server.http.app import make_app
    from azulejos.server.http.connections import Doors, Requests, Sockets
    from azulejos.server.process import settle

    traces.set_up()
    app = make_app(settings)
    requests: Any = partial(Requests, doors=Doors(settings))

    class Server(uvicorn.Server):
        """Greets when it is ready, and tells the sockets before it closes them."""

        @property
        def fault(self) -> BaseException | None:
            """Why it could not start."""
            return app.state.get("fault")

        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            its_log = logging.getLogger("uvicorn.error")
            its_log.disabled = True  # we say ourselves in one line why it cannot start
            await super().startup(sockets)
            its_log.disabled = False
            if self.started:
                greet()
                app.state.warming.add_done_callback(lambda _: settle())

        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            if self.started:
                for server in self.servers:  # who comes now is another server's
                    server.close()
                await app.state.lobby.close()
            await super().shutdown(sockets)
            traces.close()

    return Server(
        uvicorn.Config(
            app,
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=bool(settings.trusted_proxies),
            forwarded_allow_ips=list(settings.trusted_proxies),
            http=requests,
            ws=Sockets,
            ws_max_size=64 * 1024,
            ws_per_message_deflate=False,  # on a home network packing takes longer than sending
            timeout_graceful_shutdown=GRACE_SECONDS,
            lifespan="on",
        )
    )


def _greet(settings: Settings, open_browser: bool) -> None:
    """Say where the page is, for whom, and open it if asked to."""
    from azulejos.server.http.links import address_for_others, code_text
    from azulejos.server.http.pages import static_page_for

    print(f"Azulejos is at {settings.local_url}  (Ctrl-C ends it)", flush=True)
    others = address_for_others(settings)
    if others:
        print(f"Others reach it at {others}", flush=True)
        if sys.stdout.isatty():
            print(code_text(others), flush=True)
    elif not settings.is_local:
        print("This machine seems to be in no network: others cannot reach it.", flush=True)
    if not static_page_for(settings).is_built:
        told = (
            "There is no page here: `make page` in the folder of the project builds it with Node, and a wheel has it."
        )
        print(told, flush=True)
    if open_browser:
        threading.Thread(target=_open, args=(settings.local_url,), daemon=True).start()


def _open(url: str) -> None:
    """Open the page; the address is on the screen already if that cannot be done."""
    time.sleep(0.1)  # let the server take its first breath
    try:
        opened = webbrowser.open(url)
    except webbrowser.Error:
        opened = False
    if not opened:
        print(f"No browser could be opened: open {url} yourself.", flush=True)
