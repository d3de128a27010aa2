"""Addresses for other people, and their QR codes."""

from __future__ import annotations

import io
import socket
from typing import Final

import segno

from azulejos.server.settings import EVERYWHERE, Settings
from azulejos.server.tables.refusal import Refuse

ELSEWHERE: Final = ("192.0.2.1", 9)
"""An address kept for examples: asking for the way there sends nothing and names our own address."""


def lan_address() -> str | None:
    """The address of this machine in its network, or None if it is in none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(ELSEWHERE)
            return str(probe.getsockname()[0])
        except OSError:
            return None


def address_for_others(settings: Settings) -> str | None:
    """The address under which others reach the server, or None if only this machine can.

    >>> address_for_others(Settings(public_url="https://tiles.example/"))
    'https://tiles.example'
    """
    if settings.public_url:
        return settings.public_url.rstrip("/")
    if settings.is_local:
        return None
    if settings.host in EVERYWHERE:
        found = lan_address()
        return f"http://{found}:{settings.port}" if found else None
    return settings.local_url


def code_svg(link: str) -> bytes:
    """A link as a picture of a QR code.

    >>> code_svg("http://192.168.1.7:8421/")[:38]
    b'<svg xmlns="http://www.w3.org/2000/svg'
    """
    if not link.startswith(("http://", "https://")) or not link.isascii() or not link.isprintable():
        raise Refuse("bad_message")
    picture = io.BytesIO()
    code = segno.make(link, error="m", micro=False)
    code.save(picture, kind="svg", scale=6, border=4, dark="#000", light="#fff", xmldecl=False, svgclass=None)
    return picture.getvalue()


def code_text(link: str) -> str:
    """A link as a QR code for a terminal, two rows in a line."""
    text = io.StringIO()
    segno.make(link, error="l", micro=False).terminal(text, border=2, compact=True)
    return text.getvalue()
