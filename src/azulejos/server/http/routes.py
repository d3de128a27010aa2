"""What can be asked over HTTP."""

from __future__ import annotations

from typing import Annotated, Final

from litestar import Response, get, post
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath, JSONBody, QueryParameter

from azulejos.game.refusal import Refusal
from azulejos.server import metrics
from azulejos.server.http import links
from azulejos.server.http.rate_limits import limited
from azulejos.server.http.refusals import AnyRequest
from azulejos.server.live.live_table import LiveTable
from azulejos.server.protocol import answers, incoming
from azulejos.server.protocol import outgoing as out
from azulejos.server.tables.info import Summary
from azulejos.server.tables.refusal import Refuse

TableId = FromPath[str]
"""The id of a table in an address."""

MOST_GAMES: Final = 100
"""Games in the list of past games."""


def _refusals(*codes: int) -> dict[int, ResponseSpec]:
    return {code: ResponseSpec(Refusal, generate_examples=False, description="Refused") for code in codes}


@get("/health", operation_id="health", responses=_refusals(503))
async def health(request: AnyRequest) -> dict[str, str | bool]:
    """Whether the server can save games, and whether its computers have everything loaded."""
    if not await request.app.state.store.is_well():
        raise Refuse("storage_failed")
    return {"status": "ok", "computers": bool(request.app.state.bots.ready)}


@get("/metrics", include_in_schema=False, sync_to_thread=False)
def show_metrics() -> Response[bytes]:
    """Counts and times for Prometheus."""
    return Response(metrics.printed(), media_type=metrics.CONTENT_TYPE)


@post("/api/tables", operation_id="make_table", guards=[limited("tables")], responses=_refusals(400, 413, 429, 503))
async def make_table(request: AnyRequest, data: JSONBody[incoming.NewTable]) -> answers.Created:
    """Make a table; the game begins at once."""
    created: answers.Created = await request.app.state.lobby.create(data)
    return created


@post(
    "/api/tables/moved",
    operation_id="move_table",
    guards=[limited("tables")],
    responses=_refusals(400, 413, 429, 503),
)
async def move_table(request: AnyRequest, data: JSONBody[incoming.MovedTable]) -> answers.Created:
    """Go on here with a table that was played at in somebody's own browser."""
    created: answers.Created = await request.app.state.lobby.take_over(data)
    return created


@get("/api/tables/{table:str}", operation_id="show_table", responses=_refusals(404, 429, 503))
async def show_table(request: AnyRequest, table: TableId) -> out.Welcome:
    """A table as a watcher sees it."""
    return (await _live(request, table)).welcome()


@get("/api/tables/{table:str}/record.azul", operation_id="record_as_text", responses=_refusals(404, 429, 503))
async def record_as_text(request: AnyRequest, table: TableId) -> Response[str]:
    """The game so far as the text of a record."""
    record = (await _live(request, table)).table.record()
    return _download(record.text(), "text/plain", f"{table}.azul")


@get("/api/tables/{table:str}/record.json", operation_id="record_as_json", responses=_refusals(404, 429, 503))
async def record_as_json(request: AnyRequest, table: TableId) -> Response[str]:
    """The game so far as a record in JSON."""
    record = (await _live(request, table)).table.record()
    return _download(record.json_text(), "application/json", f"{table}.json")


@get("/api/games", operation_id="past_games", responses=_refusals(400, 429, 503))
async def past_games(
    request: AnyRequest,
    limit: Annotated[int, QueryParameter(ge=1, le=MOST_GAMES)] = 20,
    before: Annotated[str | None, QueryParameter(max_length=40)] = None,
) -> list[Summary]:
    """Finished games, the newest first; `before` is the table of the last one seen."""
    found: list[Summary] = await request.app.state.store.past_games(limit, before)
    return found


@post("/api/code", operation_id="code", status_code=200, sync_to_thread=True, responses=_refusals(400, 413, 429))
def code(data: JSONBody[incoming.AskCode]) -> Response[bytes]:
    """A link as a picture of a QR code."""
    return Response(links.code_svg(data.link), media_type="image/svg+xml")


ASKED: Final = (
    show_table,
    record_as_text,
    record_as_json,
    past_games,
    code,
)
"""What counts as a question."""
OTHERS: Final = (health, show_metrics, make_table, move_table)
"""The handlers that the application takes beside those of questions."""


async def _live(request: AnyRequest, table: str) -> LiveTable:
    live: LiveTable = await request.app.state.lobby.table(table)
    return live


def _download(text: str, media_type: str, name: str) -> Response[str]:
    headers = {"content-disposition": f'attachment; filename="azulejos-{name}"'}
    return Response(text, media_type=media_type, headers=headers)
