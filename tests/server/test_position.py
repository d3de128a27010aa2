"""What is sent says the same as the library."""

from __future__ import annotations

import random
import re
from pathlib import Path

import msgspec
import pytest

from azulejos import Game
from azulejos.game.refusal import REASONS
from azulejos.game.view import Wall
from azulejos.server.protocol.position import Position
from azulejos.server.tables import refusal as refusals


@pytest.mark.parametrize(("players", "wall"), [(2, "std"), (3, "gray"), (4, "std"), (4, "gray")])
def test_options_are_the_librarys_previews_and_refusals_its_reasons(players: int, wall: Wall) -> None:
    game, choice = Game(players, wall, seed=players), random.Random(players)
    while not game.is_over:
        position = Position.of(game)
        assert position.line == game.position
        assert [option.move for option in position.options] == [str(move) for move in game.legal_moves]
        for option in choice.sample(position.options, min(5, len(position.options))):
            preview = game.preview(option.move)
            for name in ("taken", "placed", "dropped", "marker", "cost", "completes", "points"):
                assert getattr(option, name) == getattr(preview, name)
            assert tuple(option.columns) == preview.columns
        for letter, lines in position.refusals.items():
            source = next(str(move)[0] for move in game.legal_moves if str(move)[1] == letter)
            for line, refusal in lines.items():
                assert game.why_illegal(source + letter + line) == refusal
        allowed = {(option.move[1], option.move[2]) for option in position.options}
        refused = {(letter, line) for letter, lines in position.refusals.items() for line in lines}
        if game.phase == "d":
            assert not allowed & refused
            assert len(allowed | refused) == 6 * len({letter for letter, _ in allowed})
        data = msgspec.json.encode(position)
        assert msgspec.json.decode(data, type=Position) == position
        game.play(choice.choice(game.legal_moves))
    assert Position.of(game).options == []


def test_every_code_that_is_used_is_in_the_list() -> None:
    folder = Path(refusals.__file__).parents[1]
    text = "\n".join(path.read_text() for path in folder.rglob("*.py"))
    used = set(re.findall(r'Refuse\(\s*"([a-z_]+)"', text))
    assert len(used) > 15
    assert used <= refusals.CODES | REASONS.keys()
