"""Compiled code is kept between starts, and never longer than it is right.

Each test starts interpreters of its own with a cache folder of its own, and compiles only the smallest functions.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import azulejos
from azulejos.rules import compiled

LINE = "azulejos: compiling the rules for this machine, which happens once ...\n"
PACKAGE = Path(azulejos.__file__).parent

MIX = """
from azulejos.rules.supply import mix
print(mix(1))
print(sum(mix.stats.cache_hits.values()), sum(mix.stats.cache_misses.values()))
"""
NTH_BIT = """
from azulejos.rules.random_play import nth_bit
print(nth_bit(0b1010, 1))
"""
STAMPS = """
from azulejos.rules import compiled
for folder in compiled.COMPILED_FOLDERS:
    print(compiled.source_stamp(compiled.PACKAGE / folder / "__init__.py"))
"""
MIX_OF_1 = "6238072747940578789"


def run(
    code: str, cache: Path | str, package: Path | None = None, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Code in an interpreter of its own, with this cache folder and this copy of the package."""
    settings = {**os.environ, "AZULEJOS_QUIET": "", "AZULEJOS_CACHE": str(cache), **environment}
    if package:
        settings["PYTHONPATH"] = str(package.parent)
    return subprocess.run([sys.executable, "-c", code], env=settings, capture_output=True, text=True, check=False)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the package that a test may change."""
    folder = tmp_path / "changed" / "azulejos"
    shutil.copytree(PACKAGE, folder, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def change(path: Path, old: str, new: str) -> None:
    source = path.read_text(encoding="utf-8")
    assert source.count(old) == 1
    path.write_text(source.replace(old, new), encoding="utf-8")


def test_the_first_start_compiles_and_says_so_and_the_second_does_not(tmp_path: Path) -> None:
    first, second = run(MIX, tmp_path), run(MIX, tmp_path)
    assert first.stderr == LINE
    assert first.stdout.split() == [MIX_OF_1, "0", "1"]
    assert second.stderr == ""
    assert second.stdout.split() == [MIX_OF_1, "1", "0"]


def test_everything_kept_is_in_the_chosen_folder(tmp_path: Path) -> None:
    run(MIX, tmp_path / "a" / "b")
    assert list((tmp_path / "a" / "b" / "compiled").glob("supply.mix-*.nbi"))
    assert not list(PACKAGE.rglob("*.nbi"))


def test_the_line_is_said_once_however_much_is_compiled(tmp_path: Path) -> None:
    assert run(MIX + NTH_BIT, tmp_path).stderr == LINE


def test_a_function_is_compiled_anew_when_one_that_it_calls_has_changed(copy: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    before = run(NTH_BIT, cache, copy)
    assert (before.stdout, before.stderr) == ("3\n", LINE)
    tiling = copy / "rules" / "tiling.py"
    source = tiling.read_text(encoding="utf-8")
    tiling.write_text(
        source + "\n\n@compiled\ndef lowest_bit(bits: int) -> int:\n    return bits + 1000\n", encoding="utf-8"
    )
    after = run(NTH_BIT, cache, copy)
    assert (after.stdout, after.stderr) == ("1008\n", LINE)
    tiling.write_text(source, encoding="utf-8")
    assert run(NTH_BIT, cache, copy).stdout == "3\n"


def test_code_for_a_type_that_an_update_took_away_is_compiled_anew(copy: Path, tmp_path: Path) -> None:
    code = "from azulejos.search import cache; cache.clear(cache.{}.empty()); print('cleared')"
    assert run(code.format("EvaluationCache"), tmp_path / "cache", copy).stdout == "cleared\n"
    module = copy / "search" / "cache.py"
    module.write_text(module.read_text().replace("EvaluationCache", "Renamed"))
    after = run(code.format("Renamed"), tmp_path / "cache", copy)
    assert (after.stdout, after.stderr) == ("cleared\n", LINE)


def test_two_copies_of_the_package_do_not_disturb_each_other(copy: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    change(copy / "rules" / "supply.py", "MIX_1: Final = 0xBF58476D1CE4E5B9", "MIX_1: Final = 1")
    assert run(MIX, cache).stdout.split()[0] == MIX_OF_1
    assert run(MIX, cache, copy).stdout.split()[0] != MIX_OF_1
    third = run(MIX, cache)
    assert third.stdout.split() == [MIX_OF_1, "1", "0"]


def test_the_stamp_changes_with_every_source_of_the_rules_and_with_no_other(copy: Path, tmp_path: Path) -> None:
    def stamps() -> list[str]:
        """Of each folder with compiled functions; all of them contain code of the rules."""
        return run(STAMPS, tmp_path, copy).stdout.split()

    original = stamps()
    assert [len(stamp) for stamp in original] == [64] * len(compiled.COMPILED_FOLDERS)
    change(copy / "game" / "game.py", "class Outcome:", "class Outcome:  # changed")
    assert stamps() == original
    change(copy / "rules" / "state.py", "PENALTY: Final = (0, 1, 2, 4, 6, 8, 11, 14)", "PENALTY: Final = (0,) * 8")
    changed = stamps()
    assert not set(changed) & set(original)
    (copy / "rules" / "another.py").write_text("")
    assert not set(stamps()) & set(changed)


def test_every_compiled_function_is_stamped_with_all_the_code_it_may_contain() -> None:
    """It stands in a stamped folder, or in the only compiled file of another one: a stamp includes its own file."""
    stamped = {PACKAGE / folder for folder in compiled.COMPILED_FOLDERS}
    users = [
        path for path in PACKAGE.rglob("*.py") if "@compiled" in path.read_text() or "@threaded" in path.read_text()
    ]
    assert len(users) > 5
    elsewhere = [path.parent for path in users if path.parent not in stamped]
    assert len(elsewhere) == len(set(elsewhere))


@pytest.mark.parametrize("below", ["", "cache"], ids=["a file", "below a file"])
def test_without_a_folder_to_write_to_everything_still_works(below: str, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    done = run(MIX, file / below)
    assert done.stdout.split() == [MIX_OF_1, "0", "1"]
    assert done.stderr == LINE


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="this user may write everywhere")
def test_a_folder_that_must_not_be_written_to_is_not_needed(tmp_path: Path) -> None:
    (tmp_path / "compiled").mkdir(mode=0o500)
    assert run(MIX, tmp_path).stdout.split() == [MIX_OF_1, "0", "1"]
