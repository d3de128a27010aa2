"""At a table on a real server besides playing: resigning, reactions, computers for the absent, clocks, connections."""

from __future__ import annotations

import asyncio
import re
import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from rich.cells import cell_len

from azulejos import locale
from azulejos.server.protocol.incoming import Resign
from azulejos.tui.app.dialogs import Menu, Panel
from azulejos.tui.plain.game import PlainGame
from azulejos.tui.table.remote import RemoteTable
from tests.patience import PATIENCE
from tests.server.live import Live, wait_for_computers
from tests.tui.person import Person, at
from tests.tui.tables import Restart, emptied, links_of, opened, play_through_a_restart, until_turn


async def until_here(person: Person, name: str) -> None:
    """Somebody who has opened the table is seen a moment later."""
    await person.until(lambda: f"{name} (" not in person.screen_text)


async def menu_of(person: Person, key: str, title: str) -> None:
    await person.press(key)
    await person.until(lambda: isinstance(person.app.screen, Menu) and title in person.screen_text)


def test_resigning_asks_first_and_then_the_other_wins(server: Live) -> None:
    async def play() -> None:
        mine, theirs = links_of(server, "Ana", "Rui")
        table, other = await opened(mine), await opened(theirs)
        async with at(table) as person:
            await until_here(person, "Rui")
            await menu_of(person, "t", "At this table")
            assert "2 Resign" in person.screen_text
            await person.press("2")
            await person.until(lambda: "Ana: resign?" in person.screen_text)
            assert "The other player wins then." in person.screen_text
            await person.press("enter")  # points at playing on
            assert table.ending is None
            await menu_of(person, "t", "At this table")
            await person.press("up", "enter", "escape")
            assert table.ending is None
            await menu_of(person, "t", "At this table")
            await person.press("down", "enter", "down", "enter")
            await person.until(lambda: isinstance(person.app.screen, Panel) and "Rui wins" in person.screen_text)
            assert "A player resigned." in person.screen_text
            await person.press("escape")
            await person.until(lambda: "Ana (resigned)" in person.screen_text)
            assert not table.actions
            await person.until(lambda: other.ending == table.ending)
        table.close()
        other.close()

    asyncio.run(play())


def test_of_three_a_computer_plays_on_for_the_one_who_resigned(server: Live) -> None:
    wait_for_computers(server)

    async def play() -> None:
        mine, theirs, _ = links_of(server, "Ana", "Rui", "Eva")
        table, other = await opened(mine), await opened(theirs)
        async with at(table) as person:
            await until_here(person, "Rui")
            await menu_of(person, "t", "At this table")
            assert "1 Let a computer play for Eva, who is away" in person.screen_text
            await person.press("3")
            await person.until(lambda: "A computer plays on for you, and you cannot win anymore." in person.screen_text)
            await person.press("2")
            await person.until(lambda: "Ana (resigned)" in person.screen_text)
            await person.until(lambda: table.waiting == [1])
            assert table.ending is None
            assert table.turn is None
            assert not table.actions
            await person.until(lambda: any(re.match("Ana ..[1-5f]: ", line) for line in person.app.log_lines))
        table.close()
        other.close()

    asyncio.run(play())


def test_reactions_are_seen_by_everybody_for_a_moment(server: Live) -> None:
    async def play() -> None:
        mine, theirs = links_of(server, "Ana", "Rui")
        table, other = await opened(mine), await opened(theirs)
        async with at(table) as person:
            await menu_of(person, "e", "Send a reaction")
            await person.press("6")
            await person.until(lambda: 'Ana ("Let me think")' in person.screen_text)
            await person.until(lambda: '"Let me think"' in other.remarks)
            await next(action for action in other.reactions if action.words == "Wow!").do()
            await next(action for action in other.reactions if action.words == "Wow!").do()
            await person.until(lambda: 'Rui ("Wow!")' in person.screen_text)
            assert person.app.selection  # a reaction takes nothing out of anybody's hand
            assert person.app.log_lines.count("Rui: Wow!") == 1
            await person.until(lambda: '"Wow!"' not in person.screen_text)
            assert "Rui" in person.screen_text
        table.close()
        other.close()

    asyncio.run(play())


def test_tiles_in_hand_stay_there_when_somebody_comes(server: Live) -> None:
    async def play() -> None:
        mine, theirs = links_of(server, "Ana", "Rui")
        table = await opened(mine)
        async with at(table) as person:
            await person.press("1", "enter")
            assert person.app.selection
            held = person.app.selection.held
            assert held
            other = await opened(theirs)
            await person.until(lambda: "Rui has come." in person.app.log_lines)
            await person.until(lambda: "(away)" not in person.screen_text)
            assert person.app.selection.held == held
            await person.press("enter")
            await person.until(lambda: "Rui is thinking" in person.prompt)
            other.close()
        table.close()

    asyncio.run(play())


def test_a_computer_plays_for_somebody_who_is_away_and_gives_the_seat_back(server: Live) -> None:
    wait_for_computers(server)

    async def play() -> None:
        mine, theirs = links_of(server, "Ana", "Rui")
        table = await opened(mine)
        async with at(table) as person:
            await person.press("1", "enter", "enter")
            await person.until(lambda: "Rui is away. T: what can be done." in person.prompt)
            await menu_of(person, "t", "At this table")
            await person.press("1")
            await person.until(lambda: "Rui (a computer plays)" in person.screen_text)
            await person.until_my_turn()
            assert "A computer plays for Rui." in person.app.log_lines
            assert any(re.match("Rui ..[1-5f]: ", line) for line in person.app.log_lines)
            other = await opened(theirs)
            assert other.notice == "A computer is playing for you."
            await next(action for action in other.actions if action.words == "Take my seat back").do()
            await person.until(lambda: "Rui is back." in person.app.log_lines)
            await person.until(lambda: "a computer plays" not in person.screen_text)
            other.close()
        table.close()

    asyncio.run(play())


def test_a_computer_plays_for_me_until_i_take_the_seat_back(server: Live) -> None:
    wait_for_computers(server)

    async def play() -> None:
        mine, theirs = links_of(server, "Ana", "Rui")
        table, other = await opened(mine), await opened(theirs)
        async with at(table) as person:
            await until_here(person, "Rui")
            await menu_of(person, "t", "At this table")
            assert "1 Let a computer play for me" in person.screen_text
            await person.press("1")
            await person.until(lambda: "A computer is playing for you. T: what can be done." in person.prompt)
            await person.until(lambda: table.waiting == [1])
            assert person.app.selection is None
            await person.press("1", "enter", "enter")
            await menu_of(person, "t", "At this table")
            await person.press("1")
            await person.until(lambda: "Rui is thinking" in person.prompt)
            await until_turn(other)
            assert other.turn
            await other.play(next(iter(other.turn.options)))
            await person.until_my_turn()
        table.close()
        other.close()

    asyncio.run(play())


def test_a_running_clock_is_seen_to_run_and_to_run_out(server: Live) -> None:
    async def play() -> None:
        mine, theirs = links_of(server, "Ana", "Rui", clock={"seconds": 10, "increment": 0, "at_zero": "lose"})
        table, other = await opened(mine), await opened(theirs)
        async with at(table) as person:
            await person.until(lambda: "Rui (0:10)" in person.screen_text)
            seen: set[tuple[str, str]] = set()

            def is_over() -> bool:
                seen.update(re.findall(r"(Ana|Rui) \(([\d:.]+)\)", person.screen_text))
                return isinstance(person.app.screen, Panel) and "Rui wins" in person.screen_text

            await person.until(is_over)
            assert {time for name, time in seen if name == "Rui"} == {"0:10"}
            assert len(seen) > 4
            assert "A clock ran out." in person.screen_text
            assert "The time of Ana is up." in person.app.log_lines
        table.close()
        other.close()

    asyncio.run(play())


@pytest.mark.parametrize("language", locale.LANGUAGES)
def test_names_clocks_and_remarks_fit_beside_the_score(server: Live, language: str) -> None:
    async def look() -> None:
        locale.use(language)
        clock = {"seconds": 7200, "increment": 0, "at_zero": "lose"}
        mine, *_ = links_of(server, "Maximiliana Montenegro", "Bartholomäus von Weide", "Ana", "3", clock=clock)
        table = await opened(mine)
        async with at(table) as person:
            for seat in range(4):
                title = person.app.part(f"board{seat}").rows[0][0].text
                assert cell_len(title) == 35
                assert re.search(rf" (0|{told_points(language)})$", title)
                assert re.search(r"\((2:00:00|1:59:\d\d)", title)
            away = person.app.part("board1").rows[0][0].text
            assert re.search(r"Bar.*\(2:00:00, (away|ausente|afwezig|absent|abwesend|assente)\)", away), away
            keys = person.app.part("keys").rows[0]
            assert [piece.spot for piece in keys][-1] == ("key", "q")
            assert ("key", "t") in [piece.spot for piece in keys]
            assert ("key", "e") in [piece.spot for piece in keys]
            assert sum(cell_len(piece.text) for piece in keys) <= 80
        table.close()

    asyncio.run(look())


def told_points(language: str) -> str:
    return {
        "en": "0 points", "es": "0 puntos", "pt": "0 pontos", "nl": "0 punten", "fr": "0 point", "de": "0 Punkte",
        "it": "0 punti",
    }[language]  # fmt: skip


def test_while_the_server_is_gone_the_screen_says_so_and_everything_is_there_when_it_is_back(tmp_path: Path) -> None:
    async def play(live: Live, restart: Restart) -> None:
        mine, theirs = links_of(live, "Ana", "Rui")
        table, other = await opened(mine), await opened(theirs)
        async with at(table) as person:
            before = table.view
            await person.press("1", "enter")
            live.stop(signal.SIGKILL)
            await person.until(lambda: person.prompt == "Connection lost. Reconnecting ...")
            await person.press("1", "enter", "enter", "u", "t", "e")
            assert "The connection was lost" in person.prompt
            assert len(person.app.screen_stack) == 1
            await restart()
            await person.until(lambda: "Back at the table." in person.app.log_lines)
            await person.until_my_turn()
            assert person.app.view == before
            await person.press("escape", "escape", "1", "enter", "enter")
            await person.until(lambda: table.view != before)
            await person.until(lambda: other.view == table.view)
        table.close()
        other.close()

    play_through_a_restart(play, tmp_path, tmp_path)


def test_a_table_that_is_gone_from_the_server_is_said_for_good(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()

    async def play(live: Live, restart: Restart) -> None:
        table = await opened(links_of(live, "Ana", "Rui")[0])
        async with at(table) as person:
            live.stop(signal.SIGKILL)
            await person.until(lambda: person.prompt == "Connection lost. Reconnecting ...")
            await restart()
            await person.until(lambda: person.prompt == "There is no such table on that server.")
        table.close()

    play_through_a_restart(play, tmp_path, tmp_path / "other")


def test_on_the_gray_wall_all_who_still_choose_are_named(server: Live) -> None:
    async def until_choosing(tables: list[RemoteTable]) -> None:
        while not all(table.view.phase == "t" for table in tables):
            for table in tables:
                await emptied(table)
                if table.turn and table.turn.tiling_row is None:
                    moves = sorted(table.turn.options.items(), key=lambda one: (one[1].cost, -one[1].completes, one[0]))
                    await table.play(moves[0][0])
            await asyncio.sleep(0.01)

    async def play() -> None:
        tables = [await opened(link) for link in links_of(server, "Ana", "Rui", "Eva", wall="gray")]
        await until_choosing(tables)
        mine = next(table for table in tables if len(table.waiting) == 3)
        async with at(mine) as person:
            others = [name for seat, name in enumerate(mine.names) if seat not in mine.own_seats]
            while mine.turn or mine._changes:
                await person.until(lambda: mine.turn is None or person.app.selection)
                if mine.turn:
                    await person.move(next(iter(mine.turn.options)))
            await person.until(lambda: person.prompt == f"{', '.join(others)} are thinking ...")
        for table in tables:
            table.close()

    asyncio.run(play())


def test_everything_is_there_line_by_line_too(server: Live) -> None:
    wait_for_computers(server)

    async def play() -> str:
        mine, theirs = links_of(server, "Ana", "Rui")
        table = await opened(mine)
        said: list[str] = []
        other: RemoteTable | None = None
        until: list[tuple[str, Callable[[], object]]] = [
            ("first", lambda: table.turn),
            ("moves", lambda: "Rui is away. Type table to see what can be done." in said),
            ("table", lambda: True),
            ("react", lambda: True),
            ("react 2", lambda: True),
            ("react 99", lambda: "Ana: Thanks!" in said),
            ("table 1", lambda: True),
            ("say", lambda: table.turn),
            ("table 2", lambda: True),
            ("no", lambda: True),
            ("table 2", lambda: True),
            ("YES", lambda: True),
            ("record", lambda: any("Rui wins" in line for line in said)),
            ("again", lambda: other),  # nobody brings those to the next table who come later
            ("first", lambda: table.ending is None and table.turn),
            ("quit", lambda: len([line for line in said if line.startswith("Ana ")]) > 1),
        ]

        async def read() -> str:
            word, due = until.pop(0)
            async with asyncio.timeout(PATIENCE):
                while not due():
                    await asyncio.sleep(0.01)
            return str(next(iter(table.turn.options))) if word == "first" and table.turn else word

        running = asyncio.create_task(PlainGame(table, say=said.append, ask=said.append, read=read).run())
        while not running.done():
            if table.ending and other is None:
                other = await opened(theirs)
            if other and other.ending is None:
                await emptied(other)
                if other.turn:
                    await other.play(next(iter(other.turn.options)))
            await asyncio.sleep(0.02)
        await running
        table.close()
        assert other
        other.close()
        return "\n".join(said)

    told = asyncio.run(play())
    assert "It is not your turn." in told
    assert "table 1: Let a computer play for Rui, who is away" in told
    assert "react 6: Let me think" in told
    assert "A computer plays for Rui." in told
    assert "Rui: a computer plays." in told
    assert told.count("Ana: resign? The other player wins then. Type yes or no.") == 2
    assert "\nPlay on.\n" in told
    assert "A player resigned." in told
    assert '[Termination "resigned"]' in told
    assert "The next game begins." in told


def test_line_by_line_somebody_who_types_nothing_watches_to_the_end(server: Live) -> None:
    async def play() -> str:
        mine, theirs = links_of(server, "Ana", "Rui")
        watching, table, other = await opened(mine.partition("#")[0]), await opened(mine), await opened(theirs)
        said: list[str] = []

        async def read() -> str:
            raise EOFError

        running = asyncio.create_task(PlainGame(watching, say=said.append, ask=said.append, read=read).run())
        await emptied(table)
        assert table.turn
        await table.play(next(iter(table.turn.options)))
        await asyncio.sleep(0.3)
        assert not running.done()
        await other._connection.ask(Resign(seat=1))
        await asyncio.wait_for(running, PATIENCE)
        for one in (watching, table, other):
            one.close()
        return "\n".join(said)

    assert "Ana wins" in asyncio.run(play())
