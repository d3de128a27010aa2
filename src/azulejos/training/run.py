"""A time-boxed run on one CUDA device: self-play and learning in turns, everything needed to go on at the end.

    python -m azulejos.training.run --minutes 9 --out runs/two --mix 2std

writes `run.pt` (to resume from), `weights.npz` (to play with) and `log.jsonl` into the folder, every so often.
"""

from __future__ import annotations

import argparse
import io
import json
import math
import time
from pathlib import Path
from typing import Any, Final

import torch

from azulejos.training.learner import losses, total
from azulejos.training.model import Network, Shape, load, read_network, save
from azulejos.training.processor import MIXES
from azulejos.training.selfplay import Plan, SelfPlay
from azulejos.training.whole import write_whole

SYNC_STEPS: Final = 8
"""After so many steps the host waits for the device."""
NEWS_SECONDS: Final = 15
"""How often news are told."""
SAVE_SECONDS: Final = 90
"""How often everything is saved."""
AVERAGING: Final = 0.02
"""How fast the weights that are saved follow those that learn."""


class Run:
    """Self-play, a learner, and the clock."""

    def __init__(self, args: argparse.Namespace) -> None:
        self.args = args
        """The options."""
        torch.manual_seed(args.seed)
        self.network = Network(Shape(args.width, args.blocks, args.source, args.policy)).cuda()
        """What learns."""
        self.optimizer = torch.optim.AdamW(self.network.parameters(), lr=args.rate, weight_decay=1e-4, fused=True)
        """What changes it."""
        self.games = self.steps = 0
        """Games finished in this run and those before, and steps of this run alone."""
        self.minutes = 0.0
        """Of the runs before this one."""
        self.learning = False
        """Whether there are samples enough."""
        if args.resume and args.resume.suffix == ".npz":
            card = load(self.network, args.resume)
            self.games, self.minutes = int(card["games"]), float(card["minutes"])
        elif args.resume:
            saved = torch.load(args.resume, map_location="cuda", weights_only=True)
            self.network.load_state_dict(saved["network"])
            self.optimizer.load_state_dict(saved["optimizer"])
            self.games, self.minutes = saved["games"], saved["minutes"]
        plan = Plan(
            slots=args.slots,
            simulations=args.simulations,
            mix=MIXES[args.mix],
            temperature=args.temperature,
            late_temperature=args.late_temperature,
            reduction=args.reduction,
            softness=args.softness,
            candidates=args.candidates,
            value_scale=args.value_scale,
            visit_offset=args.visit_offset,
            seed=args.seed + self.games,
        )
        self.play = SelfPlay(read_network(args.teacher).cuda() if args.teacher else self.network, plan)
        """The games; a teacher plays them as it is, and another network learns from them."""
        self.average = {name: value.clone() for name, value in self.network.state_dict().items()}
        """The weights that are saved to play with."""
        self.recent = torch.zeros(3, device="cuda")
        """The losses, averaged over the last steps."""
        args.out.mkdir(parents=True, exist_ok=True)
        self.log = (args.out / "log.jsonl").open("a")
        """What was told, a line of JSON each."""

    def go(self) -> None:
        """Play and learn until the time is up, then save."""
        self.play.step()  # compiles and captures before the clock starts
        started = told = saved = time.monotonic()
        while (passed := time.monotonic() - started) < 60 * self.args.minutes:
            self._set_rate(passed / (60 * self.args.minutes))
            self.play.step()
            self.steps += 1
            if self.learning:
                self._learn()
            if self.steps % SYNC_STEPS == 0:  # or the host runs minutes ahead of the device
                self.learning = self.learning or int(self.play.tally[0]) > self.args.slots // 8
            if time.monotonic() - told > NEWS_SECONDS:
                told = time.monotonic()
                self._tell(passed)
            if time.monotonic() - saved > SAVE_SECONDS:
                saved = time.monotonic()
                self._save(passed)
        torch.cuda.synchronize()
        self._tell(time.monotonic() - started)
        self._save(time.monotonic() - started)

    def _set_rate(self, share: float) -> None:
        high, low = self.args.rate, self.args.final_rate
        rate = low + (high - low) * 0.5 * (1 + math.cos(math.pi * share))
        if not self.args.resume:
            rate *= min(1.0, (self.steps + 1) / 200)
        for group in self.optimizer.param_groups:
            group["lr"] = rate

    def _learn(self) -> None:
        for _ in range(self.args.updates):
            parts = losses(self.network, *self.play.sample(self.args.batch), self.args.trust)
            self.optimizer.zero_grad(set_to_none=True)
            total(parts).backward()
            torch.nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
            self.optimizer.step()
            self.recent = 0.99 * self.recent + 0.01 * torch.stack([part.detach() for part in parts])
        with torch.no_grad():
            for name, value in self.network.state_dict().items():
                self.average[name].lerp_(value, AVERAGING)

    def _tell(self, passed: float) -> None:
        games, rounds, score, seats = self.play.tally.tolist()[:4]
        self.play.tally.zero_()
        self.games += games
        simulations = self.steps * self.args.slots * self.args.simulations / passed
        news: dict[str, Any] = {
            "seconds": round(passed),
            "steps": self.steps,
            "games": self.games,
            "simulations_per_second": round(simulations),
            "rounds": round(rounds / max(1, games), 2),
            "score": round(score / max(1, seats), 1),
            "losses": [round(value, 4) for value in self.recent.tolist()],
            "rate": round(self.optimizer.param_groups[0]["lr"], 6),
        }
        print(json.dumps(news), flush=True)
        print(json.dumps(news), file=self.log, flush=True)

    def _save(self, passed: float) -> None:
        minutes = self.minutes + passed / 60
        state = {
            "network": self.network.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "games": self.games,
            "minutes": minutes,
        }
        kept = io.BytesIO()
        torch.save(state, kept)
        write_whole(self.args.out / "run.pt", kept.getbuffer())
        average = Network(self.network.shape)
        average.load_state_dict(self.average)
        made_by = {"games": self.games, "minutes": round(minutes, 1), "mix": self.args.mix}
        fresh = self.args.out / "fresh.npz"
        save(average, str(fresh), **made_by)
        fresh.replace(self.args.out / "weights.npz")


def main() -> None:
    """Read the options and run."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=1)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--resume", type=Path, help="run.pt of an earlier run, or any weights.npz")
    parser.add_argument("--mix", choices=sorted(MIXES), default="2std")
    parser.add_argument("--slots", type=int, default=Plan.slots, help="games side by side")
    parser.add_argument("--simulations", type=int, default=Plan.simulations, help="for each move")
    parser.add_argument("--rate", type=float, default=1e-3, help="learning rate at the beginning")
    parser.add_argument("--final-rate", type=float, default=1e-4)
    parser.add_argument("--batch", type=int, default=16384)
    parser.add_argument("--updates", type=int, default=4, help="gradient steps after each move of all games")
    parser.add_argument("--temperature", type=float, default=Plan.temperature, help="in the first moves of a round")
    parser.add_argument("--late-temperature", type=float, default=Plan.late_temperature)
    worse = "how much worse untried moves are taken to be"
    parser.add_argument("--reduction", type=float, default=Plan.reduction, help=worse)
    parser.add_argument("--softness", type=float, default=Plan.softness, help="temperature of the root's priors")
    parser.add_argument("--candidates", type=int, default=Plan.candidates, help="moves of the root that are compared")
    counts = "what values of the root's moves count beside their log priors, times their visits and the offset"
    parser.add_argument("--value-scale", type=float, default=Plan.value_scale, help=counts)
    parser.add_argument("--visit-offset", type=float, default=Plan.visit_offset)
    parser.add_argument("--trust", type=float, default=0.25, help="share of the search's own value in the target")
    parser.add_argument("--teacher", type=Path, help="weights.npz of a network of any size that plays the games")
    parser.add_argument("--width", type=int, default=Shape.width)
    parser.add_argument("--blocks", type=int, default=Shape.blocks)
    parser.add_argument("--source", type=int, default=Shape.source)
    parser.add_argument("--policy", type=int, default=Shape.policy)
    parser.add_argument("--seed", type=int, default=Plan.seed)
    Run(parser.parse_args()).go()


if __name__ == "__main__":
    main()
