"""The command line."""

from azulejos.cli.app import main

__all__ = ["main"]
