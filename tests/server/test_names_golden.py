"""Names that the server and the page's own tables clean alike: both read the same file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from azulejos.server.tables.names import clean_name
from azulejos.server.tables.refusal import Refuse

NAMES: list[tuple[str, str | None]] = json.loads((Path(__file__).parents[1] / "golden" / "names.json").read_text())


@pytest.mark.parametrize(("text", "name"), NAMES)
def test_a_name_is_cleaned_as_the_page_does(text: str, name: str | None) -> None:
    if name is None:
        with pytest.raises(Refuse):
            clean_name(text)
    else:
        assert clean_name(text) == name
