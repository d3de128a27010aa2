"""Deals that can be checked: committed to before the game, revealed after it, verified by anybody.

Before the first deal the dealer publishes a commitment, the SHA-256 digest of a secret. Every deal follows from the
secret, the round and the tiles in bag and lid. After the game the secret is published, and whoever has the
record can see that it fits the commitment and that every deal follows from it. docs/dealing.md has the exact steps.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from typing import Final

import numpy as np
from numpy.typing import NDArray

from azulejos.game.errors import InvalidNotation
from azulejos.game.moves import Deal
from azulejos.game.refusal import refuse
from azulejos.game.view import view_of
from azulejos.rules import state as s
from azulejos.rules.supply import deal_drawn

SECRET_BYTES: Final = 32
"""The length of a dealer's secret."""
COMMITMENT_LABEL: Final = b"azulejos commitment 1\n"
"""What the commitment hashes before the secret, so that no other hash of it is the same."""
DEAL_LABEL: Final = b"azulejos deal 1\n"
"""What every block of a deal hashes before the number of the round."""
FIRST_BLOCKS: Final = 8
"""Blocks of 32 numbers that nearly every deal makes do with."""


class Dealer:
    """Deals from a secret.

    >>> dealer = Dealer(bytes(32))
    >>> dealer.commitment[:16]
    '44d15c85c1f89410'
    """

    def __init__(self, secret: bytes | None = None) -> None:
        """Take this secret, or make up a new one."""
        self._secret = secrets.token_bytes(SECRET_BYTES) if secret is None else secret
        if len(self._secret) != SECRET_BYTES:
            raise InvalidNotation(f"a secret has {SECRET_BYTES} bytes, not {len(self._secret)}")

    @staticmethod
    def from_text(secret: str) -> Dealer:
        """The dealer with a secret written as hexadecimal digits."""
        if not re.fullmatch("[0-9a-f]{64}", secret):
            raise InvalidNotation(f"cannot read {secret!r} as a secret: expected 64 hexadecimal digits in lower case")
        return Dealer(bytes.fromhex(secret))

    @property
    def secret(self) -> str:
        """The secret as hexadecimal digits; to be told to nobody before the game is over."""
        return self._secret.hex()

    @property
    def commitment(self) -> str:
        """What is told before the game: it fixes the secret without giving it away."""
        return hashlib.sha256(COMMITMENT_LABEL + self._secret).hexdigest()

    def deal(self, states: s.States) -> Deal:
        """The deal that is due in a state (as from `Game.states`); the state itself is left alone."""
        after = states.copy()
        state = after[0]
        if state["phase"] != s.DEAL_DUE:
            raise refuse("no_deal_due").error("deal")
        blocks = FIRST_BLOCKS
        while deal_drawn(state, self._numbers(int(state["round_number"]), blocks)) < 0:
            after, blocks = states.copy(), 2 * blocks
            state = after[0]
        return Deal(view_of(after).displays)

    def _numbers(self, round_number: int, blocks: int) -> NDArray[np.uint8]:
        """The first bytes of a round's stream: HMAC-SHA-256 of a counter under the secret."""
        first = DEAL_LABEL + round_number.to_bytes(4, "big")
        digests = (hmac.digest(self._secret, first + block.to_bytes(4, "big"), "sha256") for block in range(blocks))
        return np.frombuffer(b"".join(digests), np.uint8)

    def __repr__(self) -> str:
        return f"<Dealer {self.commitment}>"
