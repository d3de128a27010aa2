"""What the documentation site has beyond the pages of this folder.

Pages made from other files: the README, the changes, how to contribute, and an API page for every part of the package.
The sources that pages point to with `../`, so that the same links lead somewhere in the repository and on the site.
And parts of docstrings, where a page asks for one.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT: Final = Path(__file__).resolve().parent.parent
PACKAGE: Final = ROOT / "src" / "azulejos"
NO_PAGES: Final = ("__main__", "migrations", "static", "weights")
"""Parts of the package that nobody imports."""
FROM_ROOT: Final = {"README.md": "readme.md", "CHANGELOG.md": "changelog.md", "CONTRIBUTING.md": "contributing.md"}
LINK: Final = re.compile(r"(!?\[[^\]]*\]\()([^)#\s:]+)(#[^)\s]*)?\)")
INCLUDED: Final = re.compile(r"^<!-- from (\S+): (.+) -->$", re.MULTILINE)
"""Where a page wants a section of a module's docstring: the module, and the heading of the section."""
SOURCES: Final = "source"
"""The folder of the site with copies of sources that pages point to."""


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """List the API pages in the navigation."""
    for entry in config.nav or []:
        if "API" in entry:
            entry["API"] = [{"azulejos": "api/index.md"}, *({name: f"api/{name}.md"} for name in parts() if name)]
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that are made, and the sources that any page points to."""
    wanted = {}
    for file in files.documentation_pages():
        wanted.update(sources_in(file.content_string, ROOT / "docs"))
    for source, page in FROM_ROOT.items():
        text = (ROOT / source).read_text(encoding="utf-8")
        wanted.update(sources_in(text, ROOT))
        files.append(File.generated(config, page, content=relinked(text, ROOT)))
    for name, modules in parts().items():
        files.append(File.generated(config, f"api/{name or 'index'}.md", content=api_page(name, modules)))
    for uri, path in wanted.items():
        files.append(File.generated(config, uri, abs_src_path=str(path)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:  # noqa: ARG001
    """Let links lead where the site has what they mean, and show examples as what they are."""
    text = markdown if page.file.src_uri in FROM_ROOT.values() else relinked(markdown, ROOT / "docs")
    text = INCLUDED.sub(lambda found: section_of(found[1], found[2]), text)
    text = re.sub(r"^(```\w+) .*$", r"\1", text, flags=re.MULTILINE)  # what stands behind the language is for tests
    return text.replace("```python\n>>>", "```pycon\n>>>")


def section_of(module: str, heading: str) -> str:
    """What stands under a heading in the docstring of a module.

    >>> section_of("azulejos.envs.pettingzoo", "Rewards").splitlines()[0]
    '| `reward` | meaning |'
    """
    path = PACKAGE.parent.joinpath(*module.split(".")).with_suffix(".py")
    words = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    found = re.search(rf"^## {re.escape(heading)}\n+(.*?)\s*(?=^## |\Z)", words, re.MULTILINE | re.DOTALL)
    if found is None:
        raise ValueError(f"the docstring of {module} has no section {heading!r}")
    return found[1]


def parts() -> dict[str, list[str]]:
    """The modules of each part of the package; under "" the package itself."""
    found = {"": ["azulejos"]}
    for path in sorted(PACKAGE.iterdir()):
        name = path.stem
        if name.startswith("_") or name in NO_PAGES:
            continue
        if path.suffix == ".py":
            found[name] = [f"azulejos.{name}"]
        elif (path / "__init__.py").is_file():
            found[name] = [".".join(module.relative_to(PACKAGE.parent).parts) for module in modules_in(path)]
    return found


def modules_in(folder: Path) -> Iterator[Path]:
    """A package and all that is in it, the nearer ones first, without the endings of their names."""
    yield folder
    inside = [path for path in sorted(folder.iterdir()) if not path.stem.startswith("_") and path.stem not in NO_PAGES]
    yield from (path.with_suffix("") for path in inside if path.suffix == ".py")
    for path in inside:
        if (path / "__init__.py").is_file():
            yield from modules_in(path)


def api_page(name: str, modules: list[str]) -> str:
    """The text of an API page, which mkdocstrings fills."""
    title = f"azulejos.{name}" if name else "azulejos"
    rarely = "---\nsearch: {boost: 0.001}\n---"  # who searches wants a page that explains before one that lists
    return "\n".join([rarely, f"# API: {title}", "", *(f"::: {module}\n" for module in modules)])


def relinked(text: str, folder: Path) -> str:
    """The text of a file of this folder with its links as the site needs them.

    >>> relinked("see [changes](../CHANGELOG.md#new) and [rules](rules.md)", ROOT / "docs")
    'see [changes](changelog.md#new) and [rules](rules.md)'
    >>> relinked("[cli](src/azulejos/cli/app.py), [rules](docs/rules.md)", ROOT)
    '[cli](source/src/azulejos/cli/app.py), [rules](rules.md)'
    """

    def target(found: re.Match[str]) -> str:
        uri = uri_of((folder / found[2]).resolve())
        return f"{found[1]}{uri or found[2]}{found[3] or ''})"

    return LINK.sub(target, text)


def uri_of(path: Path) -> str | None:
    """Where the site has a file of the repository; None if it has not."""
    if not path.is_file() or not path.is_relative_to(ROOT):
        return None
    name = path.relative_to(ROOT).as_posix()
    if path.is_relative_to(ROOT / "docs") and path.suffix != ".py":
        return name.removeprefix("docs/")
    return FROM_ROOT.get(name, f"{SOURCES}/{name}")


def sources_in(text: str, folder: Path) -> dict[str, Path]:
    """The sources that a text points to, by their place on the site."""
    paths = [(folder / found[2]).resolve() for found in LINK.finditer(text)]
    uris = {uri_of(path): path for path in paths}
    return {uri: path for uri, path in uris.items() if uri is not None and uri.startswith(f"{SOURCES}/")}
