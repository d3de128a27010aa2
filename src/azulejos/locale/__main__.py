"""Brings the catalogs up to date with the source and compiles them; for those who change sentences. Needs Babel."""

from __future__ import annotations

from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from azulejos.locale import DOMAIN, FOLDER, LANGUAGES

SOURCE = FOLDER.parent / "tui"
BEGINNING = datetime(2026, 1, 1, tzinfo=UTC)
KEYWORDS = {"_": None, "ngettext": (1, 2), "N_": None}


def extracted() -> Catalog:
    """Every sentence in the source, with the files it is in."""
    catalog = Catalog(project="Azulejos", domain=DOMAIN, fuzzy=False)
    for name, _line, message, comments, context in extract_from_dir(SOURCE, keywords=KEYWORDS):
        catalog.add(message, locations=[(f"tui/{name}", 0)], auto_comments=comments, context=context)
    return catalog


def path_of(language: str, suffix: str) -> Path:
    """Where a catalog lies."""
    return FOLDER / language / "LC_MESSAGES" / f"{DOMAIN}.{suffix}"


def read(language: str) -> Catalog:
    """The catalog of a language as it lies there; an empty one if there is none."""
    path = path_of(language, "po")
    if not path.exists():
        return Catalog(locale=language, project="Azulejos", domain=DOMAIN, fuzzy=False)
    with path.open("rb") as file:
        return read_po(file, locale=language, domain=DOMAIN)


def compiled(catalog: Catalog) -> bytes:
    """A catalog as the program reads it."""
    out = BytesIO()
    write_mo(out, catalog)
    return out.getvalue()


def is_translated(message: Message) -> bool:
    """Whether every form of a sentence is there."""
    return all(message.string) if isinstance(message.string, (list, tuple)) else bool(message.string)


def _head(catalog: Catalog) -> None:
    """A head without anything that changes from day to day."""
    catalog.header_comment = f"# The sentences of the terminal in {catalog.locale_identifier}."
    catalog.creation_date = catalog.revision_date = BEGINNING
    catalog.msgid_bugs_address = catalog.last_translator = catalog.language_team = "The Azulejos authors"
    catalog.version = "1"


def main() -> None:
    """Update and compile all catalogs; say what is not translated yet."""
    template = extracted()
    for language in LANGUAGES:
        catalog = read(language)
        catalog.update(template, no_fuzzy_matching=True)
        catalog.obsolete.clear()
        _head(catalog)
        path_of(language, "po").parent.mkdir(parents=True, exist_ok=True)
        with path_of(language, "po").open("wb") as file:
            write_po(file, catalog, width=110, sort_output=True, omit_header=False, include_lineno=False)
        path_of(language, "mo").write_bytes(compiled(catalog))
        missing = [message.id for message in catalog if message.id and not is_translated(message)]
        if language != "en" and missing:
            print(f"{language}: {len(missing)} not translated: {missing}")


if __name__ == "__main__":
    main()
