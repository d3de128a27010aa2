"""The picture in the documentation is what the program shows."""

from __future__ import annotations

import asyncio
import importlib.util
import re
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"


def words(svg: str) -> list[str]:
    return re.findall(r"<text[^>]*>([^<]*)</text>", svg)


def test_the_picture_is_up_to_date_and_asks_nobody_for_a_font() -> None:
    spec = importlib.util.spec_from_file_location("terminal_picture", DOCS / "terminal_picture.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    kept = (DOCS / "terminal.svg").read_text(encoding="utf-8")
    assert words(kept) == words(asyncio.run(module.draw())), "run python docs/terminal_picture.py"
    assert len(words(kept)) > 100
    assert "@font-face" not in kept
    assert "url(http" not in kept
