"""The reactions of the terminal are those of the server."""

from __future__ import annotations

from typing import get_args

from azulejos.server.protocol.shared import Emote
from azulejos.tui.table.people import reaction_words


def test_every_reaction_has_words() -> None:
    assert set(reaction_words()) == set(get_args(Emote))
