"""A program that speaks the engine protocol: started, asked within a deadline, replaced, ended.

Nothing that the program does can block or crash its caller: whatever it says or does not say is an `EngineFailed` in
time. After one that leaves the program in an unknown state it is killed, and started anew for the next question.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from azulejos.game.errors import InvalidNotation
from azulejos.game.game import Game
from azulejos.game.moves import Move
from azulejos.players.info import Info, read_effort
from azulejos.players.player import Choice, Limits, PlayerFailed
from azulejos.players.program import Deadline, Program, Silence, shortened

START_SECONDS: Final = 60.0
"""A program may compile itself at its first start."""

LONGEST_TITLE: Final = 60
"""Characters of the name that a program gives itself."""

OptionValues = Mapping[str, str | int]
"""Names and values for `setoption`."""


class EngineFailed(PlayerFailed):
    """A program that did not answer as it should."""

    def __init__(self, reason: str, how: str = "error") -> None:
        super().__init__(reason)
        self.how = how
        """The kind of failure as a word, for counting: start, died, stalled, nonsense or error."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A legal move, and what the program said about its best moves."""

    move: Move
    """The move that it plays."""
    infos: tuple[Info, ...] = ()
    """What was said last about each of the best moves, best first; empty from programs that say nothing."""
    nodes: int | None = None
    """Positions that it has looked at, if it said so."""
    depth: int | None = None
    """The longest line that it has looked at, in moves, if it said so."""

    @property
    def choice(self) -> Choice:
        """The move with the value that was told for the best one."""
        best = self.infos[0] if self.infos else Info()
        return Choice(self.move, best.win, best.margin)


class EngineProcess:
    """A program that runs from the first question on; one that breaks down is replaced at the next."""

    def __init__(
        self,
        command: Sequence[str],
        name: str,
        *,
        options: OptionValues | None = None,
        start_seconds: float = START_SECONDS,
        environment: Mapping[str, str] | None = None,
        hear: Callable[[str], None] = lambda _: None,
    ) -> None:
        """A program that is started by `command` and told these options; `hear` gets what it says on standard error."""
        self._command, self._name = list(command), name
        self._options = options or {}
        self._start_seconds = start_seconds
        self._environment, self._hear = environment, hear
        self._program: Program | None = None
        self._offered: dict[str, int | None] = {}  # the options, each with its highest value if it has one
        self._told: dict[str, str | int] = {}
        self.title = ""
        """What the program calls itself; empty before it was started, and if it does not say."""

    @property
    def pid(self) -> int | None:
        """The number of the process, if one was started and not ended by us."""
        program = self._program
        return program.pid if program else None

    @property
    def is_running(self) -> bool:
        """Whether the program is there to be asked."""
        program = self._program
        return program is not None and program.is_running

    def start(self) -> None:
        """Start the program unless it runs, and wait until it is ready."""
        if self.is_running:
            return
        self.kill()
        try:
            self._program = Program(self._command, self._environment, self._hear)
        except OSError as fault:
            raise EngineFailed(f"{self._name!r} cannot be started: {fault.strerror}", "start") from fault
        with self._talking() as program:
            program.tell("azi")
            said = program.lines_until("aziok", Deadline(self._start_seconds))
            self._offered = dict(map(_option, _behind("option name ", said)))
            self.title = next((name for name in _behind("id name ", said) if name.isprintable()), "")[:LONGEST_TITLE]
            self._told = {}
            self._configure(program, self._options)

    def configure(self, options: OptionValues) -> None:
        """Set those of these options that the program offers, and wait until it is ready again."""
        self.start()
        with self._talking() as program:
            self._configure(program, options)

    def ask(
        self,
        game: Game,
        go: str,
        seconds: float,
        options: OptionValues | None = None,
        required: Collection[Move] = (),
    ) -> Answer:
        """The answer to a `go` line in a position, with options set before it, within so many seconds.

        What is said about a required move counts whatever its rank.
        """
        self.start()
        deadline = Deadline(seconds)
        with self._talking() as program:
            program.tell("isready")  # whatever is left of an earlier answer comes before this one
            program.lines_until("readyok", deadline)
            self._set(program, options or {})
            program.tell(f"position pos {game.position}")
            program.tell(go)
            return self._answer(program, game, deadline, set(map(str, required)))

    def close(self) -> None:
        """Ask the program to quit, then make it, with all that it has started."""
        program, self._program = self._program, None
        if program:
            program.end()

    def kill(self) -> None:
        """End the program at once, whatever it does; another thread that waits for its answer gets an error."""
        program, self._program = self._program, None
        if program:
            program.kill()

    @contextmanager
    def _talking(self) -> Iterator[Program]:
        """The running program, which is killed if it falls silent."""
        program = self._program
        if program is None:
            raise EngineFailed(f"{self._name!r} was ended", "died")
        try:
            yield program
        except Silence as fault:
            self.kill()
            raise EngineFailed(f"{self._name!r} {fault}", fault.how) from fault

    def _configure(self, program: Program, options: OptionValues) -> None:
        self._set(program, options)
        program.tell("isready")
        program.lines_until("readyok", Deadline(self._start_seconds))

    def _set(self, program: Program, options: OptionValues) -> None:
        for name, wanted in options.items():
            most = self._offered.get(name)
            value = min(wanted, most) if isinstance(wanted, int) and most is not None else wanted
            if name in self._offered and self._told.get(name) != value:
                program.tell(f"setoption name {name} value {value}")
                self._told[name] = value

    def _answer(self, program: Program, game: Game, deadline: Deadline, required: set[str]) -> Answer:
        infos: list[Info] = []
        asked: dict[str, Info] = {}
        effort: dict[str, int] = {}
        words: list[str] = []
        for line in program.lines(deadline, "bestmove"):
            words = line.split()
            if words[0] == "error":
                self._told.clear()
                raise EngineFailed(f"{self._name!r} refused the position {game.position!r}: {shortened(line)}")
            if words[0] == "bestmove":
                break
            if words[0] == "info":
                effort |= read_effort(words)
            info = Info.read(words, game.players) if words[0] == "info" else None
            if info and info.rank in (1, len(infos) + 1):  # the first one begins the list anew
                infos = [*infos[: info.rank - 1], info]
            elif info and required.intersection(info.line[:1]):
                asked[info.line[0]] = info
        known = {info.line[0] for info in infos if info.line}
        infos += sorted((info for move, info in asked.items() if move not in known), key=lambda info: info.rank)
        return Answer(self._legal_move(words[1:2], game), tuple(infos), effort.get("nodes"), effort.get("depth"))

    def _legal_move(self, words: list[str], game: Game) -> Move:
        text = words[0] if words else ""
        try:
            move = Move.parse(text)
        except InvalidNotation as fault:
            raise EngineFailed(f"{self._name!r} answered {shortened(text)}, which is not a move", "nonsense") from fault
        if not game.is_legal(move):
            why = f"answered {text!r} in {game.position!r}: {game.why_illegal(move)}"
            raise EngineFailed(f"{self._name!r} {why}", "nonsense")
        return move


def _behind(start: str, lines: Iterable[str]) -> Iterator[str]:
    """What stands behind the same words in some lines."""
    return (line.removeprefix(start).strip() for line in lines if line.startswith(start))


def _option(words: str) -> tuple[str, int | None]:
    """The name of an option and its highest value, from what stands behind `option name`."""
    name, _, rest = words.partition(" type ")
    most = re.search(r" max (\d{1,18})( |$)", rest)
    return name, int(most[1]) if most else None


def go_line(limits: Limits, required: Iterable[Move] = ()) -> str:
    """The `go` that asks for an answer within limits, and about some moves.

    >>> go_line(Limits(nodes=800, milliseconds=50), [Move.parse("3B4")])
    'go nodes 800 movetime 50 searchmoves 3B4'
    """
    words = ["go"]
    words += [] if limits.nodes is None else ["nodes", str(limits.nodes)]
    words += [] if limits.milliseconds is None else ["movetime", str(limits.milliseconds)]
    moves = list(map(str, required))
    return " ".join([*words, "searchmoves", *moves] if moves else words)
