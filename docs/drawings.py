"""Draws the pictures of docs/architecture.md and docs/environments.md: `python docs/drawings.py`.

The layers come from the contract in pyproject.toml, the observation from `azulejos.net.features`. A step of the other
drawings names the function that does it; a test looks for each of them, and compares what is drawn with the files.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Final, NamedTuple

from azulejos.net import features as f

FOLDER: Final = Path(__file__).resolve().parent
ROOT: Final = FOLDER.parent

STYLE: Final = """
  :root { --paper: #f3eee5; --lane: #ebe4d7; --card: #fffdf8; --ink: #22252b; --soft: #655f53; --line: #cfc5b3;
          --cobalt: #1f4e9c; --terracotta: #b8472f; }
  @media (prefers-color-scheme: dark) {
    :root { --paper: #1f2430; --lane: #272d3b; --card: #323a4b; --ink: #ecebe6; --soft: #b3b7c2; --line: #4b556b;
            --cobalt: #8fb3f0; --terracotta: #ee8d74; } }
  text { font: 12px system-ui, "DejaVu Sans", sans-serif; fill: var(--ink); }
  .name { font: 600 12px ui-monospace, "DejaVu Sans Mono", monospace; fill: var(--cobalt); }
  .head { font-weight: 700; font-size: 14px; } .middle { text-anchor: middle; } .end { text-anchor: end; }
  .soft { fill: var(--soft); } .mark { fill: var(--terracotta); font-weight: 600; }
  .paper { fill: var(--paper); } .lane { fill: var(--lane); } .card { fill: var(--card); stroke: var(--line); }
  .way { fill: none; stroke: var(--cobalt); stroke-width: 1.6; marker-end: url(#tip); } .tip { fill: var(--cobalt); }
  .rule { stroke: var(--terracotta); stroke-width: 1.4; stroke-dasharray: 6 4; }
  .dot { fill: var(--cobalt); } .number { fill: var(--paper); font-weight: 700; font-size: 10px; text-anchor: middle; }
"""
"""The colors of the product. A drawing has its own ground, so that it can be read on any page, light or dark."""
TIP: Final = (
    '<marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="6" markerHeight="6" orient="auto">'
    '<path class="tip" d="M0 0 8 4 0 8z"/></marker>'
)
LANE, CARD, GAP, DROP, TOP, EDGE = 172, 58, 12, 42, 84, 14
"""Width of a lane, height of a step, between two of a lane, from one to the next lane's, first step, margin."""


LONGEST_NAME: Final = 19
"""Characters of a name that fit into a step."""


class Step(NamedTuple):
    """One thing that is done on the way."""

    lane: int
    """In which column."""
    does: str
    """The function, as module:name."""
    words: str
    """What it does, in two short lines at most."""

    @property
    def name(self) -> str:
        """How the drawing calls the function.

        >>> Step(0, "azulejos.server.http.sockets:_Visit._read", "").name
        'sockets._read'
        >>> Step(0, "azulejos.training.network:Reader.__call__", "").name
        'network.Reader'
        """
        module, _, name = self.does.partition(":")
        name = name.removesuffix(".__call__").rpartition(".")[2]
        full = f"{module.rpartition('.')[2]}.{name}"
        return full if len(full) <= LONGEST_NAME else name


class Way(NamedTuple):
    """A way through parts of the program, from top to bottom."""

    title: str
    """What it shows, in a sentence."""
    lanes: tuple[tuple[str, str], ...]
    """The parts, from left to right, and what each is."""
    steps: tuple[Step, ...]
    """What happens, in order."""
    rule: tuple[int, str] | None = None
    """A line across after so many steps, and what it says."""
    again: tuple[int, int, str] | None = None
    """From which step, to which one before it in the same lane, and how often."""


def way_svg(way: Way) -> str:
    """The picture of a way."""
    tops = _tops(way)
    width, height = len(way.lanes) * LANE + 2 * EDGE, tops[-1] + CARD + 2 * EDGE
    parts = [_lane(at, title, words, height) for at, (title, words) in enumerate(way.lanes)]
    if way.rule is not None:
        after, words = way.rule
        y = (tops[after - 1] + CARD + tops[after]) // 2
        parts.append(f'<path class="rule" d="M{EDGE} {y}H{width - EDGE}"/>')
        parts.append(_text(EDGE + 8, y - 5, words, "mark"))
    parts += [_arrow(way.steps[at - 1], tops[at - 1], way.steps[at], tops[at]) for at in range(1, len(tops))]
    if way.again is not None:
        last, first, words = way.again
        parts += _loop(EDGE + way.steps[last - 1].lane * LANE, tops[last - 1], tops[first - 1], words)
    for number, (step, top) in enumerate(zip(way.steps, tops, strict=True), 1):
        parts += _step(number, step, top)
    return _svg(way.title, width, height, parts)


def _tops(way: Way) -> list[int]:
    """Where each step begins: lower than the one before, and below all others of its lane."""
    free = [TOP] * len(way.lanes)
    tops: list[int] = []
    for number, step in enumerate(way.steps):
        extra = 2 * GAP if way.rule is not None and way.rule[0] == number else 0
        least = tops[-1] + (CARD + GAP if extra else DROP) if tops else TOP
        tops.append(max(least, free[step.lane]) + extra)
        free[step.lane] = tops[-1] + CARD + GAP
    return tops


def _lane(at: int, title: str, words: str, height: int) -> str:
    x = EDGE + at * LANE
    return (
        f'<rect class="lane" x="{x + 3}" y="{EDGE}" width="{LANE - 6}" height="{height - 2 * EDGE}" rx="8"/>'
        + _text(x + LANE // 2, EDGE + 24, title, "head middle")
        + _text(x + LANE // 2, EDGE + 44, words, "soft middle")
    )


def _step(number: int, step: Step, top: int) -> Iterator[str]:
    x = EDGE + step.lane * LANE + 10
    yield f'<rect class="card" x="{x}" y="{top}" width="{LANE - 20}" height="{CARD}" rx="6"/>'
    yield f'<circle class="dot" cx="{x}" cy="{top}" r="9"/>' + _text(x, top + 4, str(number), "number")
    yield _text(x + 10, top + 18, step.name, "name")
    for line, words in enumerate(step.words.split("\n")):
        yield _text(x + 10, top + 34 + 16 * line, words, "")


def _arrow(one: Step, top: int, other: Step, next_top: int) -> str:
    from_x, to_x = (EDGE + step.lane * LANE + LANE // 2 for step in (one, other))
    if one.lane == other.lane:
        return f'<path class="way" d="M{from_x} {top + CARD}V{next_top}"/>'
    side = from_x + (LANE // 2 - 10) * (1 if to_x > from_x else -1)
    return f'<path class="way" d="M{side} {top + CARD // 2}H{to_x}V{next_top}"/>'


def _loop(x: int, top: int, first_top: int, words: str) -> Iterator[str]:
    """From a step back to one above it, on the left side of their lane."""
    yield f'<path class="way" d="M{x + 10} {top + CARD // 2}H{x - 8}V{first_top + CARD // 2}H{x + 10}"/>'
    middle = (top + first_top + CARD) // 2
    for line, text in enumerate(words.split("\n")):
        yield _text(x - 16, middle + 16 * line, text, "mark end")


def _text(x: int, y: int, words: str, kind: str) -> str:
    named = f' class="{kind}"' if kind else ""
    return f'<text{named} x="{x}" y="{y}">{escape(words, quote=False)}</text>'


def _svg(title: str, width: int, height: int, parts: list[str]) -> str:
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
            ' role="img">',
            f"<title>{escape(title, quote=False)}</title>",
            f"<style>{STYLE}</style><defs>{TIP}</defs>",
            f'<rect class="paper" width="{width}" height="{height}" rx="14"/>',
            *parts,
            "</svg>\n",
        ]
    )


def layers() -> list[list[str]]:
    """The parts of the package, from the top of the contract of the layers to its bottom."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        contracts = tomllib.load(file)["tool"]["importlinter"]["contracts"]
    rows = next(contract["layers"] for contract in contracts if contract["name"] == "Layers")
    named = [[part.strip().removeprefix("azulejos.") for part in row.split("|")] for row in rows]
    return [row for row in named if row != ["__main__"]]


PARTS: Final = {
    "cli": "the commands: options in, text out",
    "tui": "the game in a terminal",
    "training": "self-play, learning, the gate",
    "server": "tables for people and computers",
    "engine": "questions by lines",
    "arena": "matches, ratings",
    "envs": "for learners",
    "analysis": "reviews, puzzles",
    "wasm": "all that plays, for the page itself",
    "players": "random, greedy, search, net, the levels, programs of others",
    "search": "tree search, in one tree or in thousands",
    "net": "what the network sees, and its arithmetic",
    "drawing": "a position as text and as a picture",
    "game": "Game, moves, notation, records, refusals: checks and remembers",
    "rules": "the rules, once: compiled functions on one record of 256 bytes",
}
"""What each part of the package is for."""
OUTSIDE: Final = {
    "server": ("web/", "by messages, by calls"),
    "engine": ("other programs", "by lines of text"),
}
"""Who speaks with a part from outside, and how."""


def layers_svg() -> str:
    """The picture of the layers."""
    inside, outside, row_height = 640, 190, 62
    rows = layers()
    parts = []
    for at, row in enumerate(rows):
        y, each = EDGE + at * row_height, inside // len(row)
        for column, part in enumerate(row):
            parts += _part(EDGE + column * each, y, each, f"{part}/", PARTS[part])
        for part in OUTSIDE.keys() & row:
            x = EDGE + inside + 36
            parts.append(f'<path class="way" d="M{x + 4} {y + 27}h-38"/>')
            parts += _part(x, y, outside, *OUTSIDE[part])
        if at + 1 < len(rows):
            parts.append(f'<path class="way" d="M{EDGE + inside // 2} {y + 51}v14"/>')
    width, height = 2 * EDGE + inside + 36 + outside, 2 * EDGE + len(rows) * row_height - GAP
    return _svg("The layers: each line may import those below it", width, height, parts)


def _part(x: int, y: int, width: int, name: str, words: str) -> Iterator[str]:
    yield f'<rect class="card" x="{x + 4}" y="{y + 4}" width="{width - 8}" height="46" rx="6"/>'
    yield _text(x + width // 2, y + 24, name, "name middle")
    yield _text(x + width // 2, y + 41, words, "middle")


HTTP, LIVE, TABLES, GAME, STORAGE, PROTOCOL = range(6)
SERVER: Final = "azulejos.server."
PERSON: Final = Way(
    "A person's move, from the socket of one browser to those of all others",
    (
        ("server/http", "sockets"),
        ("server/live", "a queue for each table"),
        ("server/tables", "events and their effect"),
        ("game, rules", "the game itself"),
        ("server/storage", "the database"),
        ("server/protocol", "what is sent"),
    ),
    (
        Step(HTTP, SERVER + "http.sockets:_Visit._listen", "text arrives"),
        Step(HTTP, SERVER + "http.sockets:_Visit._hear", "to the table, or a\nrefusal at once"),
        Step(HTTP, SERVER + "http.sockets:_Visit._read", "too fast? too long?\ndecoded and checked"),
        Step(LIVE, SERVER + "live.live_table:LiveTable.submit", "into the queue"),
        Step(LIVE, SERVER + "live.live_table:LiveTable._answer", "its turn has come"),
        Step(TABLES, SERVER + "tables.commands:decide", "by the type of what is\nasked: event or refusal"),
        Step(LIVE, SERVER + "live.live_table:LiveTable._commit", "the clocks are read"),
        Step(TABLES, SERVER + "tables.table:Table.after", "by the type of event:\nthe table that follows"),
        Step(TABLES, SERVER + "tables.table_game:TableGame.decide", "the move is parsed"),
        Step(GAME, "azulejos.game.game:Game.play", "checked and played;\nsays what happened"),
        Step(STORAGE, SERVER + "storage.store:Store.append", "committed under\n(table, version)"),
        Step(PROTOCOL, SERVER + "protocol.encoding:event", "encoded once for\neverybody"),
        Step(LIVE, SERVER + "live.audience:Audience.broadcast", "to each client, with\n`you` for its seats"),
        Step(LIVE, SERVER + "live.client:Client.send", "waits for its client"),
        Step(HTTP, SERVER + "http.sockets:_Visit._speak", "sent"),
    ),
    (11, "saved: only now is anybody told"),
)

ASKS, BOTS, PROGRAM, PROCESS, THINKS, TREE = range(6)
COMPUTER: Final = Way(
    "A computer's move, from the table that asks to the process that thinks and back",
    (
        ("server/live", "the table asks"),
        ("server/bots", "a queue for all tables"),
        ("players", "asks it in lines"),
        ("engine", "another process"),
        ("players", "who thinks in it"),
        ("search, net", "how it thinks"),
    ),
    (
        Step(ASKS, SERVER + "live.live_table:LiveTable._follow", "a computer's turn"),
        Step(ASKS, SERVER + "live.computers:ComputerSeats.follow", "one question at a time;\nonly what its seat sees"),
        Step(BOTS, SERVER + "bots.pool:Pool.choose", "waits in the queue;\nquick moves go first"),
        Step(BOTS, SERVER + "bots.pool:Pool._serve", "to a free worker;\nthree attempts"),
        Step(BOTS, SERVER + "bots.worker:Worker.ask", "player, time, seed"),
        Step(PROGRAM, "azulejos.players.engine_process:EngineProcess.ask", "lines to the process,\nwith a deadline"),
        Step(PROCESS, "azulejos.engine.protocol:Protocol.obey", "position pos ...\ngo movetime 1000"),
        Step(PROCESS, "azulejos.engine.engine:Engine.go", "a thread thinks"),
        Step(THINKS, "azulejos.players.searching:SearchingPlayer.choose", "level or full strength"),
        Step(TREE, "azulejos.search.searcher:Searcher.search", "the rest of the round\nsolved, or simulations"),
        Step(TREE, "azulejos.search.evaluators:ByNetwork.grow", "leaves to the network\nin batches"),
        Step(PROCESS, "azulejos.engine.protocol:Protocol._answer", "bestmove 3B4"),
        Step(
            PROGRAM,
            "azulejos.players.engine_process:EngineProcess._answer",
            "silent or illegal: the\nprocess is replaced",
        ),
        Step(ASKS, SERVER + "live.live_table:LiveTable._play_for_computer", "dropped if something\nhas changed"),
        Step(ASKS, SERVER + "live.live_table:LiveTable._commit", "as a person's move:\nsaved, then told"),
    ),
)

TRAINER, HOST, DEVICE, RULES, NETWORK = range(5)
TRAINING: Final = "azulejos.training."
SELF_PLAY: Final = Way(
    "A move of all self-play games on a CUDA device, and what is learned from them",
    (
        ("training", "the trainer"),
        ("selfplay_cuda", "starts the kernels"),
        ("kernels", "a thread for each game"),
        ("turns, rules, search", "what kernels call"),
        ("network, learner", "PyTorch"),
    ),
    (
        Step(TRAINER, TRAINING + "trainer:Trainer.turn", "play, learn, judge:\na little of each"),
        Step(HOST, TRAINING + "selfplay_cuda:CudaSelfPlay.step", "a move in each of\n32,768 games"),
        Step(DEVICE, TRAINING + "kernels:plant_trees", "each game becomes\nthe root of a tree"),
        Step(DEVICE, TRAINING + "kernels:select_leaves", "to a leaf of each tree,\nand its features"),
        Step(NETWORK, TRAINING + "network:Reader.__call__", "policies and values of\nall leaves, one batch"),
        Step(DEVICE, TRAINING + "kernels:back_up_leaves", "values to the root"),
        Step(DEVICE, TRAINING + "kernels:halve_roots", "at times the worse\nhalf of the moves goes"),
        Step(DEVICE, TRAINING + "kernels:play_moves", "the best move"),
        Step(RULES, TRAINING + "turns:play_move", "played by the rules;\nthe sample is noted"),
        Step(DEVICE, TRAINING + "kernels:finish_games", "games that are over"),
        Step(RULES, TRAINING + "turns:finish_game", "outcomes to samples;\na new game begins"),
        Step(HOST, TRAINING + "selfplay_cuda:CudaSelfPlay.sample", "at random; gray walls\nunder a symmetry"),
        Step(NETWORK, TRAINING + "learner:Learner.learn", "gradient steps, and a\nmoving average"),
        Step(TRAINER, TRAINING + "trainer:Trainer.save", "checkpoint, weights;\na gate if asked for"),
    ),
    again=(7, 4, "64 or 128 times,\none CUDA graph"),
)

WAYS: Final = {"persons-move.svg": PERSON, "computers-move.svg": COMPUTER, "self-play.svg": SELF_PLAY}
"""The pictures of ways, by their files."""


BOARD_PARTS: Final = (
    (f.ROWS * f.LINE_WIDTH, "lines"), (25, "cells"), (25, "row colors"), (25, "column colors"), (25, "worth"),
    (15, "counts"), (f.FLOOR_SPACES, "floor"), (3, "seat"),
)  # fmt: skip
"""What a board has, as the table in `azulejos.envs.pettingzoo` lists it: columns and a word."""
BAR, BAR_AT, BAR_STEP = 34, 76, 74
"""Height of a row of the observation, where its columns begin, and from one row to the next."""


def observation_svg() -> str:
    """The columns of an observation for two, three and four players, a pixel each, and those of a board."""
    parts = []
    for players in (2, 3, 4):
        place, y = f.layout(players), 64 + (players - 2) * BAR_STEP
        boards = ("own board", "next board", "third board", "fourth board")[:players]
        starts = [0, place.center, place.table, *(place.boards + at * f.BOARD_WIDTH for at in range(players))]
        parts.append(_text(EDGE + 4, y + 21, f"{players} players", "soft"))
        parts += _bar(y, [*starts, place.width], ("displays", "center", "table", *boards), 1)
    y, scale = 64 + 3 * BAR_STEP + 48, 5
    parts.append(_text(EDGE + 4, y - 22, f"The {f.BOARD_WIDTH} columns of a board", "head"))
    starts = [sum(width for width, _ in BOARD_PARTS[:at]) for at in range(len(BOARD_PARTS) + 1)]
    parts += _bar(y, starts, tuple(name for _, name in BOARD_PARTS), scale)
    parts.insert(0, _text(EDGE + 4, 32, "Columns of an observation", "head"))
    title = "The columns of an observation for two, three and four players"
    return _svg(title, BAR_AT + f.FEATURES + 7 * EDGE, y + BAR + 34, parts)


def _bar(y: int, starts: list[int], names: tuple[str, ...], scale: int) -> Iterator[str]:
    """A row of named parts side by side, with the number of the first column of each below it."""
    above = 0
    for name, first, end in zip(names, starts, starts[1:], strict=False):
        x, width = BAR_AT + first * scale, (end - first) * scale
        yield f'<rect class="card" x="{x}" y="{y}" width="{width}" height="{BAR}" rx="3"/>'
        yield _text(x + 1, y + BAR + 13, str(first), "soft")
        if 7 * len(name) < width:
            yield _text(x + width // 2, y + 21, name, "middle")
        else:  # two neighbours at most: one ends where it does, the other begins there
            yield _text(x + 1, y - 6, name, "") if above else _text(x + width - 5, y - 6, name, "end")
            above += 1
    yield _text(BAR_AT + starts[-1] * scale + 8, y + 21, f"{starts[-1]} columns", "soft")


def pictures() -> dict[str, str]:
    """All pictures, by their files."""
    return {"layers.svg": layers_svg(), "observation.svg": observation_svg()} | {
        name: way_svg(way) for name, way in WAYS.items()
    }


if __name__ == "__main__":
    for name, text in pictures().items():
        (FOLDER / name).write_text(text, encoding="utf-8")
