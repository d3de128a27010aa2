"""Tables on a real server in a process of its own, with a second client."""

from __future__ import annotations

import asyncio
import json
import threading
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from websockets.asyncio.client import connect

from azulejos import read_record
from azulejos.game.moves import Move
from azulejos.players.levels import FULL_STRENGTH, spec_of
from azulejos.server.protocol.incoming import Resign
from azulejos.tui import words
from azulejos.tui.app.dialogs import Panel
from azulejos.tui.board.scenes import Scene, scenes
from azulejos.tui.plain.game import PlainGame
from azulejos.tui.table.link import read_link
from azulejos.tui.table.remote import RemoteTable
from azulejos.tui.table.table import NotAllowed
from tests.server.live import Live, wait_for_computers
from tests.tui.person import at
from tests.tui.tables import links_of, opened, until_turn


async def play_raw(link: str, *moves: str) -> None:
    """The second client: nothing but a socket, one move for each of its turns."""
    place = read_link(link)
    todo = list(moves)
    async with connect(place.socket) as socket:
        await socket.send(json.dumps({"type": "hello", "secrets": list(place.secrets)}))
        async for text in socket:
            said = json.loads(text)
            assert said["type"] != "refused", said
            mine = set(said.get("waiting", ())) & set(said.get("you", {}).get("seats", ()))
            if mine and todo:
                move = {"type": "play", "seat": mine.pop(), "version": said["version"], "move": todo.pop(0)}
                await socket.send(json.dumps(move))
            elif not todo and said["type"] == "accepted":
                return


def test_moves_go_there_and_the_others_moves_arrive(server: Live) -> None:
    async def play() -> None:
        mine, theirs = links_of(server, "Ana", "Rui")
        table = await opened(mine)
        async with at(table) as person:
            assert "Your turn" in person.prompt
            assert "Ana" in person.screen_text
            assert "Rui (away)" in person.screen_text
            await person.press("1")
            assert person.app.selection
            await person.press("enter", "enter")
            await person.until(lambda: "Rui is away. T: what can be done." in person.prompt)
            theirs_table = await opened(theirs)
            assert theirs_table.turn
            move = next(iter(theirs_table.turn.options))
            theirs_table.close()
            await play_raw(theirs, str(move))
            await person.until_my_turn()
            told = "\n".join(person.app.log_lines)
            assert "Rui has come." in told
            assert f"Rui {move}: " in told
            await person.press("u")
            await person.until(lambda: "Too late to undo" in person.prompt)
            record = read_record(await table.record())
            assert record.entries[2].play == move
        table.close()

    asyncio.run(play())


def test_full_strength_is_called_so_and_plays(server: Live) -> None:
    async def play() -> None:
        wait_for_computers(server)
        (mine,) = links_of(server, "Ana", str(FULL_STRENGTH.number))
        table = await opened(mine)
        async with at(table) as person:
            assert "Full strength" in person.screen_text
            await person.press("1", "enter", "enter")
            await person.until(lambda: any(line.startswith("Full strength ") for line in person.app.log_lines))
            assert read_record(await table.record()).names == ("Ana", "net")
        table.close()

    asyncio.run(play())


def test_a_number_that_only_a_newer_server_knows_has_a_name() -> None:
    assert [words.level_name(spec_of(level)) for level in (8, 100, 42)] == ["Master", "Full strength", "Level42"]


def test_undo_before_anybody_has_answered(server: Live) -> None:
    async def play() -> None:
        mine, _ = links_of(server, "Ana", "Rui")
        table = await opened(mine)
        async with at(table) as person:
            before = table.view
            await person.press("1", "enter", "enter")
            await person.until(lambda: table.view != before)
            await person.press("u")
            await person.until(lambda: person.app.view == before)
            await person.until_my_turn()
            assert "Ana took back a move." in person.app.log_lines
        table.close()

    asyncio.run(play())


def test_a_lost_connection_comes_back_with_what_happened_meanwhile(server: Live) -> None:
    async def play() -> None:
        mine, theirs = links_of(server, "Ana", "Rui")
        table = await opened(mine)
        async with at(table) as person:
            await person.press("1", "enter", "enter")
            await person.until(lambda: "Rui is away. T: what can be done." in person.prompt)
            other = await opened(theirs)
            await asyncio.sleep(0.1)
            socket = table._connection._socket
            assert socket
            socket.transport.abort()
            assert other.turn
            move = next(iter(other.turn.options))
            await other.play(move)
            await person.until(lambda: any("Connection lost" in line for line in person.app.log_lines))
            await person.until_my_turn()
            assert any(f"Rui {move}: " in line for line in person.app.log_lines)
            assert person.app.view == other.view
            other.close()
        table.close()

    asyncio.run(play())


@pytest.mark.parametrize("wall", ["std", "gray"])
def test_two_clients_play_a_whole_game_and_every_scene_fits_the_position(server: Live, wall: str) -> None:
    async def seat(table: RemoteTable, last: list[Scene]) -> None:
        while not (table.ending and not table._changes):
            if table.turn:
                moves = sorted(table.turn.options.items(), key=lambda one: (one[1].cost, -one[1].placed, one[0]))
                try:
                    await table.play(moves[0][0])
                except NotAllowed:  # somebody's hidden choice came in between
                    continue
                continue
            change = await table.next()
            view = change.before
            for happening in change.happenings:
                shown = list(scenes(happening, view, change.after, table.names))
                view = shown[-1].view if shown else view
                last += shown
            if change.happenings and change.after.phase != "t":  # where own choices are shown that are still hidden
                assert view.boards == change.after.boards

    async def play() -> None:
        tables = [await opened(link) for link in links_of(server, "Ana", "Rui", wall=wall)]
        seen: list[list[Scene]] = [[], []]
        await asyncio.gather(*(seat(table, scenes_) for table, scenes_ in zip(tables, seen, strict=True)))
        one, other = tables
        assert one.ending == other.ending
        assert one.ending is not None
        assert tuple(one.ending.scores) == tuple(board.score for board in one.view.boards)
        assert sum(scene.scoring for scene in seen[0]) > 20
        assert read_record(await one.record()).result == tuple(one.ending.scores)
        if wall == "gray":
            record = read_record(await one.record())
            assert any(isinstance(entry.play, Move) and entry.play.is_tiling for entry in record.entries)
        for table in tables:
            table.close()

    asyncio.run(play())


def test_a_hint_is_thought_about_here_and_everybody_is_told(server: Live) -> None:
    async def play() -> None:
        mine, theirs = links_of(server, "Ana", "Rui")
        table, other = await opened(mine), await opened(theirs)
        async with at(table) as person:
            await person.press("h")
            await person.until(lambda: "chance to win" in person.prompt)
            await person.until(lambda: "Ana was given a hint." in person.app.log_lines)
            assert "chance to win" in person.prompt
            await person.until(lambda: other._said.table.assisted)
            before = other.view
            await person.press("enter")
            await person.until(lambda: other.view != before)
        table.close()
        other.close()

    asyncio.run(play())


def test_a_hint_for_a_choice_knows_what_was_chosen_before(server: Live) -> None:
    async def decide(table: RemoteTable) -> None:
        turn = table.turn
        if turn:
            with suppress(NotAllowed):  # the other's hidden choice came in between
                await table.play(min(turn.options, key=lambda move: (turn.options[move].cost, move)))
        while table._changes or not (table.turn or table.ending or table.waiting != table.own_seats):
            await table.next()

    async def play() -> None:
        tables = [await opened(link) for link in links_of(server, "Ana", "Rui", wall="gray")]
        mine = tables[0]
        while not (mine.turn and any(own.chosen for own in mine._people.you.choosing)):
            for table in tables:
                await decide(table)
            await asyncio.sleep(0.01)
        best = await mine.hint()
        await until_turn(mine)
        assert best.move in mine.turn.options
        for table in tables:
            table.close()

    asyncio.run(play())


def test_the_other_gives_up_and_a_rematch_brings_everybody_to_the_next_table(server: Live) -> None:
    async def play() -> None:
        mine, theirs = links_of(server, "Ana", "Rui")
        table, other = await opened(mine), await opened(theirs)
        async with at(table) as person:
            await other._connection.ask(Resign(seat=1))
            await person.until(lambda: isinstance(person.app.screen, Panel) and "Ana wins" in person.screen_text)
            assert "A player resigned." in person.screen_text
            await person.press("escape")
            assert "The game is over" in person.screen_text
            await person.press("n")
            await person.until(lambda: table.ending is None)
            await person.until(lambda: other.ending is None)
            assert sorted([*table.own_seats, *other.own_seats]) == [0, 1]
            assert table.names == other.names == ["Rui", "Ana"]
            mover, waiter = (table, other) if table.waiting == table.own_seats else (other, table)
            await person.until(lambda: not table._changes)
            while other._changes:
                await other.next()
            assert mover.turn
            assert waiter.turn is None
            await mover.play(next(iter(mover.turn.options)))
            await person.until(lambda: table.view == other.view)
        table.close()
        other.close()

    asyncio.run(play())


def test_a_link_without_a_secret_only_watches(server: Live) -> None:
    async def play() -> None:
        mine, _ = links_of(server, "Ana", "Rui")
        table = await opened(mine.partition("#")[0])
        async with at(table) as person:
            assert person.app.selection is None
            assert person.prompt == "Ana is away."
            await person.press("1", "enter", "h")
            await person.until(lambda: "It is not your turn" in person.prompt)
        table.close()

    asyncio.run(play())


def test_a_table_line_by_line(server: Live) -> None:
    async def play() -> str:
        (mine,) = links_of(server, "Ana", "1")
        table = await opened(mine)
        said: list[str] = []
        words = ["nonsense", "9B1", "moves", "say", "undo", "first", "quit"]

        async def read() -> str:
            while not table.turn:
                await asyncio.sleep(0.01)
            word = words.pop(0)
            return str(next(iter(table.turn.options))) if word == "first" else word

        await PlainGame(table, say=said.append, ask=said.append, read=read).run()
        table.close()
        return "\n".join(said)

    wait_for_computers(server)
    told = asyncio.run(play())
    assert told.count("Your move: ") == 7
    assert "Cannot read 'nonsense' as a move." in told
    assert "There are 5 displays." in told
    assert "There is nothing to undo." in told
    assert "Display 1: " in told
    assert "Ana 1" in told
    assert "Beginner " in told.split("Ana 1")[-1]


class Elsewhere(BaseHTTPRequestHandler):
    """A server that is not ours."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"hello")

    def log_message(self, *_: object) -> None:
        pass


def test_links_that_open_nothing_are_named(server: Live) -> None:
    (good, _) = links_of(server, "Ana", "Rui")
    with pytest.raises(ValueError, match="no such table"):
        asyncio.run(opened(f"{server.url}/t/nothere"))
    with pytest.raises(ValueError, match="opens no seat"):
        asyncio.run(opened(good.partition("#")[0] + "#" + "x" * 32))
    with pytest.raises(ValueError, match=r"cannot reach the server at 'http://127.0.0.1:9': Connection refused"):
        asyncio.run(opened("http://127.0.0.1:9/t/abc"))
    other = HTTPServer(("127.0.0.1", 0), Elsewhere)
    threading.Thread(target=other.serve_forever, daemon=True).start()
    with pytest.raises(ValueError, match="no Azulejos server"):
        asyncio.run(opened(f"http://127.0.0.1:{other.server_port}/t/abc"))
    other.shutdown()
    other.server_close()
    asyncio.run(opened(good))


@pytest.mark.parametrize(
    "text",
    [
        "http://",
        "http://host",
        "http://host/",
        "http://host/t/",
        "http://host/t/a/b",
        "http://host/x/abc",
        "http://host:port/t/abc",
        "http://host:99999/t/abc",
        "ftp://host/t/abc",
        "http://user@host/t/abc",
        "http://host/t/abc#short",
        "http://host/t/abc#" + ",".join(["s" * 20] * 5),
        "http://[::1/t/abc",
        "://",
        "http://host/t/../../etc#" + "s" * 20,
    ],
)
def test_what_is_no_link_is_refused_without_telling_the_secret(text: str) -> None:
    with pytest.raises(ValueError, match="link") as told:
        read_link(text)
    assert "s" * 20 not in str(told.value)
