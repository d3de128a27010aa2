"""`azulejos doctor` and `azulejos completion`: they say what is, and never break down."""

from __future__ import annotations

import asyncio
import json
import shutil
import sqlite3
import subprocess
from contextlib import closing
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
from cyclopts import CycloptsError

import azulejos
from azulejos.cli import app as cli
from azulejos.cli import findings as doctor
from azulejos.cli.findings import Finding, State
from azulejos.server.storage.database import StorageError
from azulejos.server.storage.store import Store


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    """The exit code and what is printed."""
    try:
        cli.app(list(words), exit_on_error=False, print_error=False)
        code = 0
    except SystemExit as left:
        code = int(left.code or 0)
    return code, capsys.readouterr().out


def finding(name: str) -> Finding:
    """What is found under this name."""
    return next(found for found in doctor.examine() if found.name == name)


@pytest.fixture(autouse=True)
def own_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AZULEJOS_DATA", str(tmp_path / "data"))


# --- the command


def test_it_prints_a_line_for_everything(capsys: pytest.CaptureFixture[str]) -> None:
    code, said = run(capsys, "doctor")
    assert code == 0
    for name in ("azulejos", "python", "numba", "compiled code", "CUDA device", "network", "page", "database", "extra"):
        assert f" {name}" in said
    assert azulejos.__version__ in said
    assert said.endswith("Nothing is wrong.\n")


def test_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    code, said = run(capsys, "doctor", "--json")
    told: dict[str, Any] = json.loads(said)
    assert (code, told["ok"]) == (0, True)
    versions = {found["name"]: found["value"] for found in told["findings"]}
    assert versions["numpy"] == metadata.version("numpy")


def test_something_wrong_is_marked_and_told_by_the_exit_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    notes = tmp_path / "notes.txt"
    notes.write_text("milk, bread, tiles\n" * 100)
    monkeypatch.setenv("AZULEJOS_DATABASE", str(notes))
    code, said = run(capsys, "doctor")
    assert code == 1
    assert "!! database" in said
    assert "file is not a database" in said
    assert run(capsys, "doctor", "--json")[0] == 1


def test_a_part_that_fails_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    def _broken_part() -> Any:
        raise RuntimeError("no luck")

    monkeypatch.setattr(doctor, "PARTS", (_broken_part, doctor.PARTS[0]))
    first, *others = doctor.examine()
    assert first == Finding("broken part", "wrong", "cannot be looked at: RuntimeError: no luck")
    assert others


# --- what it finds


def test_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AZULEJOS_STATIC", str(tmp_path))
    assert finding("page").state == "absent"
    assert "make page" in finding("page").advice
    (tmp_path / "index.html").write_text("<!doctype html>")
    assert finding("page").state == "ok"


def test_the_module_of_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AZULEJOS_STATIC", str(tmp_path))
    assert "module" not in {found.name for found in doctor.examine()}  # without a page nobody misses it
    (tmp_path / "index.html").write_text("<!doctype html>")
    assets = tmp_path / "assets"
    assets.mkdir()
    for name in ("a", "b", "c", "d"):
        (assets / f"{name}-1f.weights").write_bytes(bytes(1_500_000))
    found = finding("module")
    assert (found.state, found.value) == ("wrong", "the page has 0 modules and 4 networks instead of 1 and 4")
    assert "make page" in found.advice
    (assets / "azulejos-1f.wasm").write_bytes(bytes(120_000))
    assert finding("module") == Finding("module", "ok", "azulejos-1f.wasm, 0.12 MB, with 4 networks, 6.0 MB")


def test_the_database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "data" / "tables.db"
    assert finding("database") == Finding(
        "database", "ok", f"{str(file)!r}, which the first start of the server will make"
    )
    file.parent.mkdir()
    file.touch()
    assert f"{str(file)!r}, nothing yet: the first start of the server sets it up" in finding("database").value
    assert refusal(str(file)) is None
    assert f"{str(file)!r}, 0 tables" in finding("database").value
    with closing(sqlite3.connect(file)) as made, made:
        made.execute("INSERT INTO tables (id, created, setup, secret) VALUES ('a', '', '', ''), ('b', '', '', '')")
    assert f"{str(file)!r}, 2 tables" in finding("database").value
    monkeypatch.setenv("AZULEJOS_DATABASE", str(file / "deeper.db"))
    assert finding("database").state == "wrong"
    assert "cannot be made" in finding("database").value


def refusal(database: str) -> str | None:
    """Why the server does not open it; None if it does."""

    async def opened() -> None:
        await (await Store.open(database)).close()

    try:
        asyncio.run(opened())
    except StorageError as fault:
        return str(fault)
    return None


@pytest.mark.parametrize(
    ("statement", "why"),
    [
        (
            "UPDATE alembic_version SET version_num = '9999'; UPDATE compatibility SET oldest = '9999'",
            "made by a newer version of this program (schema 9999",
        ),
        ("DELETE FROM alembic_version", "it holds something else"),
        ("DROP TABLE alembic_version", "it holds something else"),
        ("ALTER TABLE tables RENAME TO recipes", "it holds something else"),
    ],
)
def test_it_refuses_the_databases_that_the_server_refuses(
    statement: str, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "other.db"
    monkeypatch.setenv("AZULEJOS_DATABASE", f"sqlite:///{file}")
    assert refusal(str(file)) is None
    assert finding("database").state == "ok"
    with closing(sqlite3.connect(file)) as made, made:
        made.executescript(statement)
    found = finding("database")
    assert (found.state, why in found.value) == ("wrong", True)
    assert refusal(str(file)) == f"cannot use the database {found.value.replace(' cannot be used', '')}"


def test_a_wrong_setting_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AZULEJOS_WORKERS", "many")
    found = finding("settings")
    assert found.state == "wrong"
    assert "AZULEJOS_WORKERS='many'" in found.value


def test_what_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    required = ["numpy>=2.0", "no-such-thing>=1", "azulejos[envs]; extra == 'dev'", 'torch>=2.6; extra == "train"']
    versions = {"numpy": "2.0"}
    monkeypatch.setattr(metadata, "requires", lambda _: required)
    monkeypatch.setattr(doctor, "_version", versions.get)
    found = {one.name: (one.state, one.advice) for one in doctor.examine()}
    assert found["numpy"] == ("ok", "")
    assert found["no-such-thing"] == ("wrong", "pip install no-such-thing")
    assert found["extra train"] == ("absent", "pip install 'azulejos[train]'")
    assert "extra dev" not in found


@pytest.mark.parametrize(("content", "state"), [(b"", "wrong"), (b"no network", "wrong"), (None, "wrong")])
def test_a_network_that_cannot_be_read(
    content: bytes | None, state: State, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from azulejos.net import choice

    (tmp_path / "weights").mkdir()
    if content is not None:
        for name in set(choice.WEIGHTS.values()):
            (tmp_path / "weights" / name).write_bytes(content)
    monkeypatch.setattr(choice, "__file__", str(tmp_path / "choice.py"))
    networks = [found for found in doctor.examine() if found.name.startswith("network")]
    assert networks
    assert {found.state for found in networks} == {state}


def test_compiled_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from azulejos.rules import compiled

    azulejos.Game(seed=1)  # so that something is compiled
    assert "up to date" in finding("compiled code").value
    assert not finding("compiled code").value.startswith("0 of")
    (tmp_path / "cut.nbi").write_bytes(b"\x80")
    monkeypatch.setattr(compiled, "cache_folder", lambda: tmp_path)
    assert finding("compiled code").value.startswith("0 of 1 functions are up to date")
    monkeypatch.setattr(compiled, "cache_folder", lambda: None)
    assert finding("compiled code").state == "wrong"


# --- completion


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish", "powershell"])
def test_a_completion_script_knows_commands_and_options(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, script = run(capsys, "completion", shell)
    assert code == 0
    for word in ("simulate", "doctor", "against"):
        assert word in script


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_can_read_its_completion_script(shell: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    script = tmp_path / "script"
    script.write_text(run(capsys, "completion", shell)[1])
    done = subprocess.run([shell, "-n", script], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_bash_completes_a_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    script = tmp_path / "script"
    script.write_text(run(capsys, "completion", "bash")[1])
    ask = f'source {script}; COMP_WORDS=(azulejos simu); COMP_CWORD=1; _azulejos; echo "${{COMPREPLY[@]}}"'
    done = subprocess.run(["bash", "-c", ask], capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "simulate"


def test_another_shell_is_refused_by_name() -> None:
    with pytest.raises(CycloptsError, match="tcsh"):
        cli.app(["completion", "tcsh"], exit_on_error=False, print_error=False)
