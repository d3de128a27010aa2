"""A process that thinks for the computers: a line of JSON for each question, a line of JSON for each answer.

It says `{"ready": true}` when everything is loaded, and ends when its standard input does.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, Final

from azulejos.engine.batch import findings
from azulejos.game.game import Game
from azulejos.players.levels import FULL_STRENGTH, LEVELS, OPPONENTS
from azulejos.players.player import Limits, PlayerFailed
from azulejos.players.registry import make
from azulejos.players.searching import SearchingPlayer

HINT_PLAYER: Final = FULL_STRENGTH.spec
"""The strongest: with the network where there is one for such games, else by hand."""
HINT_LIMITS: Final = Limits(milliseconds=400)
"""How long a hint is thought about."""
FEWEST_NODES: Final = 3000
"""A hint that has looked at fewer positions goes on."""
SECOND_LIMITS: Final = Limits(nodes=FEWEST_NODES, milliseconds=3000)
"""For a machine so busy that too little was seen: a bad hint is worse than a late one."""


def main() -> None:
    """Answer until nobody asks any more."""
    warm_up()
    _say({"ready": True})
    for answer in answers(sys.stdin):
        _say(answer)


def warm_up() -> None:
    """Have everything compiled or loaded that an answer needs."""
    game = Game(seed=0)
    for level in (LEVELS[0], LEVELS[-1]):  # one by hand, one with the network
        _player(level.spec).choose(game, Limits())
    _player(HINT_PLAYER).search(game, Limits(nodes=2))


def answers(lines: Iterable[str]) -> Iterator[dict[str, Any]]:
    """An answer for each question; one that cannot be answered gets the reason."""
    for line in lines:
        question: dict[str, Any] = json.loads(line)
        try:
            answer = _hint(question) if "hint" in question else _move(question)
        except (ValueError, PlayerFailed) as fault:
            answer = {"error": str(fault)}
        yield {"id": question.get("id"), **answer}


def _move(question: dict[str, Any]) -> dict[str, Any]:
    """The move of a level; without a limit of time it depends on position, level and seed and on nothing else."""
    player = _player(OPPONENTS[question["level"] - 1].spec)
    player.begin(question["seed"])
    limits = Limits(milliseconds=question.get("milliseconds"))
    choice = player.choose(Game.from_position(question["position"]), limits)
    return {"move": str(choice.move), "win": choice.win, "margin": choice.margin}


def _hint(question: dict[str, Any]) -> dict[str, Any]:
    game = Game.from_position(question["position"])
    hinter = _player(HINT_PLAYER)
    report = hinter.search(game, HINT_LIMITS)
    if not report.solved and report.nodes < FEWEST_NODES and len(report.candidates) > 1:
        report = hinter.search(game, SECOND_LIMITS)
    found = findings(game, report, question["hint"])["moves"]
    return {"moves": [move for move in found if move["win"] is not None]}


@cache
def _player(spec: str) -> SearchingPlayer:
    player = make(spec)
    assert isinstance(player, SearchingPlayer)
    return player


def _say(answer: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    try:
        main()
    except (KeyboardInterrupt, BrokenPipeError):  # whoever asked is gone
        os._exit(0)
