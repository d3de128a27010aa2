"""The game in plain text, played by a script instead of a person."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from contextlib import suppress
from datetime import date

import pytest

from azulejos import Game, Record, read_record
from azulejos.game.view import Wall
from azulejos.players import greedy
from azulejos.players.registry import make
from azulejos.tui.plain.game import PlainGame
from azulejos.tui.table import local
from azulejos.tui.table.local import LocalTable, names_of


class Typed:
    """A plain game with somebody at the keyboard, and all that was said."""

    def __init__(self, game: Game, *words: str, then: Callable[[Game], str] | None = None) -> None:
        """Type `words`, then what `then` says; without it the input ends."""
        self.words = list(words)
        self.said: list[str] = []
        self.asked_at: list[str] = []
        self.then = then
        others = game.players - 1
        names = names_of(["person", *["greedy"] * others])
        self.table = LocalTable(game, [None, *[make("greedy")] * others], names)
        plain = PlainGame(self.table, say=self.said.append, ask=self.said.append, read=self._answer)
        with suppress(KeyboardInterrupt):
            asyncio.run(plain.run())

    @property
    def game(self) -> Game:
        return self.table.game

    async def _answer(self) -> str:
        self.asked_at.append(self.game.position)
        if self.words:
            return self.words.pop(0)
        if self.then is None:
            raise EOFError
        return self.then(self.game)

    def said_after(self, number: int) -> str:
        """What was said between the answer to this question, from 1, and the next question."""
        prompts = [at for at, text in enumerate(self.said) if text == "Your move: "]
        return "\n".join(self.said[prompts[number - 1] + 1 : [*prompts, len(self.said)][number]])

    @property
    def last_record(self) -> Record:
        """The record that was printed at the end."""
        return read_record(self.said[-1][self.said[-1].index("[Event") :])


def first_legal(game: Game) -> str:
    return str(game.legal_moves[0])


def mine(seed: int = 1, players: int = 2, wall: Wall = "std") -> Game:
    """A game in which the person starts."""
    return Game(players, wall, seed=seed, starter=0)


# --- whole games


@pytest.mark.parametrize(("players", "wall"), [(2, "std"), (3, "std"), (4, "std"), (2, "gray"), (4, "gray")])
def test_a_whole_game_of_first_legal_moves(players: int, wall: Wall) -> None:
    table = Typed(Game(players, wall, seed=3), then=first_legal)
    assert table.game.is_over
    names = ["You", "Greedy"] if players == 2 else ["You", *(f"Greedy {seat}" for seat in range(1, players))]
    assert table.last_record == Record.of(table.game, names, Event="Azulejos", Date=table.last_record.date)
    assert table.last_record.result == table.game.scores


def test_a_whole_game_of_good_moves_is_told_as_won_or_lost() -> None:
    for seed in range(6):
        table = Typed(Game(seed=seed), then=lambda game: str(greedy.choose(game)))
        outcome = table.game.outcome
        assert outcome is not None
        told = "You win, " if outcome.winners == (0,) else "Greedy wins, "
        if len(outcome.winners) == 2:
            told = "The victory is shared by You and Greedy: "
        assert f"{told}{' to '.join(map(str, outcome.scores))}." in table.said


def test_the_others_are_greedy() -> None:
    table = Typed(mine(players=3), then=first_legal)
    replayed = mine(players=3)
    for play in table.game.history[1:]:
        if replayed.is_over or str(play).startswith("="):
            continue
        if replayed.seat != 0:
            assert play == greedy.choose(replayed)
        replayed.play(play)
    assert replayed.is_over


def test_on_the_gray_wall_the_person_is_asked_where_a_tile_goes() -> None:
    asked: list[str] = []

    def answer(game: Game) -> str:
        move = str(game.legal_moves[-1 if game.phase == "t" else 0])
        asked.append(move)
        return move.upper()

    table = Typed(Game(wall="gray", seed=3), then=answer)
    assert table.game.is_over
    assert any(move.startswith("t") for move in asked)
    assert all(move in map(str, table.game.history) for move in asked)


# --- words that are not moves


def test_the_game_begins_with_help_and_the_board() -> None:
    table = Typed(mine())
    assert "3B4 takes the blue tiles of display 3 to line 4" in table.said[0]
    assert "Round 1" in table.said[1]
    assert "You" in table.said[1]


@pytest.mark.parametrize("word", ["help", "HELP", " ? "])
def test_help(word: str) -> None:
    assert "Other words: board, say, moves, hint, undo, record, help, quit" in Typed(mine(), word).said_after(1)


def test_board_shows_the_board_again() -> None:
    table = Typed(mine(), "board")
    assert table.said_after(1) == table.said[1]


def test_moves_lists_the_legal_moves() -> None:
    assert Typed(mine(), "moves").said_after(1).split() == [str(move) for move in mine().legal_moves]


def test_hint_names_a_legal_move_and_what_it_promises() -> None:
    told = Typed(mine(), "hint").said_after(1)
    found = re.fullmatch(r"Hint: (\S+) \(expected lead [+-]\d+\.\d, chance to win \d+ %\)", told)
    assert found
    assert mine().why_illegal(found.group(1)) is None


def test_say_tells_the_whole_position_in_sentences() -> None:
    told = Typed(mine(), "2K1", "say").said_after(2)
    assert "Display 3: 2 yellow, 1 red, 1 black." in told
    assert "Line 1: 1 of 1 black." in told
    assert "Floor: 1 black, costs 1." in told


def test_record_prints_the_game_so_far() -> None:
    table = Typed(mine(), "1B1", "record")
    record = read_record(table.said_after(2))
    assert [str(entry.play) for entry in record.entries][1] == "1B1"
    assert record.names == ("You", "Greedy")


def test_a_record_says_where_and_on_which_day_the_game_began(monkeypatch: pytest.MonkeyPatch) -> None:
    class Day(date):
        @classmethod
        def today(cls) -> Day:
            return Day(2026, 3, 7)

    monkeypatch.setattr(local, "date", Day)
    table = Typed(mine(), "record")
    monkeypatch.setattr(Day, "today", classmethod(lambda cls: cls(2026, 3, 8)))  # it is played past midnight
    record = read_record(asyncio.run(table.table.record()))
    assert (record.event, record.date) == ("Azulejos", "2026.03.07")
    asyncio.run(table.table.again())
    assert read_record(asyncio.run(table.table.record())).date == "2026.03.08"


@pytest.mark.parametrize("word", ["quit", "q", "QUIT"])
def test_quit_ends_politely_with_the_record(word: str) -> None:
    table = Typed(mine(), "1B1", word, "2Y2")
    assert table.words == ["2Y2"]
    assert "Good-bye" in table.said[-1]
    assert table.last_record.result is None
    assert len(table.last_record.entries) == 3


def test_the_end_of_input_ends_politely() -> None:
    table = Typed(mine())
    assert "Good-bye" in table.said[-1]
    assert table.last_record.entries == Record.of(mine()).entries


def test_an_interrupt_ends_politely() -> None:
    def interrupt(_game: Game) -> str:
        raise KeyboardInterrupt

    table = Typed(mine(), "1B1", then=interrupt)
    assert "Good-bye" in table.said[-1]
    assert len(table.last_record.entries) == 3


def test_words_that_change_nothing_change_nothing() -> None:
    table = Typed(mine(), "help", "board", "moves", "hint", "record", "undo", "", "   ")
    assert set(table.asked_at) == {mine().position}
    assert len(table.asked_at) == 9


# --- what cannot be played


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("1B", "Cannot read '1B' as a move."),
        ("xyz", "Cannot read"),
        ("1B1 2Y2", "Cannot read"),
        ("quit now", "Cannot read"),
        ("9B1", "There are 5 displays."),
        ("1R1", "There is no red there."),
        ("cB1", "There is no blue there."),
        ("t11", "No tile is waiting to be placed."),
        ("=B4/B4/B4/B4/B4", "Cannot read"),
        ("\x1b[A", "Cannot read"),
        ("é" * 3, "Cannot read"),
        ("1" * 10_000, "Cannot read"),
    ],
)
def test_what_cannot_be_played_is_explained_and_changes_nothing(typed: str, answer: str) -> None:
    table = Typed(mine(), typed)
    told = table.said_after(1)
    assert any(part in told for part in answer.split("|"))
    assert "Type help for help." in told
    assert "\x1b" not in told
    assert table.asked_at == [mine().position] * 2


@pytest.mark.parametrize("typed", ["1b1", "1B1", " 1B1 ", "1b1\t"])
def test_a_move_may_be_typed_in_any_case(typed: str) -> None:
    assert str(Typed(mine(), typed).game.history[1]) == "1B1"


def test_the_floor_and_the_center_may_be_typed_in_any_case() -> None:
    table = Typed(mine(), "1BF", "CYf")
    assert [str(play) for play in table.game.history if str(play)[1:] in ("Bf", "Yf")] == ["1Bf", "cYf"]


# --- undo


def test_with_nothing_played_there_is_nothing_to_undo() -> None:
    assert Typed(mine(), "undo").said_after(1) == "There is nothing to undo."


def test_where_only_the_others_have_played_there_is_nothing_to_undo() -> None:
    table = Typed(Game(seed=1, starter=1), "undo")
    assert table.said_after(1) == "There is nothing to undo."
    assert table.asked_at[0] == table.asked_at[1]


@pytest.mark.parametrize(("players", "wall"), [(2, "std"), (4, "std"), (2, "gray"), (4, "gray")])
def test_undo_returns_to_the_last_decision_each_time(players: int, wall: Wall) -> None:
    count = 24  # over several rounds

    answered: list[str] = []

    def answer(game: Game) -> str:
        answered.append(first_legal(game) if len(answered) < count else "undo" if len(answered) < 2 * count else "quit")
        return answered[-1]

    table = Typed(mine(5, players, wall), then=answer)
    there, back = table.asked_at[: count + 1], table.asked_at[count:]
    assert len(set(there)) == count + 1
    assert back == there[::-1]
    assert table.game.history == mine(5, players, wall).history


def test_after_undo_another_move_leads_elsewhere_and_the_same_move_to_the_same_place() -> None:
    table = Typed(mine(), "1B1", "undo", "1B1", "undo", "1Y2")
    start, after, _, again, _, other = table.asked_at
    assert again == after
    assert other not in (start, after)
    assert str(table.game.history[1]) == "1Y2"


def test_a_game_with_undone_moves_has_a_right_record() -> None:
    undone: list[int] = []

    def answer(game: Game) -> str:
        if len(undone) < 20 and len(game.history) % 7 == 5 and len(game.history) not in undone:
            undone.append(len(game.history))
            return "undo"
        return first_legal(game)

    table = Typed(Game(seed=8), then=answer)
    assert undone
    assert table.game.is_over
    assert table.last_record.result == table.game.scores


# --- what is told


def test_a_move_is_told_in_words() -> None:
    told = Typed(mine(), "2K1").said_after(1)
    assert "You 2K1: 2 black from display 2 to line 1, 1 to the floor." in told
    assert "Greedy" in told


def test_a_round_that_the_person_starts_is_told_so() -> None:
    for seed in range(4):
        said = "\n".join(Typed(Game(seed=seed), then=first_legal).said)
        assert "You starts" not in said
        assert "Scores: You " in said
