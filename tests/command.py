"""`azulejos` with some words, in this process: to start another takes longer than most of what commands do."""

from __future__ import annotations

import io
import sys
import warnings
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from subprocess import CompletedProcess
from unittest import mock

from azulejos.cli import main

AZULEJOS = Path(sys.executable).with_name("azulejos")
"""The program, for tests of what only a process of its own shows."""


def run(*words: str | Path, typed: str | bytes = "") -> CompletedProcess[str]:
    """What is printed, and how it ends, with `typed` on standard input."""
    given = typed.encode() if isinstance(typed, str) else typed
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    code: object = 0
    with (
        mock.patch.object(sys, "argv", ["azulejos", *map(str, words)]),
        mock.patch.object(sys, "stdin", io.TextIOWrapper(io.BytesIO(given), "utf-8")),
        redirect_stdout(out),
        redirect_stderr(err),
        warnings.catch_warnings(),
    ):
        warnings.filterwarnings("ignore", "Cyclopts application invoked without tokens")
        try:
            main()
        except SystemExit as ended:
            code = ended.code or 0
    said, complaints = (stream.buffer.getvalue().decode() for stream in (out, err))
    return CompletedProcess(words, int(str(code)), said, complaints)


def answer(*words: str | Path, typed: str = "") -> str:
    """What it prints; everything has to go well."""
    done = run(*words, typed=typed)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def refusal(*words: str | Path, typed: str | bytes = "") -> str:
    """The one line that says what is wrong."""
    done = run(*words, typed=typed)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1, done.stderr
    return done.stderr
