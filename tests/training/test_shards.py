"""Shards: whole or refused, counted once, and safe from sudden ends."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import numpy as np
import pytest

from azulejos.net.features import FEATURES
from azulejos.training import shards
from azulejos.training.shards import Origin, Samples, ShardError, Shelf, Totals, Window, read_shard, write_shard


def some_samples(count: int, first: int = 0) -> Samples:
    random = np.random.default_rng(first)
    numbers = np.arange(first, first + count, dtype=np.float32)[:, None]
    return Samples(
        random.integers(0, 5, (count, FEATURES)).astype(np.int8),
        random.random((count, 325)).astype(np.float16),
        np.repeat(numbers, 4, 1),
        np.repeat(-numbers, 4, 1),
        np.zeros((count, 4), np.float32),
    )


def origin(positions: int, games: int = 1, seconds: float = 1.5) -> Origin:
    return Origin("0000000", games, positions, seconds, "test", 16)


def test_a_shard_is_read_as_it_was_written(tmp_path: Path) -> None:
    samples = some_samples(7)
    write_shard(tmp_path / "a.npz", samples, origin(7))
    there, where = read_shard(tmp_path / "a.npz")
    assert where == origin(7)
    for name, (kind, _) in shards.LAYOUT.items():
        assert getattr(there, name).dtype == kind
        assert (getattr(there, name) == getattr(samples, name)).all()
    assert [path.name for path in tmp_path.iterdir()] == ["a.npz"]


@pytest.mark.parametrize("share", [0.0, 0.01, 0.5, 0.9, 0.999])
def test_a_truncated_shard_is_refused_by_name(tmp_path: Path, share: float) -> None:
    file = tmp_path / "a.npz"
    write_shard(file, some_samples(50), origin(50))
    whole = file.read_bytes()
    file.write_bytes(whole[: int(share * len(whole))])
    with pytest.raises(ShardError, match=r"cannot read '.*a\.npz' as a shard"):
        read_shard(file)


def test_a_flipped_byte_is_found(tmp_path: Path) -> None:
    file = tmp_path / "a.npz"
    write_shard(file, some_samples(50), origin(50))
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 255
    file.write_bytes(data)
    with pytest.raises(ShardError, match=r"a\.npz"):
        read_shard(file)


def test_foreign_files_are_refused(tmp_path: Path) -> None:
    np.savez(tmp_path / "a.npz", something=np.zeros(3))
    with pytest.raises(ShardError, match=r"head\.json"):
        read_shard(tmp_path / "a.npz")
    write_shard(tmp_path / "b.npz", some_samples(5), origin(6))
    with pytest.raises(ShardError, match=r"features of int8 \(5, 890\): expected i1 \(6, 890\)"):
        read_shard(tmp_path / "b.npz")
    bad = some_samples(5)
    bad.win[3, 0] = np.nan
    write_shard(tmp_path / "c.npz", bad, origin(5))
    with pytest.raises(ShardError, match="win that are no numbers"):
        read_shard(tmp_path / "c.npz")


def test_a_shard_of_another_features_version_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shards, "FEATURES_VERSION", 99)
    write_shard(tmp_path / "a.npz", some_samples(5), origin(5))
    monkeypatch.undo()
    with pytest.raises(ShardError, match="another features version: expected"):
        read_shard(tmp_path / "a.npz")


def test_totals_stay_when_old_shards_go(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path)
    for number in range(6):
        shelf.add(some_samples(10, 10 * number), origin(10, games=number), "w0")
    assert shelf.names() == [f"000000{number}-w0.npz" for number in range(1, 7)]
    before = shelf.totals()
    assert before == Totals(games=15, positions=60, seconds=9.0)
    shelf.prune(keep_positions=20)
    assert shelf.names() == ["0000005-w0.npz", "0000006-w0.npz"]
    assert shelf.totals() == Shelf(tmp_path).totals() == before
    shelf.prune(keep_positions=10)
    assert Shelf(tmp_path).totals() == before
    assert shelf.add(some_samples(1), origin(1), "w1") == "0000007-w1.npz"


def test_a_shard_whose_deletion_was_cut_short_is_not_counted_twice(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path)
    for number in range(3):
        shelf.add(some_samples(10, 10 * number), origin(10), "w0")
    gone = {name: (tmp_path / name).read_bytes() for name in shelf.names()[:2]}
    before = shelf.totals()
    shelf.prune(keep_positions=10)
    for name, data in gone.items():  # as if the end had come before the deletion
        (tmp_path / name).write_bytes(data)
    assert Shelf(tmp_path).totals() == before
    Shelf(tmp_path).prune(keep_positions=10)
    assert Shelf(tmp_path).names() == ["0000003-w0.npz"]
    assert Shelf(tmp_path).totals() == before


def test_what_is_no_shard_is_not_counted_and_set_aside(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path)
    shelf.add(some_samples(10), origin(10), "w0")
    (tmp_path / "0000002-w0.npz").write_bytes(b"nonsense")
    assert shelf.totals().positions == 10
    assert shelf.set_aside("0000002-w0.npz").read_bytes() == b"nonsense"
    assert shelf.names() == ["0000001-w0.npz"]


def test_the_window_keeps_the_newest() -> None:
    window = Window(25)
    window.add(some_samples(10))
    assert set(window.draw(np.random.default_rng(0), 1000).win[:, 0]) == set(range(10))
    for first in (10, 20, 30):
        window.add(some_samples(10, first))
    drawn = window.draw(np.random.default_rng(0), 2000)
    assert set(drawn.win[:, 0]) == set(range(15, 40))
    assert (drawn.win == -drawn.margin).all()
    window.add(some_samples(100, 100))
    assert set(window.draw(np.random.default_rng(0), 2000).win[:, 0]) == set(range(175, 200))


WRITER = """
import sys
from pathlib import Path
from azulejos.training.shards import Shelf
from tests.training.test_shards import origin, some_samples
samples, shelf = some_samples(300), Shelf(Path(sys.argv[1]))
shelf.add(samples, origin(300), "w0")
print("ready", flush=True)
while True:
    shelf.add(samples, origin(300), "w0")
    shelf.prune(2000)
"""


def test_killed_at_any_moment_a_writer_leaves_only_whole_shards(tmp_path: Path) -> None:
    seen = 0
    root = Path(__file__).parents[2]
    for moment in (0.05, 0.11, 0.17, 0.23, 0.31):
        writer = subprocess.Popen([sys.executable, "-c", WRITER, tmp_path], stdout=subprocess.PIPE, cwd=root)
        assert writer.stdout is not None
        writer.stdout.readline()
        time.sleep(moment)
        os.kill(writer.pid, signal.SIGKILL)
        writer.communicate()
        shelf = Shelf(tmp_path)
        for name in shelf.names():
            assert len(read_shard(tmp_path / name)[0]) == 300
        assert shelf.totals().games > seen
        seen = shelf.totals().games
    newest = int(shelf.names()[-1].split("-")[0])
    assert seen == newest, "every shard was counted once, the pruned ones too"


def test_head_is_readable_by_others(tmp_path: Path) -> None:
    write_shard(tmp_path / "a.npz", some_samples(3), origin(3))
    with zipfile.ZipFile(tmp_path / "a.npz") as file:
        assert json.loads(file.read("head.json"))["positions"] == 3
    assert np.load(tmp_path / "a.npz")["policy"].shape == (3, 325)
