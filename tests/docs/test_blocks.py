"""Code in the pages is right: commands parse, quick ones print what the page shows, Python and JSON can be read.

Examples with `>>>` are run as doctests; those of the protocol and of the engine have tests of their own.
"""

from __future__ import annotations

import ast
import contextlib
import doctest
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from unittest import mock

import pytest
from cyclopts import MissingArgumentError

from azulejos import Dealer, Game
from azulejos.cli import app as cli
from azulejos.players import greedy
from tests.command import run
from tests.docs.pages import ROOT, Block, azulejos_commands, blocks
from tests.patience import PATIENCE

COMMANDS = azulejos_commands()
VARYING = ("bench", "doctor", "hint", "match", "simulate", "tournament")
"""Commands that print what depends on the machine, or take long."""
ASKS = ("play", "bot")
"""Commands that wait for answers, or need a server."""
UNKNOWN_FILES = ("bad.azul", "--out")
"""Files that a page does not say how to make."""


def _quick(block: Block) -> bool:
    first, _, shown = block.text.partition("\n")
    words = set(first.split())
    if block.language != "console" or "azulejos" not in words or words & {*UNKNOWN_FILES}:
        return False
    return shown.startswith("azulejos: ") or not words & {*VARYING, *ASKS}  # what is refused is refused at once


SESSIONS = [block for block in blocks() if _quick(block)]


def _has_figures(block: Block) -> bool:
    first, _, shown = block.text.partition("\n")
    varies = {*first.split()} & ({*VARYING} - {"bench"})
    return block.language == "console" and bool(varies) and not shown.startswith("azulejos: ")


RUN_SMALLER = [block for block in blocks() if _has_figures(block)]
"""Sessions that print figures of a machine: they are run, with fewer games, for what they print around the figures."""


def test_there_is_something_to_test() -> None:
    assert len(COMMANDS) > 60
    assert len(SESSIONS) > 10
    assert len(RUN_SMALLER) > 6


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_of_the_pages_is_one(command: str) -> None:
    words = shlex.split(command)
    if words[:1] == ["COMMAND"]:  # "azulejos COMMAND --help"
        words[0] = "new"
    try:
        cli.app.parse_args(words, exit_on_error=False, print_error=False)
    except MissingArgumentError as fault:
        if not COMMANDS[command].is_mention:
            pytest.fail(f"{COMMANDS[command].place}: azulejos {command}: {fault}")
    except Exception as fault:  # whatever it is, the page is wrong
        pytest.fail(f"{COMMANDS[command].place}: azulejos {command}: {fault}")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the files that the sessions name."""
    place = tmp_path_factory.mktemp("sessions")
    records = [_greedy_game(Game(seed=seed)).to_record(names=["Ana", "Ben"]) for seed in (1, 2)]
    (place / "games.azul").write_text("\n".join(records), encoding="utf-8")
    (place / "dealt.azul").write_text(_dealt(), encoding="utf-8")
    for example in ("bot.py", "bot_engine.py"):
        shutil.copy(ROOT / "examples" / example, place)
    return place


def _greedy_game(game: Game) -> Game:
    while not game.is_over:
        game.play(greedy.choose(game))
    return game


def _dealt() -> str:
    dealer = Dealer(bytes(32))
    game = Game(starter=0).from_start()
    while not game.is_over:
        game.play(dealer.deal(game.states) if game.phase == "r" else greedy.choose(game))
    return game.to_record(DealCommitment=dealer.commitment, DealSecret=dealer.secret)


def _typed(line: str, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """What comes of a line that is typed in a shell; what is nothing but our own commands needs none."""
    inner = re.compile(r'"\$\(azulejos ([^()]*)\)"')
    if line.startswith("azulejos ") and not re.search(r"[|<>&;$\\]", inner.sub("", line)):
        line = inner.sub(lambda found: shlex.quote(run(*shlex.split(found[1])).stdout.strip()), line)
        with contextlib.chdir(folder), mock.patch.dict(os.environ, environment):
            return run(*shlex.split(line)[1:])
    path = str(Path(sys.executable).parent) + os.pathsep + os.environ["PATH"]
    return subprocess.run(
        ["bash", "-c", line],
        cwd=folder,
        env=os.environ | {"PATH": path} | environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )


@pytest.mark.parametrize("session", SESSIONS, ids=str)
def test_a_session_prints_what_the_page_shows(session: Block, folder: Path) -> None:
    first, _, shown = session.text.partition("\n")
    done = _typed(first.removeprefix("$ "), folder)
    said = re.sub(r"[ \t]+$", "", done.stdout + done.stderr, flags=re.MULTILINE)
    options = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    assert doctest.OutputChecker().check_output(shown, said, options), f"{first}\n{said}"


def _without_figures(text: str) -> list[str]:
    """The words of a text, without its numbers, the lines of tables and what a page leaves out."""
    return re.findall(r"[a-z]{4,}", text.replace("...", ""))


@pytest.mark.parametrize("session", RUN_SMALLER, ids=str)
def test_a_session_with_figures_goes_through(session: Block, folder: Path) -> None:
    first, _, shown = session.text.partition("\n")
    done = _typed(re.sub(r"--games \d+", "--games 4", first.removeprefix("$ ")), folder, COLUMNS="100")
    assert done.returncode == 0, done.stderr
    expected, found = set(_without_figures(shown)), set(_without_figures(done.stdout))
    assert len(expected & found) >= 0.6 * len(expected), done.stdout


@pytest.mark.parametrize("block", [block for block in blocks() if block.language == "python"], ids=str)
def test_python_can_be_read(block: Block) -> None:
    if ">>>" not in block.text:
        ast.parse(block.text)
    else:
        assert doctest.DocTestParser().get_examples(block.text)


@pytest.mark.parametrize("block", [block for block in blocks() if block.language == "json"], ids=str)
def test_json_can_be_read(block: Block) -> None:
    rest = block.text.replace(", ...]", "]").strip()  # left out in the page
    while rest:  # one value, or one after the other
        _, end = json.JSONDecoder().raw_decode(rest)
        rest = rest[end:].strip()
