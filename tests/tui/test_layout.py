"""The table fits: nothing is cut off and nothing overlaps, on small screens and large ones."""

from __future__ import annotations

import asyncio
from itertools import combinations

import pytest
from rich.cells import cell_len
from textual.geometry import Region

from azulejos.game.view import Wall
from azulejos.players import greedy
from azulejos.tui.board.layout import layout_for
from azulejos.tui.board.pieces import LARGE, MEDIUM, SMALL
from azulejos.tui.board.widgets import Drawn
from tests.tui.person import at, table

SIZES = [(80, 24), (100, 30), (120, 40), (160, 50), (220, 70)]


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("size", SIZES)
def test_everything_is_on_the_screen_and_nothing_overlaps(size: tuple[int, int], players: int) -> None:
    found = layout_for(*size, players)
    assert found is not None
    boxes = [found.head, found.offer, *found.boards, found.prompt, found.log, found.keys]
    for box in boxes:
        assert box.x >= 0
        assert box.y >= 0
        assert box.width > 0
        assert box.height > 0
        assert box.right <= size[0]
        assert box.bottom <= size[1]
    for one, other in combinations(boxes, 2):
        assert one.right <= other.x or other.right <= one.x or one.bottom <= other.y or other.bottom <= one.y, (
            f"{one} overlaps {other}"
        )


def test_more_room_gives_larger_tiles_or_a_longer_log() -> None:
    sizes = [layout_for(*size, 2) for size in SIZES]
    assert [one.size for one in sizes if one] == [SMALL, MEDIUM, MEDIUM, LARGE, LARGE]
    log_of_four = [one.log.height for size in SIZES if (one := layout_for(*size, 4))]
    assert log_of_four[0] == 1
    assert all(height >= 2 for height in log_of_four[1:])


def test_a_screen_that_is_too_small_has_no_plan() -> None:
    assert layout_for(30, 24, 2) is None
    assert layout_for(80, 10, 2) is None
    assert layout_for(80, 20, 4) is None


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("size", [(80, 24), (160, 50)])
@pytest.mark.parametrize("wall", ["std", "gray"])
def test_on_the_screen_nothing_is_cut_off(size: tuple[int, int], players: int, wall: Wall) -> None:
    async def look() -> None:
        local = table(*["person:A person with a long name"] * players, wall=wall, seed=5)
        game = local.game
        while game.round < 3 or sum(game.view.center) < 4 or not any(sum(board.floor) for board in game.view.boards):
            game.play(greedy.choose(game) if len(game.history) % 7 else game.legal_moves[-1])
        async with at(local, size) as person:
            await person.press("tab", "enter")
            screen = Region(0, 0, *size)
            parts = {part.id: part for part in person.app.query(Drawn)}
            assert len(parts) == 5 + players
            for name, part in parts.items():
                assert screen.contains_region(part.region), f"{name} is at {part.region}"
                assert part.region.size == part.size
                assert len(part.rows) <= part.size.height, f"{name} has {len(part.rows)} rows"
                for row in part.rows:
                    assert sum(cell_len(piece.text) for piece in row) <= part.size.width, f"{name} is cut off"
            for one, other in combinations(parts.values(), 2):
                assert not one.region.overlaps(other.region), f"{one.id} overlaps {other.id}"
            shown = person.screen_text
            for seat in range(players):
                assert f" {game.scores[seat]} point" in shown
            assert "Q quit" in shown

    asyncio.run(look())


def test_a_window_that_becomes_too_small_says_so_and_comes_back() -> None:
    async def look() -> None:
        local = table("person", "person")
        async with at(local) as person:
            await person.pilot.resize_terminal(60, 12)
            await person.until(lambda: "The window is too small" in person.screen_text)
            await person.pilot.resize_terminal(160, 50)
            await person.until(lambda: "The window is too small" not in person.screen_text)
            assert person.app.boxes
            assert person.app.boxes.size == LARGE
            await person.move("2K3")
            assert str(local.game.history[1]) == "2K3"

    asyncio.run(look())
