"""The pages of the documentation, taken apart: fenced blocks, commands, console sessions."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md")))
SHELL = ("sh", "bash", "console")
ENDS_COMMAND = {"|", "||", "&&", ";", ">", "<", "&", ">>"}
STAND_IN = "stand-in"
"""Instead of the output of another command."""


@dataclass(frozen=True)
class Block:
    """A fenced block of a page."""

    page: str
    line: int
    language: str
    text: str

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"


def blocks() -> Iterator[Block]:
    """All fenced blocks of all pages."""
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for found in re.finditer(r"^```(\w*)[^\n]*\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
            yield Block(page.name, text.count("\n", 0, found.start()) + 1, found[1], found[2])


@dataclass(frozen=True)
class Place:
    """Where a command stands."""

    place: str
    is_mention: bool = False
    """In the middle of a sentence: arguments may be left out."""


def azulejos_commands() -> dict[str, Place]:
    """Every command line of this program in the pages and in the help, with where it stands."""
    found: dict[str, Place] = {}
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for code in re.findall(
            r"`(azulejos [^`]+)`", re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
        ):
            found.update(dict.fromkeys(_commands_in(" ".join(code.split())), Place(page.name, is_mention=True)))
    for page in PAGES:
        for line in re.findall(r"^    (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE):
            found.update(dict.fromkeys(_commands_in(line), Place(page.name)))
    for block in blocks():
        if block.language in SHELL:
            for line in block.text.splitlines():
                if block.language != "console" or line.startswith("$ "):
                    found.update(dict.fromkeys(_commands_in(line.removeprefix("$ ")), Place(str(block))))
    for source in (ROOT / "src/azulejos/cli").glob("*.py"):
        for line in re.findall(r"^ {8}(azulejos\b.*)$", source.read_text(encoding="utf-8"), re.MULTILINE):
            found.update(dict.fromkeys(_commands_in(line), Place(source.name)))
    return found


def _commands_in(line: str) -> Iterator[str]:
    """The calls of `azulejos` in a line of shell, without what surrounds them.

    >>> list(_commands_in('X=1 .venv/bin/azulejos show "$(azulejos new --seed 1)" > board.txt'))
    ['show stand-in', 'new --seed 1']
    """
    inner = re.findall(r"\$\(([^()]*)\)", line)
    line = re.sub(r"\$\([^()]*\)|\$\w+", STAND_IN, line)
    lexer = shlex.shlex(line, posix=True, punctuation_chars="|&;<>")
    lexer.whitespace_split = True
    try:
        words = list(lexer)
    except ValueError:  # an apostrophe: a line of words
        return
    while words:
        end = next((at for at, word in enumerate(words) if word in ENDS_COMMAND), len(words))
        part = [word for word in words[:end] if not re.fullmatch(r"[A-Z_]+=\S*", word)]
        if part and Path(part[0]).name == "azulejos":
            yield shlex.join(part[1:])
        words = words[end + 1 :]
    for command in inner:
        yield from _commands_in(command)
