"""The languages of the terminal: sentences are marked in the source with `_` and `ngettext`, catalogs lie here.

`python -m azulejos.locale` collects the sentences, brings the catalogs up to date and compiles them.
"""

from __future__ import annotations

import gettext
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final, Literal, get_args

FOLDER: Final = Path(__file__).parent
"""Where the translations are."""
DOMAIN: Final = "azulejos"
"""The name of the catalogs."""
Language = Literal["en", "es", "pt", "nl", "fr", "de", "it"]
"""The languages there are, the first where no other fits."""
LANGUAGES: Final[tuple[str, ...]] = get_args(Language)
"""The codes of all languages, to go through."""
SPEAKERS: Final = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
"""Variables that name the person's language, the first that is set wins, as everywhere on Unix."""


class _Current:
    """The catalog in use; English, which is in the source, until somebody chooses."""

    catalog: gettext.NullTranslations = gettext.NullTranslations()
    language: str = "en"


def from_environment(environment: Mapping[str, str] = os.environ) -> str:
    """The language that the environment asks for, or English if it is not one of ours.

    >>> from_environment({"LANG": "pt_BR.UTF-8"}), from_environment({"LANG": "C"})
    ('pt', 'en')
    """
    for name in SPEAKERS:
        for wish in filter(None, environment.get(name, "").split(":")):
            language = wish.lower().replace("-", "_").split("_")[0].split(".")[0]
            if language in LANGUAGES:
                return language
        if environment.get(name):
            return "en"
    return "en"


def use(language: str | None = None) -> str:
    """Speak a language from now on: this one, or the environment's; returns which."""
    chosen = language or from_environment()
    if chosen not in LANGUAGES:
        raise ValueError(f"there is no language {chosen!r}: expected one of {', '.join(LANGUAGES)}")
    _Current.catalog, _Current.language = gettext.translation(DOMAIN, FOLDER, [chosen]), chosen
    return chosen


def language() -> str:
    """The language in use."""
    return _Current.language


def _(message: str) -> str:
    """A sentence in the language in use."""
    return _Current.catalog.gettext(message)


def ngettext(one: str, many: str, count: int) -> str:
    """A sentence about a count in the language in use."""
    return _Current.catalog.ngettext(one, many, count)
