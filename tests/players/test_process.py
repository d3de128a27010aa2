"""Programs as players: our own engine, and programs that misbehave in every way. Each is a real process."""

from __future__ import annotations

import shlex
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from azulejos import Game
from azulejos.players import program, registry
from azulejos.players.player import Limits, PlayerFailed
from azulejos.players.process import ProcessPlayer

AZULEJOS = Path(sys.executable).with_name("azulejos")
GAME = Game(seed=1, starter=0)
QUICK = Limits(milliseconds=50)
UNHURRIED = Limits(milliseconds=1000)
"""Enough to find something out on a machine that is busy."""

FAITHFUL = """
import sys
def say(*words): print(*words, flush=True)
def think(): say("bestmove 5R2")
for line in sys.stdin:
    words = line.split()
    if words[0] == "azi": say("id name fake"), say("aziok")
    if words[0] == "isready": say("readyok")
    if words[0] == "go": think()
    if words[0] == "quit": break
"""


class Fakes:
    """Makes players of little programs."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.made: list[ProcessPlayer] = []

    def __call__(self, code: str, start_seconds: float = 60, grace_seconds: float = 60) -> ProcessPlayer:
        file = self._folder / "fake.py"
        file.write_text(textwrap.dedent(code))
        command = shlex.join([sys.executable, "-S", str(file)])
        player = ProcessPlayer(command, start_seconds=start_seconds, grace_seconds=grace_seconds)
        self.made.append(player)
        return player

    def thinking(self, think: str, **patience: float) -> ProcessPlayer:
        """A program that is well behaved until it has to think."""
        body = "\n" + textwrap.indent(textwrap.dedent(think), "    ")
        return self(FAITHFUL.replace('say("bestmove 5R2")', body), **patience)


@pytest.fixture
def fake(tmp_path: Path) -> Iterator[Fakes]:
    fakes = Fakes(tmp_path)
    yield fakes
    for player in fakes.made:
        player.close()


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that leaves by itself has the time it needs."""
    monkeypatch.setattr(program, "LEAVING_SECONDS", 30.0)


def within(seconds: float, act: Callable[[], object]) -> PlayerFailed:
    """The failure, which has to come in time."""
    started = time.monotonic()
    with pytest.raises(PlayerFailed) as failed:
        act()
    assert time.monotonic() - started < seconds
    assert "process:" in str(failed.value)
    return failed.value


def pid_of(player: ProcessPlayer) -> int:
    assert player._engine.pid is not None
    return player._engine.pid


def is_alive(pid: int) -> bool:
    return Path(f"/proc/{pid}").exists()


# --- programs that speak the protocol


@pytest.fixture(scope="module")
def engine() -> Iterator[ProcessPlayer]:
    player = registry.make(f"process:{shlex.quote(str(AZULEJOS))} engine", 5)
    assert isinstance(player, ProcessPlayer)
    yield player
    player.close()


@pytest.mark.parametrize("limits", [Limits(nodes=200), UNHURRIED, Limits(10**6, UNHURRIED.milliseconds)])
def test_our_own_engine_plays(engine: ProcessPlayer, limits: Limits) -> None:
    choice = engine.choose(GAME, limits)
    assert choice.move in GAME.legal_moves
    assert len(choice.win) == 2
    assert sum(choice.win) == pytest.approx(1, abs=0.002)
    assert choice.margin is not None


def test_our_own_engine_plays_like_the_player_in_it(engine: ProcessPlayer) -> None:
    inner = registry.make("net", 5)
    for game in (GAME, Game(3, "gray", seed=2)):
        ours, theirs = inner.choose(game, Limits(nodes=300)), engine.choose(game, Limits(nodes=300))
        assert theirs.move == ours.move
        assert theirs.win == pytest.approx(ours.win, abs=0.001)
        assert theirs.margin == pytest.approx(ours.margin, abs=0.051)
    inner.close()


def test_a_whole_game_against_a_program(engine: ProcessPlayer) -> None:
    game = Game(seed=3)
    other = registry.make("greedy")
    while not game.is_over:
        game.play((engine if game.seat else other).choose(game, Limits(nodes=20)).move)
    assert game.outcome is not None
    with pytest.raises(ValueError, match="the game is over"):
        engine.choose(game, QUICK)


def test_a_program_may_say_much_or_little(fake: Fakes) -> None:
    assert fake.thinking('say("bestmove 5R2")').choose(GAME, QUICK).win == ()
    info = 'say("info nodes 5 multipv 1 margin -1.5 win 25.0 75.0 pv 5R2"), say("info multipv 2 win 1 1 margin 9")'
    choice = fake.thinking(f'{info}, say("banner"), say("bestmove 5R2 ponder 1B1")').choose(GAME, QUICK)
    assert (str(choice.move), choice.win, choice.margin) == ("5R2", (0.25, 0.75), -1.5)
    strange = 'say("info win nan 2 margin x"), say("bestmove 5R2")'
    choice = fake.thinking(strange).choose(GAME, QUICK)
    assert (choice.win, choice.margin) == ((), None)


def test_floods_of_lines_and_complaints_are_no_trouble(fake: Fakes) -> None:
    player = fake.thinking("""
        for number in range(30000): print("info nodes", number, "pv 5R2")
        for number in range(30000): print("grumble " * 10, file=sys.stderr)
        print("x" * 300000), say("bestmove 5R2")
        for number in range(30000): print("info nodes", number)
        print("bestmove 1B1")
    """)
    assert [str(player.choose(GAME, QUICK).move) for _ in range(3)] == ["5R2"] * 3  # what comes late is passed over


# --- programs that do not


REFUSED: dict[str, tuple[str, str]] = {
    "an illegal move": ('say("bestmove 2B1")', "answered '2B1' .* no blue at source 2"),
    "no move": ('say("bestmove")', "answered '', which is not a move"),
    "nonsense": ('say("bestmove \\x07zz")', "answered .* which is not a move"),
    "an error": ('say("error bad no such thing")', "refused the position .* 'error bad no such thing'"),
}


@pytest.mark.parametrize(("think", "named"), REFUSED.values(), ids=REFUSED)
def test_a_bad_answer_is_a_failure_and_the_program_lives_on(think: str, named: str, fake: Fakes) -> None:
    player = fake.thinking(think)
    before = pid_of(player)
    within(30, lambda: player.choose(GAME, QUICK))
    with pytest.raises(PlayerFailed, match=named):
        player.choose(GAME, QUICK)
    assert pid_of(player) == before


@pytest.mark.usefixtures("patient")
def test_a_crash_is_a_failure_with_the_last_complaint_and_the_next_move_has_a_new_process(fake: Fakes) -> None:
    player = fake.thinking('sys.exit("out of tiles")')
    assert "ended with exit code 1; it complained: 'out of tiles'" in str(
        within(30, lambda: player.choose(GAME, QUICK))
    )
    assert "out of tiles" in str(within(30, lambda: player.choose(GAME, QUICK)))


def test_silence_is_a_failure_in_time_and_ends_the_process(fake: Fakes) -> None:
    player = fake.thinking('import time; print("hm", file=sys.stderr, flush=True); time.sleep(60)', grace_seconds=2.9)
    pid = pid_of(player)
    fault = within(20, lambda: player.choose(GAME, QUICK))
    assert "did not say 'bestmove' within 3 s" in str(fault)
    assert "'hm'" in str(fault)
    assert not is_alive(pid)


def test_endless_talk_is_a_failure_in_time(fake: Fakes) -> None:
    player = fake.thinking('while True: print("info nodes 1")', grace_seconds=2.9)
    assert "its last line was 'info nodes 1'" in str(within(20, lambda: player.choose(GAME, QUICK)))


ENDS = {"with a word": ("import sys; sys.exit('no licence')", "1; it complained: 'no licence'"), "well": ("pass", "0")}


@pytest.mark.parametrize(("code", "how"), ENDS.values(), ids=ENDS)
@pytest.mark.usefixtures("patient")
def test_a_program_that_ends_at_once_is_a_failure(code: str, how: str, fake: Fakes) -> None:
    with pytest.raises(PlayerFailed, match=f"ended with exit code {how}"):
        fake(code)


STARTS: dict[str, tuple[str, str, float]] = {
    "is silent": ("import time; time.sleep(60)", "did not say 'aziok' within 0.5 s", 0.5),
    "speaks another language": ("while True: print('hello')", "did not say 'aziok' .* last line was 'hello'", 3),
    "is never ready": ("import time; print('aziok', flush=True); time.sleep(60)", "did not say 'readyok'", 3),
    "ignores everything": (
        "import signal, time\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\ntime.sleep(60)",
        "did not say 'aziok'",
        0.5,
    ),
    "closes its output": ("import os, time; os.close(1); time.sleep(60)", "closed its output", 30),
}
"""What a program does, how that is told, and the seconds it has: enough for what it has to do first."""


@pytest.mark.parametrize(("code", "named", "seconds"), STARTS.values(), ids=STARTS)
def test_a_program_that_does_not_start_well_is_a_failure(code: str, named: str, seconds: float, fake: Fakes) -> None:
    started = time.monotonic()
    with pytest.raises(PlayerFailed, match=named):
        fake(code, start_seconds=seconds)
    assert time.monotonic() - started < 20


def test_commands_that_cannot_be(tmp_path: Path) -> None:
    with pytest.raises(PlayerFailed, match="cannot be started: No such file"):
        registry.make("process:/nowhere/engine")
    with pytest.raises(PlayerFailed, match="cannot be started: Permission denied"):
        registry.make(f"process:{tmp_path}")
    with pytest.raises(ValueError, match="needs a command"):
        registry.make("process:")
    with pytest.raises(ValueError, match="quot"):
        registry.make("process:python 'x")


# --- the end


@pytest.mark.usefixtures("patient")
def test_close_ends_the_process_kindly_and_twice_is_once(fake: Fakes, tmp_path: Path) -> None:
    player = fake(FAITHFUL + "open(__file__ + '.left', 'w')")
    pid = pid_of(player)
    player.close()
    player.close()
    assert not is_alive(pid)
    assert (tmp_path / "fake.py.left").exists()  # it came to its own end


def test_close_ends_what_the_program_has_started(tmp_path: Path) -> None:
    file = tmp_path / "fake.py"
    file.write_text(FAITHFUL.replace('if words[0] == "quit": break', ""))
    player = ProcessPlayer(f"sh -c '{sys.executable} -S {file}; sleep 60'")
    pid = pid_of(player)
    player.close()
    assert not is_alive(pid)


def test_a_closed_player_starts_again(fake: Fakes) -> None:
    player = fake(FAITHFUL)
    player.close()
    assert str(player.choose(GAME, QUICK).move) == "5R2"
