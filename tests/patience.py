"""How long the tests wait for something before they say that it never comes."""

from __future__ import annotations

import os
from typing import Final

PATIENCE: Final = float(os.environ.get("AZULEJOS_PATIENCE", "600"))
"""Seconds; whoever looks for what is broken may have less.

What takes milliseconds may take minutes where other programs want the same processor, and where the rules and the
search have to be compiled first; a test that fails may take its time.
"""
