"""How fast are the environments? Random legal actions, everything included that the table says.

    python benchmarks/environments.py                               on the processor
    python benchmarks/environments.py --device cuda --seconds 20    on a CUDA device; needs numba-cuda, no Gymnasium
    python benchmarks/environments.py --device cuda --threads 32 64 128     which size of a block is the fastest there

On a CUDA device the games are first compared with those of the processor, element by element; then torch and JAX,
where they are installed, read and write the same memory through DLPack.
"""

# ruff: noqa: PLC0415 - each figure needs a library of its own, and the device machine has few of them
from __future__ import annotations

import argparse
import json
import platform
import sys
import time
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numba
import numpy as np

from azulejos.envs.batch import Batch
from azulejos.rules.state import STATE

REPEATS = 25
"""The best of so many short measurements counts: other programs can only slow one down."""
LATE = (
    "std Y2RW/-/-/-/- B2YR2K2 0:-/B/K3/B/B:BY2W/2Y2/2BY1/RKW2/1RK2:- 0:-/-/-/K/W5:BY1KW/WBYR1/1W3/3B1/1RK2:F K d1 9@2"
)
"""Near the end of a game: within a few steps games end and the next ones begin."""
COMPARED: tuple[tuple[dict[str, Any], str | None], ...] = (
    ({"observation": "features"}, LATE),
    ({"observation": "record", "autoreset": "same_step", "num_players": 3, "reward": "score"}, None),
    ({"observation": "network", "autoreset": "same_step", "opponents": "random", "reward": "margin"}, LATE),
    ({"observation": "features", "autoreset": "same_step", "num_players": 3}, None),
    ({"observation": "features", "opponents": "greedy", "num_players": 4, "wall": "gray", "reward": "score"}, None),
    ({"observation": None, "autoreset": "disabled", "opponents": "greedy", "seat": 0, "reward": "score"}, LATE),
)


Speed = tuple[float, float]
"""Steps a second of the clock, and of processor time."""


class Row(dict[str, Any]):
    """One figure: what, how many games, steps a second, what is included."""

    def __init__(self, name: str, games: int, speed: Speed, includes: str) -> None:
        clock, processor = (float(f"{figure:.3g}") for figure in speed)
        super().__init__(
            name=name, games=games, steps_per_second=clock, steps_per_processor_second=processor, includes=includes
        )

    def __str__(self) -> str:
        speeds = f"{self['steps_per_second']:,.0f} | {self['steps_per_processor_second']:,.0f}"
        return f"| {self['name']} | {self['games']:,} | {speeds} | {self['includes']} |"


def best(seconds: float, run: Callable[[], int], synchronize: Callable[[], None] = lambda: None) -> Speed:
    """The highest speeds of a few measurements."""
    run()
    clock, processor = 0.0, 0.0
    for _ in range(REPEATS):
        steps = 0
        synchronize()
        started, used = time.perf_counter(), time.process_time()
        while time.perf_counter() < started + seconds / REPEATS:
            steps += run()
            synchronize()
        clock = max(clock, steps / (time.perf_counter() - started))
        processor = max(processor, steps / (time.process_time() - used))
    return clock, processor


def batch_speed(make: Callable[..., Any], games: int, seconds: float, sync_every: int = 20, **options: Any) -> Speed:
    """Agent steps a second; steps that only start the next game do not count, for there are none in the same step."""
    batch = make(games, autoreset="same_step", **options)
    batch.reset(seed=1)
    for _ in range(60):  # so that the games are spread over all stages
        batch.step(batch.sample())

    def run() -> int:
        for _ in range(sync_every):
            batch.step(batch.sample())
        return sync_every * games

    return best(seconds, run, getattr(batch, "synchronize", lambda: None))


KINDS: tuple[tuple[str, dict[str, Any], str], ...] = (
    ("all seats, records", {"observation": "record"}, "choosing, step, mask, the record itself (no copy)"),
    ("all seats, features", {"observation": "features"}, "choosing, step, mask, 490 features"),
    ("all seats, the network's features", {"observation": "network"}, "choosing, step, mask, 890 features"),
    ("learner and a random opponent, features", {"opponents": "random"}, "the same; the opponent's moves not counted"),
    ("learner and a greedy opponent, features", {"opponents": "greedy"}, "the same; the opponent's moves not counted"),
    (
        "all seats, 4 players, gray wall, records",
        {"observation": "record", "num_players": 4, "wall": "gray"},
        "as above",
    ),
)


def on_processor(seconds: float, games: int) -> Iterator[Row]:
    """The batch, Gymnasium's vector environment, and the loops in Python."""
    for name, options, includes in KINDS:
        yield Row(f"`Batch`, {name}", games, batch_speed(Batch, games, seconds, **options), includes)
    if find_spec("gymnasium"):
        yield Row(*vector_row(seconds, games))
        yield Row("Gymnasium, one game against `random`", 1, best(seconds, gymnasium_game), "mask, features, opponent")
    if find_spec("pettingzoo"):
        names = [("azulejos.envs.pettingzoo", "env"), ("azulejos.envs.pettingzoo", "raw_env")]
        names += [("pettingzoo.classic.connect_four_v3", "env")] if find_spec("pygame") else []
        for module, maker in names:
            speed = best(seconds, lambda names=(module, maker): pettingzoo_game(*names))  # type: ignore[misc]
            yield Row(f"PettingZoo, `{module}.{maker}()`", 1, speed, "`last`, `step`")
    if find_spec("jax"):
        import azulejos.envs.jax as for_jax

        yield Row("`AzulJax`, all seats, features", games, jax_speed(for_jax.AzulJax(), games, seconds), JAX_STEP)
        if find_spec("pgx"):
            import pgx

            yield Row("pgx, `backgammon`", games, jax_speed(pgx.make("backgammon"), games, seconds), JAX_STEP)
    if find_spec("pyspiel"):
        for name in ("azul", "backgammon"):
            speed = best(seconds, lambda name=name: openspiel_game(name))  # type: ignore[misc]
            yield Row(f"OpenSpiel, `{name}`", 1, speed, "legal actions; chance nodes not counted")


JAX_STEP = "choosing, step, mask, features, as one `scan` of 40 steps from the start"


def jax_speed(env: Any, games: int, seconds: float) -> Speed:
    """Steps a second of an environment with the functions of pgx; in so few steps no game is over."""
    import jax
    import jax.numpy as jnp

    state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.key(1), games))
    turns = jax.random.split(jax.random.key(2), 40)

    def turn(state: Any, key: Any) -> tuple[Any, Any]:
        chances = jnp.where(state.legal_action_mask, 0.0, -jnp.inf)
        actions = jax.random.categorical(key, chances)
        return jax.vmap(env.step)(state, actions, jax.random.split(key, games)), None

    play = jax.jit(lambda state: jax.lax.scan(turn, state, turns)[0])

    def run() -> int:
        if bool(play(state).terminated.any()):
            sys.exit("a game was over")
        return len(turns) * games

    return best(seconds, run)


def vector_row(seconds: float, games: int) -> tuple[str, int, Speed, str]:
    from gymnasium.vector import AutoresetMode

    from azulejos.envs.vector import AzulVectorEnv

    envs = AzulVectorEnv(
        games, opponents=None, observation="record", autoreset_mode=AutoresetMode.SAME_STEP, copy=False
    )
    envs.reset(seed=1)

    def run() -> int:
        for _ in range(20):
            envs.step(envs.sample_actions())
        return 20 * games

    return "`AzulVectorEnv(copy=False)`, all seats, records", games, best(seconds, run), "choosing, step, mask, infos"


@cache
def gymnasium_env() -> Any:
    import gymnasium

    return gymnasium.make("azulejos.envs.gymnasium:azulejos/Azul-v1", disable_env_checker=True)


def gymnasium_game() -> int:
    env = gymnasium_env()
    _, info = env.reset(seed=1)
    rng, steps, over = np.random.default_rng(1), 0, False
    while not over:
        legal = np.flatnonzero(info["action_mask"])
        _, _, over, _, info = env.step(legal[int(rng.random() * len(legal))])
        steps += 1
    return steps


@cache
def pettingzoo_env(module: str, maker: str) -> Any:
    return getattr(import_module(module), maker)()


def pettingzoo_game(module: str, maker: str) -> int:
    env = pettingzoo_env(module, maker)
    env.reset(seed=1)
    rng, steps = np.random.default_rng(1), 0
    for _ in env.agent_iter():
        observation, _, over, _, _ = env.last()
        if over:
            env.step(None)
            continue
        legal = np.flatnonzero(observation["action_mask"])
        env.step(int(legal[int(rng.random() * len(legal))]))
        steps += 1
    return steps


def openspiel_game(name: str) -> int:
    import pyspiel

    import azulejos.envs.openspiel  # noqa: F401 - registers the game

    state, rng, steps = pyspiel.load_game(name).new_initial_state(), np.random.default_rng(1), 0
    while not state.is_terminal():
        chance = state.is_chance_node()
        actions = [action for action, _ in state.chance_outcomes()] if chance else state.legal_actions()
        state.apply_action(actions[int(rng.random() * len(actions))])
        steps += not chance
    return steps


def compare(games: int, steps: int, threads: int) -> None:
    """Play the same games on the processor and on the device and compare everything after every step."""
    from azulejos.envs.batch_cuda import CudaBatch

    CudaBatch.threads = threads
    for options, position in COMPARED:
        here, there = Batch(games, **options), CudaBatch(games, **options)
        here.reset(7, position)
        there.reset(7, position)
        rng, ended = np.random.default_rng(7), 0
        for step in range(steps):
            same(f"{options}, step {step}", here, there)
            actions = here.sample().copy()
            if (there.sample().copy_to_host() != actions).any():
                sys.exit(f"different actions are drawn: {options}, step {step}")
            actions[rng.random(games) < 0.01] = 324  # now and then an illegal one
            here.step(actions)
            there.step(on_device(actions))
            ended += int(here.terminated.sum())
        same(f"{options}, at the end", here, there)
        print(f"equal after {steps} steps of {games} games, {ended} ends of games: {options}")


def same(where: str, here: Batch, there: Any) -> None:
    """Stop if the two batches differ in anything."""
    pairs = {"states": (here.states, there.states())}
    for name in ("masks", "seats", "reward", "rewards", "terminated", "illegal", "observations"):
        if getattr(here, name) is not None:
            pairs[name] = (getattr(here, name), on_host(getattr(there, name)))
    if here.final_observations is not None:
        ended = here.terminated
        pairs["final observations"] = (here.final_observations[ended], on_host(there.final_observations)[ended])
    for name, arrays in pairs.items():
        mine, its = (np.ascontiguousarray(array).view(np.uint8) for array in arrays)
        if mine.shape != its.shape or (mine != its).any():
            sys.exit(f"{name} differ: {where}")


def on_device(actions: np.ndarray[Any, Any]) -> Any:
    from numba import cuda

    return actions if numba.config.ENABLE_CUDASIM else cuda.to_device(actions)


def on_host(array: Any) -> Any:
    from numba import cuda

    return np.from_dlpack(array) if numba.config.ENABLE_CUDASIM else cuda.as_cuda_array(array).copy_to_host()


def exchange(games: int) -> None:
    """Step with actions that torch and JAX computed from the shared masks."""
    from azulejos.envs.batch_cuda import CudaBatch

    for library in ("torch", "jax"):
        if not find_spec(library):
            print(f"{library} is not installed: DLPack not tried with it")
            continue
        batch = CudaBatch(games, autoreset="same_step")
        batch.reset(seed=3)
        choose = {"torch": with_torch, "jax": with_jax}[library](batch)
        for _ in range(200):
            batch.step(choose())
            if on_host(batch.illegal).any():
                sys.exit(f"{library} read a mask that was not there")
        print(f"DLPack with {library}: 200 steps of {games} games with actions from the shared masks, none illegal")


def with_torch(batch: Any) -> Callable[[], Any]:
    import torch

    masks = torch.from_dlpack(batch.masks)  # once: the memory stays the same
    if masks.data_ptr() != batch.masks.__cuda_array_interface__["data"][0]:
        sys.exit("torch made a copy")
    return lambda: masks.float().multinomial(1)[:, 0]


def with_jax(batch: Any) -> Callable[[], Any]:
    import jax

    key = jax.random.key(1)

    def choose() -> Any:
        nonlocal key
        key, now = jax.random.split(key)
        masks = jax.dlpack.from_dlpack(batch.masks)  # anew, for JAX takes arrays to be constant
        return jax.random.categorical(now, jax.numpy.where(masks == 1, 0.0, -1e9)).block_until_ready()

    return choose


def torch_speed(games: int, seconds: float) -> Speed:
    """Steps a second with actions drawn by torch from the masks."""
    from azulejos.envs.batch_cuda import CudaBatch

    batch = CudaBatch(games, autoreset="same_step", observation="record")
    batch.reset(seed=1)
    import torch

    masks = torch.from_dlpack(batch.masks)
    noise = torch.empty(masks.shape, device="cuda", dtype=torch.float16)

    def run() -> int:
        for _ in range(5):
            batch.step((noise.uniform_() * masks).argmax(1))
        return 5 * games

    return best(seconds, run, batch.synchronize)


def on_cuda(seconds: float, games: int, sizes: list[int]) -> Iterator[Row]:
    """The batch on the device; the first figure with each size of a block, if there are several, or all with one."""
    from azulejos.envs.batch_cuda import CudaBatch

    for threads in sizes:
        CudaBatch.threads = threads
        for name, options, includes in KINDS if len(sizes) == 1 else KINDS[:1]:
            speed = batch_speed(CudaBatch, games, seconds, **options)
            yield Row(f"`CudaBatch`, {name}, {threads} threads a block", games, speed, includes)
    if find_spec("torch") and len(sizes) == 1:
        speed = torch_speed(games, seconds)
        yield Row("`CudaBatch`, all seats, actions by torch", games, speed, "choosing by torch from the masks")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--seconds", type=float, default=20, help="for all figures together")
    parser.add_argument("--games", type=int, help="games at once; 4096 on the processor, 1048576 on a device")
    parser.add_argument("--compare", type=int, default=4096, help="games to compare between processor and device")
    parser.add_argument("--steps", type=int, default=150, help="steps to compare")
    parser.add_argument("--only-compare", action="store_true", help="compare, and measure nothing")
    parser.add_argument(
        "--threads", type=int, nargs="+", default=[64], choices=(32, 64, 128), help="sizes of a block on a device"
    )
    parser.add_argument("--json", help="write the figures into this file too")
    options = parser.parse_args()
    rows = []
    if options.device == "cuda":
        for threads in options.threads:
            compare(options.compare, options.steps, threads)
        if options.only_compare:
            return
        exchange(options.compare)
    print(f"Python {platform.python_version()}, numba {numba.__version__}, {numba.get_num_threads()} threads,", end=" ")
    print(f"{STATE.itemsize} bytes a state\n")
    print("| what | games at once | agent steps/s | per processor second | included |\n|---|---|---|---|---|")
    seconds = options.seconds / 8
    if options.device == "cuda":
        figures = on_cuda(seconds, options.games or 1 << 20, options.threads)
    else:
        figures = on_processor(seconds, options.games or 4096)
    for row in figures:
        print(row, flush=True)
        rows.append(row)
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(rows, file, indent=1)


if __name__ == "__main__":
    main()
