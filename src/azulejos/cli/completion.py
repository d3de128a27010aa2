"""The command that prints completion scripts for shells."""

from __future__ import annotations

from typing import Literal

Shell = Literal["bash", "zsh", "fish", "powershell"]
"""The shells there are completion scripts for."""


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
    from azulejos.cli.app import app

    print(app.generate_completion(shell=shell))
