"""The four languages: complete, compiled, and on the screen."""

from __future__ import annotations

import ast
import asyncio
import gettext
import re
from collections.abc import Iterator
from string import Formatter

import pytest

from azulejos import locale
from azulejos.locale.__main__ import compiled, extracted, is_translated, path_of, read
from tests.tui.person import at, table


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


ENGLISH = ("start.py", "link.py", "connection.py", "stepper.py")
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
    for path in (locale.FOLDER.parent / "tui").glob("*.py"):
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
        ({"LANG": "es_ES", "LANGUAGE": "fr:pt:es"}, "pt"),
    ],
)
def test_the_environment_names_the_language(environment: dict[str, str], language: str) -> None:
    assert locale.from_environment(environment) == language


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(ValueError, match="no language 'xx': expected one of en, es, pt, nl"):
        locale.use("xx")


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ["Round 1", "Your turn", "undo", "bag"]),
        ("es", ["Ronda 1", "Te toca", "deshacer", "bolsa", "2 negros del expositor 2 a la línea 3"]),
        ("pt", ["Rodada 1", "É a sua vez", "desfazer", "saco", "2 pretos da fábrica 2 para a linha 3"]),
        ("nl", ["Ronde 1", "Jij bent aan de beurt", "ongedaan", "zak", "2 zwarte van schijf 2 naar lijn 3"]),
    ],
)
def test_the_screen_speaks_it(language: str, words: list[str]) -> None:
    async def look() -> str:
        locale.use(language)
        _, local = table("person", "greedy")
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
