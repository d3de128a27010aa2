"""The command that analyzes many positions: lines of JSON in, lines of JSON out."""

from __future__ import annotations

import sys
from pathlib import Path

from azulejos.cli.options import InputFile


def analyze(file: InputFile = Path("-"), *, player: str = "net", seed: int = 0) -> None:
    """Analyze many positions: a line of JSON for each question, a line of JSON for each answer.

    For example:

        azulejos analyze questions.jsonl
        azulejos analyze - --seed 7 < questions.jsonl
        azulejos analyze questions.jsonl --player "process:./mybot"

    Parameters
    ----------
    file
        A file of lines such as {"id": "a", "position": "...", "nodes": 800}; - for standard input.
    player
        Who thinks: a player that searches, a program of your own as in "process:./mybot", or any other, which tells the
        one move that it would play.
    seed
        The same number gives the same answers.
    """
    from azulejos.engine.batch import analyze as answers
    from azulejos.engine.protocol import speak_utf8
    from azulejos.game.arguments import check_seed
    from azulejos.players import make

    check_seed(seed)
    speak_utf8()
    thinker = make(player, seed)
    try:
        with sys.stdin.buffer if str(file) == "-" else file.open("rb") as lines:
            for answer in answers((line.decode(errors="backslashreplace") for line in lines), thinker):
                print(answer, flush=True)
    finally:
        thinker.close()
