"""`python -m azulejos.engine [PLAYER]`: the engine alone, which starts quicker than `azulejos engine`."""

import os
import sys

from azulejos.engine.engine import DEFAULT_PLAYER
from azulejos.engine.protocol import converse

if __name__ == "__main__":
    try:
        converse(*sys.argv[1:2] or [DEFAULT_PLAYER])
    except (KeyboardInterrupt, BrokenPipeError):  # whoever asked is gone
        os._exit(0)
