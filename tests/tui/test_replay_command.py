"""`azulejos replay`: a screen in a terminal, lines elsewhere, and clear words about files that are no records."""

from __future__ import annotations

import io
import re
import subprocess
import sys
from pathlib import Path

import pytest

from azulejos import Game, locale, read_record
from azulejos.cli.replay import replay
from azulejos.players import greedy
from azulejos.players.levels import OPPONENTS
from azulejos.tui.plain.stepper import step_through
from azulejos.tui.table.recorded import Recorded
from tests.tui.test_start import Terminal

GOLDEN = Path(__file__).parents[1] / "golden" / "record.azul"
COMMAND = [
    sys.executable,
    "-c",
    "from azulejos.cli.app import app; app()",
    "replay",
]


def test_a_terminal_gets_the_screen() -> None:
    terminal = Terminal(str(GOLDEN), "--speed", "instant", command=COMMAND)
    terminal.until("step 1 of 21")
    assert "\x1b[?1049h" in terminal.said
    terminal.type("\x1b[C")
    terminal.until("step 2 of 21")
    terminal.type("\x1b[F")
    terminal.until("step 21 of 21")
    terminal.until("wins, 9 to 7")
    terminal.type("q")
    assert terminal.end() == 0


def test_plain_in_a_terminal_goes_line_by_line() -> None:
    terminal = Terminal(str(GOLDEN), "--plain", command=COMMAND)
    terminal.until("q quit: ")
    assert "\x1b[?1049h" not in terminal.said
    terminal.type("\n")
    terminal.until("1/21")
    terminal.type("r\n")
    terminal.until("11/21")
    terminal.type("e\n")
    terminal.until("21/21")
    terminal.type("q\n")
    assert terminal.end() == 0


def test_ctrl_c_leaves_the_screen_as_it_was() -> None:
    terminal = Terminal(str(GOLDEN), command=COMMAND)
    terminal.until("step 1 of 21")
    terminal.type("\x03")
    assert "\x1b[?1049l" in terminal.rest()
    assert terminal.end() == 0


def test_into_a_pipe_all_steps_are_printed() -> None:
    """Nobody sees a question, so none is asked; what is typed at the terminal is left alone."""
    terminal = Terminal(str(GOLDEN), command=["sh", "-c", '"$@" | cat', "sh", *COMMAND])
    terminal.until("21/21")
    assert terminal.end() == 0
    assert re.findall(r"(\d+)/21", terminal.plain) == [str(number) for number in range(22)]
    assert "q quit" not in terminal.plain
    assert "\x1b[3" not in terminal.said  # no color either


@pytest.mark.parametrize("source", ["nothing", "an empty pipe", "a slow empty pipe", "no input", "the record"])
def test_where_nobody_answers_all_steps_are_printed(source: str) -> None:
    given = {
        "nothing": '"$@" RECORD < /dev/null',
        "an empty pipe": ': | "$@" RECORD',
        "a slow empty pipe": '(sleep 3) | "$@" RECORD',
        "no input": '"$@" RECORD <&-',
        "the record": 'cat RECORD RECORD | "$@" -',  # what is left of it is no answer
    }[source]
    done = subprocess.run(
        ["sh", "-c", given.replace("RECORD", str(GOLDEN)), "sh", *COMMAND],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert re.findall(r"^(?:.*q quit: )?(\d+)/21", done.stdout, re.MULTILINE) == [str(number) for number in range(22)]
    if source in ("nothing", "no input", "the record"):
        assert "q quit" not in done.stdout
    assert "cannot read" not in done.stdout


def test_a_program_that_waits_for_the_question_can_answer_it() -> None:
    with subprocess.Popen([*COMMAND, str(GOLDEN)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0) as program:
        assert program.stdin
        assert program.stdout
        said = b""
        while b"q quit: " not in said:
            more = program.stdout.read(4096)
            assert more, said
            said += more
        program.stdin.write(b"20\n")
        program.stdin.close()
        assert re.findall(rb"(\d+)/21", program.stdout.read()) == [b"20"]


def test_ctrl_d_at_the_first_question_leaves() -> None:
    terminal = Terminal(str(GOLDEN), "--plain", command=COMMAND)
    terminal.until("q quit: ")
    terminal.type("\x04")
    assert "1/21" not in terminal.rest()
    assert terminal.end() == 0


def test_one_name_for_each_player_and_every_level_has_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "game.azul"
    for level in OPPONENTS:
        game = Game(2, seed=1, starter=0)
        game.play(greedy.choose(game))
        file.write_text(game.to_record(names=[f"bot:{level.spec}", "?"]))
        replay(file, at=2)
        told = capsys.readouterr().out
        assert level.spec not in told
        assert told.count(level.name.capitalize()) >= 2  # the sentence, and the table
        assert "Player 2" in told


@pytest.mark.parametrize("word", ["22", "0000000015", "9" * 5000])
def test_a_number_without_a_step_is_not_read_as_another(word: str) -> None:
    said: list[str] = []
    answers = [word, "0015", "q"]
    step_through(Recorded(read_record(GOLDEN.read_text())), say=said.append, ask=lambda _: answers.pop(0))
    assert re.findall(r"^(\d+)/21", "".join(said), re.MULTILINE) == ["0", "0", "15"]
    assert f"cannot read {word[:40]!r}" in said


def test_what_every_step_did_is_said_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    for step in (2, 10, 11, 21):
        replay(GOLDEN, at=step)
    told = capsys.readouterr().out
    assert 'Ana "the wall" Lima 1B1: 1 blue from display 1 to line 1.' in told
    assert "Scores: " in told
    assert "Round 2; " in told
    assert "wins, 9 to 7" in told


SPOKEN = {
    "en": ("q quit: ", "from display 1", "cannot read 'x'"),
    "es": ("q salir: ", "del expositor 1", "no se entiende 'x'"),
    "pt": ("q sair: ", "da fábrica 1", "não se entende 'x'"),
    "nl": ("q stoppen: ", "van schijf 1", "kan 'x' niet"),
    "fr": ("q quitter\N{NO-BREAK SPACE}: ", "de la fabrique 1", "impossible de lire 'x'"),
    "de": ("q beenden: ", "von Manufaktur 1", "'x' ist nicht zu lesen"),
    "it": ("q esci: ", "dall\N{RIGHT SINGLE QUOTATION MARK}espositore 1", "non si riesce a leggere 'x'"),
}


@pytest.mark.parametrize("language", locale.LANGUAGES)
def test_lines_speak_every_language(
    language: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("x\n\n\nq\n"))
    replay(GOLDEN, plain=True, language=language)  # type: ignore[arg-type]
    told = capsys.readouterr().out
    asked, move, fault = SPOKEN[language]
    assert told.count(asked) == 4
    assert move in told
    assert fault in told


def damaged(kind: str) -> str:
    text = GOLDEN.read_text()
    return {
        "a wrong move": text.replace("1B1", "1R1", 1),
        "a wrong result": text.replace("9-7", "9-8"),
        "half a file": text[: len(text) // 2] + "(((",
        "words": "Dear Ana, thank you for the game.\n",
    }[kind]


@pytest.mark.parametrize(
    ("kind", "last", "fault"),
    [("a wrong move", 1, "1R1"), ("a wrong result", 21, "9-8"), ("half a file", 2, "[%clk 0:09:41(((")],
)
def test_a_damaged_record_is_shown_as_far_as_it_goes_and_why_is_said(
    kind: str, last: int, fault: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "game.azul"
    file.write_text(damaged(kind))
    for at in (0, last):
        replay(file, at=at, language="en")
        told = capsys.readouterr().out
        assert f"{at}/{last} " in told
        assert told.count("The record can be followed no further: ") == 1
        assert fault in told


def test_a_text_that_is_no_record_is_refused_by_name(tmp_path: Path) -> None:
    file = tmp_path / "game.azul"
    file.write_text(damaged("words"))
    with pytest.raises(ValueError, match=r"cannot read game 1 of '.*game\.azul': .{10}"):
        replay(file)


def test_which_game_of_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "games.azul"
    file.write_text(GOLDEN.read_text() + Game(3, seed=1).to_record(names=["Zoe"]) + '[Event "x"]\n\n9Z9 *\n')
    replay(file, game=2, at=0)
    assert "Zoe" in capsys.readouterr().out
    with pytest.raises(ValueError, match=r"cannot read game 3 of .*9Z9"):
        replay(file, game=3)
    with pytest.raises(ValueError, match=r"has no game number 4: it holds 3 games"):
        replay(file, game=4)
    with pytest.raises(ValueError, match="there is no step 99: the record has 21"):
        replay(file, at=99)


def test_files_that_hold_nothing_or_no_text_are_named(tmp_path: Path) -> None:
    file = tmp_path / "x.azul"
    with pytest.raises(FileNotFoundError, match=r"x\.azul"):
        replay(file)
    file.touch()
    with pytest.raises(ValueError, match=r"x\.azul' holds no record"):
        replay(file)
    file.write_bytes(b"\x89PNG\r\n\xff\x00")
    with pytest.raises(ValueError, match=r"x\.azul' is not a text file"):
        replay(file)
    with pytest.raises(IsADirectoryError):
        replay(tmp_path)


def test_standard_input_is_read() -> None:
    done = subprocess.run([*COMMAND, "-"], input=GOLDEN.read_text(), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "0/21" in done.stdout


@pytest.mark.parametrize("players", [2, 4])
def test_a_long_game_in_full_steps_forth_and_back(players: int, tmp_path: Path) -> None:
    game = Game(players, "gray", seed=3)
    while not game.is_over:
        game.play(greedy.choose(game))
    file = tmp_path / "game.azul"
    file.write_text(game.to_record())
    done = subprocess.run(
        [*COMMAND, str(file), "--plain"], input="e\nb\n0\n" + "r\n" * 30, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    heads = [int(number) for number in re.findall(r"^(\d+)/", done.stdout, re.MULTILINE)]
    last = max(heads)
    assert heads[:4] == [0, last, last - 1, 0]
    assert heads[4:] == sorted(heads[4:])
    assert heads[-1] == last
