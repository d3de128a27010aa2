"""Questions for computers that think elsewhere, in a stream of Redis, and their answers in a stream for each server.

Only those who play alike share a stream: its name has a digest of everything that a move follows from. A question stays
in its stream from asking to answering, so the length of the stream is what waits and what is being thought about.
"""

from __future__ import annotations

import functools
import hashlib
from typing import Annotated, Final

import msgspec

from azulejos import __version__
from azulejos.players.levels import OPPONENTS
from azulejos.rules.compiled import PACKAGE

GROUP: Final = "thinkers"
"""The consumer group of all who take questions."""
FIELD: Final = b"json"
"""The field of an entry in which the message is."""
SPECS: Final = frozenset(opponent.spec for opponent in OPPONENTS)
"""Who is asked elsewhere: players that are the same everywhere, and no program that a message could name."""
STALE_SECONDS: Final = 2.0
"""Who has a question and is silent for so long loses it to another."""
BEAT_SECONDS: Final = 0.5
"""How often those who think say that they still do."""
GONE_SECONDS: Final = 60
"""Nobody waits so long for an answer: older questions and unread answers are deleted."""
KEPT_SECONDS: Final = 3600
"""A stream of questions that nobody has used for so long is deleted."""
MOST_ANSWERS: Final = 1000
"""About so many answers are kept for a server that does not read them, or has read them."""
Milliseconds = Annotated[int, msgspec.Meta(ge=1, le=60_000)]
"""A time for a move."""

ASK: Final = """
local field, message, most, gone, kept = unpack(ARGV)
local now = redis.call('TIME')[1]
redis.call('XTRIM', KEYS[1], 'MINID', string.format('%d', (now - gone) * 1000))
if redis.call('EXISTS', KEYS[2]) == 1 then return 1 end
if redis.call('XLEN', KEYS[1]) >= tonumber(most) then return 0 end
redis.call('SET', KEYS[2], redis.call('XADD', KEYS[1], '*', field, message), 'EX', gone)
redis.call('EXPIRE', KEYS[1], kept)
return 1
"""
"""Adds a question unless it has been added or too many are there (0), and forgets those that nobody waits for."""
WITHDRAW: Final = """
local entry = redis.call('GET', KEYS[2])
if entry then redis.call('XDEL', KEYS[1], entry) end
"""
"""Takes a question out again that nobody needs answered."""
BEAT: Final = """
redis.call('ZADD', KEYS[2], redis.call('TIME')[1], ARGV[1])
redis.call('EXPIRE', KEYS[2], ARGV[2])
redis.call('EXPIRE', KEYS[1], ARGV[2])
"""
"""Notes that a thinker is there."""
LOOK: Final = """
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', redis.call('TIME')[1] - ARGV[1])
return {redis.call('XLEN', KEYS[1]), redis.call('ZRANGE', KEYS[2], 0, -1)}
"""
"""How many questions there are, and the names of all thinkers that have not been silent for too long."""


class Asked(msgspec.Struct, frozen=True, omit_defaults=True):
    """A question in the stream."""

    id: str
    """Its name: asked again under the same one, it is the same question."""
    answers: str
    """The stream in which the answer is awaited."""
    version: str
    """The version of whoever is to answer."""
    position: str
    """The position line."""
    spec: str
    """Who is to move: one of `SPECS`."""
    seed: int
    """For what the player decides by lot."""
    milliseconds: Milliseconds | None = None
    """The time for the move; None: as long as the player thinks by itself."""


class Answered(msgspec.Struct, frozen=True, omit_defaults=True):
    """An answer to one."""

    id: str
    """The question."""
    version: str
    """The version of whoever has answered."""
    move: str = ""
    """The move; empty if there is none."""
    seconds: float = 0.0
    """How long it took, from taking the question."""
    fault: str = ""
    """Why there is no move."""


@functools.cache
def version() -> str:
    """Names everything that the moves of this installation follow from: sources, evaluation and networks."""
    digest = hashlib.sha256()
    for folder in ("rules", "game", "net", "search", "players", "engine"):
        for path in sorted((PACKAGE / folder).rglob("*")):
            if path.suffix in (".py", ".npy", ".npz"):
                digest.update(f"{path.relative_to(PACKAGE).as_posix()}\0".encode() + path.read_bytes())
    return f"{__version__}-{digest.hexdigest()[:12]}"


def keys(of: str) -> tuple[str, str]:
    """The names of the stream of questions for those of a version, and of the set of those who think."""
    return f"azulejos:think:{of}", f"azulejos:thinkers:{of}"
