"""The package for JavaScript: in Node it says what the Python package says, and in a page it shows the best move."""

from __future__ import annotations

import json
import random
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from azulejos import Game
from azulejos.arena.simulation import simulate
from azulejos.game.errors import IllegalMove, InvalidNotation, InvalidPosition
from azulejos.game.view import Phase
from azulejos.players import registry
from azulejos.players.player import Limits
from tests.wasm.conftest import GENERATED, WEB, serving
from tests.wasm.test_native import KINDS

ROOT = WEB.parent
CALLS = Path(__file__).parent / "package.mjs"
Call = Callable[..., list[dict[str, Any]]]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the package in dist/npm and the examples beside it, as the repository has them."""
    assert (GENERATED / "azulejos.wasm").exists(), "the module is not built: run `make wasm`"
    folder = tmp_path_factory.mktemp("site")
    subprocess.run(["node", "scripts/build-npm.mjs", str(folder / "dist" / "npm")], cwd=WEB, check=True)
    shutil.copytree(ROOT / "examples", folder / "examples")
    return folder


@pytest.fixture(scope="module")
def call(site: Path) -> Call:
    """Calls functions of the package in Node."""

    def call(*calls: list[Any]) -> list[dict[str, Any]]:
        command = ["node", str(CALLS), str(site / "dist" / "npm")]
        lines = "".join(f"{json.dumps(each)}\n" for each in calls)
        done = subprocess.run(command, input=lines, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return [json.loads(line) for line in done.stdout.splitlines()]

    return call


def test_the_package_says_what_it_is(site: Path) -> None:
    package = site / "dist" / "npm"
    said = json.loads((package / "package.json").read_text())
    assert (said["name"], said["license"]) == ("azulejos", "MIT")
    assert f'\nversion = "{said["version"]}"\n' in (ROOT / "pyproject.toml").read_text()
    assert len((package / "README.md").read_text().splitlines()) < 60
    weights = {path.name for path in GENERATED.glob("*.weights")}
    types = {"index.mjs", "index.d.mts", "azulejos.wasm", "README.md", "LICENSE", "package.json"}
    assert {path.name for path in package.iterdir()} == types | weights


def test_games_begin_as_they_do_in_python(call: Call) -> None:
    answers = call(*(["newGame", {"players": players, "wall": wall, "seed": 7}] for players, wall in KINDS))
    assert [each["answer"] for each in answers] == [Game(*kind, seed=7).position for kind in KINDS]


@pytest.mark.parametrize(("players", "wall"), KINDS)
def test_a_whole_game_goes_as_it_does_in_python(call: Call, players: int, wall: Any) -> None:
    rng, game = random.Random(players), Game(players, wall, seed=3)
    calls: list[list[Any]] = []
    expected: list[Any] = []
    while not game.is_over:
        calls.append(["legalMoves", game.position])
        expected.append([str(move) for move in game.legal_moves])
        move = rng.choice(game.legal_moves)
        waiting = Game.from_position(game.position)
        waiting.play(move)
        calls.append(["play", game.position, str(move)])
        expected.append(waiting.position)
        if waiting.phase == Phase.DEAL_DUE:
            calls += [["isDealDue", waiting.position], ["deal", waiting.position, 5], ["outcome", waiting.position]]
            expected += [True, Game.from_position(waiting.position, seed=5).position, None]
        game.play(move)
    outcome = game.outcome
    assert outcome is not None
    calls.append(["outcome", game.position])
    expected.append({"reason": outcome.reason, "winners": [*outcome.winners], "scores": [*outcome.scores]})
    assert [each.get("answer", each) for each in call(*calls)] == expected


def test_random_games_are_counted_as_on_the_command_line(call: Call) -> None:
    answers = call(
        *(["simulate", {"games": 500, "players": players, "wall": wall, "seed": 9}] for players, wall in KINDS)
    )
    for (players, wall), answer in zip(KINDS, answers, strict=True):
        native, found = simulate(500, players, wall, 9, threads=1).json(), answer["answer"]
        for other in ("seconds", "moves_per_second", "device", "threads"):  # which say how fast, and where
            native.pop(other)
        assert {name: found[name] for name in native} == native


def test_an_analysis_is_that_of_the_command_line(call: Call) -> None:
    player = registry.make("net:nodes=100")
    games = [Game(*kind, seed=4) for kind in KINDS]
    answers = call(*(["analyze", game.position, {"nodes": 100}] for game in games))
    for game, found in zip(games, (each["answer"] for each in answers), strict=True):
        choice = player.choose(game, Limits())
        assert found["position"] == game.position
        assert (found["moves"][0]["move"], found["nodes"]) == (str(choice.move), 100)
        assert found["moves"][0]["win"] == pytest.approx(choice.win, abs=1e-4)
        assert found["moves"][0]["line"][0] == found["moves"][0]["move"]


def test_it_can_play_as_the_strongest_player_does(call: Call) -> None:
    player, rng, games = registry.make("net:nodes=60"), random.Random(2), []
    for seed in range(20):
        game = Game(seed=seed)
        for _ in range(seed % 7):
            game.play(rng.choice(game.legal_moves))
        games.append(game)

    def firsts(**options: bool) -> list[str]:
        answers = call(*(["analyze", game.position, {"nodes": 60, **options}] for game in games))
        return [each["answer"]["moves"][0]["move"] for each in answers]

    played = firsts(toPlay=True)
    assert played == [str(player.choose(game, Limits()).move) for game in games]
    assert played != firsts()  # now and then another move has the better value


def test_faults_are_those_of_python(call: Call) -> None:
    game = Game(seed=1, starter=0)
    lines = ["", "std", game.position.replace("d1", "d7"), game.position.replace("B18", "B19"), game.position + " "]
    moves = ["9B1", "1R1", "hello", "", "=B4/B4/B4/B4/B4"]
    answers = call(*(["legalMoves", line] for line in lines), *(["play", game.position, move] for move in moves))
    for line, answer in zip(lines, answers, strict=False):
        with pytest.raises((InvalidNotation, InvalidPosition)) as fault:
            Game.from_position(line)
        assert answer["error"] == f"Fault: {fault.value}"
    for move, answer in zip(moves, answers[len(lines) :], strict=True):
        with pytest.raises((InvalidNotation, IllegalMove)) as fault:
            game.play(move)
        assert answer["error"] == f"Fault: {fault.value}"


def test_faults_of_arguments_name_them(call: Call) -> None:
    line, over = Game(seed=1).position, Game(seed=1)
    while not over.is_over:
        over.play(over.legal_moves[0])
    faults = {
        "players must be a whole number from 2 to 4, not 5": ["newGame", {"players": 5}],
        "wall must be 'std' or 'gray', not 'blue'": ["newGame", {"wall": "blue"}],
        "seed must be a whole number from 0 to 2^64 - 1, not -1": ["newGame", {"seed": -1}],
        "seed must be a whole number from 0 to 2^64 - 1, not 0.5": ["simulate", {"games": 1, "seed": 0.5}],
        "starter must be a whole number from 0 to 1, not 2": ["newGame", {"starter": 2}],
        "games must be a whole number from 1 to 100000000, not 0": ["simulate", {"games": 0}],
        "nodes must be a whole number from 1 to 2000000, not 0": ["analyze", line, {"nodes": 0}],
        "milliseconds must be above 0 and at most 3600000, not -1": ["analyze", line, {"milliseconds": -1}],
        f"no deal is due in {line!r}": ["deal", line],
        f"there is no move to choose in {over.position!r}": ["analyze", over.position],
    }
    assert [each["error"] for each in call(*faults.values())] == [f"Fault: {sentence}" for sentence in faults]


def test_it_speaks_the_engine_protocol(site: Path) -> None:
    player = registry.make(f"process:node {(site / 'examples' / 'engine.mjs').absolute()}")
    game = Game(seed=1)
    choice = player.choose(game, Limits(nodes=50))
    assert choice.move in game.legal_moves
    assert len(choice.win) == 2
    player.close()


def test_the_example_page_shows_the_best_move(site: Path, browser: Browser) -> None:
    with serving(site) as url:
        page = browser.new_page()
        faults: list[str] = []
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.goto(f"{url}/examples/page.html")
        page.wait_for_function("document.getElementById('best').textContent.startsWith('Seat')")
        text = page.locator("#best").text_content() or ""
        move = re.match(r"Seat \d plays (\w+): chances \d+ % to \d+ %", text)
        assert move, text
        assert move[1] in [str(each) for each in Game(seed=1).legal_moves]
        page.click("#play")
        page.wait_for_function("text => document.getElementById('best').textContent !== text", arg=text)
        assert faults == []
