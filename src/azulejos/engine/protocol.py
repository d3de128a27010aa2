"""The line protocol: reads commands, asks the engine, prints answers. It knows words and nothing else."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Collection, Iterable, Iterator
from threading import Lock
from typing import BinaryIO, Final

import azulejos
from azulejos import drawing
from azulejos.engine.engine import OPTIONS, Engine
from azulejos.engine.fault import CannotObey, explain, quoted
from azulejos.engine.findings import readable_infos
from azulejos.game.game import Game
from azulejos.game.moves import MOVES, Move
from azulejos.game.view import WALLS
from azulejos.players.engine_process import Answer
from azulejos.players.info import Info
from azulejos.players.player import Choice, Limits, PlayerFailed
from azulejos.players.program import LONGEST_LINE
from azulejos.search.report import Report

WHILE_THINKING: Final = frozenset({"stop", "isready", "quit"})
"""The commands that are obeyed while a search runs."""
GO: Final = (
    "go, go infinite, go hint, or go with nodes NUMBER, movetime MILLISECONDS, seed NUMBER, searchmoves MOVE... "
    "or several of these"
)
"""The forms of `go`."""
GO_NUMBERS: Final = frozenset({"nodes", "movetime", "seed"})
"""The words of a `go` that a number follows."""
GO_WORDS: Final = GO_NUMBERS | {"infinite", "searchmoves"}
"""The words that end the moves behind `searchmoves`."""


class Protocol:
    """A conversation: every line is obeyed or answered by `error <code> <text>`."""

    def __init__(self, engine: Engine, say: Callable[[str], None]) -> None:
        self._engine = engine
        self._print = say
        self._lock = Lock()
        self._fault: OSError | None = None
        self._left = False
        self._told: Move | None = None
        self._required: tuple[Move, ...] = ()
        self._commands: dict[str, Callable[[list[str]], None]] = {
            "azi": self._azi,
            "isready": self._isready,
            "setoption": self._setoption,
            "newgame": self._newgame,
            "position": self._position,
            "go": self._go,
            "stop": self._stop,
            "perft": self._perft,
            "d": self._draw,
            "quit": self._quit,
        }

    def run(self, lines: Iterable[str]) -> None:
        """Obey every line until `quit` or the end; an answer that is still to come is given before leaving."""
        try:
            for line in lines:
                self.obey(line)
                if self._left or self._fault:
                    break
            else:
                self._engine.finish()
        finally:
            self._engine.close()
        if self._fault:
            raise self._fault

    def obey(self, line: str) -> None:
        """Obey one line; a blank one asks for nothing."""
        words = line.split()
        if not words:
            return
        try:
            self._find(line, words[0])(words[1:])
        except (ValueError, PlayerFailed) as fault:
            self._refuse(fault)

    def _find(self, line: str, name: str) -> Callable[[list[str]], None]:
        if len(line) > LONGEST_LINE:
            raise CannotObey("line_too_long", f"a line has at most {LONGEST_LINE} characters")
        command = self._commands.get(name)
        if command is None:
            expected = ", ".join(self._commands)
            raise CannotObey("unknown_command", f"there is no command {quoted(name)}: expected one of {expected}")
        if name not in WHILE_THINKING and self._engine.thinking:
            raise CannotObey("busy", f"thinking: {name!r} has to wait for the answer or for stop")
        return command

    def _say(self, *lines: str) -> None:
        with self._lock:
            try:
                self._print("\n".join(lines))
            except OSError as fault:  # nobody listens any more; the reading thread leaves
                self._fault = fault
                self._engine.stop()

    def _refuse(self, fault: Exception) -> None:
        self._say("error {} {}".format(*explain(fault)))

    def _azi(self, words: list[str]) -> None:
        _expect(not words, "azi")
        players = self._engine.players
        self._say(
            f"id name Azulejos {azulejos.__version__}",
            "id author The Azulejos authors",
            " ".join([f"option name Player type combo default {players[0]}", *(f"var {player}" for player in players)]),
            *(f"option name {o.name} type spin default {o.default} min {o.low} max {o.high}" for o in OPTIONS),
            "aziok",
        )

    def _isready(self, words: list[str]) -> None:
        _expect(not words, "isready")
        self._engine.get_ready()
        self._say("readyok")

    def _setoption(self, words: list[str]) -> None:
        right = len(words) > 3 and (words[0], words[2]) == ("name", "value")
        _expect(right, "setoption name NAME value VALUE")
        name, value = words[1], " ".join(words[3:])
        if name.lower() == "player":
            self._engine.set_player(value)
        else:
            self._engine.set_option(name, _whole(value))

    def _newgame(self, words: list[str]) -> None:
        _expect(not words, "newgame")
        self._engine.set_up(Game.undealt())

    def _position(self, words: list[str]) -> None:
        end = words.index("moves") if "moves" in words else len(words)
        game = _read_position(words[:end])
        for move in words[end + 1 :]:
            game.play(move)
        self._engine.set_up(game)

    def _go(self, words: list[str]) -> None:
        self._told, self._required = None, ()
        if words == ["hint"]:
            self._engine.hint(news=self._tell, done=self._answer, failed=self._refuse)
            return
        words, self._required = _split_required(words)
        limits, seed = (None, None) if words == ["infinite"] else _read_limits(words)
        self._engine.go(
            limits, seed=seed, required=self._required, news=self._tell, done=self._answer, failed=self._refuse
        )

    def _tell(self, news: Report | Answer) -> None:
        game, count = self._engine.game, self._engine.option("MultiPV")
        if isinstance(news, Answer):
            self._told = news.move  # what it said of it, if anything, is among these lines
            lines = answer_lines(news, game)
        else:
            self._told = MOVES[news.best.action]
            lines = info_lines(news, game.turn, count, {move.id for move in self._required})
        if told := list(lines):
            self._say(*told)

    def _answer(self, choice: Choice) -> None:
        """The last word; a move that was not told as the best one is told with its value before it."""
        told = choice.move == self._told or not choice.win
        info = Info(1, choice.win, choice.margin, (str(choice.move),))
        self._say(*(() if told else (f"info {info}",)), f"bestmove {choice.move}")

    def _stop(self, words: list[str]) -> None:
        _expect(not words, "stop")
        self._engine.stop()

    def _perft(self, words: list[str]) -> None:
        _expect(len(words) == 1, "perft DEPTH")
        depth = _whole(words[0])
        self._engine.perft(depth, done=lambda leaves: self._say(f"perft {depth} {leaves}"), failed=self._refuse)

    def _draw(self, words: list[str]) -> None:
        _expect(not words, "d")
        game = self._engine.game
        self._say(drawing.text(game.view), f"position pos {game.position}")

    def _quit(self, words: list[str]) -> None:
        _expect(not words, "quit")
        self._left = True


def info_lines(report: Report, seat: int, count: int, required: Collection[int] = ()) -> Iterator[str]:
    """A line for each of the best moves, but not for those that the search knows nothing about, and for those required.

    The required ones are given by their actions.
    """
    seconds = report.seconds
    head = f"info nodes {report.nodes} time {seconds * 1000:.0f} nps {report.nodes / max(seconds, 1e-3):.0f}"
    for rank, candidate in enumerate(report.candidates, 1):
        known = report.solved or candidate.visits > 0
        line = tuple(str(MOVES[action]) for action in candidate.line)
        info = Info(rank, candidate.win, candidate.margin[seat], line) if known else Info(rank, line=line)
        if (rank <= count and (known or rank == 1)) or candidate.action in required:
            yield f"{head} depth {report.depth} {info}"


def answer_lines(answer: Answer, game: Game) -> Iterator[str]:
    """A line for each move that a program of others has said something about."""
    effort = (("nodes", answer.nodes), ("depth", answer.depth))
    head = " ".join(["info", *(f"{name} {value}" for name, value in effort if value is not None)])
    yield from (f"{head} {info}" for info in readable_infos(answer, game))


def converse(player: str) -> None:
    """Hold a conversation on standard input and output."""
    speak_utf8()
    Protocol(Engine(player), lambda text: print(text, flush=True)).run(read_lines(sys.stdin.buffer))


def speak_utf8() -> None:
    """Have standard output take any text, wherever it goes."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")


def read_lines(stream: BinaryIO) -> Iterator[str]:
    """The lines of a stream, of whatever bytes; what is too long is cut just behind the limit."""
    while chunk := stream.readline(LONGEST_LINE + 1):
        rest = chunk
        while len(rest) > LONGEST_LINE and not rest.endswith(b"\n"):
            rest = stream.readline(LONGEST_LINE + 1)
        yield chunk.decode(errors="backslashreplace")


def _read_position(words: list[str]) -> Game:
    if words[:1] == ["start"] and len(words) == 3 and words[1] in {"2", "3", "4"}:
        for wall in WALLS:
            if words[2] == wall:
                return Game.undealt(int(words[1]), wall)
    _expect(words[:1] == ["pos"], "position start 2|3|4 std|gray [moves ...] or position pos LINE [moves ...]")
    return Game.from_position(" ".join(words[1:]))


def _split_required(words: list[str]) -> tuple[list[str], tuple[Move, ...]]:
    """The words of a `go` without `searchmoves` and its moves, and these moves."""
    if "searchmoves" not in words:
        return words, ()
    start = words.index("searchmoves")
    end = next((at for at in range(start + 1, len(words)) if words[at] in GO_WORDS), len(words))
    _expect(end > start + 1, GO)
    return words[:start] + words[end:], tuple(dict.fromkeys(map(Move.parse, words[start + 1 : end])))


def _read_limits(words: list[str]) -> tuple[Limits, int | None]:
    """The limits and the seed of a `go`."""
    named = dict(zip(words[::2], words[1::2], strict=False))
    _expect(2 * len(named) == len(words) and named.keys() <= GO_NUMBERS, GO)
    values = {name: _whole(value) for name, value in named.items()}
    return Limits(values.get("nodes"), values.get("movetime")), values.get("seed")


def _whole(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 20):
        raise CannotObey("bad_value", f"cannot read {quoted(text)} as a whole number")
    return int(text)


def _expect(right: bool, form: str) -> None:
    if not right:
        raise CannotObey("bad_arguments", f"expected {form}")
