"""Everything that the server's own description allows, and what it does not, asked of a running server."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import given, settings
from schemathesis import GenerationMode
from schemathesis.checks import CheckFunction
from schemathesis.specs.openapi.checks import positive_data_acceptance, unsupported_method

from tests.load.tables import UNLIMITED
from tests.patience import PATIENCE
from tests.server.live import Live, live_server

EXAMPLES = 25
OPERATIONS = [
    ("GET", "/health"),
    ("POST", "/api/tables"),
    ("POST", "/api/tables/moved"),
    ("GET", "/api/tables/{table}"),
    ("GET", "/api/tables/{table}/record.azul"),
    ("GET", "/api/tables/{table}/record.json"),
    ("GET", "/api/games"),
    ("GET", "/api/lobby"),
    ("POST", "/api/tables/{table}/seats"),
    ("POST", "/api/code"),
]
LEFT_OUT: list[CheckFunction] = [
    positive_data_acceptance,  # any text is a link, and any list a game, as far as its type goes
    unsupported_method,  # a path outside the API is the page's
]


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    unlimited = UNLIMITED | {"workers": "1"}
    with live_server(tmp_path_factory.mktemp("schema"), **unlimited) as live:
        yield live


@pytest.fixture(scope="module")
def described(live: Live) -> Any:
    return schemathesis.openapi.from_url(f"{live.url}/schema/openapi.json")


@pytest.mark.parametrize("mode", list(GenerationMode), ids=lambda mode: mode.value)
@pytest.mark.parametrize(("method", "path"), OPERATIONS)
def test_the_server_keeps_to_its_description(described: Any, method: str, path: str, mode: GenerationMode) -> None:
    operation = described[path][method]
    if mode == GenerationMode.NEGATIVE and not (operation.body or operation.query):
        pytest.skip("nothing in it can be wrong")

    @given(case=operation.as_strategy(generation_mode=mode))
    @settings(max_examples=EXAMPLES)
    def check(case: schemathesis.Case[Any]) -> None:
        response = case.call(timeout=PATIENCE)
        if response.status_code == 413:  # refused unread, which the library does not count as refused
            assert response.json() == {"code": "too_large"}
            return
        case.validate_response(response, excluded_checks=LEFT_OUT)

    check()


def test_the_description_names_every_route_and_type(live: Live) -> None:
    described = httpx.get(f"{live.url}/schema/openapi.json", timeout=PATIENCE).json()
    routes = {(method.upper(), path) for path, item in described["paths"].items() for method in item}
    assert routes == set(OPERATIONS)
    names = set(described["components"]["schemas"])
    assert any(name.endswith("NewTable") for name in names), names
