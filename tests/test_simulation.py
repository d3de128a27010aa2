"""Mass random play: nothing is lost in counting, and a game is the same game wherever it is played."""

from __future__ import annotations

import numba
import numpy as np
import pytest

from azulejos.arena.simulation import CHUNK, ROUND_LIMIT, Simulation, describe, simulate
from azulejos.game.arguments import check_seed
from azulejos.game.game import END_REASONS
from azulejos.game.view import WALLS, Wall
from azulejos.rules import batch, ending, mass, random_play
from azulejos.rules import state as s

KINDS: list[tuple[int, Wall]] = [(players, wall) for players in (2, 3, 4) for wall in WALLS]
each_kind = pytest.mark.parametrize(("players", "wall"), KINDS)
needs_two_threads = pytest.mark.skipif(numba.config.NUMBA_NUM_THREADS < 2, reason="this machine has one processor")


def has_cuda() -> bool:
    """Whether mass play can run on a CUDA device here; whatever goes wrong means no."""
    try:
        from azulejos.rules import mass_cuda

        return mass_cuda.is_available()
    except Exception:  # numba-cuda raises its own kinds where a driver is missing
        return False


def played_one_by_one(
    games: int, players: int, wall: Wall, seed: int
) -> list[tuple[tuple[int, ...], int, int, str, int]]:
    """Of each game: scores, rounds, moves, reason and the bits of the winners."""
    states = np.zeros(1, s.STATE)
    found: list[tuple[tuple[int, ...], int, int, str, int]] = []
    for game in range(games):
        batch.new_game_one(states, 0, players, WALLS.index(wall), check_seed(seed), game, -1, ROUND_LIMIT)
        moves = random_play.play_out(states[0])
        state = states[0]
        scores = tuple(state["score"][:players].tolist())
        found.append(
            (
                scores,
                int(state["round_number"]),
                moves,
                END_REASONS[ending.end_reason(state)],
                int(ending.winners(state)),
            )
        )
    return found


def counts(values: list[int], bins: int) -> list[int]:
    return [values.count(value) for value in range(bins)]


def same_counts(one: Simulation, other: Simulation) -> bool:
    return bool((one.tally == other.tally).all())


# --- what is counted


@each_kind
def test_every_game_is_counted_once_in_every_distribution(players: int, wall: Wall) -> None:
    result = simulate(777, players, wall, seed=3)
    assert result.games == 777
    assert result.rounds.sum() == 777
    assert result.lengths.sum() == 777
    assert sum(result.reasons.values()) == 777
    assert sum(result.wins) + result.shared == 777
    assert result.scores.sum() == 777 * players
    assert result.moves == (result.lengths * np.arange(len(result.lengths))).sum()
    assert len(result.wins) == players


@each_kind
def test_the_counts_are_those_of_the_games_played_one_by_one(players: int, wall: Wall) -> None:
    result = simulate(150, players, wall, seed=11)
    games = played_one_by_one(150, players, wall, seed=11)
    assert result.scores.tolist() == counts([score for scores, *_ in games for score in scores], mass.SCORE_BINS)
    assert result.rounds.tolist() == counts([rounds for _, rounds, *_ in games], mass.ROUND_BINS)
    assert result.lengths.tolist() == counts([moves for _, _, moves, *_ in games], mass.MOVE_BINS)
    assert result.moves == sum(moves for _, _, moves, *_ in games)
    assert result.reasons == {name: sum(game[3] == name for game in games) for name in END_REASONS.values()}
    assert result.wins == [sum(game[4] == 1 << seat for game in games) for seat in range(players)]


def test_a_series_is_the_sum_of_its_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    whole, done = simulate(500, seed=5), list[int]()
    monkeypatch.setitem(CHUNK, "cpu", 130)
    assert same_counts(simulate(500, seed=5, progress=done.append), whole)
    assert done == [130, 260, 390, 500]


def test_more_games_of_a_series_contain_the_fewer() -> None:
    fewer, more = simulate(100, seed=5), simulate(300, seed=5)
    assert (more.tally >= fewer.tally).all()
    assert not same_counts(fewer, more)


def test_long_games_are_counted_in_the_last_bin() -> None:
    assert mass.move_bin(5000) == mass.MOVES_AT + mass.MOVE_BINS - 1
    assert mass.move_bin(0) == mass.MOVES_AT


# --- the same games everywhere


@each_kind
def test_the_same_seed_gives_the_same_games(players: int, wall: Wall) -> None:
    assert same_counts(simulate(200, players, wall, seed=1), simulate(200, players, wall, seed=1))
    assert not same_counts(simulate(200, players, wall, seed=1), simulate(200, players, wall, seed=2))


@needs_two_threads
@each_kind
def test_the_number_of_threads_changes_nothing(players: int, wall: Wall) -> None:
    one, two = (simulate(1001, players, wall, seed=9, threads=threads) for threads in (1, 2))
    assert same_counts(one, two)
    assert (one.threads, two.threads) == (1, 2)


def test_the_number_of_threads_of_the_caller_is_left_alone() -> None:
    before = numba.get_num_threads()
    simulate(10, threads=1)
    assert numba.get_num_threads() == before


@pytest.mark.skipif(not has_cuda(), reason="there is no CUDA device, or numba-cuda is not installed")
@each_kind
def test_a_cuda_device_plays_the_same_games(players: int, wall: Wall) -> None:
    assert same_counts(simulate(20_000, players, wall, seed=7, device="cuda"), simulate(20_000, players, wall, seed=7))


@pytest.mark.skipif(has_cuda(), reason="there is a CUDA device")
def test_without_a_cuda_device_it_is_said() -> None:
    with pytest.raises(ValueError, match="device 'cuda' needs"):
        simulate(10, device="cuda")


def test_the_largest_seed_works() -> None:
    assert simulate(10, seed=2**64 - 1).rounds.sum() == 10


# --- what is said about it


def test_json_is_plain_and_complete() -> None:
    data = simulate(100, players=3, seed=4, threads=1).json()
    assert {key: data[key] for key in ("games", "players", "wall", "seed", "device", "threads")} == {
        "games": 100,
        "players": 3,
        "wall": "std",
        "seed": 4,
        "device": "cpu",
        "threads": 1,
    }
    assert data["rounds"]["min"] >= 5  # no game is shorter
    assert data["score"]["min"] <= data["score"]["p50"] <= data["score"]["max"]
    assert data["moves_per_second"] > 0


def test_describe_agrees_with_the_plain_sample() -> None:
    sample = np.array([0, 3, 3, 4, 7, 7, 7, 9, 12, 40])
    found = describe(np.bincount(sample))
    assert found["mean"] == round(sample.mean(), 4)
    assert found["sd"] == round(sample.std(), 4)
    assert (found["min"], found["max"]) == (0, 40)
    assert (found["p5"], found["p50"], found["p75"], found["p95"]) == (0, 7, 9, 40)


# --- bad arguments


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"games": 0}, "games must be .* not 0"),
        ({"games": -5}, "games must be .* not -5"),
        ({"games": 10**16}, "games must be"),
        ({"games": 1.5}, "games must be .* not 1.5"),
        ({"games": True}, "games must be .* not True"),
        ({"players": 1}, "players must be .* not 1"),
        ({"players": 5}, "players must be .* not 5"),
        ({"wall": "blue"}, "wall must be .* not 'blue'"),
        ({"seed": -1}, "seed must be .* not -1"),
        ({"seed": 2**64}, "seed must be"),
        ({"threads": 0}, "threads must be .* not 0"),
        ({"threads": 10_000}, "threads must be .* not 10000"),
        ({"device": "gpu"}, "device must be .* not 'gpu'"),
    ],
)
def test_a_bad_argument_is_named(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        simulate(**{"games": 10, **arguments})  # type: ignore[arg-type]
