"""The engine as a program of its own: what it reads, what it writes, and when it leaves."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path

import pytest

from azulejos import Game
from azulejos.engine.protocol import read_lines
from azulejos.players.program import LONGEST_LINE

AZULEJOS = Path(sys.executable).with_name("azulejos")
POSITION = Game(seed=1, starter=0).position


def test_lines_of_any_length_and_bytes_are_read() -> None:
    stream = io.BytesIO(b"\xff\xfe\n" + b"x" * (3 * LONGEST_LINE) + b"\n" + b"y" * LONGEST_LINE + b"\nlast")
    lines = list(read_lines(stream))
    assert lines[0] == "\\xff\\xfe\n"
    assert len(lines[1]) == LONGEST_LINE + 1
    assert lines[2:] == ["y" * LONGEST_LINE + "\n", "last"]


def run(typed: bytes, *words: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([AZULEJOS, "engine", *words], input=typed, capture_output=True, check=False, timeout=300)


def test_the_end_of_the_input_is_quit_and_what_was_asked_is_answered() -> None:
    done = run(f"position pos {POSITION}\n\xff\ngo infinite".encode("latin-1"))
    said = done.stdout.decode().splitlines()
    assert (done.returncode, done.stderr) == (0, b"")
    assert said[0].startswith("error unknown_command")
    assert said[-1].startswith("bestmove ")


def test_quit_leaves_the_rest_unread() -> None:
    done = run(b"quit\nisready\n")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_the_end_of_the_input_waits_for_an_answer_that_comes_by_itself() -> None:
    done = run(f"setoption name Player value search\nposition pos {POSITION}\ngo nodes 30000".encode())
    assert done.stdout.decode().splitlines()[-2].startswith("info nodes 30000 ")


def test_quit_does_not_wait() -> None:
    done = run(f"position pos {POSITION}\ngo movetime 200000\nquit\n".encode())
    assert done.stdout.decode().splitlines()[-1].startswith("bestmove ")


@pytest.mark.parametrize(("player", "code", "named"), [("greedy", 0, b""), ("nobody", 2, b"no player 'nobody'")])
def test_any_player_can_be_the_one_to_begin_with(player: str, code: int, named: bytes) -> None:
    done = run(f"position pos {POSITION}\ngo\n".encode(), "--player", player)
    assert done.returncode == code
    assert named in done.stderr
    assert done.stdout.startswith(b"bestmove ") == (code == 0)


def test_the_module_alone_is_the_same_engine() -> None:
    command = [sys.executable, "-m", "azulejos.engine", "greedy"]
    done = subprocess.run(command, input=b"isready\nquit\n", capture_output=True, check=False, timeout=300)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"readyok\n", b"")


def test_a_reader_who_has_gone_is_no_error() -> None:
    process = subprocess.Popen(
        ["sh", "-c", '"$0" engine | head -n 1', str(AZULEJOS)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    said, complaint = process.communicate(b"isready\n" * 200000, timeout=300)
    assert (said, complaint) == (b"readyok\n", b"")
