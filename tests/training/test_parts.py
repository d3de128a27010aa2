"""Self-play and gate as real processes: they resume after SIGKILL, end with their starter, and find a full disk."""

from __future__ import annotations

import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from azulejos.training.cards import networks, read_card, write_card
from azulejos.training.folder import Journal, RunFolder
from azulejos.training.part import OUT_OF_ROOM, REFUSED
from azulejos.training.playing import play
from azulejos.training.shards import Shelf, read_shard
from tests.training.networks import add_network, small_run

PATIENCE = 240.0
"""Seconds to wait for what takes a few on a machine that does nothing else."""

Start = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def start() -> Iterator[Start]:
    """Starts parts of a run; none outlives the test."""
    begun = []

    def begin(run: RunFolder, role: str, seconds: float = 600, **more: Any) -> subprocess.Popen[str]:
        words = [sys.executable, "-m", "azulejos.training.part", role, str(run.path)]
        words += ["--until", str(time.time() + seconds)]
        process = subprocess.Popen(words, stderr=subprocess.PIPE, text=True, **more)
        begun.append(process)
        return process

    yield begin
    for process in begun:
        if process.poll() is None:
            process.kill()
        process.communicate()


def wait_until(condition: Callable[[], object], seconds: float = PATIENCE) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited too long"
        time.sleep(0.02)


def test_self_play_killed_again_and_again_only_ever_adds(tmp_path: Path, start: Start) -> None:
    run = small_run(tmp_path / "run")
    seen = 0
    for moment in (0.0, 0.1, 0.25):
        process = start(run, "selfplay")
        wait_until(lambda seen=seen: Shelf(run.selfplay).totals().games > seen)  # type: ignore[misc]
        time.sleep(moment)
        process.send_signal(signal.SIGKILL)
        process.wait()
        totals = Shelf(run.selfplay).totals()
        assert totals.games > seen
        seen = totals.games
    for name in Shelf(run.selfplay).names():
        samples, origin = read_shard(run.selfplay / name)
        assert origin.network == "0000000"
        assert len(samples) > 20 * origin.games
    firsts = {read_shard(run.selfplay / name)[0].features[:50].tobytes() for name in Shelf(run.selfplay).names()}
    assert len(firsts) == len(Shelf(run.selfplay).names()), "no piece plays the games of an earlier one"


def test_at_its_end_self_play_writes_what_is_finished(tmp_path: Path) -> None:
    run = small_run(tmp_path / "run", shard_seconds=1000)
    moves = iter(range(150))
    play(run, 0, lambda: next(moves, None) is None, cuda=False)
    (name,) = Shelf(run.selfplay).names()
    samples, origin = read_shard(run.selfplay / name)
    assert 4 <= origin.games <= 16
    assert 30 * origin.games < len(samples) <= 150 * 4 + 20 * origin.games


def test_a_part_whose_time_is_over_ends(tmp_path: Path, start: Start) -> None:
    run = small_run(tmp_path / "run")
    for role in ("selfplay", "gate"):
        process = start(run, role, seconds=-1)
        _, said = process.communicate(timeout=PATIENCE)
        assert process.returncode == 0, said
    assert Shelf(run.selfplay).names() == []


def test_told_to_end_self_play_ends(tmp_path: Path, start: Start) -> None:
    run = small_run(tmp_path / "run")
    process = start(run, "selfplay", seconds=PATIENCE)
    wait_until(lambda: Shelf(run.selfplay).names())
    process.terminate()
    assert process.wait(PATIENCE) == 0


def test_self_play_goes_over_to_the_newest_accepted_network(tmp_path: Path, start: Start) -> None:
    run = small_run(tmp_path / "run")
    start(run, "selfplay")
    wait_until(lambda: Shelf(run.selfplay).names())
    add_network(run.accepted, "0000100", seed=1)
    lines = Journal(run.path).lines
    wait_until(lambda: any(line.get("network") == "0000100" for line in lines() if line["kind"] == "shard"))


def test_a_part_ends_when_its_starter_is_gone(tmp_path: Path) -> None:
    run = small_run(tmp_path / "run")
    words = ["-m", "azulejos.training.part", "selfplay", str(run.path), "--until", str(time.time() + 600)]
    starter = f"import subprocess, sys, time; subprocess.Popen([sys.executable, *{words!r}]); time.sleep(600)"
    process = subprocess.Popen([sys.executable, "-c", starter])
    wait_until(lambda: Shelf(run.selfplay).names())
    process.kill()
    process.wait()
    with run.locked("selfplay-0", patience=PATIENCE):  # free as soon as the part has ended
        pass


def test_a_part_whose_starter_is_gone_before_it_could_look_ends_at_once(tmp_path: Path) -> None:
    run = small_run(tmp_path / "run")
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    words = ["selfplay", str(run.path), "--until", str(time.time() + 600), "--parent", str(gone.pid)]
    subprocess.run([sys.executable, "-m", "azulejos.training.part", *words], check=True, timeout=PATIENCE)


def test_the_gate_killed_in_its_match_goes_on_with_it(tmp_path: Path, start: Start) -> None:
    run = small_run(tmp_path / "run", gate_games=30, gate_nodes=8)
    add_network(run.candidates, "0000100", seed=1)
    games = run.gate / "0000100" / "2std" / "games.jsonl"
    count = 0
    for _ in range(2):
        process = start(run, "gate")
        before = count
        wait_until(lambda before=before: games.exists() and games.read_bytes().count(b"\n") > before)  # type: ignore[misc]
        process.send_signal(signal.SIGKILL)
        process.wait()
        kept = games.read_bytes()
        count = kept.count(b"\n")
    start(run, "gate")
    wait_until(lambda: not networks(run.candidates))
    assert games.read_bytes().startswith(kept[: kept.rfind(b"\n") + 1])
    (judged,) = [*networks(run.rejected), *networks(run.accepted)[1:]]
    assert read_card(judged)["gate"]["games"] == 30


def test_the_gate_finishes_a_move_that_was_cut_short_and_passes_over_old_candidates(
    tmp_path: Path, start: Start
) -> None:
    run = small_run(tmp_path / "run", gate_games=2, gate_nodes=2)
    judged = add_network(run.candidates, "0000100")
    write_card(judged, read_card(judged) | {"gate": {"accepted": True}})
    for name in ("0000200", "0000300", "0000400"):
        add_network(run.candidates, name, seed=int(name))
    start(run, "gate")
    wait_until(lambda: not networks(run.candidates))
    assert (run.accepted / "0000100").exists()
    skipped = read_card(run.rejected / "0000200")["gate"]
    assert skipped == {"accepted": False, "skipped": "0000400 was ready first"}
    decided = [path for place in (run.accepted, run.rejected) for path in networks(place) if path.name == "0000400"]
    assert read_card(decided[0])["gate"]["opponent"] == "0000100"


def test_a_full_disk_is_told_and_nothing_half_written_stays(tmp_path: Path, start: Start) -> None:
    run = small_run(tmp_path / "run")

    def hardly_any_room() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (4000, 4000))

    process = start(run, "selfplay", preexec_fn=hardly_any_room)
    _, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == OUT_OF_ROOM, said
    assert "azulejos: selfplay: no room left: " in said
    assert list(run.selfplay.iterdir()) == []


def test_a_foreign_folder_is_refused_in_one_line(tmp_path: Path, start: Start) -> None:
    run = small_run(tmp_path / "run")
    (run.path / "run.json").write_text("{}")
    process = start(run, "gate")
    _, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == REFUSED
    assert said.count("\n") == 1
    assert "another version" in said


def test_weights_that_were_cut_short_are_refused_by_name(tmp_path: Path, start: Start) -> None:
    run = small_run(tmp_path / "run")
    file = run.accepted / "0000000" / "weights.npz"
    file.write_bytes(file.read_bytes()[:1000])
    process = start(run, "selfplay")
    _, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == REFUSED
    assert "weights.npz' as weights" in said
