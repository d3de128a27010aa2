"""Matches as a whole: the same games whoever plays them, whatever is killed."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Future
from dataclasses import replace
from pathlib import Path

import pytest

from azulejos import read_record
from azulejos.arena.game_task import FinishedGame, Forfeit, GameTask
from azulejos.arena.match import MatchPlan, MatchResult, play_match, summary, whole_pairs
from azulejos.arena.processes import ONE_THREAD, Result
from azulejos.arena.running import Setting
from azulejos.arena.statistics import Sprt
from azulejos.arena.workers import Here, WorkersFailed, play_all
from azulejos.game.reader import split_records
from azulejos.players.player import Limits

HERE = Setting(workers=0)


def play(plan: MatchPlan, setting: Setting) -> tuple[MatchResult, list[FinishedGame]]:
    """A match and its games in order, without the times."""
    games: list[FinishedGame] = []
    result = play_match(plan, setting, games.append)
    return result, [replace(game, milliseconds=()) for game in sorted(games, key=lambda game: game.key)]


def test_the_same_seed_gives_the_same_games_with_any_number_of_workers() -> None:
    plan = MatchPlan(("search", "greedy"), games=8, seed=5, limits=Limits(nodes=20))
    result, games = play(plan, HERE)
    for workers in (1, 2):
        again, same = play(plan, Setting(workers=workers))
        assert same == games
        assert [who.score for who in again.contestants] == [who.score for who in result.contestants]


def test_a_player_against_itself_wins_as_often_as_it_loses() -> None:
    result, games = play(MatchPlan(("greedy", "greedy"), games=20), HERE)
    assert all(one.result == other.result for one, other in zip(games[::2], games[1::2], strict=True))
    assert result.contestants[0].score.value == 0.5


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("wall", ["std", "gray"])
def test_one_against_a_larger_table(players: int, wall: str) -> None:
    plan = MatchPlan(("greedy", "random"), games=8, players=players, wall=wall)  # type: ignore[arg-type]
    result = play_match(plan, HERE)
    greedy, random = result.contestants
    assert result.games == result.pairs * players
    assert greedy.score.value + (players - 1) * random.score.value == pytest.approx(1)
    assert greedy.wins + greedy.shared > 0.8 * result.games
    assert greedy.elo.low == -random.elo.high


def test_a_worker_that_is_killed_loses_no_game_and_its_games_are_played_again(tmp_path: Path) -> None:
    plan = MatchPlan(("search:nodes=20", "greedy"), games=12, seed=5)
    killed: list[int] = []

    def kill(game: FinishedGame) -> None:
        games.append(game)
        if len(games) in {3, 7}:
            victim = multiprocessing.active_children()[0]
            assert victim.pid is not None
            killed.append(victim.pid)
            os.kill(victim.pid, signal.SIGKILL)

    games: list[FinishedGame] = []
    result = play_match(plan, Setting(workers=2, out=tmp_path / "match"), kill)
    assert len(set(killed)) == 2
    assert sorted(game.key for game in games) == [task.key for task in plan.tasks()]
    assert [who.score for who in result.contestants] == [who.score for who in play_match(plan, HERE).contestants]
    with (tmp_path / "match" / "records.azul").open(encoding="utf-8") as lines:
        assert len([read_record(text) for text in split_records(lines)]) == 12


def test_workers_get_one_thread_each_and_this_process_keeps_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", "7")
    monkeypatch.delenv("MKL_NUM_THREADS", raising=False)
    inside: list[str | None] = []
    plan = MatchPlan(("greedy", "random"), games=2)
    play_match(plan, Setting(workers=1), lambda _: inside.extend(os.environ.get(name) for name in ONE_THREAD))
    assert inside == ["1"] * len(inside)
    assert (os.environ["OMP_NUM_THREADS"], os.environ.get("MKL_NUM_THREADS")) == ("7", None)
    assert not multiprocessing.active_children()


class Deadly(Here):
    """Workers that die over one game."""

    deaths = 0

    def submit(self, call: Callable[..., Result], *arguments: object) -> Future[Result]:
        (task,) = arguments
        assert isinstance(task, GameTask)
        if task.key != (1, 0):
            return super().submit(call, task)
        self.deaths += 1
        future: Future[Result] = Future()
        future.set_exception(BrokenExecutor())
        return future


def test_a_game_that_kills_every_worker_ends_the_match_with_its_name() -> None:
    workers = Deadly()
    plan = MatchPlan(("greedy", "random"), games=4)
    games = play_all(plan.tasks(), workers)
    came: list[tuple[int, int]] = []
    with pytest.raises(WorkersFailed, match=r"died 5 times during game 1 of pair 2 \(greedy, random\)"):
        came.extend(played.game.key for played in games)
    assert (1, 0) not in came
    assert workers.deaths == 5


def test_the_sequential_test_stops_early_and_does_not_depend_on_workers() -> None:
    plan = MatchPlan(("greedy", "random"), games=400, sprt=Sprt(0, 200))
    result = play_match(plan, HERE)
    assert result.sprt is not None
    assert result.sprt.verdict == "H1"
    assert result.games < 60
    assert sum(result.sprt.counts) == result.pairs
    again = play_match(plan, Setting(workers=2))
    assert (again.sprt, again.games) == (result.sprt, result.games)
    turned = play_match(replace(plan, specs=("random", "greedy")), HERE)
    assert turned.sprt is not None
    assert turned.sprt.verdict == "H0"


def test_a_test_without_enough_games_is_undecided() -> None:
    result = play_match(MatchPlan(("greedy", "random"), games=4, sprt=Sprt(0, 5)), HERE)
    assert result.sprt is not None
    assert (result.sprt.verdict, result.sprt.counts, result.games) == ("undecided", (0, 0, 0, 0, 2), 4)


def finished(pair: int, rotation: int, result: tuple[int, int], shares: tuple[float, float]) -> FinishedGame:
    seats = (0, 1) if rotation == 0 else (1, 0)
    times = ((100.0,) * 3, (200.0,) * 3)
    specs = tuple("ab"[seat] for seat in seats)
    return FinishedGame(pair, rotation, seats, specs, pair, result, shares, "row", times)


def test_what_a_match_shows() -> None:
    games = [
        finished(0, 0, (60, 40), (1, 0)),
        finished(0, 1, (30, 50), (0, 1)),
        finished(1, 0, (40, 40), (0.5, 0.5)),
        finished(1, 1, (20, 10), (1, 0)),
        finished(2, 0, (90, 0), (1, 0)),
    ]
    failed = replace(games[3], reason="forfeit", forfeit=Forfeit(1, "gone"))
    pairs = whole_pairs({game.key: game for game in [*games[:3], failed, games[4]]}, 2)
    result = summary(MatchPlan(("a", "b"), games=4), pairs)
    a, b = result.contestants
    assert (result.pairs, result.games, result.shared, result.reasons) == (2, 4, 1, {"forfeit": 1, "row": 3})
    assert (a.score.value, b.score.value) == (0.625, 0.375)
    assert (a.wins, b.wins, a.shared, b.shared) == (2, 1, 1, 1)
    assert (a.margin.value, b.margin.value) == (7.5, -7.5)
    assert (a.forfeits, b.forfeits) == (1, 0)
    assert (a.moves, a.p99_seconds, a.longest_seconds) == (12, 0.2, 0.2)
    assert a.seconds_per_move == pytest.approx(0.15)


@pytest.mark.skipif(sys.platform == "win32", reason="runs a shell script")
def test_a_program_that_dies_forfeits_and_the_match_goes_on(tmp_path: Path) -> None:
    program = tmp_path / "dies.sh"
    program.write_text(DIES)
    plan = MatchPlan((f"process:sh {program}", "greedy"), games=4, limits=Limits(nodes=1))
    result = play_match(plan, Setting(workers=1))
    dies, greedy = result.contestants
    assert (dies.forfeits, greedy.forfeits, greedy.wins, result.reasons) == (4, 0, 4, {"forfeit": 4})


DIES = """while read line; do
  case "$line" in
    azi) echo aziok;;
    isready) echo readyok;;
    go*) exit 3;;
  esac
done
"""


def test_players_that_do_not_exist_are_refused_before_the_match(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="there is no player 'nobody'"):
        play_match(MatchPlan(("greedy", "nobody")), Setting(out=tmp_path / "match"))
    assert not (tmp_path / "match").exists()
