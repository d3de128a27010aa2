"""The page as files for any host: `azulejos site`."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from azulejos.cli import app as cli
from azulejos.server.http.site import MARK, write_site

INDEX = """<!doctype html>
<html><head>
    <meta charset="utf-8" />
    <link rel="manifest" href="/manifest.webmanifest" />
    <script type="module" crossorigin src="/assets/main-1a2b.js"></script>
</head><body></body></html>
"""


@pytest.fixture
def page(tmp_path: Path) -> Path:
    page = tmp_path / "static"
    (page / "assets").mkdir(parents=True)
    (page / "index.html").write_text(INDEX)
    (page / "index.html.br").write_text("the page of a server, packed")
    (page / ".built").touch()
    (page / "assets" / "main-1a2b.js").write_text("play()")
    (page / "assets" / "main-1a2b.js.br").write_text("packed")
    return page


def files(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def test_its_page_finds_everything_below_any_path_and_brings_its_policy(page: Path, tmp_path: Path) -> None:
    site = tmp_path / "deep" / "site"
    write_site(page, site)
    assert files(site) == {"index.html", "assets/main-1a2b.js", "assets/main-1a2b.js.br"}
    text = (site / "index.html").read_text()
    assert re.findall(r'(?:href|src)="([^"]+)"', text) == ["./manifest.webmanifest", "./assets/main-1a2b.js"]
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', text)
    assert policy
    assert "script-src 'self' 'wasm-unsafe-eval'; " in policy[1]
    assert "connect-src 'self'; " in policy[1]
    assert "frame-ancestors" not in policy[1]  # there browsers complain about it
    assert text.index(MARK) < text.index("<script")


def test_a_site_is_replaced_whole(page: Path, tmp_path: Path) -> None:
    site = tmp_path / "site"
    site.mkdir()
    write_site(page, site)
    (page / "assets" / "main-1a2b.js").rename(page / "assets" / "main-3c4d.js")
    write_site(page, site)
    assert files(site) == {"index.html", "assets/main-3c4d.js", "assets/main-1a2b.js.br"}


@pytest.mark.parametrize("name", ["notes.txt", "index.html"])
def test_a_folder_with_something_else_is_left_alone(page: Path, tmp_path: Path, name: str) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (home / name).write_text("mine")
    with pytest.raises(ValueError, match=re.escape(f"{str(home)!r} is neither empty nor a site of Azulejos")):
        write_site(page, home)
    assert files(home) == {name}


def test_a_file_is_no_folder(page: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    with pytest.raises(ValueError, match="is neither empty nor a site"):
        write_site(page, tmp_path / "file")


def test_without_a_page_there_is_no_site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AZULEJOS_STATIC", str(tmp_path))
    with pytest.raises(ValueError, match=re.escape(f"there is no page in {str(tmp_path)!r}: make page")):
        cli.app(["site", str(tmp_path / "site")], exit_on_error=False, print_error=False)
