"""A program that speaks the engine protocol: started, asked within a deadline, replaced, ended.

Nothing that the program does can block or crash its caller: whatever it says or does not say is an `EngineFailed` in
time. After one that leaves the program in an unknown state it is killed, and started anew for the next question.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from azulejos.game.errors import InvalidNotation
from azulejos.game.game import Game
from azulejos.game.moves import Move
from azulejos.players.info import Info
from azulejos.players.player import Choice, Limits, PlayerFailed
from azulejos.players.program import Deadline, Program, Silence, shortened

START_SECONDS: Final = 60.0
"""A program may compile itself at its first start."""

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
    """What it plays."""
    infos: tuple[Info, ...] = ()
    """What was said last about each of the best moves, best first; empty from programs that say nothing."""

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
        self._offered: set[str] = set()
        self._told: dict[str, str | int] = {}

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
            named = (line.removeprefix("option name ").split() for line in said if line.startswith("option name "))
            self._offered = {" ".join(words[: words.index("type")]) for words in named if "type" in words}
            self._told = {}
            self._configure(program, self._options)

    def configure(self, options: OptionValues) -> None:
        """Set those of these options that the program offers, and wait until it is ready again."""
        self.start()
        with self._talking() as program:
            self._configure(program, options)

    def ask(self, game: Game, go: str, seconds: float, options: OptionValues | None = None) -> Answer:
        """The answer to a `go` line in a position, with options set before it, within so many seconds."""
        self.start()
        deadline = Deadline(seconds)
        with self._talking() as program:
            program.tell("isready")  # whatever is left of an earlier answer comes before this one
            program.lines_until("readyok", deadline)
            self._set(program, options or {})
            program.tell(f"position pos {game.position}")
            program.tell(go)
            return self._answer(program, game, deadline)

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
        for name, value in options.items():
            if name in self._offered and self._told.get(name) != value:
                program.tell(f"setoption name {name} value {value}")
                self._told[name] = value

    def _answer(self, program: Program, game: Game, deadline: Deadline) -> Answer:
        infos: list[Info] = []
        words: list[str] = []
        for line in program.lines(deadline, "bestmove"):
            words = line.split()
            if words[0] == "error":
                self._told.clear()
                raise EngineFailed(f"{self._name!r} refused the position {game.position!r}: {shortened(line)}")
            if words[0] == "bestmove":
                break
            info = Info.read(words, game.players) if words[0] == "info" else None
            if info and info.rank in (1, len(infos) + 1):  # the first one begins the list anew
                infos = [*infos[: info.rank - 1], info]
        return Answer(self._legal_move(words[1:2], game), tuple(infos))

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


def go_line(limits: Limits) -> str:
    """The `go` that asks for an answer within limits.

    >>> go_line(Limits(nodes=800, milliseconds=50))
    'go nodes 800 movetime 50'
    """
    nodes = "" if limits.nodes is None else f" nodes {limits.nodes}"
    return f"go{nodes}" + ("" if limits.milliseconds is None else f" movetime {limits.milliseconds}")
