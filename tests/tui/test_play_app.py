"""Games on the screen, played by keys and by mouse."""

from __future__ import annotations

import asyncio
import random
from dataclasses import replace

import pytest

from azulejos import Game, read_record
from azulejos.game.notation import write_position
from azulejos.players import greedy
from azulejos.tui.app import board_app
from azulejos.tui.app.dialogs import Panel
from azulejos.tui.app.play_app import PlayApp
from tests.tui.person import Person, at, table


def test_a_whole_game_by_keyboard_to_the_result() -> None:
    async def play() -> None:
        local = table("person", "level1")
        async with at(local) as person:
            while not local.ending:
                await person.until_my_turn()
                if local.turn:
                    await person.move(str(greedy.choose(local.game)))
            await person.until(lambda: isinstance(person.app.screen, Panel) and "another game" in person.screen_text)
            shown = person.screen_text
        outcome = local.game.outcome
        assert outcome is not None
        assert f"{outcome.scores[0]} to {outcome.scores[1]}." in shown
        assert "another game" in shown
        assert read_record(await local.record()).result == outcome.scores

    asyncio.run(play())


def test_another_game_after_the_result_starts_with_the_next_seat() -> None:
    async def play() -> None:
        local = table("person:Ana", "person:Rui", starter=1)
        while len(local.game.legal_moves) > 6 or local.game.round < 5:
            local.game.play(greedy.choose(local.game))
        async with at(local) as person:
            while not local.ending:
                await person.move(str(greedy.choose(local.game)))
            await person.until(lambda: isinstance(person.app.screen, Panel))
            await person.press("n")
            await person.until(lambda: not local.ending)
            await person.until_my_turn()
            assert len(local.game.history) == 1
            assert local.game.starter == 0

    asyncio.run(play())


def held(person: Person) -> tuple[int, int] | None:
    return person.app.selection.held if person.app.selection else None


def test_a_move_by_mouse_and_a_second_thought() -> None:
    async def play() -> None:
        local = table("person", "greedy")
        async with at(local) as person:
            await person.click(("take", 2, 3))
            assert held(person) == (2, 3)
            await person.click(("take", 2, 3))
            assert held(person) is None
            await person.click(("take", 3, 1))
            await person.click(("line", 0, 2))
            await person.until(lambda: len(local.game.history) >= 3)
            assert str(local.game.history[1]) == "3Y3"

    asyncio.run(play())


def test_arrows_tab_and_enter_make_a_move_without_letters() -> None:
    async def play() -> None:
        local = table("person", "person")
        async with at(local) as person:
            await person.press("tab", "right", "down")
            assert person.app.selection
            assert person.app.selection.cursor == ("take", 2, 1)
            await person.press("enter")
            assert person.app.selection.held == (2, 1)
            await person.press("down", "enter")
            await person.until(lambda: len(local.game.history) == 2)
            assert str(local.game.history[1]) == "2Y2"

    asyncio.run(play())


def test_before_the_third_key_the_screen_says_what_a_line_would_do() -> None:
    async def play() -> None:
        local = table("person", "greedy")
        async with at(local) as person:
            await person.press("2", "k")
            assert "2 black from display 2: which line? 1-5, F" in person.prompt
            assert person.prompt.startswith("2K2: completes line 2: +1 after the round")
            board = person.app.part("board0").rows
            assert "".join(piece.text for piece in board[2]).count(" k ") == 2  # ghosts
            assert any(piece.text == "+1 " for piece in board[2])
            await person.press("up")
            assert (
                "2K1: completes line 1: +1 after the round, 1 tile falls to the floor, costs 1 point" in person.prompt
            )

    asyncio.run(play())


REFUSED = {
    "9": "There are 5 displays",
    "5": "There is nothing there",
    "1r": "There is no red there",
    "0b": "There is no blue there",
    "3y3": "Line 3 holds black",
    "3y1": "Line 1 is full",
}


@pytest.mark.parametrize("keys", REFUSED)
def test_what_cannot_be_played_is_explained_and_changes_nothing(keys: str) -> None:
    async def play() -> None:
        local = table("person", "person", moves=["4B1", "5R4", "2K3", "cW2"])
        async with at(local) as person:
            position = local.game.position
            await person.press(*keys)
            assert REFUSED[keys] in person.prompt
            assert local.game.position == position
            await person.press("escape", "escape")
            await person.move("3Y2")
            assert local.game.position != position

    asyncio.run(play())


def test_hot_seat_names_whose_turn_it_is() -> None:
    async def play() -> None:
        local = table("person:Ana", "person:Rui", "person")
        async with at(local) as person:
            assert "It is the turn of Ana" in person.screen_text
            assert person.prompt.startswith("Ana: choose")
            await person.move("1B1")
            assert "It is the turn of Rui" in person.screen_text
            await person.move("2K2")
            assert "It is the turn of Player 3" in person.screen_text
            await person.press("u")
            await person.until(lambda: "It is the turn of Rui" in person.screen_text)

    asyncio.run(play())


def test_undo_goes_back_to_my_last_decision_with_the_computers_moves() -> None:
    async def play() -> None:
        local = table("person", "greedy", "greedy")
        async with at(local) as person:
            before = local.game.position
            await person.press("u")
            assert "There is nothing to undo" in person.prompt
            await person.move("1B1")
            await person.until_my_turn()
            assert len(local.game.history) == 4
            await person.press("u")
            await person.until(lambda: local.game.position == before)
            await person.until_my_turn()
            await person.move("2K3")
            await person.until_my_turn()
            assert str(local.game.history[1]) == "2K3"

    asyncio.run(play())


@pytest.mark.parametrize("by_mouse", [False, True])
def test_the_gray_wall_asks_for_a_column(by_mouse: bool) -> None:
    async def play() -> None:
        local = table("person", "person", wall="gray", seed=4)
        play_until_the_last_of_the_round(local.game)
        async with at(local) as person:
            await person.move(str(greedy.choose(local.game)))
            assert local.turn
            row = local.turn.tiling_row
            assert row is not None
            assert f"Choose a column for the tile of line {row + 1}" in person.prompt
            choice = list(local.turn.options)[-1]
            if by_mouse:
                await person.click(("cell", local.turn.seat, row, choice.column))
            else:
                await person.move(choice)
            await person.until(lambda: choice in local.game.history)

    asyncio.run(play())


def play_until_the_last_of_the_round(game: Game) -> None:
    while sum(any(source) for source in (game.view.center, *game.view.displays)) > 1 or (
        sum(count > 0 for count in game.view.center) > 1
    ):
        game.play(greedy.choose(game))


def points(app: PlayApp) -> int:
    return sum(board.score for board in app.view.boards)


def test_the_scoring_is_shown_step_by_step(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[tuple[str, int, int]] = []
    draw = PlayApp.draw

    def drawn(app: PlayApp) -> None:
        draw(app)
        shown.append((app.prompt_text, points(app), app.view.round))

    monkeypatch.setattr(PlayApp, "draw", drawn)

    async def play() -> None:
        local = table("person", "person", seed=2)
        play_until_the_last_of_the_round(local.game)
        async with at(local, speed="normal") as person:
            await person.move(str(greedy.choose(local.game)))
            assert local.game.round == 2
            await person.until_my_turn()
            scoring = [one for one in shown if "(Space skips)" in one[0]]
            assert scoring[0][1:] == (1, 1)  # the first tile only
            assert len({words for words, _, _ in scoring}) >= 3
            assert scoring[2][1] > 1
            assert person.app.view == local.game.view

    asyncio.run(play())


def test_the_scoring_can_be_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(board_app, "SCENE_SECONDS", 1e6)  # it would not end by itself
    monkeypatch.setattr(board_app, "MOST_SCORING_SECONDS", 1e6)

    async def play() -> None:
        local = table("person", "person", seed=2)
        play_until_the_last_of_the_round(local.game)
        async with at(local, speed="normal") as person:
            await person.move(str(greedy.choose(local.game)))
            await person.until(lambda: "(Space skips)" in person.prompt)
            assert points(person.app) == 1
            assert person.app.view.round == 1
            assert local.game.round == 2
            await person.press("space")
            await person.until_my_turn()
            assert person.app.view == local.game.view
            told = "\n".join(person.app.log_lines)
            assert "Scores: " in told
            assert "Round 2; " in told

    asyncio.run(play())


def test_computers_can_be_watched() -> None:
    async def play() -> None:
        local = table("greedy", "random")
        async with at(local) as person:
            await person.until(lambda: local.ending)
            await person.until(lambda: isinstance(person.app.screen, Panel))
            assert local.game.is_over

    asyncio.run(play())


@pytest.mark.parametrize("seed", range(2))
def test_whatever_is_pressed_or_clicked_the_game_goes_on(seed: int) -> None:
    keys = [*"1234567890byrkwfulmn?x", "tab", "shift+tab", "enter", "enter", "escape", "up", "down", "left", "space"]
    chance = random.Random(seed)

    async def play() -> None:
        local = table("person", "greedy", wall=("std", "gray")[seed % 2], seed=seed)
        async with at(local, speed="fast") as person:
            for _ in range(45):
                if chance.random() < 0.15:
                    await person.pilot.click(offset=(chance.randrange(80), chance.randrange(24)))
                else:
                    await person.pilot.press(chance.choice(keys))
            await person.press("escape", "escape", "escape")
            await person.until_my_turn()
            await person.until(lambda: person.app.view == local.game.view)
            assert read_record(await local.record()).players == 2

    asyncio.run(play())


def test_without_color_letters_carry_everything() -> None:
    async def play() -> str:
        local = table("person", "person", moves=["2K3", "1B1", "3Y2", "5R4"])
        async with at(local, color=False) as person:
            await person.press("4", "b")
            colors = {
                color.name
                for strip in person.app.screen._compositor.render_strips()
                for segment in strip
                if segment.style
                for color in (segment.style.color, segment.style.bgcolor)
                if color is not None
            }
            assert colors <= {"default"}
            return person.screen_text

    text = asyncio.run(play())
    assert "4 [B] R  K  W " in text  # in hand
    assert "·  K  K " in text
    assert " b  y  r  k  w " in text


def test_the_last_round_is_announced_with_the_rows_that_will_be_complete() -> None:
    async def play() -> None:
        local = table("person", "greedy", seed=1)
        local.game = Game.from_position(ends_soon())
        async with at(local) as person:
            assert "Last round" not in person.screen_text
            await person.move("1W1")
            await person.until(lambda: any("Last round" in line for line in person.app.log_lines))
            assert "Last round: it will complete your row 1." in person.app.log_lines
            assert " Last round " in person.screen_text.split("\n")[0]
            board = ["".join(piece.text for piece in row) for row in person.app.part("board0").rows]
            assert " »!" in board[1]
            assert not any("!" in row for row in board[2:])
            await person.until_my_turn()
            await person.press("u")
            await person.until(lambda: "Last round" not in person.screen_text.split("\n")[0])

    asyncio.run(play())


def ends_soon() -> str:
    """The person lacks a white tile on row 1 of the wall, and white is on display 1."""
    game = Game(seed=1, starter=0)
    view = game.view
    wall = ((0, 1, 2, 3, None), *view.boards[0].wall[1:])
    board = replace(view.boards[0], wall=wall, score=4)
    counts = [0, 1, 2, 3]
    bag = tuple(count - (color in counts) for color, count in enumerate(view.bag))
    return write_position(replace(view, boards=(board, view.boards[1]), bag=bag, round=5))
