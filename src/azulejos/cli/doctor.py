"""The commands that look after the program itself: `doctor` and `completion`."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Annotated, Final, Literal

from cyclopts import App, Parameter
from rich.console import Console
from rich.text import Text

if TYPE_CHECKING:
    from azulejos.cli.findings import Finding

AsJson = Annotated[bool, Parameter(name="--json", negative="")]
"""The option `--json`."""
Shell = Literal["bash", "zsh", "fish", "powershell"]
"""The shells there are completion scripts for."""
FAILED: Final = 1
"""The exit code when something is wrong."""
MARKS: Final = {"ok": ("ok", "green"), "absent": ("--", "yellow"), "wrong": ("!!", "bold red")}
"""The mark and the color of each state."""


def register(app: App) -> None:
    """Add the commands of this file to the application."""
    app.command(doctor)

    def completion(shell: Shell) -> None:
        """Print a script that completes commands and options in a shell.

        For example:

            azulejos completion bash > ~/.local/share/bash-completion/completions/azulejos
            azulejos completion zsh > ~/.zfunc/_azulejos
            azulejos completion fish > ~/.config/fish/completions/azulejos.fish

        Parameters
        ----------
        shell
            bash, zsh, fish or powershell.
        """
        print(app.generate_completion(shell=shell))

    app.command(completion)


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
    from azulejos.cli.findings import examine

    findings = examine()
    wrong = sum(1 for finding in findings if finding.state == "wrong")
    if as_json:
        print(json.dumps({"ok": not wrong, "findings": [finding.json() for finding in findings]}, ensure_ascii=False))
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
