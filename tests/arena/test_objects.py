"""Objects as contestants: in this process, sent to others where that can be, refused where it cannot."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest

from azulejos import Game, Move
from azulejos.arena.match import MatchPlan, play_match
from azulejos.arena.running import Setting
from azulejos.arena.store import RECORDS
from azulejos.arena.tournament import TournamentPlan, play_tournament
from azulejos.game.reader import read_records
from azulejos.players import make

HERE = Setting(workers=0)


class Careful:
    """Takes what costs least, and counts what it is asked."""

    def __init__(self) -> None:
        self.moves = self.games = 0
        self.is_closed = False

    def begin(self, seed: int) -> None:
        assert seed
        self.games += 1

    def choose(self, game: Game) -> Move:
        self.moves += 1
        previews = game.previews()
        return min(previews, key=lambda move: (previews[move].cost, -previews[move].placed, move.id))

    def close(self) -> None:
        self.is_closed = True


class Wrong:
    """Never plays what it may."""

    def choose(self, game: Game) -> str:
        return "9B1" if game.players < 4 else "1B1"


def test_an_object_plays_a_match_in_this_process_and_stays_its_owners(tmp_path: Path) -> None:
    mine = Careful()
    result = play_match(MatchPlan((mine, "random"), games=6), Setting(workers=0, out=tmp_path))
    own = result.contestants[0]
    assert (own.spec, own.wins, own.forfeits) == ("Careful", 6, 0)
    assert (mine.moves, mine.games, mine.is_closed) == (own.moves, 6, False)
    with (tmp_path / RECORDS).open() as lines:
        assert {record.names for record in read_records(lines)} == {("Careful", "random"), ("random", "Careful")}
    again = play_match(MatchPlan((Careful(), "random"), games=6), Setting(workers=0, out=tmp_path))
    assert again.contestants == result.contestants  # by its name it is known, and nothing was played again


MODULE = """
class Last:
    def __init__(self): self.moves = 0
    def choose(self, game):
        self.moves += 1
        return game.legal_moves[-1]
"""


def test_an_object_of_a_module_is_sent_to_workers_and_plays_the_same_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "own_last.py").write_text(MODULE)
    monkeypatch.syspath_prepend(tmp_path)
    mine = importlib.import_module("own_last").Last()
    plan = MatchPlan((mine, "random"), games=4)
    there = play_match(plan, Setting(workers=2))
    assert mine.moves == 0
    here = play_match(plan, HERE)
    assert mine.moves == here.contestants[0].moves
    assert [who.wins for who in there.contestants] == [who.wins for who in here.contestants]
    assert there.contestants[0].margin == here.contestants[0].margin


def test_what_cannot_be_sent_plays_here_unless_processes_are_asked_for() -> None:
    class Local(Careful):
        pass

    mine = Local()
    assert play_match(MatchPlan((mine, "random"), games=2)).games == 2
    assert mine.games == 2
    named = r"the player 'Local' cannot be sent to other processes: it cannot be pickled: .*; Setting\(workers=0\)"
    with pytest.raises(ValueError, match=named):
        play_match(MatchPlan((mine, "random"), games=2), Setting(workers=2))


def test_a_class_of_a_script_or_notebook_stays_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Careful, "__module__", "__main__")
    with pytest.raises(ValueError, match="the class 'Careful' is in no module that they could import"):
        play_match(MatchPlan((Careful(), "random"), games=2), Setting(workers=1))


def test_an_object_that_breaks_the_rules_forfeits() -> None:
    result = play_match(MatchPlan((Wrong(), "random"), games=2), HERE)
    assert (result.reasons, result.contestants[0].forfeits) == ({"forfeit": 2}, 2)


def test_a_table_of_three_and_a_tournament() -> None:
    mine = Careful()
    result = play_match(MatchPlan((mine, "random"), games=3, players=3), HERE)
    assert result.contestants[0].wins == 3
    played = play_tournament(TournamentPlan((mine, "random", Careful(), make("greedy")), games=2), HERE)
    assert {standing.spec for standing in played.standings} == {"Careful", "Careful 2", "random", "greedy"}
    assert played.standings[-1].spec == "random"


def test_what_is_no_player_is_told_before_anything_is_played() -> None:
    with pytest.raises(ValueError, match=re.escape("'int' has no method 'choose': 3 is no player")):
        MatchPlan((3, "random"))  # type: ignore[arg-type]
