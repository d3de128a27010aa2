"""The gate: real games between small networks, results on cards, and matches that go on after a sudden end."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from azulejos.arena.game_task import FinishedGame
from azulejos.arena.match import MatchPlan
from azulejos.arena.workers import Here
from azulejos.game.view import Wall
from azulejos.training import gate as gate_module
from azulejos.training.cards import Interval, NetworkCard, Networks
from azulejos.training.gate import Gate, TableMatch, gate_plans, play_gate_game, rate, unpacked, verdict
from azulejos.training.plan import TrainingPlan
from azulejos.training.pool import TaskPool
from azulejos.training.run_folder import RunFolder
from tests.training.networks import add_network, small_run

PLAN = TrainingPlan(threshold=0.55)


def table(results: list[float], players: int = 2, wall: Wall = "std") -> TableMatch:
    """A match in which the candidate's shares were these, a pair or rotation each."""
    plan = MatchPlan(("net:nodes=9", "net:nodes=9"), players * len(results), players, wall)
    pairs = []
    for number, share in enumerate(results):
        games = []
        for rotation, seats in enumerate(plan.seatings()):
            rest = (1 - share) / (players - 1)
            shares = tuple(share if who == 0 else rest for who in seats)
            points = tuple(round(100 * each) for each in shares)
            milliseconds = tuple((1.0,) for _ in seats)
            specs = tuple(plan.names[who] for who in seats)
            game = FinishedGame(number, rotation, seats, specs, 0, points, shares, "row", milliseconds)
            games.append(game)
        pairs.append(tuple(games))
    return TableMatch(plan, tuple(pairs))


def opened(run: RunFolder, decided: list[NetworkCard] | None = None) -> Gate:
    """The gate of a run, whose games are played right here."""
    pool = TaskPool(Here(), print)
    return Gate(run.path, run.plan(cuda=False), run.seed, pool, print if decided is None else decided.append)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Simple players instead of networks: for what does not depend on who plays."""

    def plans(plan: TrainingPlan, *match: Any) -> list[MatchPlan]:
        return [replace(each, specs=("greedy", "random")) for each in gate_plans(plan, *match)]

    monkeypatch.setattr(gate_module, "gate_plans", plans)


def keep(gate: Gate, decided: list[NetworkCard], count: int = 1) -> None:
    while len(decided) < count:
        gate.turn()


def test_a_score_is_an_interval_over_all_tables() -> None:
    result = verdict([table([0.5, 0.6])], "0000000", PLAN)
    assert (result.score.value, result.games, result.opponent, result.threshold) == (0.55, 4, "0000000", 0.55)
    assert result.score.low is not None
    assert result.score.high is not None
    assert result.score.low <= result.score.value <= result.score.high
    assert verdict([table([1.0])], "0000000", PLAN).score.value == 1


def test_an_equal_scores_a_half_at_every_table() -> None:
    tables = [table([0.5, 0.5]), table([1 / 3, 1 / 3], 3), table([0.25, 0.25], 4, "gray")]
    result = verdict(tables, "0000000", PLAN)
    assert result.score.value == 0.5
    assert [each.table for each in result.tables] == ["2std", "3std", "4gray"]
    assert rate(tables, None).value == pytest.approx(0, abs=0.01)


def ends(rating: Interval) -> tuple[float, float]:
    assert rating.low is not None
    assert rating.high is not None
    return rating.low, rating.high


def test_ratings_add_up_with_their_errors() -> None:
    alone = rate([table([0.75, 0.5, 1.0, 0.75])], None)
    low, high = ends(alone)
    assert alone.value == pytest.approx(190.85, abs=0.1)
    assert low < alone.value < high
    above = rate([table([0.75, 0.5, 1.0, 0.75])], Interval(100.0, 60.0, 140.0))
    assert above.value == pytest.approx(alone.value + 100)
    assert ends(above)[1] - above.value == pytest.approx(((high - alone.value) ** 2 + 40**2) ** 0.5, abs=0.2)
    assert ends(rate([table([1.0, 1.0])], None))[1] < 2000, "even a clean sweep has a finite rating"


def test_a_candidate_is_judged_by_its_games(tmp_path: Path) -> None:
    run = small_run(tmp_path / "run, with a comma", gate_games=4, threshold=0.5)
    add_network(run, "0000100", seed=1)
    decided: list[NetworkCard] = []
    gate = opened(run, decided)
    gate.prepare()
    keep(gate, decided)
    card = Networks(run.path).card("0000100")
    assert [card] == decided
    assert card.gate is not None
    assert (card.gate.games, card.gate.opponent, card.gate.nodes) == (4, "0000000", 4)
    assert card.accepted == (card.gate.score.value >= 0.5)
    assert Networks(run.path).newest().network == ("0000100" if card.accepted else "0000000")
    assert card.rating is not None
    assert ends(card.rating)[0] < card.rating.value < ends(card.rating)[1]
    records = (run.path / "gate" / "0000100" / "2std" / "records.azul").read_text()
    assert "net:weights=networks/0000100.npz,nodes=4" in records


def test_every_kind_of_table_of_the_mix_is_played() -> None:
    plans = gate_plans(TrainingPlan(mix="all", gate_games=100), 1, "0000100", "0000000")
    assert [(plan.players, plan.wall, plan.games) for plan in plans] == [
        (2, "std", 30),
        (2, "gray", 14),
        (3, "std", 14),
        (3, "gray", 14),
        (4, "std", 14),
        (4, "gray", 14),
    ]


@pytest.mark.usefixtures("quick")
def test_a_match_that_was_stopped_goes_on_and_replays_nothing(tmp_path: Path) -> None:
    run = small_run(tmp_path / "run", gate_games=6)
    add_network(run, "0000100", seed=1)
    games = run.path / "gate" / "0000100" / "2std" / "games.jsonl"
    begun = b""
    for _ in range(2):
        gate = opened(run)
        gate.turn()  # gives games away
        gate.turn()  # takes them in
        gate.close()  # as a sudden end does
        assert games.read_bytes().startswith(begun)
        assert games.read_bytes().count(b"\n") > begun.count(b"\n")
        begun = games.read_bytes()
    with games.open("ab") as file:
        file.write(b'{"torn')
    add_network(run, "0000200")  # comes too late to overtake
    decided: list[NetworkCard] = []
    keep(opened(run, decided), decided)
    assert [card.network for card in decided] == ["0000100"]
    assert games.read_bytes().startswith(begun)
    assert games.read_bytes().count(b"\n") == 6


@pytest.mark.usefixtures("quick")
def test_games_under_other_conditions_are_put_aside(tmp_path: Path) -> None:
    run = small_run(tmp_path / "run", gate_games=4)
    add_network(run, "0000100", seed=1)
    gate = opened(run)
    gate.turn()
    gate.turn()
    gate.close()
    first = (run.path / "gate" / "0000100" / "2std" / "games.jsonl").read_bytes()
    decided: list[NetworkCard] = []
    keep(opened(RunFolder(run.path, {"gate_games": 6}), decided), decided)
    assert decided[0].gate is not None
    assert decided[0].gate.games == 6
    assert (run.path / "gate" / "0000100" / "2std.1" / "games.jsonl").read_bytes() == first


@pytest.mark.usefixtures("quick")
def test_the_newest_candidate_comes_first_and_older_ones_are_passed_over(tmp_path: Path) -> None:
    run = small_run(tmp_path / "run", gate_games=2, gate_nodes=2)
    for name in ("0000200", "0000300", "0000400"):
        add_network(run, name, seed=int(name))
    decided: list[NetworkCard] = []
    gate = opened(run, decided)
    keep(gate, decided)
    assert [card.network for card in decided] == ["0000400"]
    assert decided[0].accepted, "greedy beats random"
    for name in ("0000200", "0000300"):
        card = Networks(run.path).card(name)
        assert (card.accepted, card.overtaken_by, card.gate) == (False, "0000400", None)
    gate.turn()  # nobody waits
    add_network(run, "0000500")
    keep(gate, decided, 2)
    assert decided[1].gate is not None
    assert decided[1].gate.opponent == "0000400"


def test_a_broken_card_is_refused_by_name(tmp_path: Path) -> None:
    run = small_run(tmp_path / "run")
    (run.path / "networks" / "0000000.json").write_text("{")
    with pytest.raises(ValueError, match=r"cannot read '.*0000000\.json' as a card"):
        Networks(run.path).newest()


def test_without_a_network_there_is_a_word_about_it(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="holds no network that may play"):
        Networks(tmp_path).newest()


def test_a_task_brings_its_weights_with_it(tmp_path: Path) -> None:
    run = small_run(tmp_path / "run")
    add_network(run, "0000100", seed=1)
    plan = gate_plans(run.plan(cuda=False), 1, "0000100", "0000000")[0]
    files = {name: (run.path / name).read_bytes() for name in ("networks/0000100.npz", "networks/0000000.npz")}
    played = play_gate_game(Path("/nowhere"), files, plan.tasks()[0])
    assert played.game.forfeit is None
    folder = unpacked(files)
    assert folder == unpacked(dict(reversed(files.items())))
    assert unpacked({"networks/0000200.npz": b"of the next match"}) != folder
    assert not folder.exists()
    assert {json.dumps(played.game.specs)} == {json.dumps(plan.specs)}
