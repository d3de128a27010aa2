"""PostgreSQL databases that cannot be used: each is named, with what to do, and never a password."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

from azulejos.cli import findings as doctor
from azulejos.server.settings import Settings
from azulejos.server.storage import address as store_address
from azulejos.server.storage import schema
from azulejos.server.storage.database import StorageError
from azulejos.server.storage.store import Store
from tests.patience import PATIENCE
from tests.server.postgres import ENCODED, OWNER, PASSWORD, Cluster
from tests.server.standins import runs
from tests.server.test_postgres import opened
from tests.server.test_store import a_table

# ---- what cannot be used ----


def refusal(database: str) -> str:
    """Why the store does not open it: one line without a password."""

    async def fail() -> str:
        with pytest.raises(StorageError) as refused:
            await Store.open(database)
        return str(refused.value)

    told = asyncio.run(fail())
    assert "\n" not in told
    for secret in (PASSWORD, ENCODED, "wr0ng"):
        assert secret not in told
    return told


def test_who_may_not_and_what_is_not_there(cluster: Cluster, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    cluster.role("visitor", "wr0ng")
    shown = f"cannot use the database 'postgresql://{OWNER}@127.0.0.1:{cluster.port}/{name}': "
    assert refusal(cluster.url(name, password="wr0ng")).startswith(shown)
    assert 'password authentication failed for user "owner"' in refusal(cluster.url(name, password="wr0ng"))
    assert "no password supplied (it can be in the address, in PGPASSWORD or in ~/.pgpass)" in refusal(
        f"postgresql://{OWNER}@127.0.0.1:{cluster.port}/{name}"
    )
    assert 'database "nowhere" does not exist (`createdb` makes it)' in refusal(cluster.url("nowhere"))
    assert "permission denied for schema public (the user has to own the database)" in refusal(
        cluster.url(cluster.new(), user="visitor", password="wr0ng")
    )
    assert "permission denied for table" in refusal(cluster.url(name, user="visitor", password="wr0ng"))
    monkeypatch.setattr("azulejos.server.storage.postgres.CONNECTION", {"connect_timeout": "20"})
    assert "port 1 failed: Connection refused" in refusal(cluster.url(name, port=1))
    assert "'no.such.host.invalid'" in refusal("postgresql://ana:wr0ng@no.such.host.invalid/x")
    assert 'invalid URI query parameter: "tiles"' in refusal(cluster.url(name) + "?tiles=100")
    assert 'invalid sslmode value: "perhaps"' in refusal(cluster.url(name) + "?sslmode=perhaps")
    assert "server does not support SSL" in refusal(cluster.url(name) + "?sslmode=require")


def test_a_password_may_come_from_elsewhere(cluster: Cluster, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PGPASSWORD", PASSWORD)

    @runs
    async def test() -> None:
        async with opened(f"postgres://{OWNER}@127.0.0.1:{cluster.port}/{name}") as store:
            assert await store.is_well()

    test()


def refusal_of_both(database: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """Why neither the store nor the doctor takes it: for the same reason."""
    told = refusal(database)
    monkeypatch.setenv("AZULEJOS_DATABASE", database)
    found = _found("database")
    shown = repr(store_address.shown(database))
    assert (found.state, told) == ("wrong", f"cannot use the database {found.value.replace(' cannot be used', '')}")
    assert found.value.startswith(shown)
    return told


def test_databases_of_another_kind(cluster: Cluster, own: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refusal(database: str) -> str:
        return refusal_of_both(database, monkeypatch)

    latin = cluster.new("TEMPLATE template0 ENCODING LATIN1 LOCALE 'C'")
    assert "its encoding is LATIN1: make one with UTF8" in refusal(cluster.url(latin))
    recipes = cluster.new()
    cluster.ask("CREATE TABLE recipes (name text)", recipes)
    assert "it holds something else" in refusal(cluster.url(recipes))
    cluster.ask("CREATE TABLE alembic_version (version_num text)", recipes)
    cluster.ask("INSERT INTO alembic_version VALUES ('0001')", recipes)
    assert "it holds something else" in refusal(cluster.url(recipes))
    assert {found for (found,) in cluster.ask("SELECT tablename FROM pg_tables WHERE schemaname = 'public'", recipes)}
    cluster.ask("UPDATE alembic_version SET version_num = '9999'; UPDATE compatibility SET oldest = '9999'", own)
    newer = f"made by a newer version of this program (schema 9999, this one knows {schema.HEAD})"
    assert newer in refusal(cluster.url(own))
    cluster.ask(f"ALTER DATABASE {own} SET default_transaction_read_only = on")
    assert "it is read-only, perhaps a standby" in refusal(cluster.url(own))


def test_without_the_extra_it_is_named(tmp_path: Path) -> None:
    code = "import sys; sys.modules['psycopg'] = None; from azulejos.cli import main; main()"
    address = "postgresql://ana:wr0ng@localhost/x"
    command = [sys.executable, "-c", code, "serve", "--port", "0", "--database", address]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False, cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "cannot use the database 'postgresql://ana@localhost/x'" in done.stderr
    assert "pip install 'azulejos[postgres]'" in done.stderr


# ---- addresses ----


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("postgres://ana:wr0ng@db:5433/games", "postgresql://ana@db:5433/games"),
        ("PostgreSQL://ana@db/games", "postgresql://ana@db/games"),
        ("postgresql+psycopg://ana:a%40b:c@db/games?sslmode=require", "postgresql://ana@db/games"),
        ("postgresql://db", "postgresql://db"),
        ("postgresql:///games", "postgresql:///games"),
        ("postgresql://%2Frun%2Fpostgresql/games", "postgresql://%2Frun%2Fpostgresql/games"),
        ("postgresql://[::1]:5432,db2:5433/games", "postgresql://[::1]:5432,db2:5433/games"),
        ("postgresql:///games?password=wr0ng&host=/run&user=ana", "postgresql:///games?host=/run&user=ana"),
    ],
)
def test_addresses_that_people_write(text: str, shown: str) -> None:
    settings = Settings(database=text)
    assert settings.database_url == "postgresql://" + text.partition("://")[2]
    assert store_address.shown(settings.database_url) == shown
    assert "wr0ng" not in repr(settings)


@pytest.mark.parametrize(
    "text",
    [
        "postgresql://ana:wr@0ng@db/games",
        "postgresql://ana:wr/0ng@db/games",
        "postgresql://ana:wr?0ng@db/games",
        "postgresql://ana:123?0ng@db/games",
        "postgresql://ana:wr#0ng@db/games",
        "postgresql://ana:100%wr0ng@db/games",
        "postgresql://ana:wr%000ng@db/games",
        "postgresql://ana:wr 0ng@db/games",
        "postgresql://ana:wr0ng@db:five/games",
        "postgresql://db:wr0ng/games",
        "postgresql://db/games?wr0ng",
        "postgresql:ana:wr0ng@db/games",
    ],
)
def test_addresses_that_cannot_be_read_are_not_repeated(text: str) -> None:
    with pytest.raises(ValueError, match="cannot read the address of the PostgreSQL database") as refused:
        Settings(database=text)
    assert "0ng" not in str(refused.value)
    assert refusal(text) == str(refused.value)


def test_other_kinds_are_refused_by_name() -> None:
    for kind in ("mysql", "postgresql+asyncpg", "oracle", "sqlite+x"):
        with pytest.raises(ValueError, match=f"{kind}'".replace("+", r"\+")) as refused:
            Settings(database=f"{kind}://ana:wr0ng@db/games")
        assert "wr0ng" not in str(refused.value)
        assert "a file, sqlite:///FILE or postgresql://USER@HOST/NAME" in str(refused.value)
        assert refusal(f"{kind}://ana:wr0ng@db/games") == str(refused.value)


# ---- the doctor ----


def _found(name: str) -> doctor.Finding:
    return next(found for found in doctor.examine() if found.name == name)


def test_the_doctor_looks_at_it(cluster: Cluster, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AZULEJOS_DATABASE", cluster.url(cluster.new()))
    shown = f"'postgresql://{OWNER}@127.0.0.1:{cluster.port}/"
    found = _found("database")
    assert (found.state, found.value.startswith(shown)) == ("ok", True)
    assert "nothing yet: the first start of the server sets it up" in found.value
    monkeypatch.setenv("AZULEJOS_DATABASE", cluster.url(name))

    @runs
    async def test() -> None:
        async with opened(cluster.url(name)) as store:
            await store.add(a_table())
            found = await asyncio.to_thread(_found, "database")
            assert found.state == "ok"
            assert f"{name}', 1 tables, " in found.value
            assert found.value.endswith("in use by a server")

    test()
    deadline = time.monotonic() + PATIENCE
    while "in use" in _found("database").value:  # PostgreSQL frees the lock when it sees that the connection is closed
        assert time.monotonic() < deadline
    monkeypatch.setenv("AZULEJOS_DATABASE", cluster.url(name, password="wr0ng"))
    found = _found("database")
    assert (found.state, "password authentication failed" in found.value) == ("wrong", True)
    everything = str(doctor.examine())
    assert "wr0ng" not in everything


def test_the_doctor_knows_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]
    required = [f"{package}; extra == 'postgres'" for package in project["optional-dependencies"]["postgres"]]
    monkeypatch.setattr(metadata, "requires", lambda _: required)
    assert _found("extra postgres").value == f"psycopg {metadata.version('psycopg')}"
    monkeypatch.setattr(doctor, "_version", lambda _: None)
    assert _found("extra postgres").advice == "pip install 'azulejos[postgres]'"


def test_the_doctor_without_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AZULEJOS_DATABASE", "postgres://ana:wr0ng@localhost/games")
    monkeypatch.setitem(sys.modules, "psycopg", None)
    found = _found("database")
    assert found.state == "wrong"
    assert "'postgresql://ana@localhost/games' cannot be used" in found.value
    assert "pip install 'azulejos[postgres]'" in found.value
