"""The list of what a page can call."""

from __future__ import annotations

from types import ModuleType
from typing import Final

from azulejos.wasm import entries, reviewing, thinking
from azulejos.wasm.compile import EntryPoint, entry

RULES: Final = (
    "start_game", "seed_stream", "deal", "deal_refusal", "deal_given", "deal_drawn", "complete", "legal_actions",
    "preview_all", "refusal", "closed_lines", "step", "act", "advance", "winners_among", "end_reason", "is_last_round",
    "bonuses", "greedy", "random", "simulate", "count_leaves",
)  # fmt: skip
"""The functions of `entries` that a page can call."""
THINKING: Final = (
    "set_up", "forget", "begin", "next_stop", "grow_by_hand", "grow_by_network", "visits", "depth", "is_over", "rank",
    "draw", "expects_the_end", "unfold", "ask_about_ends", "solve", "solved_positions", "evaluate",
)  # fmt: skip
"""The functions of `thinking` that a page can call."""
REVIEWING: Final = (
    "require", "deal_number", "expect_start", "sample_deals", "expect", "utility", "win_share", "final_margin",
    "loss", "effect", "mark", "write_receipt", "round_parts", "note_round", "find_reasons", "compare",
)  # fmt: skip
"""The functions of `reviewing` that a page can call."""


def entry_points() -> list[EntryPoint]:
    """Every entry point, in the order of the lists."""
    return [*_named(entries, RULES), *_named(thinking, THINKING), *_named(reviewing, REVIEWING)]


def _named(module: ModuleType, names: tuple[str, ...]) -> list[EntryPoint]:
    return [entry(getattr(module, name), name) for name in names]
