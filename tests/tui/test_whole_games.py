"""Whole games as people play them: by keys, by mouse, several at one keyboard, in a hurry, in a window that changes."""

from __future__ import annotations

import asyncio
import random

import pytest
from textual import events

from azulejos import Game, read_record
from azulejos.game.view import Wall
from azulejos.players import greedy
from azulejos.players.player import Limits
from azulejos.tui.app import board_app
from azulejos.tui.app.dialogs import Menu, Panel
from azulejos.tui.board.scenes import Spot
from azulejos.tui.table import local as local_table
from azulejos.tui.table.local import LocalTable
from azulejos.tui.table.remote import RemoteTable
from tests.server.live import Live
from tests.tui.person import Person, at, table
from tests.tui.tables import links_of, opened
from tests.tui.test_start import COMMAND, Terminal

SIZES = [(80, 24), (200, 50), (60, 10), (120, 40), (81, 25), (100, 30)]


async def played(person: Person, local: LocalTable) -> None:
    """By keys to the end."""
    while not local.ending:
        await person.until_my_turn()
        if local.turn:
            await person.move(str(greedy.choose(local.game)))


async def until_result(person: Person) -> None:
    await person.until(lambda: isinstance(person.app.screen, Panel) and "another game" in person.screen_text)


@pytest.mark.parametrize("wall", ["std", "gray"])
def test_two_people_at_one_keyboard_in_a_window_that_changes(wall: Wall) -> None:
    async def play() -> None:
        local = table("person:Ana", "person:Rui", wall=wall, seed=11)
        async with at(local) as person:
            number = 0
            while not local.ending:
                await person.move(str(greedy.choose(local.game)))
                number += 1
                if number % 4 == 0:
                    await person.pilot.resize_terminal(*SIZES[number // 4 % len(SIZES)])
                    await person.pilot.pause()
                assert person.app.view == local.game.view
            await person.pilot.resize_terminal(80, 24)
            await until_result(person)
        assert read_record(await local.record()).result == local.game.scores

    asyncio.run(play())


def test_against_three_computers() -> None:
    async def play() -> None:
        local = table("person", "greedy", "level1", "random", seed=3)
        async with at(local) as person:
            await played(person, local)
            await until_result(person)
            for name in local.names:
                assert name in person.screen_text

    asyncio.run(play())


@pytest.mark.parametrize(("players", "wall"), [(2, "std"), (3, "gray"), (4, "std")])
def test_against_full_strength(players: int, wall: Wall, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local_table, "THINKING", Limits(milliseconds=20))  # the game would take minutes

    async def play() -> None:
        local = table("person", *["net"] * (players - 1), wall=wall, seed=3)
        async with at(local) as person:
            assert "Full strength" in person.screen_text
            await played(person, local)
            await until_result(person)
        assert read_record(await local.record()).names[1].startswith("Full strength")

    asyncio.run(play())


@pytest.mark.parametrize("wall", ["std", "gray"])
def test_by_mouse_alone(wall: Wall) -> None:
    async def play() -> None:
        local = table("person", "greedy", wall=wall, seed=2)
        async with at(local) as person:
            while not local.ending:
                await person.until_my_turn()
                if not local.turn:
                    continue
                move = greedy.choose(local.game)
                before = len(local.game.history)
                spots: list[Spot] = [("cell", 0, move.row, move.column)] if move.is_tiling else []
                for spot in spots or [("take", move.source, move.color), ("line", 0, move.line)]:
                    await person.click(spot)
                await person.until(lambda: len(local.game.history) > before)  # noqa: B023 - awaited here
            await until_result(person)

    asyncio.run(play())


def test_what_is_typed_while_the_others_move_is_still_shown_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(board_app, "DRAFT_SECONDS", 1e6)  # it would be shown for ever

    async def play() -> None:
        local = table("person", "greedy")
        async with at(local, speed="normal") as person:
            await person.move("2K3")
            await person.until(lambda: person.app.is_showing)
            before = len(local.game.history)
            await person.press("4", "b", "4")
            await person.until(lambda: len(local.game.history) > before)
            assert str(local.game.history[before]) == "4B4"

    asyncio.run(play())


def test_a_hurry_breaks_nothing() -> None:
    """Keys without waiting for anything, through scoring, to the end of a game."""

    async def play() -> None:
        local = table("person", "greedy", "greedy", seed=6)
        chance = random.Random(1)
        keys = [*"1234567890", *"byrkwbyrkw", *"12345f", "enter", "space", "tab", "down", "u"]
        async with at(local, speed="normal") as person:
            for _ in range(60):
                await person.pilot.press(*(chance.choice(keys) for _ in range(3)))
            await person.press("escape", "escape")
            person.app._pace = 0.0
            await played(person, local)
            await until_result(person)
            assert person.app.view == local.game.view

    asyncio.run(play())


def test_q_asks_before_a_game_is_lost_and_not_before_anything_happened() -> None:
    async def play() -> None:
        local = table("person", "greedy")
        async with at(local) as person:
            await person.move("2K3")
            await person.until_my_turn()
            await person.press("q")
            await person.until(lambda: "Leave the game?" in person.screen_text)
            assert isinstance(person.app.screen, Menu)
            await person.press("x", "enter")
            await person.until(lambda: len(person.app.screen_stack) == 1)
            await person.press("q")
            await person.until(lambda: "Play on" in person.screen_text)
            await person.click_words("Play on")
            await person.until(lambda: len(person.app.screen_stack) == 1)
            await person.press("q", "q")
            await person.until(lambda: not person.app.is_running)

    asyncio.run(play())


def test_keys_that_come_faster_than_a_menu_reach_it() -> None:
    async def play() -> None:
        local = table("person", "person", moves=["2K3"])
        async with at(local) as person:
            await person.move("1B1")
            for keys in ("q1", "?x"):
                for key in keys:  # as a terminal hands them over, both at once
                    person.app.post_message(events.Key("question_mark" if key == "?" else key, key))
                await person.pilot.pause(0.05)
                await person.until(lambda: len(person.app.screen_stack) == 1)
            assert person.app.selection
            assert person.app.selection.source is None
            assert len(local.game.history) == 3

    asyncio.run(play())


def test_two_screens_at_one_server_play_a_whole_game(server: Live) -> None:
    async def seat(person: Person, there: RemoteTable) -> None:
        while not there.ending:
            if person.app.selection and there.turn and not person.app.is_showing:
                options = sorted(there.turn.options.items(), key=lambda one: (one[1].cost, -one[1].placed, one[0]))
                await person.move(options[0][0])
            await person.pilot.pause(0.01)
        await until_result(person)

    async def play() -> None:
        mine, theirs = links_of(server, "Ana", "Rui")
        one, other = await opened(mine), await opened(theirs)
        async with at(one) as ana, at(other, (120, 40), color=False) as rui:
            await asyncio.gather(seat(ana, one), seat(rui, other))
            assert ana.app.view == rui.app.view
            assert one.ending == other.ending
        assert one.ending
        assert read_record(await one.record()).result == tuple(one.ending.scores)
        one.close()
        other.close()

    asyncio.run(play())


def test_two_real_terminals_at_one_table(server: Live) -> None:
    mine, theirs = links_of(server, "Ana", "Rui")
    ana, rui = Terminal(mine, "--speed", "instant"), Terminal(theirs, "--speed", "instant", columns=120, lines=40)
    ana.until("Your turn: choose")
    rui.until("Ana is thinking")
    ana.type("1\r\r")
    rui.until("Your turn: choose")
    rui.type("e2")
    ana.until("Rui: Thanks!")
    ana.resize(120, 40)
    rui.type("2\r\r")
    ana.until("Rui 2")
    ana.said = ""
    rui.type("\x03")
    assert "\x1b[?1049l" in rui.rest()
    assert rui.end() == 0
    ana.until("away")
    ana.type("t3")
    ana.until("Ana: resign?")
    ana.type("2")
    ana.until("Rui wins")
    ana.type("q")
    assert "\x1b[?1049l" in ana.rest()
    assert ana.end() == 0


def test_a_whole_game_line_by_line() -> None:
    game, lines = Game(2, seed=4, starter=0), []
    while not game.is_over:
        move = str(greedy.choose(game))
        lines.append(move)
        game.play(move)
    terminal = Terminal("--plain", "--seed", "4", "--me", "person:Ana", "--against", "person:Rui", command=COMMAND)
    first = terminal.until("your move: ")
    if "Rui, your move" in first:  # by lot
        game = Game(2, seed=4, starter=1)
        lines = []
        while not game.is_over:
            lines.append(str(greedy.choose(game)))
            game.play(lines[-1])
    terminal.type("say\nhelp\n")
    for line in lines:
        terminal.type(f"{line}\n")
    assert f"{game.scores[0]} to {game.scores[1]}." in terminal.rest()
    assert terminal.end() == 0
    assert "Last round: it will complete row" in terminal.plain


def test_ctrl_c_line_by_line_prints_the_record() -> None:
    terminal = Terminal("--plain", "--seed", "1", "--against", "greedy")
    terminal.until("Your move: ")
    terminal.interrupt("[Rules")
    terminal.rest()
    assert terminal.end() == 0
