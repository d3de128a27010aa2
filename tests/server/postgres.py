"""A PostgreSQL server of our own: a new cluster in a temporary folder, not under root, gone afterwards."""

from __future__ import annotations

import itertools
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg import sql

from tests.patience import PATIENCE
from tests.server.live import free_port

OWNER, PASSWORD = "owner", "Gl4zed: t/le@home?#100%"
ENCODED = "Gl4zed%3A%20t%2Fle%40home%3F%23100%25"
NOT_ROOT = ("postgres", "nobody")
"""PostgreSQL refuses to run as root."""


def binaries() -> Path | None:
    """The folder of PostgreSQL's programs; Debian has them in none of the usual ones."""
    found = shutil.which("initdb")
    folders = [Path(found).resolve().parent] if found else []
    folders += sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda folder: float(folder.parent.name))
    return next((folder for folder in reversed(folders) if (folder / "postgres").exists()), None)


class Cluster:
    """A PostgreSQL server with its data."""

    def __init__(self, programs: Path, folder: Path) -> None:
        self._programs, self._folder = programs, folder
        self._process: subprocess.Popen[str] | None = None
        self._numbers = itertools.count(1)
        self.port = free_port()
        self._rights: dict[str, Any] = {}
        if os.geteuid() == 0:
            users = {entry.pw_name: entry for entry in pwd.getpwall()}
            user = next(users[name] for name in NOT_ROOT if name in users)
            self._rights = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
            os.chown(folder, user.pw_uid, user.pw_gid)

    def make(self) -> None:
        """Make the files of the cluster."""
        secret = self._folder / "password"
        secret.write_text(PASSWORD)
        secret.chmod(0o644)
        options = ["--encoding=UTF8", "--locale=C", "--no-sync", f"--username={OWNER}", f"--pwfile={secret}"]
        auth = ["--auth-local=trust", "--auth-host=scram-sha-256"]
        command = [str(self._programs / "initdb"), "-D", str(self._folder / "data"), *options, *auth]
        done = subprocess.run(command, capture_output=True, text=True, cwd=self._folder, check=False, **self._rights)
        assert done.returncode == 0, done.stdout + done.stderr

    def start(self) -> None:
        """Start, and wait until it answers; what a killed one has left is in the way for a moment."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            if self._process is None or self._process.poll() is not None:
                self._process = self._started()
            with suppress(psycopg.OperationalError):
                self.ask("SELECT 1")
                return
            time.sleep(0.05)
        raise AssertionError((self._folder / "log").read_text())

    def _started(self) -> subprocess.Popen[str]:
        folder = str(self._folder)
        command = [str(self._programs / "postgres"), "-D", f"{folder}/data", "-k", folder, "-p", str(self.port)]
        command += ["-c", "fsync=off"]  # here programs are killed, not machines
        with (self._folder / "log").open("ab") as log:
            return subprocess.Popen(command, stdout=log, stderr=log, text=True, cwd=folder, **self._rights)

    def stop(self, number: signal.Signals = signal.SIGQUIT) -> None:
        """Stop it: gently (SIGINT), at once (SIGQUIT), or every process of it without a word (SIGKILL)."""
        if self._process is None or self._process.poll() is not None:
            return
        children = _children_of(self._process.pid) if number == signal.SIGKILL else []
        self._process.send_signal(number)
        self._process.wait(PATIENCE)
        for child in children:
            with suppress(ProcessLookupError):
                os.kill(child, number)

    def ask(self, question: str, database: str = "postgres", *values: Any) -> list[tuple[Any, ...]]:
        """Ask something as the owner, over the socket in the folder."""
        with psycopg.connect(self.socket_url(database), autocommit=True) as connection:
            cursor = connection.execute(question.encode(), values or None)
            return cursor.fetchall() if cursor.description else []

    def new(self, options: str = "") -> str:
        """The name of a new database."""
        name = f"games{next(self._numbers)}"
        self.ask(f"CREATE DATABASE {name} {options}")
        return name

    def url(self, database: str, user: str = OWNER, password: str = ENCODED, port: int | None = None) -> str:
        """Its address."""
        return f"postgresql://{user}:{password}@127.0.0.1:{port or self.port}/{database}"

    def socket_url(self, database: str) -> str:
        """Its address by way of the file system, which needs no password."""
        return f"postgresql:///{database}?host={self._folder}&port={self.port}&user={OWNER}"

    def environment(self) -> dict[str, str]:
        """What PostgreSQL's own programs have to know to find it."""
        return {"PGHOST": str(self._folder), "PGPORT": str(self.port), "PGUSER": OWNER}

    def role(self, name: str, password: str) -> None:
        """Make somebody who owns nothing."""
        self.ask(sql.SQL("CREATE ROLE {} LOGIN PASSWORD {}").format(sql.Identifier(name), password).as_string())


@contextmanager
def new_cluster() -> Iterator[Cluster]:
    """A PostgreSQL server that is gone afterwards."""
    programs = binaries()
    if programs is None:
        pytest.skip("there is no PostgreSQL here (on Debian: apt install postgresql)")
    with tempfile.TemporaryDirectory(prefix="azulejos-postgres-", ignore_cleanup_errors=True) as folder:
        cluster = Cluster(programs, Path(folder))
        cluster.make()
        try:
            cluster.start()
            yield cluster
        finally:
            cluster.stop()


def _children_of(process: int) -> list[int]:
    listed = subprocess.run(["ps", "-axo", "pid=,ppid="], capture_output=True, text=True, check=True).stdout
    pairs = [line.split() for line in listed.splitlines()]
    return [int(child) for child, parent in pairs if int(parent) == process]
