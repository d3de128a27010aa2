"""The command: what it starts, where it falls back to lines, and bad wishes."""

from __future__ import annotations

import contextlib
import fcntl
import io
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from azulejos import Game, read_record
from azulejos.tui import start
from azulejos.tui.start import Wishes, play
from tests.patience import PATIENCE

COMMAND = [sys.executable, "-m", "azulejos", "play"]
GOLDEN = Path(__file__).parents[1] / "golden" / "record.azul"


class Terminal:
    """A real program in a pseudo-terminal."""

    def __init__(
        self,
        *words: str,
        command: Sequence[str] = COMMAND,
        columns: int = 80,
        lines: int = 24,
        **environment: str,
    ) -> None:
        own, other = pty.openpty()
        fcntl.ioctl(own, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        named = {"TERM": "xterm-256color", "COLUMNS": str(columns), "LINES": str(lines), "LANG": "C.UTF-8"}
        self.process = subprocess.Popen(
            [*command, *words], stdin=other, stdout=other, stderr=other, env={**os.environ, **named, **environment}
        )
        os.close(other)
        self._own = own
        self.said = ""

    def until(self, words: str, seconds: float = PATIENCE) -> str:
        deadline = time.monotonic() + seconds
        while words not in self.plain:
            assert time.monotonic() < deadline, f"{words!r} never came: {self.plain[-2000:]!r}"
            if select.select([self._own], [], [], 0.2)[0]:
                try:
                    self.said += os.read(self._own, 65536).decode(errors="replace")
                except OSError:
                    break
        assert words in self.plain, self.plain[-2000:]
        return self.plain

    @property
    def plain(self) -> str:
        """What was said, without what moves the cursor and sets colors."""
        return re.sub(r"\x1b\[[0-9;?<>=]*[A-Za-z]|\x1b[=>P].*?", "", self.said)

    def type(self, keys: str) -> None:
        os.write(self._own, keys.encode())

    def resize(self, columns: int, lines: int) -> None:
        fcntl.ioctl(self._own, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        self.process.send_signal(signal.SIGWINCH)

    def interrupt(self, words: str) -> None:
        """Control-C until these words come: one that falls between the prompt and the reading waits for the next."""
        for patience in (5.0, 10.0, 20.0, 40.0):
            self.process.send_signal(signal.SIGINT)
            with contextlib.suppress(AssertionError):
                self.until(words, patience)
                return
        raise AssertionError(f"{words!r} never came: {self.plain[-2000:]!r}")

    def hang_up(self) -> None:
        """The terminal is gone, as when a connection to another machine breaks."""
        os.close(self._own)

    def rest(self, seconds: float = PATIENCE) -> str:
        """Everything up to the end."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline and select.select([self._own], [], [], PATIENCE)[0]:
            try:
                self.said += os.read(self._own, 65536).decode(errors="replace")
            except OSError:
                break
        return self.said

    def end(self) -> int:
        """Its exit status; what it still says is heard, or it could not end."""
        self.rest()
        try:
            return self.process.wait(PATIENCE)
        finally:
            if self.process.poll() is None:
                self.process.kill()
            os.close(self._own)


def test_a_real_terminal_gets_the_screen_and_the_record_at_the_end() -> None:
    terminal = Terminal("--seed", "1", "--against", "greedy", "--speed", "instant")
    terminal.until("Your turn")
    assert "\x1b[?1049h" in terminal.said  # the whole screen
    terminal.type("2k3")
    terminal.until("2 black from display 2 to line 3")
    terminal.type("q")
    terminal.until("Leave the game?")
    terminal.type("q")
    shown = terminal.until('[Player2 "Greedy"]')
    assert terminal.end() == 0
    assert "2K3" in shown[shown.index("[Event") :] or "2K3" in terminal.plain


def test_it_ends_when_the_terminal_is_gone() -> None:
    terminal = Terminal("--seed", "1", "--against", "greedy")
    terminal.until("Your turn")
    terminal.hang_up()
    terminal.process.wait(PATIENCE)


def test_without_color_no_color_is_sent() -> None:
    terminal = Terminal("--seed", "1", "--against", "greedy", NO_COLOR="1")
    terminal.until("quit")
    terminal.type("q")
    terminal.until("[Rules")
    assert terminal.end() == 0
    codes = {code for codes in re.findall(r"\x1b\[([0-9;]*)m", terminal.said) for code in codes.split(";")}
    assert not codes & {str(number) for number in (*range(30, 38), *range(40, 48), *range(90, 98), *range(100, 108))}
    assert not codes & {"38", "48"}


def test_a_dumb_terminal_gets_lines() -> None:
    terminal = Terminal("--seed", "1", "--against", "greedy", TERM="dumb")
    terminal.until("Your move:")
    assert "\x1b[?1049h" not in terminal.said
    terminal.type("quit\n")
    terminal.until("Good-bye")
    assert terminal.end() == 0


def test_without_textual_lines_and_a_word_about_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(start, "_has_screen", lambda: True)
    monkeypatch.setattr(start, "find_spec", lambda _name: None)
    monkeypatch.setattr("sys.stdin", io.StringIO("quit\n"))
    play(Wishes(seed=1, against=("greedy",)))
    told = capsys.readouterr()
    assert told.err == "azulejos: line by line, because Textual is not installed: pip install 'azulejos[tui]'\n"
    assert "Good-bye" in told.out


def test_the_plain_mode_needs_no_textual() -> None:
    code = (
        "import sys; sys.modules['textual'] = None\n"
        "from azulejos.tui.start import Wishes, play\n"
        "play(Wishes(seed=1, against=('greedy',), plain=True, language='nl'))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], input="2k3\nzzz\nquit\n", capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "Jij 2K3: 2 zwarte van schijf 2 naar lijn 3." in done.stdout
    assert "Kan 'zzz' niet als zet lezen." in done.stdout
    record = read_record(done.stdout[done.stdout.index("[Event") :])
    assert record.names == ("Jij", "Greedy")


def test_full_strength_answers_after_its_second() -> None:
    command = [*COMMAND, "--against", "net", "--seed", "1", "--plain", "--language", "es"]
    done = subprocess.run(command, input="2k3\nquit\n", capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "Fuerza máxima " in done.stdout
    record = read_record(done.stdout[done.stdout.index("[Event") :])
    assert record.names[1] == "Fuerza máxima"
    assert len(record.entries) >= 3  # the deal, and a move of each


def test_a_record_is_replayed_line_by_line_without_a_terminal() -> None:
    done = subprocess.run([*COMMAND, str(GOLDEN)], input="\n\nq\n", capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "2/21" in done.stdout


def test_several_people_line_by_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("1B1\n2K2\nundo\nquit\n"))
    game = Game(3, seed=1)
    play(Wishes(seed=1, me="person:Ana", against=("person:Rui", "person"), plain=True, language="en"))
    order = [("Ana", "Rui", "Player 3")[(game.turn + turn) % 3] for turn in (0, 1, 2, 1)]
    told = capsys.readouterr().out
    assert re.findall("([A-Z][a-z]+(?: 3)?), your move: ", told) == order
    assert '[Player3 "Player 3"]' in told


BAD = {
    "players": (Wishes(players=5), "players must be a whole number from 2 to 4, not 5"),
    "player": (Wishes(against=("level0",)), "there is no player 'level0'"),
    "too many": (Wishes(players=2, against=("level1", "level2")), "--against was given 2 times for 1 other player"),
    "too few": (Wishes(players=4, against=("level1", "level2")), "--against was given 2 times for 3 other players"),
    "link": (Wishes(what="http://nowhere"), "names no table"),
    "server": (Wishes(what="http://127.0.0.1:9/t/abc"), "cannot reach the server at 'http://127.0.0.1:9'"),
    "record": (Wishes(what=str(Path(__file__))), "cannot read .*test_start.py"),
    "binary": (Wishes(what=sys.executable), "is not a text file"),
    "language": (Wishes(language="xx"), "there is no language 'xx'"),
    "seed": (Wishes(seed=-1), "seed must be"),
}


@pytest.mark.parametrize("kind", BAD)
def test_bad_wishes_are_named(kind: str) -> None:
    wishes, told = BAD[kind]
    with pytest.raises(ValueError, match=told):
        play(wishes)


def test_files_that_are_not_there_or_empty_are_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"nothing\.azul"):
        play(Wishes(what=str(tmp_path / "nothing.azul")))
    empty = tmp_path / "empty.azul"
    empty.touch()
    with pytest.raises(ValueError, match=r"empty.azul' holds no record"):
        play(Wishes(what=str(empty)))


def test_a_bad_link_is_one_line_on_standard_error() -> None:
    done = subprocess.run([*COMMAND, "http://127.0.0.1:9/t/x"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "azulejos: cannot reach the server at 'http://127.0.0.1:9': Connection refused\n"
