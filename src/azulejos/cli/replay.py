"""The command that goes through a recorded game."""

from __future__ import annotations

from functools import partial

from azulejos.cli.options import InputFile, Plain, Speed
from azulejos.locale import Language


def replay(
    file: InputFile,
    *,
    game: int = 1,
    at: int | None = None,
    plain: Plain = False,
    color: bool | None = None,
    language: Language | None = None,
    speed: Speed = "normal",
    review: Plain = False,
    nodes: int | None = None,
) -> None:
    """Step through a recorded game on the screen: arrow keys for steps, page keys for rounds, the key ? for help.

    Without a terminal, or with --plain, line by line: Enter for the next step, b for back, a number to jump, q to
    quit. Into a pipe all positions are printed, unless such lines come from standard input; a record from there is
    printed in full, too. A record that breaks off or breaks the rules is shown as far as it goes, and at its end it is
    said why.

    For example:

        azulejos replay game.azul
        azulejos replay games.azul --game 3 --at 20
        azulejos replay game.azul --plain
        azulejos replay game.azul --review

    Parameters
    ----------
    file
        A file of records; - for standard input.
    game
        Which of its games, from 1.
    at
        Only print the position after this many moves and deals.
    plain
        Line by line instead of a whole screen, for screen readers.
    color
        Whether to use color; NO_COLOR in the environment means no.
    language
        Of everything on the screen; the environment's if not given.
    speed
        How fast scoring is shown: normal, fast or instant.
    review
        Show what every position is worth, the luck of the deals, and marks for bad moves with what was better.
    nodes
        How many positions the review looks at for each decision; 8000 if not given.
    """
    from azulejos import locale
    from azulejos.analysis.analyst import DEFAULT_NODES
    from azulejos.analysis.review import review as find_review
    from azulejos.tui.start import read_file
    from azulejos.tui.start import replay as show

    locale.use(language)
    record, fault = read_file(str(file), game)
    show(
        record,
        at=at,
        plain=plain,
        color=color,
        speed=speed,
        from_input=str(file) == "-",
        review=partial(find_review, nodes=DEFAULT_NODES if nodes is None else nodes) if review else None,
        fault=fault,
    )
