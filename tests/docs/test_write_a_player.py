"""The page about players of one's own: its programs are the examples, and every line of it works as it stands."""

from __future__ import annotations

import ast
import io
import json
import os
import random
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from azulejos import Game
from azulejos.arena.match import MatchPlan, play_match
from azulejos.game.view import Wall
from azulejos.players import make
from tests.command import AZULEJOS, answer, run
from tests.docs.pages import ROOT, Block, blocks
from tests.patience import PATIENCE

PAGE = [block for block in blocks() if block.page == "write-a-player.md"]
EXAMPLES = ROOT / "examples"
MOST_LINES = 40


@pytest.fixture(autouse=True)
def beside_the_bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with nothing in it but what the page tells to save there."""
    for name in ("bot.py", "bot_engine.py"):
        shutil.copy(EXAMPLES / name, tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def block_with(text: str) -> Block:
    (found,) = (block for block in PAGE if text in block.text)
    return found


@pytest.mark.parametrize("name", ["bot.py", "bot_engine.py"])
def test_the_page_shows_the_example_and_it_is_short(name: str) -> None:
    text = (EXAMPLES / name).read_text(encoding="utf-8")
    assert text in [block.text for block in PAGE]
    assert text.count("\n") <= MOST_LINES


def test_the_engine_needs_nothing_but_the_standard_library() -> None:
    tree = ast.parse((EXAMPLES / "bot_engine.py").read_text(encoding="utf-8"))
    names = {name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names}
    assert not any(isinstance(node, ast.ImportFrom) for node in ast.walk(tree))
    assert names <= sys.stdlib_module_names
    done = subprocess.run(
        [sys.executable, "-I", "-S", EXAMPLES / "bot_engine.py"],
        input=f"azi\nisready\nposition pos {Game(seed=1).position}\ngo movetime 5\nquit\n",
        capture_output=True, text=True, check=True, timeout=PATIENCE,
    )  # fmt: skip
    assert done.stdout.splitlines()[:3] == ["id name My engine 1", "aziok", "readyok"]
    assert re.fullmatch(r"bestmove \w{3}", done.stdout.splitlines()[3])


@pytest.fixture(scope="module")
def engine() -> ModuleType:
    module = ModuleType("bot_engine")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdin", io.StringIO())
        exec((EXAMPLES / "bot_engine.py").read_text(encoding="utf-8"), vars(module))
    return module


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("wall", ["std", "gray"])
def test_the_engine_finds_exactly_the_legal_moves(engine: ModuleType, players: int, wall: Wall) -> None:
    choices = 0
    for seed in range(8):
        game, lots = Game(players, wall, seed=seed, max_rounds=10), random.Random(seed)
        while not game.is_over:
            assert sorted(engine.legal_moves(game.position)) == sorted(map(str, game.legal_moves))
            choices += game.phase == "t"
            game.play(lots.choice(game.legal_moves))
    assert (choices > 0) == (wall == "gray")


@pytest.mark.parametrize("wall", ["std", "gray"])
@pytest.mark.parametrize("spec", ["python:bot:MyPlayer", f"process:{sys.executable} bot_engine.py"])
def test_both_win_clearly_against_random(spec: str, wall: Wall) -> None:
    result = play_match(MatchPlan((spec, "random"), games=10, wall=wall))
    assert result.contestants[0].forfeits == 0
    assert result.contestants[0].wins >= 9


def test_the_name_works_wherever_the_page_says() -> None:
    """All of them but the server and the tables on one, which have tests of their own."""
    commands = [line for line in block_with("azulejos tournament").text.splitlines() if "serve" not in line]
    typed = {
        "analyze": json.dumps({"position": Game(seed=1).position}) + "\n",
        "engine": f"azi\nposition pos {Game(seed=1).position}\ngo\n",
    }
    Path("questions.jsonl").write_text(typed["analyze"])
    seen = set()
    for line in commands:
        name = line.split()[1]
        if name == "bot":
            continue
        position = Game(seed=1).position.replace(" ", "_")
        words = re.sub(r'"\$\(.*?\)"', position, line.replace("--games 20", "--games 2")).split()
        done = run(*words[1:], typed=typed.get(name, ""))
        assert (done.returncode, done.stderr) == (0, ""), line
        assert "My player 1" in done.stdout or "python:bot:MyPlayer" in done.stdout, line
        seen.add(name)
    assert seen == {"tournament", "play", "hint", "analyze", "engine"}


def test_it_is_an_opponent_in_an_environment() -> None:
    from azulejos.envs.gymnasium import AzulEnv

    env = AzulEnv(opponents=["python:bot:MyPlayer"], seat=0)
    _, info = env.reset(seed=1)
    over = False
    while not over:
        _, _, over, _, info = env.step(int(info["action_mask"].argmax()))
    assert info["scores"][1] > info["scores"][0]
    env.close()


def test_a_package_gives_its_player_a_short_name(tmp_path: Path) -> None:
    """Built, installed and played for real; nothing is fetched for it."""
    package, place = tmp_path / "package", tmp_path / "place"
    package.mkdir()
    (package / "pyproject.toml").write_text(block_with("[project.entry-points").text)
    (package / "rosa.py").write_text(block_with("class Rosa").text)
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--no-index"]
    subprocess.run([*install, "--target", str(place), str(package)], check=True, capture_output=True, timeout=PATIENCE)
    environment = os.environ | {"PYTHONPATH": str(place)}

    def said(*words: str) -> subprocess.CompletedProcess[str]:
        command = [str(AZULEJOS), *words]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=PATIENCE)

    played = said("match", "rosa", "random", "--games", "2", "--json")
    assert [who["spec"] for who in json.loads(played.stdout)["contestants"]] == ["rosa", "random"]
    assert json.loads(played.stdout)["reasons"] == {"row": 2}
    assert said("match", "rosa:deep", "random").stderr.startswith("azulejos: cannot read the options 'deep'")


def test_the_player_of_a_package_needs_no_package_to_be_tried() -> None:
    Path("rosa.py").write_text(block_with("class Rosa").text)
    assert make("python:rosa:Rosa").name == "Rosa 1.0"
    assert "Rosa 1.0" in answer("hint", Game(seed=1).position, "--player", "python:rosa:Rosa")
