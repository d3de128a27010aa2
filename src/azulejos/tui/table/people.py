"""The people at a server's table: who is away, whose clock runs, reactions, and what one may do about all that."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Final

from azulejos.locale import _
from azulejos.players.levels import spec_of
from azulejos.server.protocol.incoming import ComeBack, Incoming, Resign, ShowEmote, Substitute
from azulejos.server.protocol.outgoing import Emoted, Situation, Welcome, You
from azulejos.server.protocol.shared import Emote
from azulejos.server.tables.info import SeatInfo
from azulejos.tui import words
from azulejos.tui.numbers import decimal
from azulejos.tui.table.table import Action

Ask = Callable[[Incoming], Awaitable[object]]
"""Sends a message and waits for the answer."""

REACTION_SECONDS: Final = 5.0
"""How long a reaction is shown."""
TENTHS_BELOW: Final = 10_000
"""Milliseconds; the last seconds of a clock are shown more finely."""


def reaction_words() -> dict[Emote, str]:
    """The reactions that people may send, in words."""
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
        return decimal(max(0, milliseconds) // 100 / 10)
    minutes, seconds = divmod(-(-milliseconds // 1000), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


class People:
    """What a server says of the people at a table."""

    def __init__(self, said: Welcome) -> None:
        self._reactions: dict[int, tuple[str, float]] = {}
        self.present: Sequence[bool] = said.present
        """Who is connected, by seat."""
        self.hear(said)

    def hear(self, said: Situation) -> None:
        """Take note of the newest state of the table."""
        self._said, self._heard_at = said, time.monotonic()
        self.you: You = said.you
        """What only we are told."""
        if isinstance(said, Welcome):
            self.present = said.present

    def show_reaction(self, emoted: Emoted) -> str:
        """Somebody sends a reaction; what to note of it, nothing if the same was seen a moment ago."""
        told = reaction_words()[emoted.emote]
        is_news = self._reaction_of(emoted.seat) != told
        self._reactions[emoted.seat] = told, time.monotonic()
        return f"{self.names[emoted.seat]}: {told}" if is_news else ""

    def _reaction_of(self, seat: int) -> str:
        told, since = self._reactions.get(seat, ("", 0.0))
        return told if time.monotonic() - since < REACTION_SECONDS else ""

    # ---- who is there ----

    @property
    def names(self) -> list[str]:
        """The name of each seat."""
        return [_name(seat, info) for seat, info in enumerate(self._seats)]

    @property
    def _seats(self) -> Sequence[SeatInfo]:
        return self._said.table.seats

    @property
    def _own(self) -> list[int]:
        """The seats here of people who have not given up."""
        return [seat for seat in self.you.seats if not self._seats[seat].resigned]

    @property
    def _is_over(self) -> bool:
        return self._said.table.result is not None

    @property
    def _actor(self) -> int | None:
        """The seat here that acts: whose turn it is, or the first."""
        own = self._own
        return next((seat for seat in own if seat in self._said.waiting), own[0] if own else None)

    def is_away(self, seat: int) -> bool:
        """Whether a person who should decide for a seat is not connected."""
        info = self._seats[seat]
        is_persons = info.kind != "computer" and info.substitute is None
        return is_persons and len(self.present) > seat and not self.present[seat]

    def has_substitute(self, seat: int) -> bool:
        """Whether a computer plays for the person of a seat."""
        return self._seats[seat].substitute is not None

    @property
    def notice(self) -> str:
        """What keeps the game from going on."""
        if self._is_over:
            return ""
        if any(map(self.has_substitute, self._own)):
            return _("A computer is playing for you.")
        away = [seat for seat in self._said.waiting if self.is_away(seat)]
        return _("{name} is away.").format(name=self.names[away[0]]) if away else ""

    # ---- beside the names ----

    @property
    def remarks(self) -> list[str]:
        """What stands beside each name: the clock, who is away, and a reaction for a moment."""
        return [
            ", ".join(filter(None, (self._time_of(seat), self._state_of(seat)))) for seat in range(len(self._seats))
        ]

    def _state_of(self, seat: int) -> str:
        reaction = self._reaction_of(seat)
        if reaction:
            return f'"{reaction}"'
        if self._seats[seat].resigned:
            return _("resigned")
        if self.has_substitute(seat):
            return _("a computer plays")
        return _("away") if self.is_away(seat) else ""

    def _time_of(self, seat: int) -> str:
        left = self.time_left(seat)
        return "" if left is None else clockface(left)

    def time_left(self, seat: int) -> int | None:
        """Milliseconds on the clock of a seat by now; None where there are no clocks."""
        clock = self._said.clock
        if clock is None:
            return None
        is_running = seat in clock.running and not self._is_over
        spent = int(1000 * (time.monotonic() - self._heard_at)) if is_running else 0
        return clock.left[seat] - spent

    # ---- what one may do ----

    def reactions(self, ask: Ask) -> list[Action]:
        """The reactions, where there is somebody else to see them."""
        seat = self._actor
        people = sum(info.kind != "computer" for info in self._seats)
        if seat is None or people < 2:
            return []
        return [
            Action(told, partial(ask, ShowEmote(seat=seat, emote=emote))) for emote, told in reaction_words().items()
        ]

    def actions(self, ask: Ask) -> list[Action]:
        """A computer for those who are away and for oneself, the way back, and giving up."""
        seat = self._actor
        if seat is None or self._is_over:
            return []
        others = [other for other in range(len(self._seats)) if other not in self._own and self.is_away(other)]
        for_others = _("Let a computer play for {name}, who is away")
        actions = [
            Action(for_others.format(name=self.names[other]), partial(ask, Substitute(seat=other))) for other in others
        ]
        if self.has_substitute(seat):
            actions.append(Action(_("Take my seat back"), partial(ask, ComeBack(seat=seat))))
        else:
            actions.append(Action(_("Let a computer play for me"), partial(ask, Substitute(seat=seat))))
        return [*actions, self._resigning(seat, ask)]

    def _resigning(self, seat: int, ask: Ask) -> Action:
        consequence = _("The other player wins then.")
        if len(self._seats) > 2:
            consequence = _("A computer plays on for you, and you cannot win anymore.")
        question = _("{name}: resign?").format(name=self.names[seat])
        return Action(_("Resign"), partial(ask, Resign(seat=seat)), question, consequence, _("Play on"))


def _name(seat: int, info: SeatInfo) -> str:
    name = words.printable(info.name)
    if name or info.level is None:
        return name or _("Player {number}").format(number=seat + 1)
    return words.level_name(spec_of(info.level))
