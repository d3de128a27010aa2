"""Secrets in links to seats: only their digests are kept."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Iterable, Sequence
from typing import Final

from azulejos.server.tables.refusal import Refuse

SECRET_BYTES: Final = 24
"""Bytes of a seat's secret: 32 characters in a link."""
ID_LETTERS: Final = "23456789abcdefghjkmnpqrstuvwxyz"
"""Letters and digits of a table's id, without those that look alike."""
ID_LENGTH: Final = 12
"""How long a table's id is."""


def new_secret() -> str:
    """A secret for the link to a seat."""
    return secrets.token_urlsafe(SECRET_BYTES)


def new_id() -> str:
    """An id for a table."""
    return "".join(secrets.choice(ID_LETTERS) for _ in range(ID_LENGTH))


def digest(secret: str) -> str:
    """What is stored of a secret."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def seats_of(given: Iterable[str], digests: Sequence[str | None]) -> frozenset[int]:
    """The seats that these secrets open; raises `Refuse` if one of them opens none."""
    found: set[int] = set()
    for secret in given:
        sought = digest(secret)
        fits = [seat for seat, known in enumerate(digests) if known is not None and hmac.compare_digest(known, sought)]
        if not fits:
            raise Refuse("wrong_link")
        found.update(fits)
    return frozenset(found)
