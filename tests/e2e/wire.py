"""Games that are brought to an interesting place before anybody looks: played over a plain socket."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from websockets.sync.client import connect

from tests.e2e.person import sensible
from tests.patience import PATIENCE
from tests.server.live import Live

Said = dict[str, Any]


def play_until(live: Live, table: str, secrets: list[str | None], stop: Callable[[Said], bool]) -> Said:
    """Play all seats whose secrets are given until the last thing that was told is as wanted; colored wall only."""
    with connect(live.sockets + table) as line:
        line.send(json.dumps({"type": "hello", "secrets": [secret for secret in secrets if secret]}))
        last: Said = {}
        while True:
            message = json.loads(line.recv(PATIENCE))
            if message["type"] not in ("welcome", "event"):
                assert message["type"] != "refused", message
                continue
            last = message
            if stop(last) or last["table"].get("result"):
                return last
            mine = [seat for seat in last["waiting"] if seat in last["you"]["seats"]]
            if mine:
                move = sensible(last["position"]["options"])
                line.send(json.dumps({"type": "play", "seat": mine[0], "move": move, "version": last["version"]}))


def one_move_left(said: Said) -> bool:
    """Whether the next move ends the round, and there is something to score."""
    position = said["position"]
    groups = sum(count > 0 for source in [position["center"], *position["displays"]] for count in source)
    full = sum(line["count"] == row + 1 for board in position["boards"] for row, line in enumerate(board["lines"]))
    return bool(groups == 1 and full > 3)


def resign(live: Live, table: str, secret: str | None) -> None:
    """Give a game up, so that there is a finished one."""
    tell(live, table, secret, type="resign", seat=0)


def tell(live: Live, table: str, secret: str | None, **message: Any) -> None:
    """Send one message from a seat, and wait until it is answered."""
    with connect(live.sockets + table) as line:
        line.send(json.dumps({"type": "hello", "secrets": [secret]}))
        line.send(json.dumps(message | {"id": "one"}))
        while json.loads(line.recv(PATIENCE)).get("id") != "one":
            pass
