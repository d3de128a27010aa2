"""Words of the protocol that travel in both directions."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

PROTOCOL: Final = 3
"""The version of this protocol; a page that speaks another one is asked to reload."""

Emote: TypeAlias = Literal["hello", "thanks", "well_played", "wow", "oops", "thinking", "good_game", "again"]
"""The reactions that can be shown."""
