"""The trainer from nothing: it learns, it is killed and goes on; needs PyTorch and a minute or two."""

from __future__ import annotations

import contextlib
import functools
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch", reason="the trainer needs PyTorch: pip install 'azulejos[train]'")

import torch

from azulejos import Game
from azulejos.arena.match import MatchPlan, play_match
from azulejos.arena.running import Setting
from azulejos.arena.workers import hired
from azulejos.net.arithmetic import NOT_ASKED
from azulejos.net.choice import read_card
from azulejos.net.features import FEATURES, write_features
from azulejos.net.inference import Inference, read_weights
from azulejos.training import selfplay_cpu
from azulejos.training import trainer as trainer_module
from azulejos.training.cards import Interval, Networks
from azulejos.training.checkpoint import Progress, load_checkpoint, save_checkpoint
from azulejos.training.learner import Learner
from azulejos.training.losses import SampleBatch, Symmetries, batch_of
from azulejos.training.network import outcomes, read_shape, save
from azulejos.training.plan import Shape, TrainingPlan
from azulejos.training.policy_scale import PolicyScale
from azulejos.training.pool import TaskPool
from azulejos.training.run_folder import FolderError, Journal, RunFolder
from azulejos.training.selfplay_cpu import PooledSelfPlay
from azulejos.training.silence import silence_file
from azulejos.training.trainer import Trainer, pick_device, train
from tests.patience import PATIENCE
from tests.training.networks import SHAPE, SMALL
from tests.training.test_replay import some_samples

COMMAND = "from azulejos.cli.app import app; app()"
TINY = "--width 32 --blocks 1 --simulations 16 --slots 32 --batch 256 --candidate-steps 100 --reuse 6 --workers 1"
GATE = "--gate-games 12 --gate-nodes 12 --save-seconds 3 --device cpu"
CPU = torch.device("cpu")

Start = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def start() -> Iterator[Start]:
    """Starts the command; it does not outlive the test, nor do its processes, which end with it."""
    begun = []

    def begin(out: Path, minutes: float, **more: Any) -> subprocess.Popen[str]:
        words = [sys.executable, "-c", COMMAND, "train", "--out", str(out), "--minutes", str(minutes)]
        pipe = subprocess.PIPE
        told = [*words, *TINY.split(), *GATE.split()]
        begun.append(subprocess.Popen(told, stdout=pipe, stderr=pipe, text=True, **more))
        return begun[-1]

    yield begin
    for process in begun:
        if process.poll() is None:
            process.kill()
        process.communicate()


def wait_until(condition: Callable[[], object]) -> None:
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, "waited too long"
        time.sleep(0.1)


def steps(out: Path) -> int:
    """The gradient steps in the checkpoint of a run, 0 if there is none."""
    path = out / "checkpoint.pt"
    return int(torch.load(path, weights_only=True)["learner"]["steps"]) if path.exists() else 0


def children(parent: int) -> list[Path]:
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if f"PPid:\t{parent}\n" in (entry / "status").read_text():
                found.append(entry)
        except OSError:
            continue
    return found


def kill_everything(out: Path, process: subprocess.Popen[str], after: int) -> int:
    """Kill first a worker and then the trainer; returns the steps that are left."""
    wait_until(lambda: steps(out) > after or process.poll() is not None)
    assert process.poll() is None, process.communicate()
    restarts = len([line for line in Journal(out).lines() if line["kind"] == "restart"])
    os.kill(max(int(entry.name) for entry in children(process.pid)), signal.SIGKILL)
    wait_until(lambda: len([line for line in Journal(out).lines() if line["kind"] == "restart"]) > restarts)
    workers, seen = children(process.pid), steps(out)
    process.kill()
    process.wait()
    wait_until(lambda: not any(entry.exists() for entry in workers))
    assert steps(out) >= seen
    return seen


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="finds processes by /proc")
def test_killed_everywhere_it_still_learns(tmp_path: Path, start: Start) -> None:
    out, seen = tmp_path / "run", 0
    for _ in range(2):
        seen = kill_everything(out, start(out, 30), seen + 150)
    process = start(out, 30)
    wait_until(lambda: (steps(out) > seen + 150 and Networks(out).newest().steps > 200) or process.poll() is not None)
    process.terminate()
    _, said = process.communicate(timeout=PATIENCE)
    assert process.returncode != 0
    assert "the same command goes on" in said
    check_everything_is_whole(out)
    check_trained_beats_untrained(out)


def check_everything_is_whole(out: Path) -> None:
    networks = Networks(out)
    read_weights(out / "weights.npz")
    for card in networks.cards():
        read_weights(networks.weights(card.network))
        assert card.shape.width == 32
        if card.accepted and card.steps:
            assert card.gate is not None
            assert card.gate.score.value >= card.gate.threshold
            assert card.games > 0
            assert card.minutes > 0
    assert not list(out.rglob(".*.new"))
    assert [line for line in Journal(out).lines() if line["kind"] == "warning"] == []


def check_trained_beats_untrained(out: Path) -> None:
    specs = [f"net:weights={path},nodes=16" for path in (out / "weights.npz", out / "networks" / "0000000.npz")]
    result = play_match(MatchPlan((specs[0], specs[1]), games=60), Setting(workers=0))
    assert result.contestants[0].score.low > 0.5, result.json()


def test_a_full_disk_is_told_and_nothing_half_written_stays(tmp_path: Path, start: Start) -> None:
    def hardly_any_room() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))

    process = start(tmp_path / "run", 30, preexec_fn=hardly_any_room)
    _, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == 1, said
    assert "azulejos: the disk of " in said
    assert not list((tmp_path / "run").rglob(".*.new"))


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Several threads for steps this small only wait for each other; and slices of self-play are short."""
    torch.set_num_threads(1)
    monkeypatch.setattr(selfplay_cpu, "SLICE_SECONDS", 0.3)


def small_learner(**options: Any) -> Learner:
    plan = TrainingPlan(**{"batch": 64, "reuse": 64.0, **options})
    return Learner(Shape(**SHAPE), plan, CPU, seed=1)


def sampling(count: int = 300) -> Callable[[int], SampleBatch]:
    """Draws from so many samples in which the first seat wins by five."""
    samples = some_samples(count)
    samples["win"], samples["margin"] = [1, 0, -1, -1], [5, -5, 0, 0]
    samples["policy"][:, 100:] = -1
    samples["policy"][:, :100] /= samples["policy"][:, :100].sum(1, keepdims=True)
    random, show = np.random.default_rng(1), Symmetries(CPU, 1)
    return lambda size: batch_of(show, CPU, samples[random.integers(count, size=size)])


def learn(learner: Learner, count: int) -> None:
    draw = sampling()
    for _ in range(count):
        learner.learn(draw, 1, 0.5)  # one position, and each is learned from as often as a batch has places


def test_the_learner_goes_on_exactly_where_it_was(tmp_path: Path) -> None:
    learner, again = small_learner(), small_learner()
    learn(learner, 4)
    save_checkpoint(tmp_path / "checkpoint.pt", learner, Progress(5, 300, 1.5))
    assert load_checkpoint(tmp_path / "checkpoint.pt", again) == Progress(5, 300, 1.5)
    assert (again.steps, again.losses) == (learner.steps, learner.losses)
    for each in (learner, again):
        learn(each, 2)
    for name, value in learner.network.state_dict().items():
        assert (again.network.state_dict()[name] == value).all()
        assert (again.average[name] == learner.average[name]).all()


def test_a_broken_checkpoint_is_refused_by_name(tmp_path: Path) -> None:
    path = tmp_path / "checkpoint.pt"
    save_checkpoint(path, small_learner(), Progress())
    path.write_bytes(path.read_bytes()[:1000])
    with pytest.raises(ValueError, match=r"cannot read '.*checkpoint\.pt' as a checkpoint"):
        load_checkpoint(path, small_learner())


def test_no_position_is_learned_from_more_often_than_told() -> None:
    learner = small_learner(reuse=2.0)
    for _ in range(3):
        learner.learn(sampling(), 100, 0.5)
    assert learner.steps == 9, "600 / 64, rounded down"
    assert not learner.busy


def test_losses_fall_and_the_file_is_what_was_learned(tmp_path: Path) -> None:
    learner = small_learner(rate=0.003)
    learn(learner, 5)
    assert learner.losses is not None
    first = learner.losses["win"]
    learn(learner, 250)
    assert learner.losses["win"] < 0.5 * first
    network = learner.averaged()
    save(network, tmp_path / "weights.npz", games=5, minutes=0.1, mix="2std")
    features = np.zeros((8, FEATURES), np.int8)
    for at in range(8):
        write_features(Game(4, seed=at).states[0], features[at])
    answers = Inference(read_weights(tmp_path / "weights.npz"), 4, 8)(features)
    x = torch.from_numpy(features).float() * network.scale
    with torch.no_grad():
        logits, win, margins = network(x)
        expected = outcomes(x, win, margins).numpy()
    asked = answers.logits > NOT_ASKED / 2
    assert asked.any(1).all()
    assert np.abs(answers.logits - logits.numpy())[asked].max() < 0.05, "eight significant bits in the file"
    assert np.abs(answers.outcome[:, 0] - expected[:, 0]).max() < 0.01


@contextlib.contextmanager
def run_here(path: Path, begin: Path | None = None, **options: Any) -> Iterator[Trainer]:
    """A run in this process; it plays, learns and judges when it is asked to."""
    small = {"batch": 32, "candidate_steps": 20, "gate_games": 2, "gate_nodes": 2, "replay": 2000}
    run = RunFolder(path, {**SHAPE, **SMALL, **small, **options})
    with run.locked(), hired(0) as workers:
        trainer = Trainer(run, run.plan(cuda=False), CPU, TaskPool(workers, print), begin)
        yield trainer
        trainer.save()
        trainer.close()


def train_until(trainer: Trainer, condition: Callable[[], object]) -> None:
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, "waited too long"
        trainer.turn(0.5)


def test_networks_are_saved_judged_and_played(tmp_path: Path) -> None:
    out = tmp_path / "run"
    with run_here(out, threshold=0.01) as trainer:
        networks = trainer.networks
        train_until(trainer, lambda: networks.newest().steps)  # a threshold that everybody reaches
        card = networks.newest()
        assert card.gate is not None
        assert (card.parent, card.steps, card.losses is None) == ("0000000", int(card.network), False)
        assert (out / "weights.npz").read_bytes() == networks.weights(card.network).read_bytes()
        assert isinstance(trainer.play, PooledSelfPlay)
        assert trainer.play._network == str(networks.weights(card.network))
    with run_here(out) as again:
        assert again.progress == trainer.progress
        assert again.learner.steps == trainer.learner.steps
        assert again.play.ready, "samples are there again"
        train_until(again, lambda: again.learner.steps > trainer.learner.steps)
    begins = [line for line in Journal(out).lines() if line["kind"] == "begin"]
    assert [line["plan"]["threshold"] for line in begins] == [0.01, 0.01], "it was remembered"


def test_a_run_ends_when_its_time_is_over_and_tells_where_it_stands(tmp_path: Path) -> None:
    told: list[Any] = []
    with run_here(tmp_path / "run") as trainer:
        began = time.monotonic()
        end = trainer.go(0.5, told.append)
        assert time.monotonic() - began >= 0.5
    assert told == [end]
    assert end["positions"] == trainer.progress.positions
    assert end["games"] == trainer.progress.games
    assert (end["network"], end["accepted"], end["rejected"]) == ("0000000", 1, 0)
    (line,) = (line for line in Journal(tmp_path / "run").lines() if line["kind"] == "progress")
    assert line["simulations_per_second"] > 0
    assert (tmp_path / "run" / "curves.png").read_bytes().startswith(b"\x89PNG")


def test_the_policy_is_scaled_when_the_time_is_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    measured = PolicyScale(0.5, 7, {1.0: Interval(0.2, 0.1, 0.3), 0.5: Interval(0.1, 0.0, 0.2)})
    monkeypatch.setattr(trainer_module, "measure", lambda *_: measured)
    monkeypatch.setattr(trainer_module.signal, "signal", lambda *_: None)  # which would stay so for all tests
    run = RunFolder(tmp_path / "run", {**SHAPE, **SMALL, "gate_games": 0, "scale_games": 3})
    monkeypatch.setattr(trainer_module, "silence_file", functools.partial(silence_file, count=64))
    end = train(run, 1e-9, None, None, lambda _: None)
    assert end["policy_scale"] == 0.5
    assert read_card(run.path / "weights.npz").policy_scale == 0.5
    first, last = (read_weights(path) for path in (Networks(run.path).weights("0000000"), run.path / "weights.npz"))
    assert np.allclose(last["drafts.weight"], 0.5 * first["drafts.weight"], rtol=0.01)
    assert (last["outcome.weight"] == first["outcome.weight"]).all()
    assert end["awake"].keys() == {"entry", *map(str, range(run.shape.blocks))}
    (line,) = (line for line in Journal(run.path).lines() if line["kind"] == "scale")
    assert (line["scale"], line["positions"], line["losses"]["0.5"]["value"]) == (0.5, 7, 0.1)


def test_without_a_gate_the_newest_plays_and_with_a_teacher_never(tmp_path: Path) -> None:
    players = []
    teacher = tmp_path / "one" / "networks" / "0000000.npz"
    runs: dict[str, dict[str, Any]] = {"one": {}, "two": {"teacher": str(teacher), "width": 8}}
    for name, options in runs.items():
        with run_here(tmp_path / name, gate_games=0, **options) as trainer:
            train_until(trainer, lambda networks=trainer.networks: networks.newest().steps)  # type: ignore[misc]
            assert trainer.networks.newest().gate is None
            assert isinstance(trainer.play, PooledSelfPlay)
            players.append(trainer.play._network)
    assert players[0] != str(teacher)
    assert players[1] == str(teacher)
    assert read_shape(tmp_path / "two" / "weights.npz").width == 8


def test_a_run_can_begin_with_weights_or_a_checkpoint(tmp_path: Path) -> None:
    with run_here(tmp_path / "one", gate_games=0) as one:
        train_until(one, lambda: one.learner.steps > 5)
    weights, checkpoint = tmp_path / "one" / "weights.npz", tmp_path / "one" / "checkpoint.pt"
    with run_here(tmp_path / "two", weights, seed=5) as two:
        first = two.networks.newest()
    assert (first.network, first.parent, first.games) == ("0000000", "weights.npz", one.progress.games)
    there, here = (read_weights(path) for path in (weights, two.networks.weights(first.network)))
    assert all((there[name] == here[name]).all() for name in there)
    with run_here(tmp_path / "three", checkpoint) as three:
        assert three.networks.newest().steps == one.learner.steps


def test_files_that_do_not_fit_are_refused_before_anything_is_written(tmp_path: Path) -> None:
    with run_here(tmp_path / "one") as trainer:
        pass
    weights = tmp_path / "one" / "weights.npz"
    bad = tmp_path / "bad.npz"
    bad.write_bytes(weights.read_bytes()[:100])

    def refused(out: str, begin: Path | None, **given: Any) -> None:
        train(RunFolder(tmp_path / out, {"device": "cpu", **given}), 0.01, begin, None, print)

    with pytest.raises(ValueError, match="has a network of Shape"):
        refused("new", weights, width=24)
    with pytest.raises(ValueError, match=r"bad\.npz"):
        refused("new", bad, **SHAPE)
    with pytest.raises(ValueError, match=r"bad\.npz"):
        refused("new", None, teacher=str(bad))
    assert not (tmp_path / "new").exists()
    with pytest.raises(FolderError, match="has networks already"):
        refused("one", weights)
    trainer.networks.weights("0000000").write_bytes(b"cut short")
    with pytest.raises(ValueError, match=r"0000000\.npz' as weights"):
        refused("one", None)


def test_a_cuda_device_that_is_not_there_is_refused() -> None:
    if torch.cuda.is_available():
        pytest.skip("there is one")
    with pytest.raises(ValueError, match="no CUDA device here"):
        pick_device("cuda")
    assert pick_device("auto") == CPU
