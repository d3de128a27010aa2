"""The tools that load a server run, end, and find nothing in a short time."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.load import fuzz


def test_a_few_fuzzed_messages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    notes = tmp_path / "notes.json"
    for messages in ("1000", "2000"):  # the second run goes on where the first one ended
        monkeypatch.setattr(sys, "argv", ["fuzz", "--messages", messages, "--notes", str(notes)])
        assert fuzz.main() == 0
        found = fuzz.Notes.read(notes)
        assert found.sent >= int(messages)
    assert (found.runs, found.internal, found.broken) == (2, 0, [])
    assert found.answers["refused bad_message"] > 500
    assert found.answers["accepted"]
