"""The line protocol: transcripts letter for letter, and what no transcript can show."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from azulejos import Game
from azulejos.analysis.analyst import Analyst
from azulejos.engine.engine import Engine, searching_player
from azulejos.engine.protocol import Protocol, info_lines
from azulejos.game.view import Wall
from azulejos.net import choice
from azulejos.players import hint, registry
from azulejos.players.engine_process import Answer
from azulejos.players.info import Info
from azulejos.players.player import Limits, begin
from azulejos.search.report import Candidate, Report
from tests.patience import PATIENCE

TRANSCRIPTS = sorted((Path(__file__).parents[1] / "golden").glob("engine_*.txt"))
POSITION = Game(seed=1, starter=0).position
VARIES = (
    (r"^(option name Threads .* max) \d+$", r"\1 *"),
    (r"^info nodes \d+ time \d+ nps \d+ depth \d+ (multipv \d+)", r"info nodes * time * nps * depth * \1"),
    (r" margin [-+][\d.]+ win [\d.]+ [\d.]+ pv .*$", r" margin * win * * pv *"),
)
"""What depends on the machine, or on how well the search plays."""


def timeless(line: str) -> str:
    """An info line without the clock."""
    return re.sub(r"time \d+ nps \d+", "", line)


def conclusion(said: list[str]) -> list[str]:
    """What is told at the end of a search, without the clock: a machine that is busy hears news before it, too."""
    head = " ".join(said[-2].split()[:3])  # info nodes NUMBER
    told = [timeless(line) for line in said if line.startswith((f"{head} ", "bestmove "))]
    return list(dict.fromkeys(told))


class Talk:
    """An engine of this process, and what it has said."""

    def __init__(self) -> None:
        self.engine = Engine()
        self.said: list[str] = []
        self._protocol = Protocol(self.engine, lambda text: self.said.extend(text.split("\n")))

    def send(self, *lines: str) -> None:
        for line in lines:
            self._protocol.obey(line)

    def answer(self, *lines: str) -> list[str]:
        """What is said to these lines, the thinking done."""
        before = len(self.said)
        self.send(*lines)
        self.engine.wait()
        return self.said[before:]


@pytest.fixture
def talk() -> Iterator[Talk]:
    talk = Talk()
    yield talk
    talk.engine.close()


# --- transcripts


def normal(line: str) -> str:
    """A line without what varies."""
    for pattern, instead in VARIES:
        line = re.sub(pattern, instead, line)
    return line


def converse(talk: Talk, transcript: str) -> str:
    """The same transcript as the engine speaks it now."""
    spoken: list[str] = []
    blocks = re.split(r"(?m)^(?=> )", transcript)
    for block in filter(None, blocks):
        command, *expected = block.splitlines()
        before = len(talk.said)
        talk.send(command.removeprefix("> "))
        if any(line.startswith(("< bestmove", "< perft")) for line in expected):
            talk.engine.wait()
        said = [normal(line) for line in talk.said[before:]]
        spoken += [command, *(f"< {line}".rstrip() for line in said)]
    return "\n".join(spoken) + "\n"


@pytest.mark.parametrize("file", TRANSCRIPTS, ids=lambda file: file.stem)
def test_a_conversation_goes_as_written(file: Path, talk: Talk) -> None:
    transcript = file.read_text(encoding="utf-8")
    assert converse(talk, transcript) == transcript


def test_there_are_transcripts() -> None:
    assert len(TRANSCRIPTS) == 5


def test_moves_that_must_be_looked_at_are_told_whatever_the_search_thinks(talk: Talk) -> None:
    talk.send("setoption name MultiPV value 2", f"position pos {POSITION}")
    plain = {line.split(" pv ")[1].split()[0] for line in talk.answer("go nodes 300") if " pv " in line}
    wanted = [
        str(move) for move in Game.from_position(POSITION).legal_moves if move.line == 5 and str(move) not in plain
    ]
    said = conclusion(talk.answer(f"go nodes 300 searchmoves {' '.join(wanted[:3])} seed 1"))
    told = {line.split(" pv ")[1].split()[0]: line for line in said if " pv " in line}
    assert len(told) > 3
    for move in wanted[:3]:
        assert " win " in told[move]
    talk.send("setoption name Player value greedy")
    assert talk.answer(f"go searchmoves {wanted[0]}") == ["error bad_value the player 'greedy' does not search"]


# --- info lines


def candidate(visits: int, win: tuple[float, ...], margin: tuple[float, ...], *line: int) -> Candidate:
    return Candidate(line[0], visits, 0.5, win, margin, line)


def test_an_info_line_has_everything_in_its_order() -> None:
    best = candidate(400, (0.61, 0.39), (4.31, -4.31), 93, 13)
    second, unseen = candidate(2, (0.25, 0.75), (-0.04, 0.04), 13), candidate(0, (0.0, 0.0), (0.0, 0.0), 5)
    report = Report(512, 0.310, 7, (best, second, unseen))
    assert list(info_lines(report, 0, 20)) == [
        "info nodes 512 time 310 nps 1652 depth 7 multipv 1 margin +4.3 win 61.0 39.0 pv 3B4 cR2",
        "info nodes 512 time 310 nps 1652 depth 7 multipv 2 margin +0.0 win 25.0 75.0 pv cR2",
    ]
    assert next(info_lines(report, 1, 1)).split(" margin ")[1] == "-4.3 win 61.0 39.0 pv 3B4 cR2"


def test_a_move_that_was_not_looked_at_has_no_value() -> None:
    report = Report(1, 0.0, 0, (candidate(0, (0.0, 0.0), (0.0, 0.0), 93),))
    assert list(info_lines(report, 0, 3)) == ["info nodes 1 time 0 nps 1000 depth 0 multipv 1 pv 3B4"]


def test_every_move_of_a_solved_position_has_a_value() -> None:
    moves = (candidate(3, (1.0, 0.0), (5.0, -5.0), 93), candidate(0, (0.5, 0.5), (0.0, 0.0), 13))
    said = list(info_lines(Report(3, 0.0, 1, moves, solved=True), 0, 20))
    assert [line.split(" multipv ")[1] for line in said] == [
        "1 margin +5.0 win 100.0 0.0 pv 3B4",
        "2 margin +0.0 win 50.0 50.0 pv cR2",
    ]


# --- thinking


def test_the_same_seed_and_nodes_give_the_same_answer(talk: Talk) -> None:
    def think(seed: int) -> list[str]:
        said = talk.answer(f"setoption name Seed value {seed}", f"position pos {POSITION}", "go nodes 700")
        assert said[-2].startswith("info nodes 700 ")
        return conclusion(said)

    talk.send("setoption name Player value search")
    first = think(7)
    talk.answer("newgame", "position start 3 gray", "go nodes 5", f"position pos {POSITION}", "go movetime 20")
    assert think(7) == first
    assert think(8) != first


@pytest.mark.parametrize(("players", "wall", "strongest"), [(2, "std", "net"), (3, "gray", "search")])
def test_the_strongest_player_for_the_game_thinks_and_another_can_be_chosen(
    talk: Talk, players: int, wall: Wall, strongest: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if strongest == "search":
        monkeypatch.delitem(choice.WEIGHTS, (players, wall), raising=False)
    game = Game(players, wall, seed=1)
    expected = {}
    for spec in ("net", "search"):
        player = searching_player(spec)
        report = player.search(game, Limits(nodes=300))
        player.close()
        expected[spec] = [timeless(line) for line in info_lines(report, game.turn, 5)]
    assert (expected["net"] == expected["search"]) == (strongest == "search")
    talk.send("setoption name MultiPV value 5", f"position pos {game.position}")
    for asked, spec in ((), strongest), (("setoption name Player value search",), "search"):
        said = talk.answer(*asked, "go nodes 300")
        assert conclusion(said)[:-1] == expected[spec]


def test_the_player_to_begin_with_can_be_chosen_again_and_keeps_its_options() -> None:
    spoken: list[str] = []
    engine = Engine("search:nodes=20")
    protocol = Protocol(engine, lambda text: spoken.extend(text.split("\n")))
    for line in ("azi", f"position pos {POSITION}", "setoption name Player value net", "go nodes 60"):
        protocol.obey(line)
    engine.wait()
    for line in ("setoption name Player value search:nodes=20", "setoption name Seed value 2", "go nodes 60"):
        protocol.obey(line)
    engine.close()
    assert spoken[2].startswith("option name Player type combo default search:nodes=20 var search:nodes=20 var greedy ")
    last = [before for before, line in pairwise(spoken) if line.startswith("bestmove")]
    assert [line.split()[:3] for line in last] == [["info", "nodes", "60"], ["info", "nodes", "20"]]


def test_threads_are_taken_up_to_what_the_machine_has(talk: Talk) -> None:
    most = os.cpu_count() or 1
    assert (
        talk.answer(f"setoption name Threads value {most}", f"position pos {POSITION}", "go nodes 400")[-1][:8]
        == "bestmove"
    )
    assert talk.answer(f"setoption name Threads value {most + 1}")[0].startswith("error bad_value Threads must be")
    assert talk.answer("setoption name Threads value 1", "go nodes 400")[-1].startswith("bestmove")


def test_multipv_tells_several_moves_best_first(talk: Talk) -> None:
    talk.send("setoption name Player value search", "setoption name multipv value 4")
    said = talk.answer(f"position pos {POSITION}", "go nodes 2000")
    lines = [line.split() for line in conclusion(said)[:-1]]
    assert [line[line.index("multipv") + 1] for line in lines] == ["1", "2", "3", "4"]
    moves = [line[line.index("pv") + 1] for line in lines]
    assert len(set(moves)) == 4
    assert said[-1] == f"bestmove {moves[0]}"


def test_the_first_of_two_limits_counts(talk: Talk) -> None:
    talk.send(f"position pos {POSITION}")
    assert talk.answer("go nodes 50 movetime 60000")[-2].startswith("info nodes 50 ")
    info = talk.answer("go movetime 50 nodes 2000000")[-2].split()
    assert int(info[info.index("nodes") + 1]) < 2_000_000


def test_it_tells_while_it_thinks_and_hears_stop(talk: Talk) -> None:
    talk.send(f"position pos {POSITION}", "go infinite")
    deadline = time.monotonic() + PATIENCE
    while not talk.said and time.monotonic() < deadline:
        time.sleep(0.05)
    assert talk.said
    assert all(line.startswith("info ") for line in talk.said)
    assert talk.answer("stop")[-1].startswith("bestmove ")


def test_infinite_means_until_stop_even_where_there_is_nothing_to_think_about(talk: Talk) -> None:
    only = "std -/-/-/-/- Y 4:Y/W2/K3/R2/B:B4/1B3/3Y1/1K3/5:F 3:W/B2/B3/Y4/W3:1Y3/4K/4R/5/5:Y B11Y9R15K11W14 d1 2@2"
    talk.send(f"position pos {only}", "go infinite")
    time.sleep(0.2)
    assert talk.engine.thinking
    assert talk.answer("stop")[-1] == "bestmove cYf"


def test_a_deep_perft_can_be_stopped(talk: Talk) -> None:
    talk.send(f"position pos {POSITION}", "perft 9", "isready")
    assert talk.said == ["readyok"]
    assert talk.answer("stop") == ["error stopped perft was stopped before it had counted all"]
    assert talk.answer("perft 1") == [f"perft 1 {len(Game(seed=1, starter=0).legal_moves)}"]


def test_perft_in_pieces_is_perft(talk: Talk) -> None:
    late = "std -/-/-/-/- YR4 9:-/B2/-/-/-:5/5/1W3/5/5:K2 0:-/-/-/-/-:5/5/5/5/5:F B18Y19R16K18W19 d1 2@1"
    assert talk.answer(f"position pos {late}", "perft 2")[0].split()[2] == talk.answer("perft 5")[0].split()[2]


def test_a_search_that_fails_is_told_and_survived(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_args: object, **_options: object) -> Report:
        raise MemoryError

    talk.send(f"position pos {POSITION}")
    monkeypatch.setattr(talk.engine._player, "search", fail)
    assert talk.answer("go nodes 1") == ["error internal MemoryError"]
    monkeypatch.undo()
    assert talk.answer("go nodes 30")[-1].startswith("bestmove")


def test_the_options_of_a_player_limit_it() -> None:
    engine = Engine("search:nodes=20")
    engine.set_up(Game(seed=1))
    reports: list[Report | Answer] = []
    engine.go(Limits(nodes=500), news=reports.append, done=lambda _: None, failed=lambda _: None)
    engine.close()
    assert [report.nodes for report in reports[-1:]] == [20]


def test_who_is_asked_for_values_has_to_search() -> None:
    with pytest.raises(ValueError, match="'greedy' does not search"):
        searching_player("greedy")


# --- any player


@pytest.mark.parametrize("spec", ["level2", "level8", "random"])
def test_a_player_that_draws_lots_plays_as_it_does_anywhere_else(talk: Talk, spec: str) -> None:
    player = registry.make(spec)
    for game in (Game(seed=1, starter=0), Game(3, "gray", seed=2)):
        talk.send(f"position pos {game.position}", f"setoption name Player value {spec}")
        for seed in range(5):
            begin(player, seed)
            choice = player.choose(game, Limits())
            said = talk.answer(f"go seed {seed}")
            assert said[-1] == f"bestmove {choice.move}"
            value = str(Info(1, choice.win, choice.margin, (str(choice.move),)))
            assert value in said[-2] if choice.win else said[:-1] == []
    player.close()


def test_a_hint_tells_several_moves_and_looks_again_if_it_saw_too_little(
    talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    talk.send("setoption name Player value search", "setoption name MultiPV value 3", f"position pos {POSITION}")
    said = talk.answer("go hint")
    ranks = [line.split(" multipv ")[1].split()[0] for line in said[-4:-1]]
    assert ranks == ["1", "2", "3"]
    assert said[-1] == f"bestmove {said[-4].split(' pv ')[1].split()[0]}"
    monkeypatch.setattr(hint, "FIRST_LOOK", Limits(nodes=10))
    monkeypatch.setattr(hint, "FEWEST_NODES", 50)
    monkeypatch.setattr(hint, "SECOND_LOOK", Limits(nodes=50))
    said = talk.answer("go hint")
    assert [line.split()[2] for line in said[:-1]] == ["10"] * 3 + ["50"] * 3


def test_hints_and_lines_show_what_a_review_shows(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hint, "FIRST_LOOK", Limits(nodes=400))
    monkeypatch.setattr(hint, "FEWEST_NODES", 1)
    game = Game.from_position(POSITION)
    reviewed = [
        timeless(line) for line in info_lines(Analyst(2, "std", nodes=400).search(game.states), game.turn, count=20)
    ]
    talk.send("setoption name MultiPV value 20", f"position pos {POSITION}")
    assert conclusion(talk.answer("go hint"))[:-1] == reviewed
    playing = conclusion(talk.answer("go nodes 400"))[:-1]  # another move may come first
    valued = [{line.split(" margin ")[1] for line in lines} for lines in (reviewed, playing)]
    assert valued[0] == valued[1]


# --- lines


def test_whatever_comes_is_answered_in_one_line(talk: Talk) -> None:
    for line in ("\x00\x1b[2J", "gö", "go" * 40000, "position pos " + "x" * 60000, "go nodes " + "9" * 5000, "\ud800"):
        said = talk.answer(line)
        assert len(said) == 1
        assert said[0].startswith("error ")
        assert said[0].isprintable()
        assert len(said[0]) < 1200
    assert talk.answer("", "  ", "\r\n") == []
    assert talk.answer("  isready \r\n") == ["readyok"]
