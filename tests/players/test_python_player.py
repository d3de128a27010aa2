"""Python code of others as players: every form that is allowed, and faults that name what is wrong."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from azulejos import Game, IllegalMove, Move
from azulejos.players import Choice, Limits, PlayerFailed, make
from azulejos.players.python_player import as_player

GAME = Game(seed=1, starter=0)
Write = Callable[[str], None]


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Write]:
    """Writes `own_bot.py` into the current folder, which is on no path."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [entry for entry in sys.path if entry])

    def module(code: str) -> None:
        (tmp_path / "own_bot.py").write_text(textwrap.dedent(code))

    yield module
    sys.modules.pop("own_bot", None)


def test_the_least_that_a_player_is(write: Write) -> None:
    write("""
        class First:
            def choose(self, game):
                return game.legal_moves[0]
    """)
    player = make("python:own_bot:First")
    assert player.name == "First"
    assert player.choose(GAME, Limits()) == Choice(GAME.legal_moves[0])
    player.close()


def test_all_that_a_player_may_be(write: Write) -> None:
    write("""
        from azulejos.players import Choice
        class Full:
            name = "Rosa 2"
            def __init__(self, options, seed):
                self.heard = [options, seed]
            def begin(self, seed):
                self.heard.append(seed)
            def choose(self, game, limits):
                return Choice(game.legal_moves[1], (0.5, 0.5), 1.5, f"{self.heard} {limits.nodes}")
            def close(self):
                print("closed", self.heard)
    """)
    player = make("python:own_bot:Full:depth=3,name=a:b", seed=7)
    as_player(player).begin(9)
    choice = player.choose(GAME, Limits(nodes=5))
    assert (player.name, choice.win, choice.margin) == ("Rosa 2", (0.5, 0.5), 1.5)
    assert choice.why == "['depth=3,name=a:b', 7, 9] 5"


ANSWERS: dict[str, str] = {
    "a move": "game.legal_moves[0]",
    "its text": "str(game.legal_moves[0])",
    "a choice": "Choice(game.legal_moves[0])",
    "a choice with a text": "Choice('1B1')",
}
FORMS: dict[str, str] = {
    "the game": "def choose(self, game):",
    "the limits too": "def choose(self, game, limits):",
    "limits by name": "def choose(self, position, limits=None, deep=3):\n        assert limits is not None",
    "something else with a value": "def choose(self, game, noise=0.5):\n        assert noise == 0.5",
    "anything": "def choose(self, *all):\n        game, limits = all",
    "a static method": "@staticmethod\n    def choose(game):",
    "something more by keyword": "def choose(self, game, *, noise=0.5):",
}


@pytest.mark.parametrize("answer", ANSWERS.values(), ids=ANSWERS)
def test_every_kind_of_answer_is_understood(answer: str, write: Write) -> None:
    write(f"from azulejos.players import Choice\nclass Bot:\n    def choose(self, game):\n        return {answer}")
    assert make("python:own_bot:Bot").choose(GAME, Limits()).move == Move.parse("1B1")


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_every_form_of_choose_is_called_as_it_wants(form: str, write: Write) -> None:
    write(f"class Bot:\n    {form}\n        return game.legal_moves[0]".replace("position, limits", "game, limits"))
    assert make("python:own_bot:Bot").choose(GAME, Limits()).move == Move.parse("1B1")


MAKERS: dict[str, tuple[str, str]] = {
    "nothing": ("def __init__(self): self.name = 'x'", "x"),
    "only the seed": ("def __init__(self, seed): self.name = f's{seed}'", "s3"),
    "only options": ("def __init__(self, options, depth=2): self.name = f'o{options}{depth}'", "o2"),
    "in any order": ("def __init__(self, seed, options): self.name = f's{seed}o{options}'", "s3o"),
}


@pytest.mark.parametrize(("init", "name"), MAKERS.values(), ids=MAKERS)
def test_a_class_is_told_what_it_asks_for(init: str, name: str, write: Write) -> None:
    write(f"class Bot:\n    {init}\n    def choose(self, game): return '1B1'")
    assert make("python:own_bot:Bot", seed=3).name == name


def test_a_function_that_makes_a_player_is_as_good_as_a_class(write: Write) -> None:
    write("class Bot:\n    def choose(self, game): return '1B1'\ndef bot(seed): return Bot()")
    assert make("python:own_bot:bot").name == "Bot"


def test_a_player_sees_no_more_than_everybody_and_spoils_nothing() -> None:
    class Curious:
        def choose(self, game: Game) -> Move:
            first = game.legal_moves[0]
            while game.legal_moves:
                game.play(game.legal_moves[0])
            assert game.phase == "r"  # the next deal is nobody's to know
            return first

    game = Game(seed=1, starter=0)
    assert str(as_player(Curious()).choose(game, Limits()).move) == "1B1"
    assert game == GAME


def test_nobody_chooses_where_nothing_is_to_be_chosen(write: Write) -> None:
    write("class Bot:\n    def choose(self, game): return '1B1'")
    with pytest.raises(IllegalMove, match="a deal is due"):
        make("python:own_bot:Bot").choose(Game.undealt(), Limits())


WRONG_SPECS: dict[str, tuple[str, str]] = {
    "no class": ("python:own_bot", "cannot read 'python:own_bot' as a player: expected python:MODULE:CLASS"),
    "nothing": ("python:", "cannot read 'python:' .* as in 'python:mybot:MyPlayer'"),
    "a path": ("python:own_bot.py:./Bot", "cannot read 'python:own_bot.py:./Bot'"),
    "no such module": ("python:nowhere.bot:Bot", "there is no module 'nowhere' in '.*' or on the Python path"),
    "no module inside": ("python:own_bot.more:Bot", "there is no module 'own_bot.more' in"),
    "a file": ("python:own_bot.py:Bot", r"no module .* \(the file 'own_bot.py' is the module 'own_bot'\)"),
    "no such class": ("python:own_bot:Bat", "the module 'own_bot' has no class 'Bat'"),
    "no class of it": ("python:own_bot:NUMBER", "the module 'own_bot' has no class 'NUMBER'"),
    "no choose": ("python:own_bot:Idle", "'python:own_bot:Idle' has no method 'choose': <.*Idle.*> is no player"),
    "another choose": ("python:own_bot:Wide", r"choose\(game, limits, depth\): expected choose\(game\) or"),
    "no game": ("python:own_bot:Blind", r"choose\(\): expected choose\(game\) or"),
    "needs more": ("python:own_bot:Needy", "cannot be made: missing a required argument: 'depth'; it is given"),
    "takes no options": ("python:own_bot:Bot:depth=3", "cannot be told 'depth=3': it has no parameter 'options'"),
    "breaks while it is made": ("python:own_bot:Broken", r"'python:own_bot:Broken' cannot be made: KeyError: 'x' \(li"),
}
MODULE = """
NUMBER = 3
class Bot:
    def choose(self, game): return '1B1'
class Idle: pass
class Wide:
    def choose(self, game, limits, depth): return '1B1'
class Blind:
    @staticmethod
    def choose(): return '1B1'
class Needy(Bot):
    def __init__(self, depth, seed): pass
class Broken(Bot):
    def __init__(self): {}["x"]
"""


@pytest.mark.parametrize(("spec", "named"), WRONG_SPECS.values(), ids=WRONG_SPECS)
def test_a_spec_that_names_no_player_is_told(spec: str, named: str, write: Write) -> None:
    write(MODULE)
    with pytest.raises((ValueError, PlayerFailed), match=named):
        make(spec)


WRONG_MODULES: dict[str, tuple[str, str]] = {
    "bad grammar": ("class Bot\n", r"'own_bot' cannot be imported: SyntaxError: .*own_bot.py, line 1"),
    "an error": (
        "x = 1\n1 / 0",
        r"cannot be imported: ZeroDivisionError: division by zero \(line 2 of '.*own_bot.py'\)",
    ),
    "something missing": ("import nowhere_at_all", "cannot be imported: ModuleNotFoundError: .*'nowhere_at_all'"),
    "a script": ("import sys; sys.exit('done')", "cannot be imported: SystemExit: done"),
}


@pytest.mark.parametrize(("code", "named"), WRONG_MODULES.values(), ids=WRONG_MODULES)
def test_a_module_that_cannot_be_imported_says_why_and_where(code: str, named: str, write: Write) -> None:
    write(code)
    with pytest.raises(PlayerFailed, match=named):
        make("python:own_bot:Bot")


WRONG_ANSWERS: dict[str, tuple[str, str]] = {
    "nothing": ("return None", "'python:own_bot:Bot' answered None: expected a Move, its text or a Choice"),
    "a number": ("return 93", "answered 93: expected a Move"),
    "no move": ("return 'zz'", "answered 'zz', which is not a move"),
    "an empty choice": ("return Choice(None)", "answered None: expected a Move"),
    "not allowed": ("return '2B1'", "answered '2B1' in 'std BYKW.*': there is no blue at source 2"),
    "an error": ("raise KeyError('x')", r"'python:own_bot:Bot' failed in choose: KeyError: 'x' \(line 4 of '.*own_bot"),
    "the end": ("raise SystemExit", "failed in choose: SystemExit"),
    "something endless": ("return 'x' * 10**6", "answered 'xxx.{0,60}', which is not a move"),
}


@pytest.mark.parametrize(("answer", "named"), WRONG_ANSWERS.values(), ids=WRONG_ANSWERS)
def test_a_wrong_answer_is_a_failure_that_names_it(answer: str, named: str, write: Write) -> None:
    write(f"from azulejos.players import Choice\nclass Bot:\n    def choose(self, game):\n        {answer}")
    player = make("python:own_bot:Bot")
    with pytest.raises(PlayerFailed, match=named):
        player.choose(GAME, Limits())


def test_an_object_is_no_player_without_choose() -> None:
    with pytest.raises(ValueError, match="'int' has no method 'choose': 3 is no player"):
        as_player(3)  # type: ignore[arg-type]
