"""The page's types are those of the server."""

from __future__ import annotations

from pathlib import Path

from azulejos.server.protocol.typescript import typescript

MESSAGES = Path(__file__).parents[2] / "web" / "src" / "net" / "messages.ts"


def test_the_page_has_the_types_of_this_server() -> None:
    """If this fails: python -m azulejos.server.protocol.typescript > web/src/net/messages.ts."""
    assert MESSAGES.read_text() == typescript()
