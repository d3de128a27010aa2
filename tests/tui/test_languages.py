"""The languages: complete, compiled, and on the screen."""

from __future__ import annotations

import ast
import asyncio
import gettext
import json
import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest

from azulejos import Game, locale
from azulejos.game.happening import Bonus, Fell
from azulejos.locale.__main__ import compiled, extracted, is_translated, path_of, read
from azulejos.players.levels import FULL_STRENGTH, LEVELS
from azulejos.tui import words as told
from azulejos.tui.numbers import decimal, percent, signed
from tests.tui.person import at, table

PAGE = Path(__file__).parents[2] / "web" / "messages"


def fields(sentence: str) -> set[str | None]:
    return {name for _, name, _, _ in Formatter().parse(sentence) if name is not None}


@pytest.mark.parametrize("language", locale.LANGUAGES)
def test_a_catalog_has_every_sentence_of_the_source_and_no_other(language: str) -> None:
    assert {message.id for message in read(language) if message.id} == {m.id for m in extracted() if m.id}


@pytest.mark.parametrize("language", locale.LANGUAGES[1:])
def test_every_sentence_is_translated_with_the_same_places_to_fill(language: str) -> None:
    for message in read(language):
        if not message.id:
            continue
        assert is_translated(message), message.id
        wanted = fields(message.id if isinstance(message.id, str) else message.id[-1])
        for text in [message.string] if isinstance(message.string, str) else message.string or ():
            assert fields(text) == wanted, message.id


@pytest.mark.parametrize("language", locale.LANGUAGES)
def test_compiled_catalogs_are_those_of_their_sources(language: str) -> None:
    assert path_of(language, "mo").read_bytes() == compiled(read(language)), "run python -m azulejos.locale"


ENGLISH = ("start.py", "link.py", "connection.py")
"""Errors of the command line, in English as everywhere on the command line."""


def unmarked(node: ast.AST) -> Iterator[str]:
    """Sentences in the source that no translator gets to see: not docstrings, not style sheets, not errors."""
    if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("_", "ngettext", "ValueError"):
        return
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return
    if isinstance(node, ast.Assign) and "CSS" in ast.unparse(node.targets[0]):
        return
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and re.search("[A-Za-z]{2,} [a-z]", node.value):
        yield node.value
    for child in ast.iter_child_nodes(node):
        yield from unmarked(child)


def test_no_sentence_stands_in_the_source_without_being_marked() -> None:
    assert list(unmarked(ast.parse('say("a stray sentence")'))) == ["a stray sentence"]
    for path in (locale.FOLDER.parent / "tui").rglob("*.py"):
        if path.name not in ENGLISH:
            assert list(unmarked(ast.parse(path.read_text()))) == [], path.name


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "es_AR.UTF-8"}, "es"),
        ({"LANG": "pt_BR"}, "pt"),
        ({"LANG": "nl"}, "nl"),
        ({"LANG": "xx_YY"}, "en"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "es_ES", "LC_ALL": "nl_NL"}, "nl"),
        ({"LANG": "es_ES", "LANGUAGE": "sv:pt:es"}, "pt"),
        ({"LANG": "fr_CA.UTF-8"}, "fr"),
        ({"LANG": "de_AT"}, "de"),
        ({"LANG": "it_IT.UTF-8@euro"}, "it"),
    ],
)
def test_the_environment_names_the_language(environment: dict[str, str], language: str) -> None:
    assert locale.from_environment(environment) == language


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(ValueError, match=f"no language 'xx': expected one of {', '.join(locale.LANGUAGES)}"):
        locale.use("xx")


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ["Round 1", "Your turn", "undo", "bag"]),
        ("es", ["Ronda 1", "Te toca", "deshacer", "bolsa", "2 negras del expositor 2 a la línea 3"]),
        ("pt", ["Rodada 1", "É a sua vez", "desfazer", "saco", "2 pretos da fábrica 2 para a linha 3"]),
        ("nl", ["Ronde 1", "Jij bent aan de beurt", "terugnemen", "zak", "2 zwarte van schijf 2 naar lijn 3"]),
        ("fr", ["Manche 1", "À toi de jouer", "annuler", "sac", "2 noires de la fabrique 2 à la ligne 3"]),
        ("de", ["Runde 1", "Du bist dran", "zurück", "Beutel", "2 schwarze von Manufaktur 2 in Reihe 3"]),
        (
            "it",
            [
                "Round 1",
                "Tocca a te",
                "annulla",
                "sacchetto",
                "espositore 2 alla riga 3",
            ],
        ),
    ],
)
def test_the_screen_speaks_it(language: str, words: list[str]) -> None:
    async def look() -> str:
        locale.use(language)
        local = table("person", "greedy")
        async with at(local) as person:
            await person.move("2K3")
            await person.until_my_turn()
            return person.screen_text

    shown = asyncio.run(look())
    for word in words:
        assert word in shown


def test_catalogs_are_read_by_the_standard_library() -> None:
    spanish = gettext.translation(locale.DOMAIN, locale.FOLDER, ["es"])
    assert spanish.ngettext("{count} point", "{count} points", 1) == "{count} punto"
    assert spanish.ngettext("{count} point", "{count} points", 2) == "{count} puntos"


@pytest.mark.parametrize("language", locale.LANGUAGES)
def test_levels_have_the_names_of_the_page(language: str) -> None:
    locale.use(language)
    page = json.loads((PAGE / f"{language}.json").read_text("utf-8"))
    for level in LEVELS:
        assert told.level_name(level.spec) == page[f"level_{level.number}"]
        if language == "en":
            assert level.name.capitalize() == page[f"level_{level.number}"]
    assert told.level_name(FULL_STRENGTH.spec) == page["full_strength"]
    assert told.level_name(f"{FULL_STRENGTH.spec}:nodes=5") == "Net"
    if language == "en":
        assert FULL_STRENGTH.name.capitalize() == page["full_strength"]


@pytest.mark.parametrize(
    ("language", "one", "two", "none"),
    [
        ("en", "1 complete row, 1 complete color: +12", "2 complete columns: +14", "nothing complete: +0"),
        ("es", "1 fila completa, 1 color completo: +12", "2 columnas completas: +14", "nada completo: +0"),
        ("pt", "1 fileira completa, 1 cor completa: +12", "2 colunas completas: +14", "nada completo: +0"),
        ("nl", "1 complete rij, 1 complete kleur: +12", "2 complete kolommen: +14", "niets compleet: +0"),
        ("fr", "1 rangée complète, 1 couleur complète: +12", "2 colonnes complètes: +14", "rien de complet: +0"),
        ("de", "1 volle Zeile, 1 volle Farbe: +12", "2 volle Spalten: +14", "nichts voll: +0"),
        ("it", "1 fila completa, 1 colore completo: +12", "2 colonne complete: +14", "nulla di completo: +0"),
    ],
)
def test_a_bonus_agrees_with_what_is_complete(language: str, one: str, two: str, none: str) -> None:
    locale.use(language)
    bonuses = Bonus(0, 1, 0, 1, 12), Bonus(0, 0, 2, 0, 14), Bonus(0, 0, 0, 0, 0)
    assert [told.bonus(bonus) for bonus in bonuses] == [one, two, none]


@pytest.mark.parametrize(
    ("language", "numbers"),
    [
        ("en", ["3.4", "+2.0", "0.0", "63.5 %"]),
        ("es", ["3,4", "+2,0", "0,0", "63,5 %"]),
        ("nl", ["3,4", "+2,0", "0,0", "63,5%"]),
        ("de", ["3,4", "+2,0", "0,0", "63,5\N{NO-BREAK SPACE}%"]),
    ],
)
def test_numbers_are_written_as_in_the_language(language: str, numbers: list[str]) -> None:
    locale.use(language)
    assert [decimal(3.44), signed(2), signed(-0.01).lstrip("+"), percent(0.635, 1)] == numbers


def test_fallen_tiles_agree_with_their_number() -> None:
    assert told.tiling(Fell(0, 0, 2, 1, 0)) == "no place for red in row 1, 1 tile falls to the floor"
    locale.use("es")
    assert told.tiling(Fell(0, 1, 2, 2, 0)) == "no hay sitio para el rojo en la fila 2, 2 losetas caen al suelo"


@pytest.mark.parametrize(
    ("language", "lines"),
    [
        ("en", ["Display 2: empty.", "Center: starting-player marker.", "Center: empty."]),
        ("es", ["Expositor 2: vacío.", "Centro: marcador de jugador inicial.", "Centro: vacío."]),
        ("pt", ["Fábrica 2: vazia.", "Centro: marcador do jogador inicial.", "Centro: vazio."]),
        ("nl", ["Schijf 2: leeg.", "Midden: startspelerfiche.", "Midden: leeg."]),
        ("fr", ["Fabrique 2\N{NO-BREAK SPACE}: vide.", "Centre\N{NO-BREAK SPACE}: tuile premier joueur."]),
        ("de", ["Manufaktur 2: leer.", "Mitte: Startspielerstein.", "Mitte: leer."]),
        ("it", ["Espositore 2: vuoto.", "Centro: segnalino primo giocatore.", "Centro: vuoto."]),
    ],
)
def test_what_is_empty_is_called_so(language: str, lines: list[str]) -> None:
    locale.use(language)
    fresh = "std BYKW/-/-/-/- F 0:-/-/-/-/-:5/5/5/5/5:- 0:-/-/-/-/-:5/5/5/5/5:- B19Y19R20K19W19 d1 1@1"
    bare = "std BYKW/-/-/-/- - 0:-/-/-/-/-:5/5/5/5/5:F 0:-/-/-/-/-:5/5/5/5/5:- B19Y19R20K19W19 d1 1@1"
    said = [line for text in (fresh, bare) for line in told.position(Game.from_position(text).view, ["Ana", "Rui"])]
    for line in lines:
        assert line in said
