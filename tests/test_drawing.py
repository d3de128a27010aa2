"""The drawings show every tile of a position, stand alone, and can be read without color."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any
from unicodedata import east_asian_width
from xml.etree import ElementTree as Xml

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from azulejos.drawing import ink, svg, text, tiles
from azulejos.game.view import Board, Counts, Line, Phase, View, Wall, view_of
from azulejos.rules import batch, state

GOLDEN = Path(__file__).parent / "golden"
LETTERS = state.COLOR_LETTERS
NAME = "{http://www.w3.org/2000/svg}"
ESCAPE = re.compile("\x1b\\[[0-9;]*m")


def played(players: int, gray: int, seed: int, moves: int) -> View:
    """A position of a random game in which tiles are dropped only when they must be."""
    states, actions = np.zeros(1, state.STATE), np.zeros(512, np.int16)
    batch.new_game_one(states, 0, players, gray, seed, 0, -1, 50)
    for move in range(moves):
        count = batch.legal_one(states, 0, actions)
        if count == 0:
            break
        legal = actions[:count]
        kept = legal[(legal >= state.DRAFTS) | (legal % 6 != state.FLOOR)]
        choices = kept if len(kept) else legal
        batch.step_one(states, 0, int(choices[(seed + 7 * move) % len(choices)]))
    return view_of(states)


positions = st.builds(played, st.integers(2, 4), st.integers(0, 1), st.integers(0, 10**6), st.integers(0, 160))


def counts(spelled: str) -> Counts:
    found = {letter: int(count or 1) for letter, count in re.findall(r"([BYRKW])(\d*)", spelled)}
    return tuple(found.get(letter, 0) for letter in LETTERS)


def line(spelled: str) -> Line:
    return Line(LETTERS.index(spelled[0]), len(spelled)) if spelled else Line(None, 0)


def board(score: int, lines: str, wall: str, floor: str = "") -> Board:
    rows = tuple(tuple(LETTERS.index(cell) if cell in LETTERS else None for cell in row) for row in wall.split("/"))
    return Board(score, tuple(map(line, lines.split("/"))), rows, counts(floor), "F" in floor)


def table(wall: Wall, displays: str, center: str, boards: tuple[Board, ...], phase: Phase, seat: int | None) -> View:
    shown = tuple(map(counts, displays.split("/")))
    bag = counts("B5Y4R8K6W7")
    return View(wall, shown, counts(center), "F" in center, boards, bag, phase, seat, 3, 0)


STD = table(
    "std",
    "/B2R2/BKW2//Y2R2",
    "FW2K",
    (
        board(11, "/WW//YYY/", "BY.../.B.R./K..Y./.K.../.R..."),
        board(6, "R//K//BBBBB", "..RK./.BY../...Y./..W../.....", "KW"),
    ),
    Phase.DRAFTING,
    0,
)
GRAY = table(
    "gray",
    "////",
    "",
    (
        board(9, "///KKKK/RRRRR", "..Y.B/B...R/KY.../...../.....", "Y"),
        board(2, "R/YY///BBB", "..K../...B./...../...../.....", "FW2"),
    ),
    Phase.TILING,
    0,
)
OVER = replace(
    STD,
    displays=(counts(""),) * 5,
    center=counts(""),
    marker=True,
    phase=Phase.OVER,
    seat=None,
    boards=(board(48, "////BB", "BYRKW/..YRK/..B../...../....."), board(48, "////", "BYRK./.BYRK/KW.../...../.....")),
)
DEAL_DUE = replace(STD, displays=(counts(""),) * 5, center=counts(""), marker=True, phase=Phase.DEAL_DUE, seat=1)
FULL_FLOOR = replace(STD, marker=False, boards=(STD.boards[0], board(0, "////", "...../" * 4 + ".....", "FB3R4")))
KINDS = {"std": STD, "gray": GRAY, "over": OVER, "deal due": DEAL_DUE, "full floor": FULL_FLOOR}
KINDS |= {f"{players} players": played(players, 0, 5, 40) for players in (3, 4)}
each_kind = pytest.mark.parametrize("view", KINDS.values(), ids=KINDS)


def width(words: str) -> int:
    return sum(2 if east_asian_width(sign) in "WF" else 1 for sign in words)


def references(root: Xml.Element) -> Counter[str]:
    """Which definitions the table uses how often; those inside definitions or beside bag and lid do not count."""

    def walk(part: Xml.Element) -> Iterator[str]:
        if part.tag == f"{NAME}use":
            yield part.get("href", "").removeprefix("#azl-").removeprefix("lettered-")
        elif part.tag != f"{NAME}defs" and part.get("class") != "azl-supply":
            for inner in part:
                yield from walk(inner)

    return Counter(walk(root))


# --- text


@pytest.mark.parametrize(("name", "view"), [("drawing_2_std", STD), ("drawing_2_gray", GRAY)])
def test_text_is_the_golden_one(name: str, view: View) -> None:
    assert text(view, names=["Ana", "Bento"]) == (GOLDEN / f"{name}.txt").read_text(encoding="utf-8")


@settings(max_examples=40)
@given(positions)
def test_text_fits_a_terminal_and_is_plain(view: View) -> None:
    drawn = text(view)
    assert max(map(len, drawn.splitlines())) <= 80
    assert drawn.replace("\n", "").isprintable()
    assert not any(row.endswith(" ") for row in drawn.splitlines())


@settings(max_examples=40)
@given(positions)
def test_text_has_every_tile_of_the_table(view: View) -> None:
    rows = text(view, names=["-"] * view.players).splitlines()[2:]
    rows = [row for row in rows if not row.startswith(("A move", "The choices"))]
    center = next(row for row in rows if row.startswith("c "))
    piles = {letter: int(count) for letter, count in re.findall(r"([BYRKW]) +x(\d+)", center)}
    letters = Counter(sign for row in rows if row is not center for sign in row if sign in LETTERS)
    shown = tuple(letters[letter] + piles.get(letter, 0) for letter in LETTERS)
    assert shown == tuple(seen - bag for seen, bag in zip(view.seen(), view.bag, strict=True))


@each_kind
def test_color_only_adds_to_the_text(view: View) -> None:
    colored = text(view, color=True)
    assert ESCAPE.search(colored)
    bare = "\n".join(row.rstrip() for row in ESCAPE.sub("", colored).split("\n"))
    assert bare == "\n".join(row.rstrip() for row in text(view).translate({91: " ", 93: " "}).split("\n"))


@each_kind
def test_names_of_any_kind_keep_the_text_in_shape(view: View) -> None:
    names = ["Ana Clementina de Vasconcelos e Sousa", "青い磁器のタイルを並べる人たち", "\x1b[2Jx\ny", ""][
        : view.players
    ]
    drawn = text(view, names=names)
    assert "\x1b" not in drawn
    assert len(drawn.splitlines()) == len(text(view).splitlines())
    assert max(map(width, drawn.splitlines())) <= 80


def test_the_text_says_how_a_tile_can_be_placed_on_the_gray_wall() -> None:
    assert "The choices for line 4 are t42, t43, t44, t45." in text(GRAY)


def test_d3_a_marker_beside_a_full_floor_costs_nothing_more() -> None:
    assert "f  B  B  B  R  R  R  R  F  loses 14" in text(FULL_FLOOR)


def test_r43_the_tie_break_decides_who_is_called_the_winner() -> None:
    assert "Player 1 wins" in text(OVER)
    shared = replace(OVER, boards=(OVER.boards[1], OVER.boards[1]))
    assert "Player 1 and Player 2 share the win" in text(shared)


@pytest.mark.parametrize("draw", [text, svg])
def test_a_wrong_number_of_names_is_refused(draw: Callable[..., str]) -> None:
    with pytest.raises(ValueError, match=r"expected 2 names, one for each seat, got 1: \['Ana'\]"):
        draw(STD, names=["Ana"])


# --- picture


@pytest.mark.parametrize("letters", [False, True])
@each_kind
def test_svg_stands_alone(view: View, letters: bool) -> None:
    drawn = svg(view, letters=letters)
    root = Xml.fromstring(drawn)
    assert root.tag == f"{NAME}svg"
    assert root.get("role") == "img"
    ids = Counter(part.get("id") for part in root.iter() if part.get("id"))
    assert set(ids.values()) == {1}
    assert all(name and name.startswith("azl-") for name in ids)
    pointed = {part.get("href", "") for part in root.iter(f"{NAME}use")} | set(re.findall(r"url\((.*?)\)", drawn))
    assert pointed <= {f"#{name}" for name in ids}
    assert root.get("aria-labelledby") in ids
    assert root.get("aria-describedby") in ids
    kinds = {part.tag.removeprefix(NAME) for part in root.iter()}
    shapes = {"rect", "circle", "path", "text", "linearGradient", "radialGradient", "stop"}
    assert kinds <= {"svg", "title", "desc", "defs", "g", "use"} | shapes
    assert drawn.count("://") == 1  # the name of the SVG vocabulary
    assert len(drawn.encode()) < 60_000


@settings(max_examples=40)
@given(positions, st.booleans())
def test_svg_has_every_tile_of_the_table(view: View, letters: bool) -> None:
    used = references(Xml.fromstring(svg(view, letters=letters)))
    shown = tuple(used[f"tile-{letter}"] for letter in LETTERS)
    assert shown == tuple(seen - bag for seen, bag in zip(view.seen(), view.bag, strict=True))
    assert used["marker"] == 1
    assert used["plate"] == len(view.displays)
    empty = sum(cell is None for board_ in view.boards for row in board_.wall for cell in row)
    assert sum(used[f"print-{letter}"] for letter in LETTERS) == (empty if view.wall == "std" else 0)


def test_empty_cells_of_the_colored_wall_show_their_own_color() -> None:
    used = references(Xml.fromstring(svg(STD)))
    placed = Counter(cell for board_ in STD.boards for row in board_.wall for cell in row if cell is not None)
    assert [used[f"print-{letter}"] for letter in LETTERS] == [10 - placed[color] for color in range(5)]


def test_pictures_on_one_page_agree_on_what_an_id_is() -> None:
    meaning: dict[str, bytes] = {}
    for view in KINDS.values():
        for letters in (False, True):
            for part in Xml.fromstring(svg(view, letters=letters)).iter():
                if name := part.get("id"):
                    assert meaning.setdefault(name, Xml.tostring(part)) == Xml.tostring(part)
    assert sum(name.startswith("azl-desc-") for name in meaning) == len(KINDS)


def test_svg_escapes_names() -> None:
    name = """<b>"A" & 'B'</b>"""
    root = Xml.fromstring(svg(STD, names=[name, "\x00\x1b]0;x\x07"]))
    said = [part.text for part in root.iter(f"{NAME}text")]
    assert name in said
    assert "]0;x" in said
    assert root.find(f".//{NAME}b") is None


@each_kind
def test_the_same_view_gives_the_same_bytes(view: View) -> None:
    again = replace(view)
    assert svg(again) == svg(view)
    assert text(again, color=True) == text(view, color=True)


def test_the_description_tells_the_whole_position() -> None:
    said = Xml.fromstring(svg(STD, names=["Ana", "Bento"])).findtext(f"{NAME}desc") or ""
    for sentence in (
        "Round 3, Ana to move. 2 players, colored wall.",
        "Display 1: empty. Display 2: 2 blue, 2 red.",
        "Center: starting-player marker, 1 black, 2 white.",
        "Ana: 11 points. Lines: line 2 2 of 2 white, line 4 3 of 4 yellow.",
        "Wall: row 1 blue in column 1, yellow in column 2; row 2 blue in column 2, red in column 4;",
        "Floor: 1 black, 1 white, loses 2.",
        "Bag: 5 blue, 4 yellow, 8 red, 6 black, 7 white.",
    ):
        assert sentence in said


# --- can it be seen?

Picture = NDArray[np.float64]


def segments(path: str) -> list[NDArray[np.float64]]:
    """The parts of an SVG path as polylines; the motifs use M, L, H, V, C and Z with absolute coordinates."""
    parts: list[list[tuple[float, float]]] = []
    for command, rest in re.findall(r"([A-Z])([^A-Z]*)", path):
        numbers = [float(value) for value in rest.split()]
        if command == "M":
            parts.append([(numbers[0], numbers[1])])
        elif command == "L":
            parts[-1].append((numbers[0], numbers[1]))
        elif command in "HV":
            x, y = parts[-1][-1]
            parts[-1].append((numbers[0], y) if command == "H" else (x, numbers[0]))
        elif command == "C":
            for at in range(0, len(numbers), 6):
                points = np.array([parts[-1][-1], *np.reshape(numbers[at : at + 6], (3, 2))])
                t = np.linspace(0, 1, 9)[1:, None]
                curve = [(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3]
                parts[-1] += [tuple(point) for point in sum(c * p for c, p in zip(curve, points, strict=True))]
        else:
            assert command == "Z", command
            parts[-1].append(parts[-1][0])
    return [np.array(part) for part in parts]


def inside(parts: list[NDArray[np.float64]], x: Picture, y: Picture) -> NDArray[np.bool_]:
    turns = np.zeros(x.shape, int)
    for part in parts:
        for (x0, y0), (x1, y1) in zip(part, np.roll(part, -1, axis=0), strict=True):
            side = (x1 - x0) * (y - y0) - (x - x0) * (y1 - y0)
            turns += ((y0 <= y) & (y < y1) & (side > 0)).astype(int) - ((y1 <= y) & (y < y0) & (side < 0))
    return np.not_equal(turns, 0)


def near(parts: list[NDArray[np.float64]], x: Picture, y: Picture, reach: float) -> NDArray[np.bool_]:
    hit = np.zeros(x.shape, bool)
    for part in parts:
        for (x0, y0), (x1, y1) in pairwise(part):
            length = (x1 - x0) ** 2 + (y1 - y0) ** 2 or 1
            t = np.clip(((x - x0) * (x1 - x0) + (y - y0) * (y1 - y0)) / length, 0, 1)
            hit |= np.hypot(x - x0 - t * (x1 - x0), y - y0 - t * (y1 - y0)) <= reach
    return hit


def linear(color: str) -> NDArray[np.float64]:
    """A color as amounts of light."""
    value = np.array([int(color[at : at + 2], 16) for at in (1, 3, 5)]) / 255
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)


def raster(motif: str, pixels: int = 20) -> Picture:
    """A motif as light, `pixels` on a side, each the mean of many samples: about the size of a tile in a notebook."""
    axis = (np.arange(80) + 0.5) / 2
    x, y = np.meshgrid(axis, axis)
    image = np.ones((80, 80, 3))
    for shape in Xml.fromstring(f"<g>{motif}</g>"):
        get: dict[str, Any] = dict(shape.attrib)
        if shape.tag == "rect":
            hit = np.ones(x.shape, bool)
        elif shape.tag == "circle":
            hit = np.hypot(x - float(get["cx"]), y - float(get["cy"])) <= float(get["r"])
        elif get["fill"] == "none":
            hit = near(segments(get["d"]), x, y, float(get["stroke-width"]) / 2)
        else:
            hit = inside(segments(get["d"]), x, y)
        image[hit] = linear(get["stroke"] if get["fill"] == "none" else get["fill"])
    pixelated: Picture = image.reshape(pixels, 80 // pixels, pixels, 80 // pixels, 3).mean(axis=(1, 3))
    return pixelated


LUMINANCE = np.array([0.2126, 0.7152, 0.0722])
# What is left of light without one kind of cone (Machado, Oliveira and Fernandes 2009, full severity).
EYES = {
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
    "grayscale": [LUMINANCE.tolist()] * 3,
}
PAIRS = list(combinations(range(5), 2))


def seen(light: Picture, eye: str) -> Picture:
    """Light through an eye, in steps as even as lightness is (a cube root, as in CIELAB)."""
    left: Picture = np.cbrt(np.clip(light @ np.array(EYES[eye]).T, 0, 1))
    return left


def likeness(one: Picture, other: Picture) -> float:
    """How alike two patterns are once their mean brightness and contrast are taken away: 1 is the same pattern."""
    gray = [(image @ LUMINANCE).ravel() for image in (one, other)]
    return float(np.corrcoef(gray)[0, 1])


def test_the_measure_of_likeness_sees_a_pattern_through_its_colors() -> None:
    flower = raster(tiles.motif(0))
    assert likeness(flower, 0.3 * flower + 0.5) > 0.999
    assert likeness(flower, raster(tiles.motif(0).replace(tiles.GROUND[0], tiles.GROUND[2]))) > 0.9


@pytest.mark.parametrize("strength", [1, 0.3])
@pytest.mark.parametrize("pair", PAIRS, ids=[LETTERS[a] + LETTERS[b] for a, b in PAIRS])
def test_motifs_differ_in_structure(pair: tuple[int, int], strength: float) -> None:
    one, other = (raster(tiles.motif(color, strength)) for color in pair)
    assert abs(likeness(one, other)) < 0.6


@pytest.mark.parametrize("eye", EYES)
@pytest.mark.parametrize("pair", PAIRS, ids=[LETTERS[a] + LETTERS[b] for a, b in PAIRS])
def test_tiles_differ_for_every_eye(pair: tuple[int, int], eye: str) -> None:
    one, other = (seen(raster(tiles.motif(color)), eye) for color in pair)
    assert np.sqrt(((one - other) ** 2).mean()) > 0.15


def contrast(one: str, other: str) -> float:
    low, high = sorted(float(linear(color) @ LUMINANCE) for color in (one, other))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("color", [ink.WORDS, ink.QUIET, ink.COBALT, ink.TERRACOTTA])
def test_words_have_contrast(color: str) -> None:
    assert min(contrast(color, ground) for ground in (ink.PLASTER, ink.CARD)) >= 4.5
    assert min(contrast("#ffffff", ground) for ground in (ink.COBALT, ink.BRONZE)) >= 4.5
