"""One process of a training run: `python -m azulejos.training.part ROLE FOLDER --until TIME`.

Each is safe to kill at any moment. It ends by itself when its time is over, when it is told to (SIGTERM), or when the
process that started it is gone.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from azulejos.training.cards import networks, read_card, settle
from azulejos.training.cluster import hire, joined_cluster, play_on_cluster
from azulejos.training.folder import Journal, RunFolder
from azulejos.training.gate import Stopped, play_gate, skipped
from azulejos.training.whole import out_of_room

ROLES: Final = ("selfplay", "learner", "gate")
"""The processes of a run."""
OUT_OF_ROOM: Final = 28
"""Exit code of a process that found the disk full."""
REFUSED: Final = 2
"""Exit code of a part that cannot work in this folder."""
IDLE_SECONDS: Final = 0.3
"""How long a part waits that has nothing to do."""
ORPHAN_SECONDS: Final = 15.0
"""A part whose loop has been gone for so long ends too."""


class Clock:
    """When to end."""

    def __init__(self, until: float, parent: int) -> None:
        self.began, self.until = time.time(), until
        self._told = False
        self._parent = parent
        self.listen()
        threading.Thread(target=self._leave_with_parent, daemon=True).start()

    def _leave_with_parent(self) -> None:
        """Whoever waits for something that will never come, a lost cluster for example, ends a little later."""
        while os.getppid() == self._parent:
            time.sleep(1.0)
        time.sleep(ORPHAN_SECONDS)
        os._exit(1)

    def listen(self) -> None:
        """From now on be told to end by SIGTERM; Ctrl-C is for the loop, which then tells its processes."""
        signal.signal(signal.SIGTERM, self._tell)
        signal.signal(signal.SIGINT, signal.SIG_IGN)

    def _tell(self, *_: object) -> None:
        self._told = True

    def over(self) -> bool:
        """Whether it is time to end."""
        return self._told or time.time() >= self.until or os.getppid() != self._parent

    def share(self) -> float:
        """How much of the time has passed."""
        return min(1.0, (time.time() - self.began) / max(1.0, self.until - self.began))


def main() -> None:
    """Run one process."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("role", choices=ROLES)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--until", type=float, required=True, help="seconds since 1970")
    parser.add_argument("--parent", type=int, help="process to end with; it may be gone before this one can ask")
    parser.add_argument("--number", type=int, default=0, help="of several with the same role")
    parser.add_argument("--cuda", action="store_true", help="self-play on a CUDA device")
    parser.add_argument("--ray", help="address of a Ray cluster")
    args = parser.parse_args()
    clock = Clock(args.until, args.parent or os.getppid())
    with _told_in_one_line(args.role):
        run = RunFolder.open(args.folder.resolve())
        with run.locked(f"{args.role}-{args.number}"), _joined(args, clock):
            _work(args, run, clock)


@contextlib.contextmanager
def _joined(args: argparse.Namespace, clock: Clock) -> Iterator[None]:
    with joined_cluster(None if args.role == "learner" else args.ray):
        clock.listen()  # Ray listens too, and would end the process at once
        yield


def _work(args: argparse.Namespace, run: RunFolder, clock: Clock) -> None:
    if args.role == "learner":
        from azulejos.training.learning import Learner  # noqa: PLC0415 - PyTorch is slow to load

        Learner(run).learn(clock.over, clock.share)
    elif args.role == "gate":
        keep_gate(run, clock, args.ray)
    elif args.ray:
        play_on_cluster(run, clock.over, clock.until)
    else:
        from azulejos.training.playing import play  # noqa: PLC0415

        play(run, args.number, clock.over, cuda=args.cuda)


@contextlib.contextmanager
def _told_in_one_line(role: str) -> Iterator[None]:
    try:
        yield
    except OSError as fault:
        if not out_of_room(fault):
            raise
        print(f"azulejos: {role}: no room left: {fault}", file=sys.stderr, flush=True)
        sys.exit(OUT_OF_ROOM)
    except ValueError as fault:
        print(f"azulejos: {role}: {' '.join(str(fault).split())}", file=sys.stderr, flush=True)
        sys.exit(REFUSED)


def keep_gate(run: RunFolder, clock: Clock, ray: str | None) -> None:
    """Let candidates meet the network that plays, the newest first, until the time is over."""
    os.chdir(run.path)  # players are named by paths in the folder, which may so be moved
    while not clock.over():
        candidates = networks(run.candidates)
        for folder in candidates:
            if read_card(folder)["gate"] is not None:
                settle(run, folder)  # the move was cut short
        waiting = [folder for folder in candidates if folder.exists()]
        if not waiting:
            time.sleep(IDLE_SECONDS)
            continue
        newest = _under_way(run, waiting) or waiting[-1]
        for folder in waiting:
            if folder < newest:
                skipped(folder, newest.name)
                settle(run, folder)
        with contextlib.suppress(Stopped):
            _decide(run, newest, clock, ray)


def _under_way(run: RunFolder, waiting: Sequence[Path]) -> Path | None:
    """A match that has begun is played to its end."""
    return next((folder for folder in waiting if (run.gate / folder.name).exists()), None)


def _decide(run: RunFolder, candidate: Path, clock: Clock, ray: str | None) -> None:
    result = play_gate(run, candidate, hire(run, ray), clock.over)
    card = read_card(candidate)
    settled = settle(run, candidate)
    Journal(run.path).add(
        "gate",
        network=candidate.name,
        opponent=result["opponent"],
        games=result["games"],
        score=result["score"],
        accepted=result["accepted"],
        rating=card["rating"],
        folder=f"{settled.parent.name}/{settled.name}",
    )


if __name__ == "__main__":
    main()
