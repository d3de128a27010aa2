"""Find positions near the end of a round with one provably best move, for tests/golden/tactics.txt.

    .venv/bin/python benchmarks/make_tactics.py > tests/golden/tactics.txt

Games of the quick policy are stopped with a few groups on offer and solved. A position is kept if its best move is
clearly better than every other, and the greedy player does not see it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from azulejos.game.game import Game
from azulejos.game.moves import MOVES
from azulejos.game.view import Wall
from azulejos.players import greedy
from azulejos.rules.compiled import compiled
from azulejos.search.evaluators import ByHand
from azulejos.search.policy import LINE_VALUES, quick_action, write_line_values
from azulejos.search.solver import Leaves, Solver, groups_on_offer
from azulejos.search.utility import utility

GAP = 0.02
EACH = 6
CONFIGURATIONS: tuple[tuple[int, Wall], ...] = (
    (2, "std"), (2, "gray"), (3, "std"), (3, "gray"), (4, "std"), (4, "gray"),
)  # fmt: skip


@compiled
def quick(states: Any, values: Any) -> int:
    write_line_values(states[0], values)
    return quick_action(states[0], values, 0.5)


def blurred(seed: int) -> Leaves:
    """The hand-made evaluation with a trace of noise: what depends on how somebody breaks a tie will not survive it."""
    random = np.random.default_rng(seed)

    def leaves(states: NDArray[Any]) -> NDArray[np.float32]:
        worth = ByHand().value_ends(states)
        worth[0] += random.normal(0, 1e-4, worth[0].shape).astype(np.float32)
        return worth

    return leaves


def has_one_best(game: Game, solver: Solver) -> float:
    """How much better the best move is than any other, however ties are broken; 0 if there is none such."""
    exact = values(game, solver, ByHand().value_ends)
    if len(exact) < 6 or exact[0][0] - exact[1][0] < GAP or greedy.choose(game).id == exact[0][1]:
        return 0.0
    for seed in range(5):
        noisy = values(game, solver, blurred(seed))
        if noisy[0][1] != exact[0][1] or noisy[0][0] - noisy[1][0] < GAP:
            return 0.0
    return exact[0][0] - exact[1][0]


def values(game: Game, solver: Solver, leaves: Leaves) -> list[tuple[float, int]]:
    """The utility of every move, best first; none if the end of the round is too large."""
    solution = solver.solve(game.states, leaves)
    if solution is None:
        return []
    seat = game.seat
    found = [(utility(each.win[seat], each.margin[seat]), each.action) for each in solution.candidates]
    return sorted(found, reverse=True)


def main() -> None:
    solver = Solver(20_000)
    line_values = np.zeros(LINE_VALUES, np.float32)
    print("# position; best move; how much better than the second, in utility")
    for players, wall in CONFIGURATIONS:
        kept, seed = 0, 0
        while kept < EACH:
            seed += 1
            game = Game(players, wall, seed=seed)
            want = 3 + seed % 4
            while not game.is_over:
                state = game.states
                if game.round > 1 + seed % 4 and groups_on_offer(state[0]) <= want and game.phase == "d":
                    gap = has_one_best(game, solver)
                    if gap:
                        best = values(game, solver, ByHand().value_ends)[0][1]
                        print(f"{game.position}; {MOVES[best]}; {gap:.3f}")
                        kept += 1
                    break
                state["rng"] = np.uint64(seed)
                game.play(MOVES[quick(state, line_values)])


if __name__ == "__main__":
    main()
