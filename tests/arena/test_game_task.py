"""One game: what players are shown, and what becomes of those that fail."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

import msgspec
import pytest

from azulejos import Game, Move, read_record
from azulejos.arena import game_task
from azulejos.arena.game_task import FinishedGame, Forfeit, GameTask, RecordedGame, close_players, play_game
from azulejos.arena.match import MatchPlan
from azulejos.players.player import Choice, Limits, PlayerFailed

Answer = Callable[[Game], Choice]


@dataclass
class Puppet:
    """A player that does what a test says, and remembers what befell it."""

    answer: Answer
    name: str = "puppet"
    begun: list[int] = field(default_factory=list)
    closed: bool = False

    def choose(self, game: Game, limits: Limits) -> Choice:  # noqa: ARG002
        return self.answer(game)

    def begin(self, seed: int) -> None:
        self.begun.append(seed)

    def close(self) -> None:
        self.closed = True


class Puppets:
    """Makes a puppet for every spec."""

    def __init__(self, **answers: Answer) -> None:
        self.answers = answers
        self.made: list[tuple[str, Puppet]] = []

    def make(self, spec: str, seed: int) -> Puppet:  # noqa: ARG002
        puppet = Puppet(self.answers[spec])
        self.made.append((spec, puppet))
        return puppet

    def of(self, spec: str) -> list[Puppet]:
        return [puppet for name, puppet in self.made if name == spec]


def first(game: Game) -> Choice:
    return Choice(game.legal_moves[0])


@pytest.fixture(autouse=True)
def fresh_players() -> Iterator[None]:
    close_players()
    yield
    close_players()


@pytest.fixture
def puppets(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Puppets]:
    def install(**answers: Answer) -> Puppets:
        made = Puppets(**answers)
        monkeypatch.setattr(game_task, "make", made.make)
        return made

    return install


def tasks(*specs: str, players: int = 2) -> list[GameTask]:
    return MatchPlan(specs, games=4, players=players, seed=1).tasks()


def test_a_game_is_data_and_a_record() -> None:
    played = play_game(tasks("greedy", "random")[0])
    game = played.game
    assert (game.key, game.seats, game.specs, game.seed) == ((0, 0), (0, 1), ("greedy", "random"), 1)
    assert (game.shares, game.reason, game.forfeit) == ((1.0, 0.0), "row", None)
    record = read_record(played.record)
    assert (record.names, record.result, record.tags["Seed"]) == (game.specs, game.result, "1")
    assert str(Game(seed=1, starter=0).history[0]) in played.record
    assert sum(map(len, game.milliseconds)) == sum(entry.head is None for entry in record.entries)


def test_both_games_of_a_pair_begin_with_the_same_tiles() -> None:
    here, there = (read_record(play_game(task).record) for task in tasks("greedy", "random")[:2])
    assert here.entries[0].play == there.entries[0].play
    assert here.entries[0].head == there.entries[0].head == (1, 0)
    assert here.names == there.names[::-1]


def test_a_game_can_be_read_back() -> None:
    game = play_game(tasks("greedy", "random")[0]).game
    assert msgspec.json.decode(msgspec.json.encode(game.json()), type=FinishedGame) == game
    failed = replace(game, forfeit=Forfeit(1, "no idea"))
    assert msgspec.json.decode(msgspec.json.encode(failed.json()), type=FinishedGame) == failed


def fail(game: Game) -> Choice:  # noqa: ARG001
    raise PlayerFailed("it {fell}\n silent")


def crash(game: Game) -> Choice:  # noqa: ARG001
    raise IndexError("list index out of range")


def cheat(game: Game) -> Choice:
    return Choice(next(move for move in map(Move, range(180)) if game.why_illegal(move)))


def babble(game: Game) -> Choice:  # noqa: ARG001
    return "1B1"  # type: ignore[return-value] # what a careless plug-in may do


FAILURES = {
    "fails": (fail, "it (fell) silent"),
    "crashes": (crash, "IndexError: list index out of range"),
    "plays an illegal move": (cheat, "illegal move"),
    "answers nonsense": (babble, "AttributeError"),
}


def later(answer: Answer) -> Answer:
    """Only in round 2 on, so that there is something to record."""
    return lambda game: answer(game) if game.round > 1 else first(game)


@pytest.mark.parametrize(("answer", "why"), FAILURES.values(), ids=FAILURES)
def test_who_fails_loses(answer: Answer, why: str, puppets: Callable[..., Puppets]) -> None:
    made = puppets(good=first, bad=later(answer))
    played = play_game(tasks("good", "bad")[0])
    game = played.game
    assert game.forfeit is not None
    assert (game.forfeit.seat, game.shares, game.reason) == (1, (1.0, 0.0), "forfeit")
    assert why in game.forfeit.why
    record = read_record(played.record)
    assert record.tags["Termination"] == "resigned"
    assert record.entries[-1].comments == (f"Player 2 forfeits: {game.forfeit.why}",)
    assert made.of("bad")[0].closed
    assert not made.of("good")[0].closed


def test_the_others_share_the_victory_over_one_who_fails(puppets: Callable[..., Puppets]) -> None:
    puppets(good=first, bad=fail)
    game = play_game(tasks("bad", "good", players=4)[1]).game
    assert game.seats == (1, 0, 1, 1)
    assert game.shares == pytest.approx((1 / 3, 0, 1 / 3, 1 / 3))


def test_a_player_that_cannot_be_made_loses(monkeypatch: pytest.MonkeyPatch) -> None:
    def make(spec: str, seed: int) -> Puppet:  # noqa: ARG001
        raise OSError("no such file")

    monkeypatch.setattr(game_task, "make", make)
    game = play_game(tasks("a", "b")[0]).game
    assert game.forfeit == Forfeit(0, "cannot be made: no such file")


def test_players_live_on_but_one_that_failed_is_replaced(puppets: Callable[..., Puppets]) -> None:
    made = puppets(good=first, bad=later(fail))
    for task in tasks("good", "bad"):
        play_game(task)
    assert (len(made.of("good")), len(made.of("bad"))) == (1, 4)
    assert len(set(made.of("good")[0].begun)) == 4


def test_a_process_keeps_only_so_many_players(puppets: Callable[..., Puppets]) -> None:
    names = [f"p{number}" for number in range(game_task.MOST_PLAYERS + 2)]
    made = puppets(**dict.fromkeys(names, first))
    for one, other in zip(names[::2], names[1::2], strict=True):
        play_game(tasks(one, other)[0])
    assert [puppet.closed for _, puppet in made.made] == [True] * 2 + [False] * game_task.MOST_PLAYERS


def test_no_player_can_see_tiles_to_come_or_move_for_others(puppets: Callable[..., Puppets]) -> None:
    streams = set()

    def peep(game: Game) -> Choice:
        streams.add((int(game.states[0]["rng"]), game.round))
        move = game.legal_moves[0]
        game.play(move)
        return Choice(move)

    puppets(peep=peep, good=first)

    def play(seed: int) -> RecordedGame:
        return play_game(replace(tasks("peep", "good")[0], seed=seed))

    assert play(1).game.forfeit is None
    seen = set(streams)
    streams.clear()
    play(2)
    assert {stream for stream, _ in streams} == {stream for stream, _ in seen}
    assert len({stream for stream, _ in seen}) == 1
