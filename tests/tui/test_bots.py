"""Computer players at tables on a real server: whole games, many tables, lost servers, and players that fail."""

from __future__ import annotations

import asyncio
import json
import sys
import threading
from pathlib import Path

import httpx
import pytest

from azulejos import Game, Move, read_record
from azulejos.game.replay import steps
from azulejos.players import Limits, make
from azulejos.players.python_player import as_player
from azulejos.server.protocol.incoming import Substitute
from azulejos.tui.bots import play_tables, seated
from azulejos.tui.table import bot
from azulejos.tui.table.bot import BotTable
from azulejos.tui.table.link import read_link
from azulejos.tui.table.table import NotAllowed
from tests.command import refusal, run
from tests.patience import PATIENCE
from tests.server.live import Live, live_server, wait_for_computers
from tests.tui.person import at
from tests.tui.tables import Restart, links_of, opened, play_through_a_restart, until_turn

EXAMPLES = Path(__file__).parents[2] / "examples"
ENGINE = f"process:{sys.executable} {EXAMPLES / 'bot_engine.py'}"


def record_at(link: str) -> str:
    place = read_link(link)
    return httpx.get(f"{place.origin}/api/tables/{place.table}/record.azul", timeout=PATIENCE).text


@pytest.mark.parametrize("wall", ["std", "gray"])
def test_a_level_takes_the_seat_of_a_link_and_plays_to_the_end(server: Live, wall: str) -> None:
    wait_for_computers(server)
    (link,) = links_of(server, "Rui", "1", wall=wall)
    done = run("play", link, "--me", "level2", "--plain")
    assert (done.returncode, done.stderr) == (0, "")
    record = read_record(record_at(link))
    assert record.result is not None
    assert record.names == ("level2", "level1")
    assert "again" not in done.stdout.splitlines()[-1]
    assert str(record.result[0]) in done.stdout.splitlines()[-1]


@pytest.mark.parametrize("wall", ["std", "gray"])
def test_programs_and_classes_of_ones_own_play_each_other(server: Live, wall: str) -> None:
    """Three seats, three kinds of players: on the gray wall all choose at the same time, and nobody sees it."""
    links = links_of(server, "Ana", "Rui", "Eva", wall=wall)

    async def play() -> None:
        specs = ("python:bot:MyPlayer", ENGINE, "greedy")
        games = await asyncio.gather(
            *(play_tables([read_link(one)], spec) for one, spec in zip(links, specs, strict=True))
        )
        assert [game[0].fault for game in games] == ["", "", ""]
        assert len({tuple(game[0].result.scores) for game in games if game[0].result}) == 1
        assert sum(game[0].has_won for game in games) >= 1

    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(EXAMPLES)
        asyncio.run(play())
    assert read_record(record_at(links[0])).names == ("My player 1", "My engine 1", "greedy")


def test_many_tables_at_once_by_the_command(server: Live) -> None:
    wait_for_computers(server)
    links = [links_of(server, f"Ana {number}", "1")[0] for number in range(4)]
    done = run("bot", *links, "--player", "greedy")
    assert (done.returncode, done.stderr) == (0, "")
    ends = [link.partition("#")[0] for link in links]
    assert sorted(line.partition(": ")[0] for line in done.stdout.splitlines()) == sorted(ends)
    for link, end in zip(links, ends, strict=True):
        record = read_record(record_at(link))
        assert record.result is not None
        verdict = "won" if record.result[0] > record.result[1] else "lost"
        assert (
            f"{end}: seat 1 {verdict}, {record.result_text} (row)\n" in done.stdout
            or record.result[0] == record.result[1]
        )


def test_links_come_from_standard_input_and_results_as_json(server: Live) -> None:
    first, second = links_of(server, "Ana", "Rui", wall="gray")
    both = f"{first},{second.partition('#')[2]}"  # one link may have several seats
    gone = f"{server.url}/t/{'a' * 12}#{'s' * 32}"
    done = run("bot", "-", "--player", "random", "--json", typed=f"{both}\n{gone}\n")
    assert done.returncode == 1
    games = {game["table"]: game for game in map(json.loads, done.stdout.splitlines())}
    played, lost = games[first.partition("#")[0]], games[gone.partition("#")[0]]
    assert (played["seats"], played["won"], played["fault"]) == ([0, 1], True, None)
    assert tuple(played["scores"]) == read_record(record_at(first)).result
    assert (lost["winners"], lost["won"]) == (None, False)
    assert "no such table" in lost["fault"].lower() or "'aaaaaaaaaaaa'" in lost["fault"]
    assert "#" not in done.stdout + done.stderr


def test_a_player_goes_on_when_the_server_was_killed_and_comes_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bot, "PAUSE_SECONDS", 0.05)
    notes: list[str] = []

    async def play(live: Live, restart: Restart) -> None:
        links = [read_link(link) for link in links_of(live, "Ana", "Rui")]
        player = make("greedy")
        asked = 0

        class Counting:
            def choose(self, game: Game) -> Move:
                nonlocal asked
                asked += 1
                if asked == 10:
                    live.process.kill()
                    live.process.wait()
                return player.choose(game, Limits()).move

        monkeypatch.setattr("azulejos.tui.bots.make", lambda *_: as_player(Counting()))
        games = asyncio.gather(
            *(play_tables([link], "greedy", note=lambda _, said: notes.append(said)) for link in links)
        )
        while asked < 10:
            await asyncio.sleep(0.02)
        await restart()
        async with asyncio.timeout(PATIENCE):
            ((first,), (second,)) = await games
        assert first.result is not None
        assert first.result == second.result

    play_through_a_restart(play, tmp_path, tmp_path)
    assert any("Connection lost" in note for note in notes)


def test_a_thought_about_what_was_taken_back_is_dropped(server: Live) -> None:
    """Ana takes back her move while the player thinks about its answer."""
    thinking, go_on = threading.Event(), threading.Event()
    seen: list[str] = []

    class Slow:
        def choose(self, game: Game) -> Move:
            seen.append(game.position)
            thinking.set()
            assert go_on.wait(PATIENCE)
            return game.legal_moves[0]

    async def play() -> None:
        mine, theirs = links_of(server, "Ana", "Rui")
        ana, table = await opened(mine), BotTable(read_link(theirs), as_player(Slow()), "Rui")
        await table.open()
        following = asyncio.create_task(follow(table))
        assert ana.turn
        first, *_, last = ana.turn.options
        await ana.play(first)
        await asyncio.to_thread(thinking.wait, PATIENCE)
        await ana.undo()
        await until_turn(ana)
        go_on.set()
        await ana.play(last)
        await until_turn(ana)
        assert [str(entry.play) for entry in read_record(await ana.record()).entries[1:2]] == [str(last)]
        assert len(seen) == 2
        assert seen[0] != seen[1]
        following.cancel()
        ana.close()
        table.close()

    async def follow(table: BotTable) -> None:
        while True:
            await table.next()

    asyncio.run(play())


def test_a_seat_that_a_computer_of_the_server_has_is_taken_back(server: Live) -> None:
    async def play() -> None:
        wait_for_computers(server)
        mine, theirs = links_of(server, "Ana", "Rui")
        ana = await opened(mine)
        await ana._connection.ask(Substitute(seat=1))
        (game,), _ = await asyncio.gather(
            play_tables([read_link(theirs)], "greedy"), play_tables([read_link(mine)], "random")
        )
        assert game.result is not None
        assert ana._people._seats[1].substitute is None
        ana.close()

    asyncio.run(play())


def test_too_many_messages_are_no_reason_to_leave(tmp_path: Path) -> None:
    with live_server(tmp_path, messages_per_second=4) as live:
        links = links_of(live, "Ana", "Rui")
        done = run("bot", f"{links[0]},{links[1].partition('#')[2]}", "--player", "random")
        assert (done.returncode, done.stderr) == (0, "")


def test_a_clock_limits_the_thinking(server: Live) -> None:
    heard: list[int | None] = []

    class Listening:
        def choose(self, game: Game, limits: Limits) -> Move:
            heard.append(limits.milliseconds)
            return game.legal_moves[0]

    async def play() -> None:
        clock = {"seconds": 10, "increment": 0, "at_zero": "computer"}
        mine, theirs = links_of(server, "Ana", "Rui", clock=clock)
        other = await opened(theirs)
        table = BotTable(read_link(mine), as_player(Listening()), "Ana")
        await table.open()
        while not heard:
            await table.next()
        other.close()
        table.close()

    asyncio.run(play())
    assert heard[0] is not None
    assert 0 < heard[0] <= 500


def test_a_player_that_fails_is_named_and_the_other_tables_are_played(server: Live, tmp_path: Path) -> None:
    wait_for_computers(server)
    (tmp_path / "own_bot.py").write_text(
        "class Bot:\n    def choose(self, game): return 'zz' if game.wall == 'gray' else game.legal_moves[0]"
    )
    good, bad = links_of(server, "Ana", "1")[0], links_of(server, "Ana", "1", wall="gray")[0]
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path)
        done = run("bot", good, bad, "--player", "python:own_bot:Bot")
        watched = run("play", bad, "--me", "python:own_bot:Bot", "--plain")
    assert done.returncode == 1
    assert f"{bad.partition('#')[0]}: Bot cannot play: 'python:own_bot:Bot' answered 'zz'" in done.stderr
    assert done.stdout.startswith(good.partition("#")[0])
    assert "'python:own_bot:Bot' answered 'zz', which is not a move" in watched.stdout


def test_on_a_whole_screen_one_watches_it_play(server: Live) -> None:
    async def play() -> None:
        wait_for_computers(server)
        (link,) = links_of(server, "Rui", "1")
        async with seated(read_link(link), "level1") as table, at(table) as person:
            await person.until(lambda: person.app.table.ending is not None)
            await person.until(lambda: any(line.startswith("level1 ") for line in person.app.log_lines))
            assert person.app.selection is None
            with pytest.raises(NotAllowed):
                await table.undo()

    asyncio.run(play())


def test_a_person_at_a_link_may_have_another_name(server: Live) -> None:
    link, _ = links_of(server, "Ana", "Rui")
    run("play", link, "--me", "person:Zé", "--plain", typed="quit\n")
    assert read_record(record_at(link)).names == ("Zé", "Rui")
    run("play", link, "--me", "person:" + "x" * 60, "--plain", typed="quit\n")
    assert read_record(record_at(link)).names == ("x" * 24, "Rui")


SEAT = "http://127.0.0.1:9/t/abc#" + "s" * 32
REFUSED: dict[str, tuple[tuple[str, ...], str]] = {
    "no table": (("bot",), "no table to play at: expected links such as http://HOST:PORT/t/TABLE#SECRET"),
    "no link": (("bot", "abc"), "cannot read the link 'abc'"),
    "no seat": (
        ("bot", SEAT.partition("#")[0]),
        "the link to 'abc' has no secret of a seat behind a #: it only watches",
    ),
    "no player": (("bot", SEAT, "--player", "nobody"), "there is no player 'nobody'"),
    "no program": (("bot", SEAT, "--player", "process:/nowhere/bot"), "'process:/nowhere/bot' cannot be started"),
    "no time": (("bot", SEAT, "--milliseconds", "0"), "milliseconds must be a whole number of at least 1, not 0"),
    "nobody to watch": (("play", SEAT.partition("#")[0], "--me", "level3"), "--me level3 needs a seat"),
    "nobody to name": (("play", SEAT.partition("#")[0], "--me", "person:Ana"), "--me person:Ana needs a seat"),
}


@pytest.mark.parametrize(("words", "named"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_is_told_before_anybody_sits_down(words: tuple[str, ...], named: str) -> None:
    assert named in refusal(*words)


def test_a_server_that_is_not_there_is_told() -> None:
    done = run("bot", SEAT)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("http://127.0.0.1:9/t/abc: cannot reach the server at 'http://127.0.0.1:9'")


FOR_A_NEW_GAME = (("--players", "3"), ("--wall", "gray"), ("--seed", "7"), ("--against", "level1"))


@pytest.mark.parametrize("option", FOR_A_NEW_GAME, ids=lambda option: option[0])
def test_options_of_a_new_game_are_refused_with_a_link_or_a_record(option: tuple[str, str], tmp_path: Path) -> None:
    file = tmp_path / "game.azul"
    file.write_text(Game(seed=1).to_record())
    assert f"{option[0]} has no effect at a table on a server" in refusal("play", SEAT, *option)
    assert f"{option[0]} has no effect where a record is looked at" in refusal("play", file, *option)
    assert "--me has no effect where a record is looked at" in refusal("play", file, "--me", "level3")


def test_the_speed_of_a_screen_is_refused_line_by_line() -> None:
    for speed in ("normal", "fast"):
        assert "--speed has no effect line by line" in refusal("play", "--plain", "--speed", speed)
    assert run("play", "--plain", "--speed", "instant", "--seed", "1", "--against", "greedy").returncode == 0


def test_a_class_of_ones_own_sits_at_a_servers_table_as_a_computer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(EXAMPLES)
    with live_server(tmp_path, "--player", "Rosa=python:bot:MyPlayer", workers="1") as live:
        wait_for_computers(live)
        seats = [{"kind": "friend", "name": "Ana"}, {"kind": "computer", "player": "Rosa"}]
        for stranger in ("python:bot:MyPlayer", "python:os:abort"):  # only names that the server was started with
            wrong = [seats[0], {"kind": "computer", "player": stranger}]
            answer = httpx.post(f"{live.url}/api/tables", json={"seats": wrong}, timeout=PATIENCE)
            assert answer.status_code >= 400
        created = httpx.post(f"{live.url}/api/tables", json={"seats": seats, "starter": 0}, timeout=PATIENCE).json()
        link = f"{live.url}/t/{created['table']['id']}#{created['secrets'][0]}"
        assert run("bot", link, "--player", "greedy").returncode == 0
        record, rosa = read_record(record_at(link)), make("python:bot:MyPlayer")
        expected: list[Move] = []
        for entry, game in steps(record):
            if expected:
                assert entry.play == expected.pop()
            if game.seat == 1 and game.phase.is_decision:
                expected.append(rosa.choose(game, Limits()).move)
        assert "a worker is replaced" not in live.logged()
