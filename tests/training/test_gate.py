"""The gate: real games between small networks, results on cards, and matches that go on after a sudden end."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from azulejos.arena.game_task import FinishedGame
from azulejos.arena.match import MatchPlan
from azulejos.game.view import Wall
from azulejos.training.cards import networks, newest_accepted, read_card, settle, write_card
from azulejos.training.cluster import hire, play_gate_game, unpacked
from azulejos.training.gate import Stopped, Table, gate_plans, play_gate, rate, verdict
from tests.training.networks import add_network, small_run


def table(results: list[float], players: int = 2, wall: Wall = "std") -> Table:
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
            specs = tuple(plan.specs[who] for who in seats)
            game = FinishedGame(number, rotation, seats, specs, 0, points, shares, "row", milliseconds)
            games.append(game)
        pairs.append(tuple(games))
    return Table(plan, tuple(pairs))


@pytest.mark.parametrize(("shares", "passed"), [([0.5, 0.6], True), ([0.5, 0.59], False), ([1.0, 1.0], True)])
def test_the_threshold_decides(shares: list[float], passed: bool) -> None:
    result = verdict([table(shares)], "0000000", 0.55)
    assert (result["accepted"], result["games"], result["opponent"]) == (passed, 4, "0000000")
    assert result["score"]["low"] <= result["score"]["value"] <= result["score"]["high"]


def test_an_equal_scores_a_half_at_every_table() -> None:
    tables = [table([0.5, 0.5]), table([1 / 3, 1 / 3], 3), table([0.25, 0.25], 4, "gray")]
    result = verdict(tables, "0000000", 0.55)
    assert result["score"]["value"] == 0.5
    assert not result["accepted"]
    assert [each["table"] for each in result["tables"]] == ["2std", "3std", "4gray"]
    assert rate(tables, None).elo == pytest.approx(0, abs=0.01)


def test_ratings_add_up_with_their_errors() -> None:
    alone = rate([table([0.75, 0.5, 1.0, 0.75])], None)
    assert alone.elo == pytest.approx(190.85, abs=0.1)
    assert alone.low < alone.elo < alone.high
    base = {"elo": 100.0, "low": 60.0, "high": 140.0}
    above = rate([table([0.75, 0.5, 1.0, 0.75])], base)
    assert above.elo == pytest.approx(alone.elo + 100)
    assert above.high - above.elo == pytest.approx(((alone.high - alone.elo) ** 2 + 40**2) ** 0.5)
    assert rate([table([1.0, 1.0])], None).high < 2000, "even a clean sweep has a finite rating"


def test_a_candidate_is_judged_and_moved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = small_run(tmp_path / "run, with a comma", gate_games=4)
    candidate = add_network(run.candidates, "0000100", seed=1)
    monkeypatch.chdir(run.path)
    result = play_gate(run, candidate, hire(run, None), lambda: False)
    assert result["games"] == 4
    card = read_card(candidate)
    assert card["gate"] == result
    assert card["rating"]["anchor"] == "0000000"
    assert card["rating"]["low"] < card["rating"]["elo"] < card["rating"]["high"]
    settled = settle(run, candidate)
    assert settled.parent.name == ("accepted" if result["accepted"] else "rejected")
    assert networks(run.candidates) == []
    records = (run.gate / "0000100" / "2std" / "records.azul").read_text()
    assert "net:weights=candidates/0000100/weights.npz,nodes=4" in records


def test_every_kind_of_table_of_the_mix_is_played(tmp_path: Path) -> None:
    run = small_run(tmp_path / "run", mix="all", gate_games=100)
    candidate = add_network(run.candidates, "0000100")
    plans = gate_plans(run, candidate, newest_accepted(run))
    assert [(plan.players, plan.wall, plan.games) for plan in plans] == [
        (2, "std", 30),
        (2, "gray", 14),
        (3, "std", 14),
        (3, "gray", 14),
        (4, "std", 14),
        (4, "gray", 14),
    ]


def test_a_match_that_was_stopped_goes_on_and_replays_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = small_run(tmp_path / "run", gate_games=6)
    candidate = add_network(run.candidates, "0000100", seed=1)
    monkeypatch.chdir(run.path)
    games = run.gate / "0000100" / "2std" / "games.jsonl"
    for played in (1, 2):
        with pytest.raises(Stopped):
            play_gate(run, candidate, hire(run, None), lambda: True)
        assert games.read_bytes().count(b"\n") == played
    begun = games.read_bytes()
    assert read_card(candidate)["gate"] is None
    play_gate(run, candidate, hire(run, None), lambda: False)
    assert games.read_bytes().startswith(begun)
    assert games.read_bytes().count(b"\n") == 6


def test_games_under_other_conditions_are_put_aside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = small_run(tmp_path / "run", gate_games=2)
    candidate = add_network(run.candidates, "0000100", seed=1)
    monkeypatch.chdir(run.path)
    play_gate(run, candidate, hire(run, None), lambda: False)
    first = (run.gate / "0000100" / "2std" / "games.jsonl").read_bytes()
    run = run.with_options(run.options.changed({"gate_nodes": 5}))
    assert play_gate(run, candidate, hire(run, None), lambda: False)["tables"][0]["nodes"] == 5
    assert (run.gate / "0000100" / "2std.1" / "games.jsonl").read_bytes() == first


def test_a_rejected_network_loses_its_learner_state_an_accepted_one_keeps_it(tmp_path: Path) -> None:
    run = small_run(tmp_path / "run")
    for name, accepted in (("0000100", False), ("0000200", True)):
        folder = add_network(run.candidates, name)
        (folder / "state.pt").write_bytes(b"state")
        write_card(folder, read_card(folder) | {"gate": {"accepted": accepted}})
        assert (settle(run, folder) / "state.pt").exists() == accepted
    assert newest_accepted(run).name == "0000200"


def test_a_broken_card_is_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "card.json").write_text("{")
    with pytest.raises(ValueError, match=r"cannot read '.*card\.json' as a card"):
        read_card(tmp_path)


def test_a_task_brings_its_weights_with_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = small_run(tmp_path / "run")
    candidate = add_network(run.candidates, "0000100", seed=1)
    plan = gate_plans(run, candidate, newest_accepted(run))[0]
    names = ("candidates/0000100/weights.npz", "accepted/0000000/weights.npz")
    files = {name: (run.path / name).read_bytes() for name in names}
    monkeypatch.chdir(tmp_path)  # comes back here
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    played = play_gate_game(files, plan.tasks()[0])
    assert played.game.forfeit is None
    assert unpacked(files) == unpacked(dict(reversed(files.items())))
    assert {json.dumps(played.game.specs)} == {json.dumps(plan.specs)}
