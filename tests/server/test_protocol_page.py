"""The protocol page: every example is a message, every message has an example, and the two programs play."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, get_args

import httpx
import msgspec
import pytest

from azulejos.game import refusal
from azulejos.game.reader import read_record
from azulejos.server.protocol import answers, incoming, outgoing
from azulejos.server.protocol.shared import PROTOCOL
from azulejos.server.tables import info
from tests.patience import PATIENCE
from tests.server.live import live_server

PAGE = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text(encoding="utf-8")
EXAMPLES: list[tuple[str, dict[str, Any]]] = [
    (name, json.loads(text)) for name, text in re.findall(r"```json (\w+)\n(.*?)```", PAGE, re.DOTALL)
]


def type_of(name: str) -> Any:
    return next(vars(module)[name] for module in (incoming, outgoing, answers, info, refusal) if name in vars(module))


def completed(example: Any) -> Any:
    """An example with whole positions and tables where it refers to those on the page."""
    whole = {"position": dict(EXAMPLES)["Position"], "table": dict(EXAMPLES)["Created"]["table"]}
    if isinstance(example, list):
        return [completed(item) for item in example]
    if not isinstance(example, dict):
        return example
    return {
        key: whole[key] if key in whole and str(value).startswith("as ") else completed(value)
        for key, value in example.items()
    }


@pytest.mark.parametrize(("name", "example"), EXAMPLES, ids=[f"{name} {e.get('type', '')}" for name, e in EXAMPLES])
def test_an_example_is_what_it_is_said_to_be(name: str, example: dict[str, Any]) -> None:
    whole = completed(example)
    read = msgspec.convert(whole, type_of(name), strict=True)
    assert _fits(whole, json.loads(msgspec.json.encode(read)))


def _fits(given: Any, written: Any) -> bool:
    """Whether all that an example gives is known to the type: what is left out has its default value."""
    if isinstance(given, dict):
        return all(_fits(value, written[key]) if key in written else _is_default(value) for key, value in given.items())
    if isinstance(given, list):
        return len(given) == len(written) and all(map(_fits, given, written))
    return bool(given == written)


def _is_default(value: Any) -> bool:
    return value in (None, False, 0, 1, PROTOCOL, [], {})


def test_every_message_has_an_example() -> None:
    for union in ("Incoming", "Outgoing", "Happened"):
        tags = {member.__struct_config__.tag for member in get_args(type_of(union))}
        shown = {example["type"] for name, example in EXAMPLES if name == union}
        shown |= (
            {example["what"]["type"] for _, example in EXAMPLES if "what" in example} if union == "Happened" else set()
        )
        assert shown == tags, union
    others = {"You", "NewTable", "Created", "Position", "HappeningInfo", "Summary", "AskCode", "Refusal"}
    assert others <= {name for name, _ in EXAMPLES}


@pytest.mark.parametrize("wall", ["std", "gray"])
def test_the_two_programs_play_a_whole_game(wall: str, tmp_path: Path) -> None:
    program = tmp_path / "two_clients.py"
    (text,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    program.write_text(text, encoding="utf-8")
    with live_server(tmp_path, messages_per_second=0) as live:  # on a quick machine they play quickly
        done = subprocess.run(
            [sys.executable, program, live.url, wall], capture_output=True, text=True, timeout=600, check=False
        )
        assert done.returncode == 0, done.stderr
        address, *scores = done.stdout.split()
        table = address.rpartition("/")[2]
        record = read_record(httpx.get(f"{live.url}/api/tables/{table}/record.azul", timeout=PATIENCE).text)
        assert record.result == tuple(map(int, scores))
        assert record.wall == wall
        assert any(str(entry.play).startswith("t") for entry in record.entries) == (wall == "gray")
        assert "DealSecret" in record.tags
