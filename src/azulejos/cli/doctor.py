"""The command that says what is here and what is missing."""

from __future__ import annotations

import sys
from typing import Final

from rich.console import Console
from rich.text import Text

from azulejos.cli.findings import Finding, examine
from azulejos.cli.options import FAILED, AsJson, print_json

MARKS: Final = {"ok": ("ok", "green"), "absent": ("--", "yellow"), "wrong": ("!!", "bold red")}
"""The mark and the color of each state."""


def doctor(*, as_json: AsJson = False) -> None:
    """Say what is here and what is missing: versions, compiled code, devices, networks, page, database, extras.

    Exit code 1 if something is wrong; what is only absent is no fault.

    For example:

        azulejos doctor
        azulejos doctor --json

    Parameters
    ----------
    as_json
        Print JSON.
    """
    findings = examine()
    wrong = sum(1 for finding in findings if finding.state == "wrong")
    if as_json:
        print_json({"ok": not wrong, "findings": [finding.json() for finding in findings]})
    else:
        _print_findings(findings)
    if wrong:
        sys.exit(FAILED)


def _print_findings(findings: list[Finding]) -> None:
    console = Console(highlight=False, soft_wrap=True)
    width = max(len(finding.name) for finding in findings)
    for finding in findings:
        mark, style = MARKS[finding.state]
        console.print(Text(mark, style), Text(f"{finding.name:{width}}  {finding.value}"))
        if finding.advice:
            console.print(Text(f"{'':{width + 3}}  {finding.advice}", "dim"))
    wrong = sum(1 for finding in findings if finding.state == "wrong")
    console.print(f"Something is wrong in {wrong} places, marked !!." if wrong else "Nothing is wrong.")
