"""Wheel and sdist: made with and without Node, and the wheel at work in a fresh environment."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tarfile
import venv
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

import httpx
import pytest
from packaging.requirements import Requirement

import azulejos
from azulejos import Game
from tests.patience import PATIENCE

ROOT = Path(__file__).parents[2]
STATIC = Path("src/azulejos/server/static")
INDEX = "azulejos/server/static/index.html"
PARTS = (
    "pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md", "hatch_build.py", "constraints.txt", ".gitignore", "src",
    "web",
)  # fmt: skip
NOT_COPIED = shutil.ignore_patterns("node_modules", "__pycache__", "paraglide", ".pseudo", "cache")


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A copy of the project, with the built page if there is one."""
    assert (ROOT / STATIC / "index.html").is_file(), "the page is not built: run `make page`"
    copy = tmp_path / "tree"
    copy.mkdir()
    for name in PARTS:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, copy / name, ignore=NOT_COPIED)
        else:
            shutil.copy2(ROOT / name, copy / name)
    return copy


def build(
    tree: Path, target: str, *, node: bool = False, numba: bool = True, strict: bool = False
) -> tuple[Path | None, str]:
    """The package that is built there, or None, and what is said."""
    out = tree / "out"
    empty = tree / "empty"
    empty.mkdir(exist_ok=True)
    python = [sys.executable] if numba else [sys.executable, "-S"]  # without the libraries that are installed here
    command = [*python, "-m", "hatchling", "build", "--target", target, "--directory", str(out)]
    env = dict(os.environ) if node else os.environ | {"PATH": str(empty)}
    if strict:
        env["AZULEJOS_REQUIRE_PAGE"] = "1"
    if not numba:
        env["PYTHONPATH"] = str(only_hatchling(tree))
    done = subprocess.run(command, cwd=tree, env=env, capture_output=True, text=True, check=False, timeout=300)
    said = done.stdout + done.stderr
    assert "Traceback" not in said, said
    return (next(out.iterdir()) if done.returncode == 0 else None), said


def only_hatchling(tree: Path) -> Path:
    """A folder with the libraries of an isolated build."""
    folder = tree / "isolated"
    folder.mkdir(exist_ok=True)
    for name in ("hatchling", "packaging", "pathspec", "pluggy", "trove_classifiers"):
        found = find_spec(name)
        assert found
        assert found.origin
        (folder / name).symlink_to(Path(found.origin).parent)
    return folder


def names_in(package: Path) -> set[str]:
    """The files of a wheel or an sdist."""
    if package.suffix == ".whl":
        with zipfile.ZipFile(package) as wheel:
            return set(wheel.namelist())
    with tarfile.open(package) as sdist:
        return {name.partition("/")[2] for name in sdist.getnames()}


def page_of(tree: Path) -> set[str]:
    """The files of the built page, as a wheel has them."""
    page = {f"azulejos/server/static/{path.relative_to(tree / STATIC)}" for path in (tree / STATIC).rglob("*.*")}
    assert INDEX in page
    assert any(name.endswith(".js") for name in page)
    return page


def test_without_node_the_page_that_is_there_is_taken(tree: Path) -> None:
    (tree / "web" / "index.html").touch()  # younger than the built page
    wheel, said = build(tree, "wheel")
    assert wheel, said
    assert "as it was built before" in said
    names = names_in(wheel)
    assert page_of(tree) <= names
    for part in (
        "py.typed",
        "net/weights/two-std.npz",
        "search/evaluation.npy",
        "server/storage/migrations/script.py.mako",
    ):
        assert f"azulejos/{part}" in names


def test_an_sdist_carries_the_page_and_needs_no_node(tree: Path, tmp_path: Path) -> None:
    sdist, said = build(tree, "sdist")
    assert sdist, said
    names = names_in(sdist)
    assert {f"src/{INDEX}", "web/package.json", "hatch_build.py"} <= names
    assert not [name for name in names if re.search(r"node_modules|\.pseudo|paraglide/|__pycache__", name)]
    with tarfile.open(sdist) as packed:
        packed.extractall(tmp_path / "unpacked", filter="data")
    (unpacked,) = (tmp_path / "unpacked").iterdir()
    (unpacked / "web" / "index.html").touch()
    wheel, said = build(unpacked, "wheel")
    assert wheel, said
    assert "built before" not in said
    assert page_of(tree) <= names_in(wheel)


def test_what_is_given_to_others_is_refused_without_page_and_node(tree: Path) -> None:
    shutil.rmtree(tree / STATIC)
    for target, strict in (("wheel", True), ("sdist", False)):
        package, said = build(tree, target, strict=strict)
        assert package is None
        assert "there is no page in 'src/azulejos/server/static'" in said
        assert "Install Node" in said


def test_with_node_the_page_is_built_around_the_module_that_is_there(tree: Path) -> None:
    assert (ROOT / "web" / "node_modules").is_dir(), "the page cannot be built: run `make page`"
    shutil.rmtree(tree / STATIC)
    (tree / "web" / "src" / "engine" / "generated" / "azulejos.wasm").touch()
    (tree / "web" / "node_modules").symlink_to(ROOT / "web" / "node_modules")
    wheel, said = build(tree, "wheel", node=True, numba=False)
    assert wheel, said
    assert INDEX in names_in(wheel)


def test_with_node_but_without_numba_the_page_that_is_there_is_taken(tree: Path) -> None:
    (tree / "web" / "node_modules").symlink_to(ROOT / "web" / "node_modules")
    (tree / "src" / "azulejos" / "rules" / "turn.py").touch()  # younger than module and page
    wheel, said = build(tree, "wheel", node=True, numba=False)
    assert wheel, said
    assert "No Numba to compile the page's module with: the page goes into the package as it was built before" in said


def test_without_page_module_and_numba_a_strict_build_packs_nothing(tree: Path) -> None:
    shutil.rmtree(tree / STATIC)
    shutil.rmtree(tree / "web" / "src" / "engine" / "generated")
    package, said = build(tree, "wheel", node=True, numba=False, strict=True)
    assert package is None
    assert "there is no module for the page in 'web/src/engine/generated/azulejos.wasm', and no Numba here" in said
    assert "Run `make page` first" in said


def test_make_package_is_strict() -> None:
    hook, makefile = ((ROOT / name).read_text(encoding="utf-8") for name in ("hatch_build.py", "Makefile"))
    variable = re.search(r'^STRICT = "(.*)"', hook, re.MULTILINE)
    assert variable
    assert f"{variable[1]}=1 $(BIN)/hatchling build" in makefile


def test_module_and_makefile_know_the_same_sources() -> None:
    compiled = re.search(r"^COMPILED = \((.*)\)", (ROOT / "hatch_build.py").read_text(), re.MULTILINE)
    sources = re.search(r"^WASM_SOURCES := .*/\*,(.*?)\)\)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert compiled
    assert sources
    assert re.findall(r'"([^"]+)"', compiled[1]) == sources[1].split()


def test_a_page_that_cannot_be_built_is_told(tree: Path) -> None:
    (tree / "web" / "vite.config.ts").write_text("this is no TypeScript ((")
    (tree / "web" / "node_modules").symlink_to(ROOT / "web" / "node_modules")
    package, said = build(tree, "wheel", node=True)
    assert package is None
    assert "the page cannot be built: run --silent build failed" in said


# --- at work


def link(site: Path, requirements: list[str] | None, extra: str = "") -> None:
    """Put what these ask for into an environment, and nothing else: links to what is installed here."""
    for text in requirements or []:
        wanted = Requirement(text)
        if wanted.marker and not wanted.marker.evaluate({"extra": extra}):
            continue
        here = metadata.distribution(wanted.name)
        parts = {file.parts[0] for file in here.files or []} - {"..", "__pycache__"}
        new = [part for part in parts if not (site / part).exists()]
        for part in new:
            (site / part).symlink_to(str(here.locate_file(part)))
        for more in ("", *wanted.extras) if new else ():
            link(site, here.requires, more)


class Installed:
    """A fresh environment with nothing but the wheel and what it declares, and neither Node nor a compiler in sight."""

    def __init__(self, folder: Path, wheel: Path | str) -> None:
        """The wheel, or the sources from which pip makes one here, without Node, are installed."""
        self.bin = folder / "env" / "bin"
        self.folder = folder
        self.programs, self.hatchling = folder / "programs", only_hatchling(folder)
        self.programs.mkdir()
        (self.programs / "git").symlink_to(str(shutil.which("git")))  # which pip calls; there is no Node
        venv.create(folder / "env", symlinks=True)
        isolation = "" if isinstance(wheel, Path) and wheel.suffix == ".whl" else "--no-build-isolation"
        self._pip(f"install --quiet --no-compile --no-index --no-deps {isolation} {wheel}")
        (installed,) = (folder / "env").glob("lib/*/site-packages/*.dist-info")
        link(installed.parent, metadata.Distribution.at(installed).requires)
        self._pip("check")  # nothing is missing, and every version is one that is asked for
        kept = {name: value for name, value in os.environ.items() if name.startswith(("LANG", "LC_"))}
        places = {name: str(folder / name.lower()) for name in ("HOME", "AZULEJOS_CACHE", "AZULEJOS_DATA")}
        self.env = {**kept, **places, "PATH": str(self.bin)}

    def _pip(self, words: str) -> None:
        command = [sys.executable, "-m", "pip", "--python", str(self.bin / "python"), *shlex.split(words)]
        env = os.environ | {"PATH": str(self.programs), "PYTHONPATH": str(self.hatchling)}
        done = subprocess.run(command, env=env, capture_output=True, text=True, check=False, timeout=600)
        assert done.returncode == 0, done.stdout + done.stderr

    def run(self, *words: str, **more: str) -> str:
        """What `azulejos` prints, with more in its environment; everything has to go well."""
        done = subprocess.run(
            [str(self.bin / "azulejos"), *words],
            env=self.env | more,
            cwd=self.folder,
            capture_output=True,
            text=True,
            check=False,
            timeout=600,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    @contextmanager
    def served(self, **more: str) -> Iterator[str]:
        """The address of a server, with more in its environment."""
        command = [str(self.bin / "azulejos"), "serve", "--port", "0", "--workers", "1"]
        with (
            (self.folder / "log").open("w") as log,
            subprocess.Popen(
                command, env=self.env | more, cwd=self.folder, stdout=subprocess.PIPE, stderr=log, text=True
            ) as process,
        ):
            try:
                assert process.stdout is not None
                found = re.search(r"http://\S+", process.stdout.readline())
                assert found, (self.folder / "log").read_text()
                yield found[0]
            finally:
                process.terminate()


def test_the_wheel_works_in_a_fresh_environment(tree: Path, tmp_path: Path) -> None:
    wheel, said = build(tree, "wheel")
    assert wheel, said
    installed = Installed(tmp_path, wheel)
    assert shutil.which("node", path=installed.env["PATH"]) is None
    assert installed.run("--version").strip() == azulejos.__version__
    assert installed.run("new", "--seed", "7").strip() == Game(seed=7).position
    plain = {"NUMBA_DISABLE_JIT": "1"}  # compiled by `new` above; compiling all of the search would take a minute
    found = json.loads(installed.run("hint", Game(seed=7).position, "--nodes", "2", "--json", **plain))
    assert found["moves"][0]["visits"] > 0
    told = json.loads(installed.run("doctor", "--json"))
    states = {finding["name"]: finding["state"] for finding in told["findings"]}
    assert told["ok"]
    assert (states["page"], states["extra envs"], states["network two-std.npz"]) == ("ok", "absent", "ok")
    with installed.served(**plain) as address:
        page = httpx.get(address + "/", timeout=PATIENCE)
        assert page.status_code == 200
        script = re.search(r'src="(/assets/[^"]+\.js)"', page.text)
        assert script
        assert httpx.get(address + script[1], timeout=PATIENCE).status_code == 200
        assert httpx.get(address + "/health", timeout=PATIENCE).status_code == 200


@pytest.mark.parametrize("kind", ["folder", "git"])
def test_pip_installs_the_sources_without_node_and_page(kind: str, tree: Path, tmp_path: Path) -> None:
    shutil.rmtree(tree / STATIC)
    shutil.rmtree(tree / "web" / "src" / "engine" / "generated", ignore_errors=True)
    if kind == "git":
        for words in ("init --quiet", "add .", "-c user.name=a -c user.email=a@b commit --quiet -m a"):
            subprocess.run(["git", *shlex.split(words)], cwd=tree, check=True, capture_output=True)
    installed = Installed(tmp_path, tree if kind == "folder" else f"git+file://{tree}")
    assert installed.run("new", "--seed", "7").strip() == Game(seed=7).position
    told = json.loads(installed.run("doctor", "--json"))
    (page,) = (finding for finding in told["findings"] if finding["name"] == "page")
    assert told["ok"]
    assert page["state"] == "absent"
    assert "make page" in page["advice"]
    if kind == "folder":
        with installed.served(NUMBA_DISABLE_JIT="1") as address:
            shown = httpx.get(address + "/", timeout=PATIENCE)
            assert shown.status_code == 503
            assert "A wheel has the page with it" in shown.text
            assert httpx.get(address + "/health", timeout=PATIENCE).status_code == 200
