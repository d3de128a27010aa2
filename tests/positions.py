"""Positions for the tests, said with as few words as the rule at hand needs."""

from __future__ import annotations

from azulejos import Game
from azulejos.game.happening import Happening
from azulejos.game.notation import write_tiles
from azulejos.game.view import Wall
from azulejos.rules import state as s

EMPTY = "0:-/-/-/-/-:5/5/5/5/5:-"
"""A board nobody has touched."""

COLORED_ROWS = ("BYRKW", "WBYRK", "KWBYR", "RKWBY", "YRKWB")


def position(
    *boards: str,
    players: int = 2,
    wall: Wall = "std",
    displays: str = "",
    center: str = "",
    bag: str | None = None,
    turn: str = "d1",
    played: str = "6@1",
) -> str:
    """A position line; displays and boards that are not given are empty, and the marker is where nobody has it.

    The bag holds all tiles that are not seen, so that the lid is empty, unless `bag` says something else.
    """
    seats = [*boards, *[EMPTY] * (players - len(boards))]
    filled = displays.split("/") if displays else []
    filled += ["-"] * (2 * players + 1 - len(filled))
    taken = any(board.rsplit(":", 1)[1].startswith("F") for board in seats)
    middle = ("" if taken else "F") + center or "-"
    line = f"{wall} {'/'.join(filled)} {middle} {' '.join(seats)} {{}} {turn} {played}"
    if bag is None:
        bag = write_tiles(Game.from_position(line.format("-")).view.lid)
    return line.format(bag)


def table(
    *boards: str,
    players: int = 2,
    wall: Wall = "std",
    displays: str = "",
    center: str = "",
    bag: str | None = None,
    turn: str = "d1",
    played: str = "6@1",
    seed: int | None = None,
    max_rounds: int | None = None,
) -> Game:
    """A game at a `position`."""
    line = position(
        *boards,
        players=players,
        wall=wall,
        displays=displays,
        center=center,
        bag=bag,
        turn=turn,
        played=played,
    )
    return Game.from_position(line, seed, max_rounds)


def end_round(
    *boards: str,
    players: int = 2,
    wall: Wall = "std",
    bag: str | None = None,
    played: str = "6@1",
    max_rounds: int | None = None,
) -> tuple[Game, Happening]:
    """The round ends: the last seat takes the last tile, a white one, to its floor."""
    last = f"d{players}"
    game = table(
        *boards, players=players, wall=wall, center="W", bag=bag, turn=last, played=played, max_rounds=max_rounds
    )
    return game, game.play("cWf")


def board(game: Game, seat: int) -> str:
    """A board of the position line; seats count from 1, as there."""
    return game.position.split(" ")[2 + seat]


def center(game: Game) -> str:
    """The center of the position line."""
    return game.position.split(" ")[2]


def bag(game: Game) -> str:
    """The bag of the position line."""
    return game.position.split(" ")[-3]


def lid(game: Game) -> str:
    """The tiles in the lid, counted in the record and not by what is missing elsewhere."""
    return write_tiles(tuple(game.states[0]["lid"].tolist()))


def lines_open_to(game: Game, pick: str) -> str:
    """The lines to which a pick such as `1Y` may go."""
    return "".join(str(move)[2] for move in game.legal_moves if str(move).startswith(pick))


def wall_without(colors: str) -> str:
    """A colored wall whose rows lack one color each, from the top."""
    return "/".join(_with_gap(row, color) for row, color in zip(COLORED_ROWS, colors, strict=True))


def _with_gap(row: str, color: str) -> str:
    return row.replace(color, "1")


def empty_states(players: int = 2, gray: int = 0) -> s.States:
    """An array of one empty table, for the compiled functions."""
    states = table(players=players, center="W", wall="gray" if gray else "std").states
    states["displays"] = 0
    states["holds"] = 0
    states["lid"][0] = 0
    return states


def set_wall(states: s.States, seat: int, *rows: str) -> None:
    """Put rows of tiles, `.` for an empty cell, on a wall of a state, whether or not a game could lead there."""
    states["wall"][0, seat] = 0
    for row, cells in enumerate(rows):
        for column, letter in enumerate(cells):
            if letter != ".":
                states["wall"][0, seat, s.COLOR_LETTERS.index(letter)] |= 1 << (5 * row + column)
