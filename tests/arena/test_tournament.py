"""Tournaments: standings, cross table, picture."""

from __future__ import annotations

import sys
import xml.etree.ElementTree as Xml
from pathlib import Path

import pytest

from azulejos.arena.plot import check_plot, plot_ratings
from azulejos.arena.running import Setting
from azulejos.arena.tournament import TournamentPlan, TournamentResult, play_tournament

HERE = Setting(workers=0)


@pytest.fixture(scope="module")
def result() -> TournamentResult:
    return play_tournament(TournamentPlan(("random", "search:nodes=20", "greedy"), games=8), HERE)


def test_standings(result: TournamentResult) -> None:
    assert [who.spec for who in result.standings] == ["search:nodes=20", "greedy", "random"]
    assert (result.games, [who.games for who in result.standings]) == (24, [16, 16, 16])
    assert sum(who.points for who in result.standings) == 24
    assert sum(who.rating.value for who in result.standings) == pytest.approx(0)
    assert result.standings[0].rating.low > result.standings[2].rating.high


def test_cross_table(result: TournamentResult) -> None:
    for one, row in enumerate(result.cross):
        assert row[one] == (0.0, 0)
        assert sum(points for points, _ in row) == result.standings[one].points
        for other, (points, games) in enumerate(row):
            assert points + result.cross[other][one][0] == games == (0 if one == other else 8)


@pytest.mark.parametrize("players", [3, 4])
def test_larger_tables(players: int) -> None:
    specs = ("random", "greedy", "search:nodes=1", "search:nodes=20")
    result = play_tournament(TournamentPlan(specs, games=12, players=players), HERE)
    assert result.standings[-1].spec == "random"
    assert sum(who.games for who in result.standings) == 12 * players
    assert sum(who.points for who in result.standings) == pytest.approx(12)


def test_a_tournament_goes_on_where_it_stopped(tmp_path: Path, result: TournamentResult) -> None:
    setting = Setting(workers=0, out=tmp_path)
    assert play_tournament(result.plan, setting).cross == result.cross
    games = tmp_path / "games.jsonl"
    games.write_bytes(games.read_bytes()[:-4000])
    assert play_tournament(result.plan, setting).cross == result.cross
    assert games.read_bytes().count(b"\n") == 24


@pytest.mark.parametrize("suffix", ["svg", "png"])
def test_the_picture(suffix: str, result: TournamentResult, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    file = tmp_path / f"ratings.{suffix}"
    check_plot(file)
    plot_ratings(result, file)
    if suffix == "svg":
        assert Xml.parse(file).getroot().tag.endswith("svg")
    else:
        assert file.read_bytes().startswith(b"\x89PNG")


def test_without_matplotlib_there_is_a_word_on_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.delitem(sys.modules, "matplotlib.figure", raising=False)
    with pytest.raises(ValueError, match=r"pip install 'azulejos\[plots\]'"):
        check_plot(tmp_path / "ratings.png")
