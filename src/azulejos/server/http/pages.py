"""The built page: its files from the package, packed for the way, and kept by browsers as long as is right."""

from __future__ import annotations

import gzip
import mimetypes
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from litestar import Request, Response, route
from litestar.params import FromPath

from azulejos.server.settings import Settings
from azulejos.server.tables.refusal import Refuse

INDEX: Final = "index.html"
"""The page itself."""
ASSETS: Final = "assets/"
"""Files with a digest of their content in their names."""
FOREVER: Final = "public, max-age=31536000, immutable"
"""How long a browser may keep a file whose name changes with its content."""
ASK_FIRST: Final = "no-cache"
"""How a browser keeps all other files: it asks each time whether they have changed."""
PACKED: Final = (("br", ".br"), ("gzip", ".gz"))
"""Ways in which files are packed, the best first, and the endings of packed files."""
TYPES: Final = {  # the framework adds the charset
    ".html": "text/html",
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".json": "application/json",
    ".webmanifest": "application/manifest+json",
    ".wasm": "application/wasm",
    ".weights": "application/octet-stream",
    ".txt": "text/plain",
    ".woff2": "font/woff2",
}
"""The type of each kind of file, by its ending."""
WORTH_PACKING: Final = 1000
"""Smaller files are sent as they are."""
NOT_BUILT: Final = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Azulejos</title></head>
<body><h1>The page has not been built</h1>
<p>The server runs, but there is no page to show: it was installed from the sources without Node. In the folder of the
project, <code>make play</code> builds it and starts the server; <code>make page</code> only builds it. Both need Node
20 or newer. A wheel has the page with it.</p></body></html>
"""
"""What is shown instead of a page that was never built."""


@dataclass(frozen=True, slots=True)
class _File:
    """A file as it was read: again when its time or size changes."""

    stamp: tuple[int, int]
    content: bytes
    packed: dict[str, bytes]


class StaticPage:
    """The files of the page."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._files: dict[str, _File] = {}

    @property
    def is_built(self) -> bool:
        """Whether there is a page."""
        return (self._folder / INDEX).is_file()

    def answer(self, path: str, accepted: str, known: str) -> Response[bytes]:
        """The file for a path of an address, or the page itself for a path that is none of its files."""
        name = path.strip("/")
        file = self._read(name) if name and not name.endswith((".br", ".gz")) else None
        if file is None:
            if name.startswith(ASSETS) or "." in name.rpartition("/")[2]:
                raise Refuse("not_found")
            name, file = INDEX, self._read(INDEX)
        if file is None:
            return Response(NOT_BUILT.encode(), status_code=503, media_type=TYPES[".html"])
        return _response(name, file, accepted, known)

    def _read(self, name: str) -> _File | None:
        if "\0" in name or not {"", ".", ".."}.isdisjoint(name.split("/")):  # each file has one name
            return None
        path = self._folder / name
        try:
            if not path.resolve().is_relative_to(self._folder.resolve()):
                return None
            about = path.stat()
            if not path.is_file():
                return None
        except OSError:
            return None
        stamp = (about.st_mtime_ns, about.st_size)
        file = self._files.get(name)
        if file is None or file.stamp != stamp:
            content = path.read_bytes()
            file = self._files[name] = _File(stamp, content, _packed(path, content))
        return file


def _packed(path: Path, content: bytes) -> dict[str, bytes]:
    """The packed forms that lie beside a file, and one of our own if there is none."""
    found = {}
    for encoding, ending in PACKED:
        beside = path.with_name(path.name + ending)
        if beside.is_file() and beside.stat().st_mtime_ns >= path.stat().st_mtime_ns:
            found[encoding] = beside.read_bytes()
    compressible = _type_of(path.name).startswith(("text/", "application/json", "application/manifest", "image/svg"))
    if "gzip" not in found and compressible and len(content) >= WORTH_PACKING:
        found["gzip"] = gzip.compress(content, 9, mtime=0)
    return found


def _response(name: str, file: _File, accepted: str, known: str) -> Response[bytes]:
    encoding = next((e for e, _ in PACKED if e in file.packed and _accepts(accepted, e)), "")
    tag = f'"{file.stamp[0]:x}-{file.stamp[1]:x}-{encoding}"'
    headers = {
        "cache-control": FOREVER if name.startswith(ASSETS) else ASK_FIRST,
        "etag": tag,
        "vary": "accept-encoding",
    }
    if encoding:
        headers["content-encoding"] = encoding
    if known == tag:
        return Response(b"", status_code=304, headers=headers, media_type=_type_of(name))
    body = file.packed[encoding] if encoding else file.content
    return Response(body, headers=headers, media_type=_type_of(name))


def _accepts(accepted: str, encoding: str) -> bool:
    """Whether a header Accept-Encoding names an encoding, and not with a quality of 0.

    >>> _accepts("gzip, br;q=0", "gzip"), _accepts("gzip, br;q=0", "br")
    (True, False)
    """
    for part in accepted.split(","):
        name, _, quality = part.strip().partition(";")
        if name.strip() == encoding:
            return quality.replace(" ", "").rstrip("0.") != "q="
    return False


def _type_of(name: str) -> str:
    ending = Path(name).suffix
    return TYPES.get(ending) or mimetypes.guess_type(name)[0] or "application/octet-stream"


@route(["/", "/{path:path}"], http_method=["GET", "HEAD"], include_in_schema=False, sync_to_thread=False)
def page(request: Request[Any, Any, Any], path: FromPath[str] = "/") -> Response[bytes]:
    """The page and its files."""
    if path.startswith(("/api/", "/ws/", "/schema")):
        raise Refuse("not_found")
    static: StaticPage = request.app.state.static_page
    return static.answer(path, request.headers.get("accept-encoding", ""), request.headers.get("if-none-match", ""))


def static_page_for(settings: Settings) -> StaticPage:
    """The page that these settings name."""
    return StaticPage(settings.static_folder)
