"""Games at tables of one device, event by event, and what the server would say of them; the page's tables say the same.

python -m tests.server.page_tables > tests/golden/page_tables.json
"""

from __future__ import annotations

import json
from typing import Any

import msgspec

from azulejos.game.dealer import Dealer
from azulejos.server.protocol.encoding import encode, welcome
from azulejos.server.tables import events as e
from azulejos.server.tables.setup import Clock, NewSeat, Setup
from azulejos.server.tables.table import Table
from azulejos.server.tables.undo import decisions_of, may_undo

ANA, RUI = NewSeat("here", "Ana"), NewSeat("here", "Rui")
CREATED = "2026-11-16T12:00:00Z"
MIDDLE = (
    "gray -/-/YKW2/R2W2/YW3 YK 0:R/R/W2/-/R:BK3/4B/R4/2R2/5:FR3 5:-/-/-/-/K4:R2K1/Y3B/1Y3/W4/5:BW B7Y12R4K11W6 d2 3@2"
)
"""In the middle of a third round."""
SETUPS = (
    Setup("std", [ANA, NewSeat("computer", level=2)], 0),
    Setup("gray", [ANA, NewSeat("computer", level=100), RUI], 1, Clock(600, 5)),
    Setup("gray", [ANA, RUI, NewSeat("computer", level=1), NewSeat("computer", level=8)], 3),
    Setup("std", [ANA, RUI], 1, Clock(30, 0, "computer"), hints=False),
    Setup("gray", [ANA, NewSeat("computer", level=3)], 0, position=MIDDLE),
)
UNDO_EVERY, ASIDE_EVERY, SAY_EVERY, MOST = 9, 14, 37, 300


def made() -> list[dict[str, Any]]:
    """All games."""
    return [_game(number, setup) for number, setup in enumerate(SETUPS)]


def _game(number: int, setup: Setup) -> dict[str, Any]:
    secret = f"{number + 1:064x}"
    table = Table(f"local-{number}", CREATED, setup, Dealer.from_text(secret))
    events: list[Any] = []
    said: list[dict[str, Any]] = []
    for count in range(-1, MOST):
        event = _event(table, count) if events else e.Started()
        table, _ = table.after(event)
        events.append(msgspec.to_builtins(event))
        if table.version % SAY_EVERY == 0 or table.result:
            said.append(_said(table))
        if table.result:
            break
    making = {"id": table.id, "created": CREATED, "setup": msgspec.to_builtins(setup), "secret": secret}
    return {"making": making, "events": events, "said": said, "record": table.record().text()}


def _event(table: Table, count: int) -> e.TableEvent:
    """What happens next at a table: mostly the first or the last legal decision, and now and then something else."""
    seat = table.waiting[count % len(table.waiting)]
    used = [count * 100 if each in table.running else 0 for each in range(table.players)] if table.running else []
    person = table.is_person(seat)
    if count % UNDO_EVERY == UNDO_EVERY - 1:
        for mine in range(table.players):
            if table.is_person(mine) and may_undo(table.game, mine, alone=table.is_alone(mine)):
                gone = table.game.decisions[decisions_of(table.game, mine)]
                return e.Undone(seat=mine, moves=sum(decision.plays for decision in gone), used=used)
    if count % ASIDE_EVERY == ASIDE_EVERY - 1 and person:
        renamed = count // ASIDE_EVERY % 2 == 0
        return e.Renamed(seat=seat, name="Eva", used=used) if renamed else e.Assisted(seat=seat, used=used)
    if table.left and table.left[seat] <= sum(used) and person:
        return e.TimedOut(seat=seat, used=used)
    own = table.game.own(seat).moves if table.game.is_choosing else table.game.public.legal_moves
    return e.Decided(seat=seat, move=str(own[0 if count % 3 else -1]), person=person, used=used)


def _said(table: Table) -> dict[str, Any]:
    people = [seat for seat, info in enumerate(table.seats) if info.kind != "computer"]
    said: dict[str, Any] = json.loads(encode(welcome(table, people, [True] * table.players, 0, 0)))
    if not table.result:
        del said["log"]  # all of it is in the last one
        said.pop("noted", None)
    return said


if __name__ == "__main__":
    print(json.dumps(made(), separators=(",", ":"), ensure_ascii=False))
