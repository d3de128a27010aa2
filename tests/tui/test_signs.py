"""The signs of the terminal are those of the server."""

from __future__ import annotations

from typing import get_args

from azulejos.server.protocol.shared import Emote
from azulejos.tui.table.room import sign_words


def test_every_sign_has_words() -> None:
    assert set(sign_words()) == set(get_args(Emote))
