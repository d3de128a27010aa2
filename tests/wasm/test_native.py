"""The WebAssembly module answers as native code does: random games, leaves, searches, the solver, networks, levels."""

from __future__ import annotations

import random
from dataclasses import asdict
from functools import cache
from typing import Any

import numpy as np
import pytest

from azulejos import Game
from azulejos.analysis.likeness import likeness
from azulejos.analysis.review import review
from azulejos.arena.simulation import ROUND_LIMIT, simulate
from azulejos.game.view import WALLS, Wall
from azulejos.net.choice import network_for
from azulejos.net.features import FEATURES, write_features
from azulejos.players import levels
from azulejos.players.player import Limits
from azulejos.players.searching import by_hand, by_network
from azulejos.search.batches import BATCH
from azulejos.search.cache import EvaluationCache
from azulejos.search.evaluators import ByNetwork
from azulejos.search.report import Report
from azulejos.search.searcher import Searcher
from azulejos.wasm.bindings import SIZES
from tests.rules.test_perft import CASES
from tests.wasm.conftest import Ask

KINDS: list[tuple[int, Wall]] = [(players, wall) for players in (2, 3, 4) for wall in WALLS]
EACH = 50
"""Positions of each kind of game; 300 in all."""
NODES = 150
"""Positions that a search looks at."""
CLOSE = 1e-4
"""How far two values may be apart: the processor adds a product without rounding it, which the module cannot."""
REVIEWED_NODES = 100
"""Positions that a review looks at for each decision."""
FAR = {"win": 0.005, "margin": 0.15}
"""The same before a deal: of the searches there, which are deeper, a last bit may lead one or two astray."""
MAY_DIFFER = 0.01
"""The share of positions in which a network may lead to another move."""


@cache
def games(players: int, wall: Wall) -> list[Game]:
    """Positions from all parts of random games, with a move to choose."""
    rng, found = random.Random(f"{players} {wall}"), []
    for seed in range(EACH):
        game = Game(players, wall, seed=seed)
        for _ in range(rng.randrange(25 * players)):
            game.play(rng.choice(game.legal_moves))
            if game.is_over:
                game.undo()
                break
        found.append(game)
    return found


def reviewed_game(players: int, wall: Wall) -> Game:
    """The first moves of a game in which two of three are thrown away."""
    game = Game(players, wall, seed=5, starter=0)
    for at in range(16):
        game.play(game.legal_moves[-1 if at % 3 else 0])
    return game


def asked(ask: str, players: int, wall: Wall, positions: list[Game], **more: Any) -> dict[str, Any]:
    """A question about positions."""
    states = [game.states.tobytes().hex() for game in positions]
    return {"ask": ask, "players": players, "wall": wall, "states": states, **more}


@pytest.fixture(params=["in_node", "in_chromium"])
def ask(request: pytest.FixtureRequest) -> Ask:
    """Both places where the module runs."""
    found: Ask = request.getfixturevalue(request.param)
    return found


def test_random_games_have_the_same_tallies(ask: Ask) -> None:
    seed = 2**63 + 12345
    rest = {"games": 3000, "seed": str(seed), "limit": ROUND_LIMIT}
    answers = ask([{"ask": "simulate", "players": players, "wall": wall, **rest} for players, wall in KINDS])
    for (players, wall), tally in zip(KINDS, answers, strict=True):
        assert tally == simulate(3000, players, wall, seed, threads=1).tally.tolist()


def test_leaves_are_those_of_the_golden_text(ask: Ask) -> None:
    states = [Game.from_position(case.line).states.tobytes().hex() for case in CASES]
    (answer,) = ask([{"ask": "perft", "states": states, "depths": [1, 2, 3]}])
    assert answer == [list(case.leaves) for case in CASES]


@cache
def searched(players: int, wall: Wall, network: bool) -> list[Report]:
    """What native code finds out about the positions of a kind of game."""
    nodes, rows, _ = SIZES["large"]
    evaluator = by_network(players, wall, 0) if network else by_hand(players, wall, 0)
    if isinstance(evaluator, ByNetwork):  # what is forgotten is played out again, from another number
        evaluator.asking = evaluator.asking._replace(cache=EvaluationCache.empty(rows))
    searcher = Searcher([evaluator], nodes)
    return [searcher.search(game.states, nodes=NODES) for game in games(players, wall)]


def questions(network: bool) -> list[dict[str, Any]]:
    """The searches of all positions."""
    return [asked("search", *kind, games(*kind), network=network, nodes=NODES) for kind in KINDS]


def test_searches_by_hand_look_at_the_same_moves_as_often(ask: Ask) -> None:
    answers = ask(questions(network=False))
    solved = 0
    for kind, reports in zip(KINDS, answers, strict=True):
        for native, report in zip(searched(*kind, network=False), reports, strict=True):
            assert (report["nodes"], report["depth"]) == (native.nodes, native.depth)
            assert report["solved"] == native.solved
            assert visits_of(report) == {c.action: c.visits for c in native.candidates}
            assert report["candidates"][0]["action"] == native.best.action
            assert values_of(report) == pytest.approx(np.array([*native.best.win, *native.best.margin]), abs=CLOSE)
            solved += native.solved
    assert 30 < solved < 150  # both, the search and the solver, had their say


def test_searches_with_the_network_come_to_the_same_moves(ask: Ask) -> None:
    """The last bit of a number may lead a search astray, but seldom to another move."""
    answers = ask(questions(network=True))
    differing = 0
    for kind, reports in zip(KINDS, answers, strict=True):
        for native, report in zip(searched(*kind, network=True), reports, strict=True):
            assert report["solved"] == native.solved
            if report["candidates"][0]["action"] == native.best.action:
                assert np.abs(values_of(report) - [*native.best.win, *native.best.margin]).max() < CLOSE
            differing += visits_of(report) != {c.action: c.visits for c in native.candidates}
    assert differing <= MAY_DIFFER * EACH * len(KINDS)


def test_the_network_answers_the_same(ask: Ask) -> None:
    answers = ask([asked("evaluate", *kind, games(*kind)) for kind in KINDS])
    for (players, wall), found in zip(KINDS, answers, strict=True):
        network, x = network_for(players, wall, BATCH), np.zeros((1, FEATURES), np.int8)
        for game, answer in zip(games(players, wall), found, strict=True):
            write_features(game.states[0], x[0])
            logits, (win, margin) = (part[0] for part in network(x))
            assert np.abs(logits - answer["logits"]).max() < CLOSE
            assert np.abs(win[:players] - answer["win"]).max() < CLOSE
            assert np.abs(margin[:players] - answer["margin"]).max() < CLOSE


@pytest.mark.parametrize("level", levels.LEVELS, ids=lambda level: level.spec)
def test_levels_draw_the_same_moves(ask: Ask, level: levels.Level) -> None:
    player = levels.make(level, "", 0)
    drawn = [random.Random(seed).random() for seed in range(EACH)]
    answers = ask([asked("level", *kind, games(*kind), level=level.number, drawn=drawn) for kind in KINDS])
    differing = 0
    for kind, actions in zip(KINDS, answers, strict=True):
        for seed, (game, action) in enumerate(zip(games(*kind), actions, strict=True)):
            player.begin(seed)
            differing += player.choose(game, Limits()).move.id != action
    # a page's cache is smaller, and what it has forgotten of a position it plays out again
    assert differing <= (MAY_DIFFER * EACH * len(KINDS) if level.network else 0)


def visits_of(report: dict[str, Any]) -> dict[int, int]:
    """How often each move was looked at."""
    return {candidate["action"]: candidate["visits"] for candidate in report["candidates"]}


def values_of(report: dict[str, Any]) -> Any:
    """Shares of the victory and margins after the best move."""
    best = report["candidates"][0]
    return np.array([*best["win"], *best["margin"]])


def test_a_review_says_the_same(in_node: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    """Values are as close as those of searches, so that marks, reasons and receipts are the same."""
    rows = SIZES["reviewing"][1]  # what is forgotten is played out again, from another number
    monkeypatch.setattr("azulejos.players.searching.ROWS", rows)
    tables: list[tuple[int, Wall]] = [(2, "std"), (2, "gray"), (3, "std")]
    for players, wall in tables:
        record = reviewed_game(players, wall).record()
        native = review(record, nodes=REVIEWED_NODES, workers=1)
        (found,) = in_node(
            [{"ask": "review", "record": record.text(), "nodes": REVIEWED_NODES, "players": players, "wall": wall}]
        )
        assert (found["finished"], found["fault"]) == (native.finished, native.fault)
        assert len(native.deals) > 1
        for deal, here in zip(native.deals, found["deals"], strict=True):
            for what in ("win", "margin"):
                far = FAR[what] if deal.ply else 1e-9  # the first deal is looked up
                assert here["expected"][what] == pytest.approx(getattr(deal.expected, what), abs=far)
                assert here["error"][what] == pytest.approx(getattr(deal.error, what), abs=far)
                luck = [getattr(seat, what) for seat in deal.luck]
                assert [seat[what] for seat in here["luck"]] == pytest.approx(luck, abs=FAR[what])
        assert {each.mark for each in native.decisions} > {""}
        for decision, here in zip(native.decisions, found["decisions"], strict=True):
            assert here["played"]["actions"][0] == decision.played.move.id
            assert (here["mark"], here["exact"], here["forced"]) == (decision.mark, decision.exact, decision.forced)
            assert here["loss"]["win"] == pytest.approx(decision.loss.win, abs=2 * CLOSE)
            assert here["played"]["value"]["margin"] == pytest.approx(decision.played.value.margin, abs=CLOSE)
            assert here["reasons"] == [asdict(reason) for reason in decision.reasons]
        for receipt, here in zip(native.receipts, found["receipts"], strict=True):
            assert list(here) == list(receipt)
            for part, amount in receipt.items():
                assert here[part]["margin"] == pytest.approx(amount.margin, abs=FAR["margin"])
        assert any(likeness(native))
        for like, here in zip(likeness(native), found["like"], strict=True):
            assert (like is None) == (here is None)
            if like is not None:
                assert (here["lowest"], here["highest"]) == (like.lowest, like.highest)
                assert here["loss"]["margin"] == pytest.approx(like.loss.margin, abs=FAR["margin"])
                assert here["error"]["win"] == pytest.approx(like.error.win, abs=FAR["win"])
