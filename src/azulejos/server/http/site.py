"""The built page as files for any host, below any path: without a server, and for that with relative addresses."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Final

from azulejos.server.http.headers import POLICY
from azulejos.server.http.pages import INDEX, PACKED

MARK: Final = '<meta name="azulejos-site" content="" />'
"""What tells the page that it has no server."""
HEAD: Final = '<meta charset="utf-8" />'
"""The line of the page after which it says so."""
NOT_IN_PAGES: Final = "frame-ancestors"
"""The directive that counts in headers only."""


def write_site(page: Path, folder: Path) -> None:
    """Write the page built in one folder into another, which is new, empty or an older site."""
    if not (page / INDEX).is_file():
        raise ValueError(f"there is no page in {str(page)!r}: make page, in the folder of the project, builds it")
    if folder.exists():
        if not _may_go(folder):
            raise ValueError(f"{str(folder)!r} is neither empty nor a site of Azulejos: name another folder")
        shutil.rmtree(folder)
    shutil.copytree(page, folder, ignore=shutil.ignore_patterns(".*", *(f"{INDEX}{ending}" for _, ending in PACKED)))
    (folder / INDEX).write_text(page_without_server((page / INDEX).read_text("utf-8")), "utf-8")


def page_without_server(text: str) -> str:
    """The text of the page with relative addresses, the mark, and the policy that a server would send.

    >>> print(page_without_server('<meta charset="utf-8" />\\n<script src="/assets/a.js">'))  # doctest: +ELLIPSIS
    <meta charset="utf-8" />
    <meta name="azulejos-site" content="" />
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'self' ...
    <script src="./assets/a.js">
    """
    directives = POLICY.format(connect="'self'").split("; ")
    policy = "; ".join(each for each in directives if not each.startswith(NOT_IN_PAGES))
    said = f'{HEAD}\n    {MARK}\n    <meta http-equiv="Content-Security-Policy" content="{policy}" />'
    return re.sub(r'\b(href|src)="/', r'\1="./', text).replace(HEAD, said, 1)


def _may_go(folder: Path) -> bool:
    index = folder / INDEX
    return folder.is_dir() and (
        not any(folder.iterdir()) or (index.is_file() and MARK in index.read_text("utf-8", "replace"))
    )
