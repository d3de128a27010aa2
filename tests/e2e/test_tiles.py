"""The five tiles can be told apart without color, and with every kind of color vision: measured from pixels."""

from __future__ import annotations

import io
from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from tests.e2e.conftest import Coming
from tests.e2e.person import Person

LINE = "std BYRK/BYW2/BRKW/YRKW/BYRW F 0:-/-/-/-/-:5/5/5/5/5:- 0:-/-/-/-/-:5/5/5/5/5:- B16Y16R16K17W15 d1 1@1"
PLACES = {"B": "1B", "Y": "1Y", "R": "1R", "K": "1K", "W": "2W"}
SIDE = 64
Picture = NDArray[np.float64]


def pictures(person: Person) -> dict[str, Picture]:
    """The tiles as they are drawn, as numbers from 0 to 255."""
    found = {}
    for color, place in PLACES.items():
        shot = person.page.locator(f'[data-group="{place}"] .quarter').first.screenshot()
        image = Image.open(io.BytesIO(shot)).convert("RGB").resize((SIDE, SIDE))
        found[color] = np.asarray(image, dtype=np.float64)
    return found


def gray(picture: Picture) -> Picture:
    """Luminance."""
    return np.asarray(picture @ np.array([0.2126, 0.7152, 0.0722]))


def likeness(one: Picture, other: Picture) -> float:
    """How far the drawings agree, whatever their brightness: 1 for the same drawing."""
    return float(abs(np.corrcoef(one.ravel(), other.ravel())[0, 1]))


@pytest.fixture
def table(coming: Coming) -> Person:
    person = coming({"theme": "light"}, device_scale_factor=2, reduced_motion="reduce")
    person.open("/analysis?p=" + LINE.replace(" ", "_"))
    person.page.wait_for_selector('[data-group="2W"]')
    person.page.mouse.move(0, 0)
    return person


def test_without_color(table: Person) -> None:
    shades = {color: gray(picture)[6:-6, 6:-6] for color, picture in pictures(table).items()}
    for one, other in combinations(shades, 2):
        a, b = shades[one], shades[other]
        bright, alike = abs(a.mean() - b.mean()), likeness(a, b)
        print(f"{one}{other}: means differ by {bright:.0f}, drawings agree by {alike:.2f}")
        assert alike < 0.75, f"{one} and {other} have the same drawing"
        assert np.sqrt(((a - b) ** 2).mean()) > 35, f"{one} and {other} look alike in gray"


@pytest.mark.parametrize("vision", ["protanopia", "deuteranopia", "tritanopia", "achromatopsia"])
def test_with_every_kind_of_color_vision(table: Person, vision: str) -> None:
    plain = pictures(table)
    devtools = table.context.new_cdp_session(table.page)
    devtools.send("Emulation.setEmulatedVisionDeficiency", {"type": vision})
    seen = pictures(table)
    assert any(np.abs(plain[color] - seen[color]).mean() > 2 for color in plain), "the browser does not pretend"
    least = min(float(np.sqrt(((seen[one] - seen[other]) ** 2).mean())) for one, other in combinations(PLACES, 2))
    print(f"{vision}: the two most similar tiles differ by {least:.0f} of 255")
    assert least > 35


def test_letters_and_plain_glaze(coming: Coming) -> None:
    person = coming({"letters": True, "patterns": False}).open("/")
    person.wait()
    move = person.best()
    assert person.page.locator(f'[data-group="{move[:2].replace("c", "0")}"]').get_by_text(move[1]).count() >= 1
