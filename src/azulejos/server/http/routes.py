"""What can be asked over HTTP."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Annotated, Final

from litestar import Response, get, post
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath, JSONBody, QueryParameter

from azulejos.game.record import Record
from azulejos.game.refusal import Refusal
from azulejos.server.http import links
from azulejos.server.http.asking import find_table, one_by_one, unless_gone
from azulejos.server.http.health import health, show_metrics
from azulejos.server.http.rate_limits import limited
from azulejos.server.http.refusals import AnyRequest
from azulejos.server.live.lobby import Lobby
from azulejos.server.protocol import answers, incoming
from azulejos.server.protocol import outgoing as out
from azulejos.server.tables.info import Summary

TableId = FromPath[str]
"""The id of a table in an address."""

MOST_GAMES: Final = 100
"""Games in the list of past games."""


def _refusals(*codes: int) -> dict[int, ResponseSpec]:
    return {code: ResponseSpec(Refusal, generate_examples=False, description="Refused") for code in codes}


@post("/api/tables", operation_id="make_table", guards=[limited("tables")], responses=_refusals(400, 413, 429, 503))
async def make_table(request: AnyRequest, data: JSONBody[incoming.NewTable]) -> answers.Created:
    """Make a table; the game begins at once."""
    return await _lobby(request).create(data)


@post(
    "/api/tables/moved",
    operation_id="move_table",
    guards=[limited("tables"), one_by_one],
    responses=_refusals(400, 413, 429, 503),
)
async def move_table(request: AnyRequest, data: JSONBody[incoming.MovedTable]) -> answers.Created:
    """Go on here with a table that was played at in somebody's own browser."""
    return await unless_gone(request, _lobby(request).take_over(data))


@get("/api/tables/{table:str}", operation_id="show_table", responses=_refusals(404, 429, 503))
async def show_table(request: AnyRequest, table: TableId) -> out.Welcome:
    """A table as a watcher sees it."""
    return (await find_table(request, table)).welcome()


@get("/api/tables/{table:str}/record.azul", operation_id="record_as_text", responses=_refusals(404, 429, 503))
async def record_as_text(request: AnyRequest, table: TableId) -> Response[str]:
    """The game so far as the text of a record."""
    text = await _recorded(request, table, Record.text)
    return _download(text, "text/plain", f"{table}.azul")


@get("/api/tables/{table:str}/record.json", operation_id="record_as_json", responses=_refusals(404, 429, 503))
async def record_as_json(request: AnyRequest, table: TableId) -> Response[str]:
    """The game so far as a record in JSON."""
    text = await _recorded(request, table, Record.json_text)
    return _download(text, "application/json", f"{table}.json")


@get("/api/games", operation_id="past_games", responses=_refusals(400, 429, 503))
async def past_games(
    request: AnyRequest,
    limit: Annotated[int, QueryParameter(ge=1, le=MOST_GAMES)] = 20,
    before: Annotated[str | None, QueryParameter(max_length=40)] = None,
) -> list[Summary]:
    """Finished games, the newest first; `before` is the table of the last one seen."""
    found: list[Summary] = await request.app.state.store.past_games(limit, before)
    return found


@get(
    "/api/lobby",
    operation_id="lobby",
    guards=[limited("lobby")],
    responses={200: ResponseSpec(answers.LobbyList, generate_examples=False), **_refusals(429, 503)},
)
async def lobby(request: AnyRequest) -> Response[bytes]:
    """The tables at which somebody is, and which are open to everybody."""
    return Response(await request.app.state.listings.told(), media_type="application/json")


@post(
    "/api/tables/{table:str}/seats",
    operation_id="claim_seat",
    guards=[limited("tables")],
    responses=_refusals(400, 404, 409, 413, 429, 503),
)
async def claim_seat(request: AnyRequest, table: TableId, data: JSONBody[incoming.ClaimSeat]) -> answers.ClaimedSeat:
    """Take a free seat at a table of the lobby."""
    return await _lobby(request).claim(await find_table(request, table), data.name)


@post(
    "/api/code",
    operation_id="code",
    status_code=200,
    guards=[limited("codes")],
    responses=_refusals(400, 413, 429, 503),
)
async def code(request: AnyRequest, data: JSONBody[incoming.AskCode]) -> Response[bytes]:
    """A link as a picture of a QR code."""
    picture = await unless_gone(request, _lobby(request).work.do(partial(links.code_svg, data.link)))
    return Response(picture, media_type="image/svg+xml")


ASKED: Final = (
    show_table,
    record_as_text,
    record_as_json,
    past_games,
)
"""What counts as a question."""
OTHERS: Final = (health, show_metrics, make_table, move_table, claim_seat, lobby, code)
"""The handlers that the application takes beside those of questions."""


def _lobby(request: AnyRequest) -> Lobby:
    lobby: Lobby = request.app.state.lobby
    return lobby


async def _recorded(request: AnyRequest, table: str, write: Callable[[Record], str]) -> str:
    """The record of a table, written in a thread: it is played once more for that."""
    now = (await find_table(request, table)).table
    return await unless_gone(request, _lobby(request).work.do(lambda: write(now.record())))


def _download(text: str, media_type: str, name: str) -> Response[str]:
    headers = {"content-disposition": f'attachment; filename="azulejos-{name}"'}
    return Response(text, media_type=media_type, headers=headers)
