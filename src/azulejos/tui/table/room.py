"""A table on a server besides its game: who is away, whose clock runs, signs, and what one may do about all that."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Final

from azulejos.locale import _
from azulejos.tui.table.reading import Data
from azulejos.tui.table.table import Deed

Ask = Callable[..., Awaitable[object]]
"""Sends a message and waits for the answer."""

SIGN_SECONDS: Final = 5.0
"""How long a sign is shown."""
TENTHS_BELOW: Final = 10_000
"""Milliseconds; the last seconds of a clock are shown more finely."""


def sign_words() -> dict[str, str]:
    """The signs that people may show, in words."""
    return {
        "hello": _("Hello!"),
        "thanks": _("Thanks!"),
        "well_played": _("Well played"),
        "wow": _("Wow!"),
        "oops": _("Oops!"),
        "thinking": _("Let me think"),
        "good_game": _("Good game"),
        "again": _("Again?"),
    }


def clockface(milliseconds: int) -> str:
    """A clock's time as people read it.

    >>> clockface(9_940), clockface(61_000), clockface(3_600_000)
    ('9.9', '1:01', '1:00:00')
    """
    if milliseconds < TENTHS_BELOW:
        return f"{max(0, milliseconds) // 100 / 10:.1f}"
    minutes, seconds = divmod(-(-milliseconds // 1000), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


class Room:
    """What the server says of the people at a table."""

    def __init__(self, names: Callable[[], Sequence[str]]) -> None:
        self._names = names
        self._said: Data = {}
        self._present: Sequence[bool] = ()
        self._heard_at = 0.0
        self._signs: dict[int, tuple[str, float]] = {}

    def hear(self, said: Data) -> None:
        """The newest state of the table."""
        self._said, self._heard_at = said, time.monotonic()
        self._present = said.get("present", self._present)

    def see(self, present: Sequence[bool], you: Data) -> None:
        """Who is connected now, and what only we are told."""
        self._present = present
        self._said = {**self._said, "you": you}

    def show_sign(self, seat: int, sign: str) -> str:
        """Somebody shows a sign; what to note of it, nothing if it was seen a moment ago."""
        words = sign_words().get(sign, "")
        is_news = bool(words) and self._sign_of(seat) != words
        self._signs[seat] = words, time.monotonic()
        return f"{self._names()[seat]}: {words}" if is_news else ""

    def _sign_of(self, seat: int) -> str:
        words, since = self._signs.get(seat, ("", 0.0))
        return words if time.monotonic() - since < SIGN_SECONDS else ""

    # ---- who is there ----

    @property
    def _seats(self) -> list[Data]:
        seats: list[Data] = self._said["table"]["seats"]
        return seats

    @property
    def _own(self) -> list[int]:
        """The seats here of people who have not given up."""
        own = self._said["you"].get("seats", ())
        return [seat for seat in own if not self._seats[seat].get("resigned")]

    @property
    def _is_over(self) -> bool:
        return bool(self._said["table"].get("result"))

    @property
    def speaker(self) -> int | None:
        """The seat here that acts: whose turn it is, or the first."""
        own = self._own
        return next((seat for seat in own if seat in self._said["waiting"]), own[0] if own else None)

    def is_away(self, seat: int) -> bool:
        """Whether a person who should decide for a seat is not connected."""
        info = self._seats[seat]
        is_persons = info["kind"] != "computer" and info.get("substitute") is None
        return is_persons and len(self._present) > seat and not self._present[seat]

    def has_substitute(self, seat: int) -> bool:
        """Whether a computer plays for the person of a seat."""
        return self._seats[seat].get("substitute") is not None

    @property
    def notice(self) -> str:
        """What keeps the game from going on."""
        if self._is_over:
            return ""
        if any(map(self.has_substitute, self._own)):
            return _("A computer is playing for you.")
        away = [seat for seat in self._said["waiting"] if self.is_away(seat)]
        return _("{name} is away.").format(name=self._names()[away[0]]) if away else ""

    # ---- beside the names ----

    def remarks(self) -> list[str]:
        """What stands beside each name: the clock, who is away, and a sign for a moment."""
        return [self._remark(seat) for seat in range(len(self._seats))]

    def _remark(self, seat: int) -> str:
        parts = [self._time_of(seat)] if self._said.get("clock") else []
        sign, info = self._sign_of(seat), self._seats[seat]
        if sign:
            parts.append(f'"{sign}"')
        elif info.get("resigned"):
            parts.append(_("resigned"))
        elif self.has_substitute(seat):
            parts.append(_("a computer plays"))
        elif self.is_away(seat):
            parts.append(_("away"))
        return ", ".join(parts)

    def _time_of(self, seat: int) -> str:
        clock = self._said["clock"]
        left: int = clock["left"][seat]
        if seat in clock["running"] and not self._is_over:
            left -= int(1000 * (time.monotonic() - self._heard_at))
        return clockface(left)

    # ---- what one may do ----

    def signs(self, ask: Ask) -> list[Deed]:
        """The signs, where there is somebody else to see them."""
        seat = self.speaker
        people = sum(info["kind"] != "computer" for info in self._seats)
        if seat is None or people < 2:
            return []
        return [Deed(words, partial(ask, type="emote", seat=seat, emote=sign)) for sign, words in sign_words().items()]

    def deeds(self, ask: Ask) -> list[Deed]:
        """A computer for those who are away and for oneself, the way back, and giving up."""
        seat = self.speaker
        if seat is None or self._is_over:
            return []
        others = [other for other in range(len(self._seats)) if other not in self._own and self.is_away(other)]
        deeds = [
            Deed(
                _("Let a computer play for {name}, who is away").format(name=self._names()[other]),
                partial(ask, type="substitute", seat=other),
            )
            for other in others
        ]
        if self.has_substitute(seat):
            deeds.append(Deed(_("Take my seat back"), partial(ask, type="come_back", seat=seat)))
        else:
            deeds.append(Deed(_("Let a computer play for me"), partial(ask, type="substitute", seat=seat)))
        return [*deeds, self._giving_up(seat, ask)]

    def _giving_up(self, seat: int, ask: Ask) -> Deed:
        consequence = _("The other player wins then.")
        if len(self._seats) > 2:
            consequence = _("A computer plays on for you, and you cannot win anymore.")
        question = _("{name}: resign?").format(name=self._names()[seat])
        return Deed(_("Resign"), partial(ask, type="resign", seat=seat), question, consequence, _("Play on"))
