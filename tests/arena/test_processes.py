"""Processes that call functions: whatever happens to one of them, the others go on and nobody waits for ever."""

from __future__ import annotations

import multiprocessing
import os
import signal
import struct
import threading
from concurrent.futures import BrokenExecutor, CancelledError
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from azulejos.arena.processes import Processes
from tests.patience import PATIENCE


@pytest.fixture(autouse=True)
def found(monkeypatch: pytest.MonkeyPatch) -> None:
    """New processes find the functions of this file."""
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2]))


def dies_over_its_answer() -> bytes:
    """Have this process killed when half of the answer is on its way."""

    def send(pipe: Connection, answer: bytes) -> None:
        os.write(pipe.fileno(), struct.pack("!i", len(answer)) + bytes(answer[: len(answer) // 2]))
        os.kill(os.getpid(), signal.SIGKILL)

    Connection._send_bytes = send  # type: ignore[attr-defined]
    return bytes(1000)


def fails(text: str) -> None:
    raise ValueError(text)


def what_cannot_be_sent() -> threading.Lock:
    return threading.Lock()


def waits() -> None:
    threading.Event().wait()


def test_one_that_dies_over_its_answer_loses_that_call_alone_and_is_replaced() -> None:
    pool = Processes(1)
    before = pool.submit(os.getpid).result(PATIENCE)
    with pytest.raises(BrokenExecutor, match="a worker died over a call, with exit code -9"):
        pool.submit(dies_over_its_answer).result(PATIENCE)
    assert pool.submit(os.getpid).result(PATIENCE) not in (before, os.getpid())
    pool.close(at_once=False)
    assert not multiprocessing.active_children()


def test_faults_come_back_with_where_they_were_and_the_process_stays() -> None:
    pool = Processes(1)
    number = pool.submit(os.getpid).result(PATIENCE)
    with pytest.raises(ValueError, match="much too long") as fault:
        pool.submit(fails, "much too long").result(PATIENCE)
    assert "in fails" in "".join(fault.value.__notes__)
    with pytest.raises(TypeError, match="cannot pickle"):
        pool.submit(what_cannot_be_sent).result(PATIENCE)
    with pytest.raises(TypeError, match="cannot pickle"):
        pool.submit(fails, threading.Lock()).result(PATIENCE)
    assert pool.submit(os.getpid).result(PATIENCE) == number
    pool.close(at_once=False)


def test_what_is_under_way_or_waits_ends_at_once_when_it_has_to() -> None:
    pool = Processes(1)
    pool.submit(os.getpid).result(PATIENCE)
    under_way = pool.submit(waits)
    while not under_way.running():
        pass
    waiting = pool.submit(os.getpid)
    pool.close(at_once=True)
    assert isinstance(under_way.exception(PATIENCE), BrokenExecutor)
    with pytest.raises(CancelledError):
        waiting.result(PATIENCE)
    assert not multiprocessing.active_children()
