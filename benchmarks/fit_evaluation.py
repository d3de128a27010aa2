"""Fit the weights of the hand-made evaluation to games of the quick policy.

    .venv/bin/python benchmarks/fit_evaluation.py

plays games for each number of players and wall, notes every round's end with the final scores, and solves one
least-squares problem for each round; the temperature of the softmax is the one that makes the real winners likeliest.
Writes src/azulejos/search/evaluation.npy and prints how much of the scores the evaluation explains.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from azulejos.rules.compiled import compiled, int64
from azulejos.rules.state import DEAL_DUE, OVER, STATE
from azulejos.rules.supply import deal, start_game
from azulejos.search.evaluation import ROUND_ROWS, SEAT_FEATURES, TEMPERATURE, seat_features, weights_row
from azulejos.search.hand import play_to_round_end
from azulejos.search.policy import LINE_VALUES, write_line_values
from azulejos.search.utility import win_share

GAMES = 30_000
TEMPERATURE_OF_PLAY = 0.4
MOST_ENDS = 12
FEWEST_ENDS = 1000
"""With fewer there is nothing to learn; such rounds take the weights of the round before."""
TARGET = Path(__file__).parent.parent / "src/azulejos/search/evaluation.npy"


@compiled
def play_games(states: Any, games: int, players: int, gray: int, seed: int, x: Any, y: Any, which: Any) -> int:
    """Play games; `x[end, turn]` are features, `y[end, turn]` gain, share of the victory and score before."""
    state = states[0]
    values = np.zeros(LINE_VALUES, np.float32)
    ends = 0
    for game in range(games):
        start_game(state, players, gray, seed, game, -1, 20)
        first = ends
        while state.phase != OVER:
            if state.phase == DEAL_DUE:
                if state.round_number > 1:
                    for turn in range(players):
                        seat = (int64(state.seat) + turn) % players
                        seat_features(state, seat, x[ends, turn])
                        y[ends, turn, 1] = seat
                        y[ends, turn, 2] = state.score[seat]
                    which[ends] = weights_row(state)
                    ends += 1
                deal(state)
            else:
                write_line_values(state, values)
                play_to_round_end(state, values, TEMPERATURE_OF_PLAY)
        for end in range(first, ends):
            for turn in range(players):
                seat = int64(y[end, turn, 1])
                y[end, turn, 0] = state.score[seat] - y[end, turn, 2]
                y[end, turn, 1] = win_share(state, seat)
    return ends


def fit(x: NDArray[Any], y: NDArray[Any]) -> tuple[NDArray[np.float64], float, float]:
    """Weights, temperature, and the share of the variance explained."""
    flat, gain = x.reshape(-1, SEAT_FEATURES), y[:, :, 0].ravel()
    ridge = np.diag([0.0] + [len(flat) * 1e-3] * (SEAT_FEATURES - 1))
    weights = np.linalg.solve(flat.T @ flat + ridge, flat.T @ gain)
    predicted = (flat @ weights).reshape(y.shape[:2])
    explained = 1 - ((predicted.ravel() - gain) ** 2).mean() / gain.var()
    final = predicted + y[:, :, 2]
    best = min((likelihood(final, y[:, :, 1], temperature), temperature) for temperature in np.arange(2.0, 30.0, 0.5))
    return weights, best[1], explained


def likelihood(final: NDArray[Any], share: NDArray[Any], temperature: float) -> float:
    """How unlikely the real winners are under this temperature."""
    z = (final - final.max(1, keepdims=True)) / temperature
    return float(-(share * (z - np.log(np.exp(z).sum(1, keepdims=True)))).sum(1).mean())


def main() -> None:
    weights = np.zeros((6 * ROUND_ROWS, SEAT_FEATURES + 1), np.float32)
    weights[:, TEMPERATURE] = 10.0
    for players in (2, 3, 4):
        for gray in (0, 1):
            room = GAMES * MOST_ENDS
            x, y = np.zeros((room, players, SEAT_FEATURES), np.float32), np.zeros((room, players, 3), np.float32)
            which = np.zeros(room, np.int64)
            ends = play_games(np.zeros(1, STATE), GAMES, players, gray, np.uint64(7), x, y, which)
            x, y, which = x[:ends].astype(float), y[:ends].astype(float), which[:ends]
            for row in np.unique(which):
                mine = which == row
                if mine.sum() < FEWEST_ENDS:
                    continue
                weights[row, :SEAT_FEATURES], weights[row, TEMPERATURE], explained = fit(x[mine], y[mine])
                print(
                    f"{players} players, gray {gray}, row {row}: {mine.sum()} ends, explained {explained:.3f}, "
                    f"temperature {weights[row, TEMPERATURE]:.1f}"
                )
            fill_gaps(weights, (players - 2) * 2 + gray)
    np.save(TARGET, weights)


def fill_gaps(weights: NDArray[np.float32], config: int) -> None:
    """Rounds that hardly a game reached take the weights of the round before."""
    first = config * ROUND_ROWS
    for row in range(first + 1, first + ROUND_ROWS):
        if not weights[row, :SEAT_FEATURES].any():
            weights[row] = weights[row - 1]
    if not weights[first, :SEAT_FEATURES].any():
        weights[first] = weights[first + 1]


if __name__ == "__main__":
    main()
