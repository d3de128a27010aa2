"""The conversation and the questions on the page of the engine, held for real; what the search thinks may differ."""

from __future__ import annotations

import json
import queue
import re
import subprocess
import sys
import threading
from collections.abc import Iterator

import pytest

from azulejos import Game
from tests.docs.pages import Block, blocks
from tests.patience import PATIENCE


def only(start: str, language: str) -> Block:
    (found,) = (block for block in blocks() if block.page == "engine.md" and block.text.startswith(start))
    assert found.language == language
    return found


def shape(line: str) -> str:
    """A line without what depends on the machine and on the strength of the search.

    >>> shape("info nodes 801 time 420 nps 1908 depth 12 multipv 1 margin +2.2 win 43.3 56.7 pv 1B3 cK1")
    'info nodes # time # nps # depth # multipv # margin # win # # pv'
    >>> shape("bestmove 1B3"), shape("option name Threads type spin default 1 min 1 max 2")
    ('bestmove', 'option name Threads type spin default 1 min 1 max #')
    """
    if line.startswith("info "):
        return re.sub(r"[+-]?\d[\d.]*", "#", line.partition(" pv ")[0]) + " pv"
    return re.sub(r"(Threads .* max) \d+", r"\1 #", re.sub(r"^bestmove \S+$", "bestmove", line))


class Engine:
    """`azulejos engine`, with a thread that reads what it says."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "azulejos", "engine"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.said: queue.Queue[str] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.said.put(line.rstrip("\n"))

    def tell(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def next_line(self) -> str:
        return self.said.get(timeout=PATIENCE)


@pytest.fixture
def engine() -> Iterator[Engine]:
    started = Engine()
    with started.process:
        yield started
        started.process.kill()


def test_the_conversation_goes_as_the_page_shows_it(engine: Engine) -> None:
    answers = 0
    for line in only("> azi", "text").text.splitlines():
        direction, text = line[0], line[2:]
        if direction == ">":
            engine.tell(text)
            continue
        heard = engine.next_line()
        while heard.startswith("info ") and not text.startswith("info "):  # the page shows the last one only
            heard = engine.next_line()
        assert shape(heard) == shape(text)
        answers += 1
    assert answers > 10
    assert engine.process.wait(timeout=PATIENCE) == 0
    assert engine.said.empty()


def test_analyze_answers_with_the_fields_that_the_page_shows() -> None:
    question = json.loads(only('{"id": "a", "position": "std ... d1', "json").text)
    shown = only('{"id": "a", "position": "std ... d2', "json").text.replace(", ...]", "]")
    answer, end = json.JSONDecoder().raw_decode(shown)
    refusal = json.loads(shown[end:])
    game = Game(seed=1, starter=0).from_start()
    game.play("=B2YK/BYR2/B3R/BYRW/RK2W")
    asked = [question | {"position": game.position}, {"id": "b", "position": Game(seed=1).from_start().position}]
    command = [sys.executable, "-m", "azulejos", "analyze"]
    lines = "".join(json.dumps(one) + "\n" for one in asked)
    done = subprocess.run(command, input=lines, capture_output=True, text=True, check=False, timeout=PATIENCE)
    assert done.returncode in (0, 1), done.stderr
    first, second = map(json.loads, done.stdout.splitlines())
    assert list(first) == list(answer)
    assert list(first["moves"][0]) == list(answer["moves"][0])
    assert len(first["moves"]) == question["multipv"]
    assert second == refusal
