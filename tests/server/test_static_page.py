"""The built page's files: which one, how packed, how long kept."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from azulejos.server.http.pages import StaticPage
from azulejos.server.tables.refusal import Refuse

INDEX = b"<!doctype html><title>page</title>"
SCRIPT = b"console.log('tile');" * 100


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "static"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_bytes(INDEX)
    (folder / "assets" / "main-1a2b.js").write_bytes(SCRIPT)
    (folder / "assets" / "main-1a2b.js.br").write_bytes(b"packed by the build")
    (folder / "icon.svg").write_bytes(b"<svg xmlns='http://www.w3.org/2000/svg'/>" * 50)
    (tmp_path / "secret.txt").write_text("not yours")
    return folder


@pytest.mark.parametrize("path", ["/", "/t/abc", "/new", "/games", "/replay/xyz", "/analysis", "/learn", "/settings"])
def test_every_page_is_the_same_file_and_asked_for_again(folder: Path, path: str) -> None:
    response = StaticPage(folder).answer(path, "", "")
    assert (response.content, response.headers["cache-control"]) == (INDEX, "no-cache")
    assert response.media_type == "text/html"


def test_files_named_by_their_content_are_kept_for_ever_and_sent_packed(folder: Path) -> None:
    page = StaticPage(folder)
    plain = page.answer("/assets/main-1a2b.js", "", "")
    assert plain.content == SCRIPT
    assert plain.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert plain.media_type == "text/javascript"
    brotli = page.answer("/assets/main-1a2b.js", "gzip, deflate, br", "")
    assert (brotli.content, brotli.headers["content-encoding"]) == (b"packed by the build", "br")
    zipped = page.answer("/assets/main-1a2b.js", "gzip, br;q=0", "")
    assert zipped.headers["content-encoding"] == "gzip"
    assert gzip.decompress(zipped.content) == SCRIPT


def test_compiled_rules_and_networks_have_their_types_and_are_kept_for_ever(folder: Path) -> None:
    (folder / "assets" / "rules-1a2b.wasm").write_bytes(b"\0asm" * 1000)
    (folder / "assets" / "rules-1a2b.wasm.br").write_bytes(b"packed by the build")
    (folder / "assets" / "two-1a2b.weights").write_bytes(b"packed already" * 1000)
    page = StaticPage(folder)
    module = page.answer("/assets/rules-1a2b.wasm", "gzip, br", "")
    assert (module.media_type, module.headers["content-encoding"]) == ("application/wasm", "br")
    weights = page.answer("/assets/two-1a2b.weights", "gzip, br", "")
    assert (weights.media_type, "content-encoding" in weights.headers) == ("application/octet-stream", False)
    for answer in (module, weights):
        assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"


def test_what_decides_about_versions_is_asked_for_again(folder: Path) -> None:
    for name, kind in (("sw.js", "text/javascript"), ("manifest.webmanifest", "application/manifest+json")):
        (folder / name).write_text("{}")
        answer = StaticPage(folder).answer(f"/{name}", "", "")
        assert (answer.media_type, answer.headers["cache-control"]) == (kind, "no-cache")


def test_a_browser_that_has_the_file_gets_only_word_of_that(folder: Path) -> None:
    page = StaticPage(folder)
    first = page.answer("/icon.svg", "gzip", "")
    again = page.answer("/icon.svg", "gzip", first.headers["etag"])
    assert (again.status_code, again.content) == (304, b"")
    (folder / "icon.svg").write_bytes(b"<svg/>")
    assert page.answer("/icon.svg", "gzip", first.headers["etag"]).content == b"<svg/>"


@pytest.mark.parametrize(
    "path",
    ["/assets/gone.js", "/favicon.ico", "/../secret.txt", "/assets/../../secret.txt", "/a\0.js", "/x" * 5000 + ".js"],
)
def test_what_is_not_there_is_not_found(folder: Path, path: str) -> None:
    with pytest.raises(Refuse, match="not_found"):
        StaticPage(folder).answer(path, "", "")


def test_a_link_out_of_the_folder_leads_nowhere(folder: Path) -> None:
    (folder / "way-out.txt").symlink_to(folder.parent / "secret.txt")
    with pytest.raises(Refuse, match="not_found"):
        StaticPage(folder).answer("/way-out.txt", "", "")


def test_a_page_that_has_not_been_built_says_so(tmp_path: Path) -> None:
    page = StaticPage(tmp_path)
    assert not page.is_built
    response = page.answer("/", "gzip", "")
    assert response.status_code == 503
    assert b"make play" in response.content
