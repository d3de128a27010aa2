"""The whole loop from nothing, its processes killed one after the other; needs PyTorch and a minute or two."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch", reason="the learner needs PyTorch: pip install 'azulejos[train]'")

import torch

from azulejos import Game
from azulejos.arena.match import MatchPlan, play_match
from azulejos.arena.running import Setting
from azulejos.net.arithmetic import NOT_ASKED
from azulejos.net.features import FEATURES, write_features
from azulejos.net.inference import Inference, read_weights
from azulejos.training.cards import networks, newest_accepted, read_card
from azulejos.training.folder import Journal, RunFolder
from azulejos.training.learning import Learner, begin_run, make_network
from azulejos.training.loop import Loop, TrainingFailed, Wish, open_run, standing
from azulejos.training.model import outcomes
from azulejos.training.shards import Origin, Shelf, read_shard
from tests.training.test_shards import some_samples

COMMAND = "from azulejos.cli.app import app; app()"
SMALL = "--width 32 --blocks 1 --simulations 16 --slots 32 --batch 256 --candidate-steps 100 --reuse 6 --workers 1"
GATE = "--gate-games 12 --gate-nodes 12 --shard-seconds 2 --device cpu"

PATIENCE = 300.0

Start = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def start() -> Iterator[Start]:
    """Starts the command; it does not outlive the test, nor do its processes, which end with it."""
    begun = []

    def begin(out: Path, minutes: float, *words: str) -> subprocess.Popen[str]:
        told = [*f"--minutes {minutes} {SMALL} {GATE}".split(), *words]
        process = subprocess.Popen(
            [sys.executable, "-c", COMMAND, "train", "--out", str(out), *told],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        begun.append(process)
        return process

    yield begin
    for process in begun:
        if process.poll() is None:
            process.kill()
        process.communicate()


def parts(parent: int) -> dict[str, int]:
    """Roles and process numbers of a command's processes."""
    found = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                words = (entry / "cmdline").read_bytes().split(b"\0")
                status = (entry / "status").read_text()
            except OSError:
                continue
            if b"azulejos.training.part" in words and f"PPid:\t{parent}\n" in status:
                found[words[words.index(b"azulejos.training.part") + 1].decode()] = int(entry.name)
    return found


class Counts:
    """What must never go backwards."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._last: dict[str, int] = {}

    def look(self) -> dict[str, Any]:
        now = standing(RunFolder.open(self._path))
        counted = {name: int(now[name]) for name in ("games", "positions", "steps", "accepted", "rejected", "network")}
        for name, value in counted.items():
            assert value >= self._last.get(name, 0), f"{name} went backwards"
        self._last = counted
        return now

    def wait_for(self, condition: Callable[[dict[str, Any]], object], seconds: float = PATIENCE) -> None:
        end = time.monotonic() + seconds
        while not condition(self.look()):
            assert time.monotonic() < end, f"waited too long: {self._last}"
            time.sleep(0.2)


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="finds processes by /proc")
def test_killed_everywhere_it_still_learns(tmp_path: Path, start: Start) -> None:
    out = tmp_path / "run"
    process = start(out, 30)
    deadline = time.monotonic() + PATIENCE
    while not (out / "accepted" / "0000000" / "card.json").exists():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.1)
    counts = Counts(out)
    counts.wait_for(lambda now: now["games"] > 0)
    os.kill(parts(process.pid)["selfplay"], signal.SIGKILL)
    counts.wait_for(lambda now: now["candidates"] or now["accepted"] > 1)
    killed = {"selfplay": 1}
    for number, role in enumerate(("learner", "gate", "selfplay", "gate", "learner")):
        steps = counts.look()["steps"]
        time.sleep(0.7 * number)
        pid = parts(process.pid).get(role)
        if pid:
            os.kill(pid, signal.SIGKILL)
            killed[role] = killed.get(role, 0) + 1
        counts.wait_for(lambda now, steps=steps: now["steps"] > steps)  # type: ignore[misc]
    process.kill()  # the loop itself; its processes end without it
    process.wait()
    restarts = [line["role"] for line in Journal(out).lines() if line["kind"] == "restart"]
    assert sorted(restarts) == sorted(role for role, count in killed.items() for _ in range(count))
    before = counts.look()
    process = start(out, 0.5)
    said, complaint = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, complaint
    assert "the same command goes on" in said
    after = counts.look()
    assert after["games"] > before["games"]
    assert after["steps"] > before["steps"]
    check_everything_is_whole(out)
    check_trained_beats_untrained(RunFolder.open(out))


@pytest.mark.parametrize(
    ("code", "reason"),
    [(3, "selfplay 0 died 5 times"), (28, "the disk of '.*run' is full"), (2, "selfplay 0 could not go on")],
)
def test_a_process_that_cannot_live_ends_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int, reason: str
) -> None:
    run = small_learner(tmp_path / "run").run
    loop = Loop(run, 1, None, lambda _: None, cuda=False)

    def begin(role: tuple[str, int]) -> None:
        words = "import time; time.sleep(100)" if role[0] != "selfplay" else f"raise SystemExit({code})"
        loop._started[role] = time.monotonic()
        loop._parts[role] = subprocess.Popen([sys.executable, "-c", words])

    monkeypatch.setattr(loop, "_start", begin)
    with pytest.raises(TrainingFailed, match=reason):
        loop.go()
    assert all(part.poll() is not None for part in loop._parts.values()), "the others have been ended too"


def check_everything_is_whole(out: Path) -> None:
    run = RunFolder.open(out)
    for name in Shelf(run.selfplay).names():
        read_shard(run.selfplay / name)
    assert not (run.selfplay / "set-aside").exists()
    for place in (run.accepted, run.rejected, run.candidates):
        for folder in networks(place):
            read_weights(folder / "weights.npz")
            card = read_card(folder)
            assert card["features_version"] == 1
            assert card["shape"]["width"] == 32
            if place == run.accepted and folder.name != "0000000":
                assert card["gate"]["score"]["value"] >= card["gate"]["threshold"]
                assert card["rating"]["low"] < card["rating"]["elo"] < card["rating"]["high"]
                assert card["games"] > 0
                assert card["selfplay_minutes"] > 0
    assert (out / "curves.png").read_bytes().startswith(b"\x89PNG")
    assert not [path for path in out.rglob(".*.new") if path.parent != run.selfplay]


def check_trained_beats_untrained(run: RunFolder) -> None:
    specs = [f"net:weights={at}/weights.npz,nodes=16" for at in (newest_accepted(run), run.accepted / "0000000")]
    result = play_match(MatchPlan((specs[0], specs[1]), games=60), Setting(workers=1))
    assert result.contestants[0].score.low > 0.5, result.json()


@pytest.fixture(autouse=True)
def one_thread() -> None:
    """Several threads for steps this small only wait for each other."""
    torch.set_num_threads(1)


def small_learner(path: Path, **options: Any) -> Learner:
    given = {"device": "cpu", "batch": 64, "candidate_steps": 3, "reuse": 100.0, **options}
    run = open_run(Wish(path, width=16, blocks=1, options=given))
    if not networks(run.accepted):
        begin_run(run)
    return Learner(run)


def add_shard(learner: Learner, count: int = 300) -> None:
    samples = some_samples(count)
    samples.win[:] = [1, 0, -1, -1]
    samples.margin[:] = [5, -5, 0, 0]
    samples.policy[:, 100:] = -1
    samples.policy[:, :100] /= samples.policy[:, :100].sum(1, keepdims=True)
    learner.shelf.add(samples, Origin("0000000", 5, count, 1.0, "test", 16), "w0")


def learn(learner: Learner, steps: int) -> None:
    end = learner.steps + steps
    learner.learn(lambda: learner.steps >= end, lambda: 0.5)


def test_the_learner_goes_on_exactly_where_it_was(tmp_path: Path) -> None:
    learner = small_learner(tmp_path / "run")
    add_shard(learner)
    learn(learner, 4)
    again = small_learner(tmp_path / "run")
    assert (again.steps, again.drawn) == (4, 256)
    for name, value in learner.network.state_dict().items():
        assert (again.network.state_dict()[name] == value).all()
        assert (again.average[name] == learner.average[name]).all()
    (tmp_path / "run" / "learner" / "state.pt").unlink()  # as if it had been killed just behind the candidate
    assert small_learner(tmp_path / "run").steps == 3
    learn(again, 2)
    assert [path.name for path in networks(again.run.candidates)] == ["0000003", "0000006"]


def test_a_truncated_shard_is_set_aside_with_a_warning(tmp_path: Path) -> None:
    learner = small_learner(tmp_path / "run")
    add_shard(learner)
    add_shard(learner)
    broken = learner.run.selfplay / "0000001-w0.npz"
    broken.write_bytes(broken.read_bytes()[:500])
    learn(learner, 1)
    assert learner.window.size == 300
    assert (learner.run.selfplay / "set-aside" / "0000001-w0.npz").stat().st_size == 500
    (warning,) = [line for line in Journal(learner.run.path).lines() if line["kind"] == "warning"]
    assert "0000001-w0.npz' as a shard" in warning["what"]
    assert "it is now 'selfplay/set-aside/0000001-w0.npz'" in warning["what"]


def test_no_position_is_learned_from_more_often_than_told(tmp_path: Path) -> None:
    learner = small_learner(tmp_path / "run", reuse=2.0)
    add_shard(learner)
    asked = Counter[int]()

    def over() -> bool:
        asked[learner.steps] += 1
        return asked[learner.steps] > 10  # waits in vain for more

    learner.learn(over, lambda: 0.5)
    assert learner.steps == 10, "600 / 64, rounded up"


def test_a_broken_state_is_refused_by_name(tmp_path: Path) -> None:
    learner = small_learner(tmp_path / "run")
    add_shard(learner)
    learn(learner, 1)
    state = tmp_path / "run" / "learner" / "state.pt"
    state.write_bytes(state.read_bytes()[:1000])
    with pytest.raises(ValueError, match=r"cannot read '.*state\.pt' as the learner's state"):
        small_learner(tmp_path / "run")


def test_losses_fall_and_the_candidate_is_what_was_learned(tmp_path: Path) -> None:
    learner = small_learner(tmp_path / "run", candidate_steps=150, reuse=1000.0, rate=0.003)
    add_shard(learner)
    learn(learner, 5)
    first = learner.recent.copy()
    learn(learner, 145)
    assert learner.recent[1] < 0.5 * first[1]
    (folder,) = networks(learner.run.candidates)
    card = read_card(folder)
    assert (card["steps"], card["games"], card["positions"], card["parent"]) == (150, 5, 300, "0000000")
    features = np.zeros((8, FEATURES), np.int8)
    for at in range(8):
        write_features(Game(4, seed=at).states[0], features[at])
    network = make_network(learner.run)
    network.load_state_dict(learner.average)
    answers = Inference(read_weights(folder / "weights.npz"), 4, 8)(features)
    x = torch.from_numpy(features).float() * network.scale
    with torch.no_grad():
        logits, win, margins = network(x)
        expected = outcomes(x, win, margins).numpy()
    asked = answers.logits > NOT_ASKED / 2
    assert asked.any(1).all()
    assert np.abs(answers.logits - logits.numpy())[asked].max() < 0.05, "eight significant bits in the file"
    assert json.dumps(card)
    assert np.abs(answers.outcome[:, 0] - expected[:, 0]).max() < 0.01


def test_a_run_can_begin_with_weights(tmp_path: Path) -> None:
    learner = small_learner(tmp_path / "one")
    weights = newest_accepted(learner.run) / "weights.npz"
    run = open_run(Wish(tmp_path / "two", width=16, blocks=1, seed=5, start=weights))
    begin_run(run, weights)
    assert read_card(newest_accepted(run))["parent"] == "weights.npz"
    one, two = (read_weights(newest_accepted(each) / "weights.npz") for each in (learner.run, run))
    assert all((one[name] == two[name]).all() for name in one)
    with pytest.raises(ValueError, match="has a network of shape"):
        open_run(Wish(tmp_path / "three", width=24, blocks=1, start=weights))
    (tmp_path / "bad.npz").write_bytes(weights.read_bytes()[:100])
    with pytest.raises(ValueError, match=r"bad\.npz"):
        open_run(Wish(tmp_path / "three", width=16, start=tmp_path / "bad.npz"))
    assert not (tmp_path / "three").exists()


def test_a_cuda_device_that_is_not_there_is_refused(tmp_path: Path) -> None:
    if torch.cuda.is_available():
        pytest.skip("there is one")
    with pytest.raises(ValueError, match="no CUDA device here"):
        small_learner(tmp_path / "run", device="cuda")
