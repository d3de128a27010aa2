"""The command line as people meet it; in a process of its own where only that shows it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import xml.etree.ElementTree as Xml
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import azulejos
from azulejos import Game, Record, read_record
from azulejos.arena.simulation import simulate
from azulejos.cli.app import COMMANDS
from azulejos.drawing import text as draw
from azulejos.rules.perft import perft
from tests.command import AZULEJOS, answer, refusal, run

GOLDEN = Path(__file__).parent / "golden" / "record.azul"
POSITION = Game(seed=1, starter=0).position


# --- help


def test_all_commands_are_listed() -> None:
    listed = answer("--help")
    assert all(command in listed for command in COMMANDS)


def test_version() -> None:
    said = subprocess.run([AZULEJOS, "--version"], capture_output=True, text=True, check=True).stdout
    assert said == answer("--version") == azulejos.__version__ + "\n"


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_of_a_command_has_an_example_on_a_line_of_its_own(command: str) -> None:
    said = answer(command, "--help")
    lines = [line.strip() for line in said.splitlines()]
    examples = [line for line in lines if line.startswith(f"azulejos {command}")]
    assert examples
    for example in examples:
        assert len(re.findall(rf"azulejos {command}\b", example)) == 1, example


# --- every command


def test_new_prints_a_position_line() -> None:
    for words, game in {
        ("--players", "4", "--wall", "gray", "--seed", "7"): Game(4, "gray", seed=7),
        ("-p", "3", "--seed", str(2**64 - 1)): Game(3, seed=2**64 - 1),
    }.items():
        assert answer("new", *words) == game.position + "\n"


def test_new_without_a_seed_is_another_game_each_time() -> None:
    assert answer("new") != answer("new")


def test_show_draws_a_position() -> None:
    assert answer("show", POSITION) == draw(Game.from_position(POSITION).view) + "\n"
    assert answer("show", POSITION.replace(" ", "_")) == answer("show", POSITION)


def test_show_draws_a_picture(tmp_path: Path) -> None:
    file = tmp_path / "board.svg"
    assert answer("show", POSITION, "--svg", file) == ""
    assert Xml.parse(file).getroot().tag.endswith("svg")


def test_perft_counts_leaves() -> None:
    assert answer("perft", "2") == f"{perft(Game(seed=1, starter=0).states, 2)}\n"
    four = Game(4, seed=1)
    assert json.loads(answer("perft", "1", four.position.replace(" ", "_"), "--json")) == {
        "position": four.position,
        "depth": 1,
        "leaves": len(four.legal_moves),
    }


def test_simulate_prints_how_games_went() -> None:
    said = answer("simulate", "--games", "1000", "--threads", "1")
    assert "1,000 random games" in said
    assert re.search(r"moves in [\d.]+ s on 1 thread: [\d,]+ moves/s", said)


def test_simulate_as_json() -> None:
    words = ("--games", "500", "--players", "3", "--wall", "gray", "--seed", "7", "--json")
    said = json.loads(answer("simulate", *words))
    expected = simulate(500, 3, "gray", seed=7).json()
    for timed in ("seconds", "moves_per_second"):
        assert said.pop(timed) > 0
        del expected[timed]
    assert said == expected


def test_verify_says_of_each_game_that_it_is_right(tmp_path: Path) -> None:
    file = tmp_path / "games.azul"
    file.write_text(GOLDEN.read_text() + Game(seed=1).to_record())
    assert answer("verify", file).splitlines() == [
        "game 1: ok, 2 rounds, 19 moves, 9-7",
        "game 2: ok, 1 round, 0 moves, *",
    ]


def test_verify_and_replay_read_standard_input() -> None:
    assert answer("verify", "-", typed=GOLDEN.read_text()) == "game 1: ok, 2 rounds, 19 moves, 9-7\n"
    assert "1/21" in answer("replay", "-", "--at", "1", typed=GOLDEN.read_text())


def test_verify_does_not_count_a_head_without_a_deal_as_a_move(tmp_path: Path) -> None:
    game = Game.from_position(POSITION)
    game.play("1B1")
    file = tmp_path / "game.azul"
    file.write_text(game.to_record())
    assert answer("verify", file) == "game 1: ok, 1 round, 1 move, *\n"


@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_verify_reads_json_lines_and_byte_order_marks(mark: str, tmp_path: Path) -> None:
    file = tmp_path / "games.azul"
    file.write_text(mark + Game(seed=1).to_record() + Game(seed=2).to_record(), encoding="utf-8")
    assert answer("verify", file).count("ok") == 2
    file.write_text(mark + f"{Record.of(Game(seed=1)).json_text()}\n" * 2, encoding="utf-8")
    assert answer("verify", file).count("ok") == 2


def wrong_among_right() -> str:
    right = Game(seed=1, starter=0).to_record()
    return right + right.replace("\n*", " 1R1\n*") + right


def test_verify_goes_on_after_a_wrong_game(tmp_path: Path) -> None:
    file = tmp_path / "games.azul"
    file.write_text(wrong_among_right())
    done = run("verify", file)
    assert done.returncode == 2
    assert [line.split(",")[0] for line in done.stdout.splitlines()] == ["game 1: ok", "game 3: ok"]
    assert done.stderr == "game 2: round 1, move 1: illegal move '1R1': there is no red at source 1\n"


def test_verify_as_json(tmp_path: Path) -> None:
    file = tmp_path / "games.azul"
    file.write_text(wrong_among_right())
    done = run("verify", file, "--json")
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert (done.returncode, done.stderr) == (2, "")
    assert [line["ok"] for line in lines] == [True, False, True]
    assert [line["game"] for line in lines] == [1, 2, 3]
    assert "'1R1'" in lines[1]["error"]
    assert lines[0]["error"] is None


def test_replay_prints_one_position() -> None:
    said = answer("replay", GOLDEN, "--at", "2")
    game = Game(seed=1, starter=0)
    game.play("1B1")
    assert "2/21 1B1 {[%clk 0:09:41] [%eval +3.2]} {Fine.}" in said
    assert "It is the turn of strong" in said
    _, *board, _moves, _ = draw(game.view, names=('Ana "the wall" Lima', "strong")).split("\n")
    assert "\n".join(board) in said


def test_replay_steps_forth_back_and_to_a_number() -> None:
    said = answer("replay", GOLDEN, typed="\n\nb\n20\nx\n99\n\n\n")
    steps = re.findall(r"(\d+)/21", said)
    assert steps == ["0", "1", "2", "1", "20", "20", "20", "21"]
    assert "cannot read 'x'" in said
    assert answer("replay", GOLDEN, typed="q\n").count("/21") == 1


def test_replay_takes_a_later_game_of_a_file(tmp_path: Path) -> None:
    file = tmp_path / "games.azul"
    file.write_text(GOLDEN.read_text() + Game(4, seed=1).to_record(names=["Zoe"]))
    assert "Zoe" in answer("replay", file, "--game", "2", "--at", "0")


def test_replay_sends_no_control_characters_of_a_record_to_the_terminal(tmp_path: Path) -> None:
    record = Record.of(Game(seed=1, starter=0))
    first = replace(record.entries[0], comments=("before \x1b[2J\x07 after",))
    file = tmp_path / "game.azul"
    file.write_text(replace(record, entries=(first,)).text())
    said = run("replay", file, "--at", "1")
    assert "\x1b" not in said.stdout
    assert "\x07" not in said.stdout


def test_play_plays(tmp_path: Path) -> None:
    words: list[str | Path] = [AZULEJOS, "play", "--players", "3", "--wall", "gray", "--seed", "5"]
    said = subprocess.run(words, input="moves\nhint\nquit\n", capture_output=True, text=True, check=True).stdout
    record = read_record(said[said.index("[Event") :])
    assert (record.players, record.wall, record.names[0]) == (3, "gray", "You")
    file = tmp_path / "game.azul"
    file.write_text(record.text())
    assert answer("verify", file).startswith("game 1: ok")


def bench(*words: str) -> subprocess.CompletedProcess[str]:
    """The command with one measurement instead of the best of several."""
    code = "import azulejos.cli.bench\nfrom azulejos.cli import main\nazulejos.cli.bench.REPEATS = 1\nmain()"
    return subprocess.run([sys.executable, "-c", code, "bench", *words], capture_output=True, text=True, check=True)


def test_bench_measures() -> None:
    data: dict[str, Any] = json.loads(bench("--json").stdout)
    assert "numba" in data["machine"]
    figures = {row["name"]: row["value"] for row in data["figures"]}
    assert figures["one state"] == 256
    assert figures["import azulejos"] > 0
    assert all(value > 0 for value in figures.values())


# --- bad input

REFUSED: dict[str, tuple[tuple[str, ...], str]] = {
    "unknown command": (("nope",), "nope"),
    "unknown option": (("new", "--nope"), "--nope"),
    "a word too many": (("new", "extra"), "extra"),
    "an option without its value": (("new", "--seed"), "--seed"),
    "no position": (("show",), "position"),
    "a position that is none": (("show", "xx"), "'xx'"),
    "an empty position": (("show", ""), "''"),
    "an impossible position": (("show", POSITION.replace("B18", "B19")), "21 blue tiles"),
    "a picture where no folder is": (("show", POSITION, "--svg", "/nowhere/x.svg"), "'/nowhere/x.svg'"),
    "perft of a position that is none": (("perft", "1", "xx"), "'xx'"),
    "no depth": (("perft",), "depth"),
    "a depth that is no number": (("perft", "x"), "x"),
    "a negative depth": (("perft", "-1"), "-1"),
    "too deep": (("perft", "13"), "13"),
    "no games": (("simulate", "--games", "0"), "0"),
    "negative games": (("simulate", "--games", "-5"), "-5"),
    "one player": (("new", "--players", "1"), "players must be a whole number from 2 to 4, not 1"),
    "five players": (("simulate", "--players", "5"), "not 5"),
    "five at the table": (("play", "--players", "5"), "not 5"),
    "a blue wall": (("new", "--wall", "blue"), "blue"),
    "a negative seed": (("new", "--seed", "-1"), "-1"),
    "too large a seed": (("simulate", "--seed", str(2**70)), str(2**70)),
    "a seed that is no number": (("new", "--seed", "abc"), "abc"),
    "no threads": (("simulate", "--threads", "0"), "threads must be .* not 0"),
    "too many threads": (("simulate", "--threads", "10000"), "not 10000"),
    "another device": (("simulate", "--device", "gpu"), "gpu"),
    "a file that is not there": (("verify", "/nowhere.azul"), "'/nowhere.azul'"),
    "a folder": (("verify", "/tmp"), "'/tmp'"),
    "a folder to replay": (("replay", "/tmp"), "'/tmp'"),
    "no such game": (("replay", str(GOLDEN), "--game", "2"), "game number 2"),
    "game 0": (("replay", str(GOLDEN), "--game", "0"), "game number 0"),
    "no such step": (("replay", str(GOLDEN), "--at", "22"), "no step 22"),
    "a step before the first": (("replay", str(GOLDEN), "--at", "-1"), "no step -1"),
}


@pytest.mark.parametrize(("words", "named"), REFUSED.values(), ids=REFUSED)
def test_bad_input_is_refused_in_one_line_that_names_it(words: tuple[str, ...], named: str) -> None:
    assert re.search(named, refusal(*words))


@pytest.mark.parametrize(
    "kind", ["unknown option", "five players", "a position that is none", "a file that is not there"]
)
def test_bad_input_is_refused_by_the_program_too(kind: str) -> None:
    words, named = REFUSED[kind]
    done = subprocess.run([AZULEJOS, *words], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert re.search(named, done.stderr)


@pytest.mark.parametrize("command", ["verify", "replay"])
@pytest.mark.parametrize(
    ("content", "named"),
    [
        (b"", "holds no record|no game number 1"),
        (b"\x89PNG\r\n\xff\x00", "not a text file"),
        (b"\x00\x01", "cannot read"),
    ],
    ids=["empty", "not text", "control characters"],
)
def test_a_file_that_is_no_record_is_refused(command: str, content: bytes, named: str, tmp_path: Path) -> None:
    file = tmp_path / "junk.azul"
    file.write_bytes(content)
    assert re.search(named, refusal(command, file))


@pytest.mark.parametrize(
    ("content", "named"), [(b"", "'-' holds no record"), (b"\xff\xfe\x00", "not a text file|cannot read")]
)
def test_junk_on_standard_input_is_refused(content: bytes, named: str) -> None:
    assert re.search(named, refusal("verify", "-", typed=content))


def test_a_position_with_bytes_that_are_no_text_is_refused() -> None:
    done = subprocess.run([bytes(AZULEJOS), b"show", b"\xff"], capture_output=True, check=False)
    assert done.returncode == 2
    assert b"Traceback" not in done.stderr


# --- pipes


@pytest.mark.parametrize("words", [("replay", str(GOLDEN)), ("verify", "-"), ("play", "--seed", "1")])
def test_a_reader_who_has_had_enough_is_no_error(words: tuple[str, ...]) -> None:
    many = Game(seed=1).to_record() * 1500 if words[0] == "verify" else "\n" * 30
    process = subprocess.Popen(
        ["sh", "-c", '"$@" | head -n 1', "sh", str(AZULEJOS), *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    said, complaint = process.communicate(many, timeout=300)
    assert said.count("\n") == 1
    assert complaint == ""
