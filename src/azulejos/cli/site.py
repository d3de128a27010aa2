"""The command that writes the page for a host of files."""

from __future__ import annotations

from pathlib import Path


def site(folder: Path, /) -> None:
    """Write the page as files for any host, below any path: games against computers and study, without a server.

    For example:

        azulejos site public

    Parameters
    ----------
    folder
        A new or empty folder, or one with an older site, which is replaced.
    """
    from azulejos.server.http.site import write_site
    from azulejos.server.settings import from_environment

    write_site(from_environment().static_folder, folder)
    print(f"The site is in {str(folder)!r}: put its files on any host, below any path")
