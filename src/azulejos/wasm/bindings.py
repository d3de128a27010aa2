"""The TypeScript that a page has of the compiled code: functions, constants, records, layouts and opponents.

Nothing here is decided: every number comes from the source that the module is compiled from.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from types import ModuleType
from typing import Any, Final

import msgspec
import numpy as np
from numba import types

from azulejos.analysis import analyst, likeness, luck, marks, reasons, receipt, review, starts, themes
from azulejos.analysis.likeness import measured
from azulejos.arena import simulation
from azulejos.drawing.words import SPACE_COST, printed_color
from azulejos.game import dealer, notation, reading, record
from azulejos.game.game import END_REASONS
from azulejos.game.moves import MOVES, SOURCE_LETTERS
from azulejos.game.refusal import REASONS, WORDED
from azulejos.game.validity import PLACES, SENTENCES
from azulejos.game.view import COLOR_NAMES, PHASES, WALLS
from azulejos.net.choice import WEIGHTS, fingerprint
from azulejos.net.features import FEATURES_VERSION
from azulejos.players import hint, levels
from azulejos.rules import happenings, mass, previews, refusals, state, turn, validity
from azulejos.search import batches, driver, evaluators, report, searcher, solver
from azulejos.search.tree import MOST_EDGES
from azulejos.wasm import entries, networks, opponents
from azulejos.wasm.compile import STAMP, EntryPoint, arguments_of
from azulejos.wasm.memory import ALIGNMENT, ROW, leaves
from azulejos.wasm.thinking import Thinker

CONSTANTS: Final = (
    (state, "", None),
    (refusals, "REFUSED_", (
        "ALLOWED", "GAME_OVER", "WAITS_FOR_DEAL", "NO_DEAL_DUE", "TILE_FIRST", "NOTHING_TO_TILE", "NO_SUCH_DISPLAY",
        "COLOR_NOT_THERE", "LINE_FULL", "OTHER_COLOR", "COLOR_ON_ROW", "CELL_TAKEN", "COLOR_IN_COLUMN",
        "DEAL_DISPLAYS", "DEAL_SIZE", "DEAL_TOO_MANY", "DEAL_LEAVES_BAG", "NO_SUCH_ACTION",
    )),
    (turn, "HAPPENED_", ("NOTHING", "PASSED_ON", "TILED", "FELL", "FLOOR_SCORED")),
    (happenings, "HAPPENED_", ("DRAFTED", "BONUS", "NUMBERS")),
    (happenings, "", ("MOST_HAPPENINGS",)),
    (previews, "PREVIEW_", ("NUMBERS",)),
    (validity, "FAULT_", (
        "NUMBERS", "TOO_MANY_TILES", "NO_MARKER", "SEVERAL_MARKERS", "FULL_DISPLAY", "NO_SUCH_ROUND", "NO_SUCH_SEAT",
        "NO_SUCH_STARTER", "SCORE_TOO_HIGH", "FULL_FLOOR", "TWICE_IN_ROW", "TWICE_IN_COLUMN", "WRONG_CELL", "FULL_LINE",
        "COLOR_ON_ROW", "LINE_NOT_TILED", "ROW_TOO_SOON", "ROW_TOO_FAST", "ROW_TOO_FAST_FOR_ONE", "NOTHING_TO_DRAFT",
        "SHORT_DISPLAY", "UNFILLED_DISPLAY", "FULL_CENTER", "NOT_STARTED", "MARKER_TAKEN", "FALLEN_TOO_SOON",
        "LINE_TOO_SOON", "TILES_LEFT", "MARKER_AWAY", "FLOOR_NOT_EMPTY", "CHOICE_ON_COLORED", "NO_CHOICE",
        "OTHER_STARTER", "STALLED",
    )),
    (validity, "", ("MOST_FAULTS", "HIGHEST_SCORE")),
    (mass, "TALLY_", (
        "SCORE_BINS", "ROUND_BINS", "MOVE_BINS", "SCORES_AT", "ROUNDS_AT", "MOVES_AT", "REASONS_AT", "WINS_AT",
        "SHARED_AT", "TOTAL_MOVES_AT", "TALLY_SIZE",
    )),
    (simulation, "", ("ROUND_LIMIT",)),
    (entries, "", None),
    (batches, "", ("DONE", "PAUSED", "BLOCKED", "UNDEALT", "BATCH")),
    (evaluators, "", ("MOST_DEALT", "ASKED_AT_ONCE")),
    (searcher, "", ("NEWS_SECONDS", "SLICE_SECONDS", "STEADY_SLICE", "LONGEST_HALVED")),
    (solver, "", ("SOLVABLE",)),
    (driver, "", ("SPARE_NODES",)),
    (levels, "", ("PLACING",)),
    (analyst, "", ("DEFAULT_NODES", "EXTENDING_NODES")),
    (likeness, "", ("Z95",)),
    (luck, "", ("SAMPLED_DEALS", "SEARCHED_DEALS", "DEAL_NODES")),
    (marks, "", ("GLYPHS",)),
    (reasons, "REASON_", ("ROOM",)),
    (receipt, "", ("DEALT", "DECIDED")),
    (review, "", ("MOST_LINES", "FEWEST_NODES", "MOST_STEPS")),
    (dealer, "", ("SECRET_BYTES", "COMMITMENT_LABEL", "DEAL_LABEL", "FIRST_BLOCKS")),
    (notation, "", ("MARKER_LETTER", "LONGEST_LINE")),
    (record, "", ("RULES_VERSION", "UNFINISHED", "UNKNOWN", "LINE_WIDTH", "HIGHEST_GLYPH")),
    (reading, "", ("DEEPEST_VARIATION", "MOST_NOTES")),
)  # fmt: skip
"""Modules, what their constants are called with, and which; all that are numbers or texts without a list."""
TYPES: Final = {"u1": "u8", "i1": "i8", "u2": "u16", "i2": "i16", "u4": "u32", "i4": "i32", "u8": "u64", "i8": "i64",
                "f4": "f32", "f8": "f64"}  # fmt: skip
"""What the kinds of numbers are called there."""
NUMBERS: Final = {types.int64: "number", types.uint64: "bigint", types.float64: "number"}
"""What a page's language calls the kinds of arguments."""
SIZES: Final = {"small": (3_000, 1 << 12, 1), "large": (60_000, 1 << 13, solver.SOLVABLE),
                "reviewing": (analyst.DEFAULT_NODES + 1, 1 << 13, solver.SOLVABLE)}  # fmt: skip
"""How much a thinker has room for: nodes, answers of the network, positions of a round's end."""


def write_bindings(entry_points: Sequence[EntryPoint]) -> str:
    """The whole file."""
    parts = [
        "// Written by azulejos.wasm from the sources that the module is compiled from; not to be changed by hand.",
        "/* eslint-disable */",
        _exports(entry_points),
        *_constants(),
        *_records(),
        _json("END_REASONS", list(END_REASONS.values())),
        _json("ACTION_NAMES", [str(move) for move in MOVES]),
        _json("SOURCE_LETTERS", SOURCE_LETTERS),
        _json("COLOR_NAMES", COLOR_NAMES),
        _json("WALLS", WALLS),
        _json("PHASES", PHASES),
        _json("PLACES", sorted(PLACES)),
        _json("FAULT_SENTENCES", [SENTENCES[code] for code in range(len(SENTENCES))]),
        _json("REFUSAL_SENTENCES", {reason: [REASONS[code], names] for reason, (code, names) in WORDED.items()}),
        f"export const TABLE_ROW = {ROW};",
        f"export const ALIGNMENT = {ALIGNMENT};",
        _json("WEIGHTS_FORMAT", networks.FORMAT),
        _json("FEATURES_VERSION", FEATURES_VERSION),
        _json("THINKERS", {name: _layout(Thinker.make(*sizes)) for name, sizes in SIZES.items()}),
        _json(
            "PATTERN", [[printed_color(row, column) for column in range(state.COLUMNS)] for row in range(state.ROWS)]
        ),
        _json("SPACE_COST", SPACE_COST),
        _json("HINT", _hint()),
        _json("REFUSALS", {number: [code, *names] for number, (code, names) in WORDED.items()}),
        _json("BY_HAND", msgspec.to_builtins(opponents.by_hand())),
        _json("MARKS", marks.MARKS),
        _json("REASON_CODES", reasons.CODES),
        _json("PARTS", receipt.PARTS),
        _json("MEASURED", [{"number": each.number, "mean": each.mean, "error": each.error} for each in measured()]),
        _json("THEMES", themes.THEMES),
        _json("STARTS", starts.starts().ravel().tolist()),
        _json("NETWORKS", _networks()),
        _json("OPPONENTS", msgspec.to_builtins(opponents.opponents())),
    ]
    return "\n\n".join(parts) + "\n"


def _exports(entry_points: Sequence[EntryPoint]) -> str:
    lines = [
        "  memory: WebAssembly.Memory;",
        "  __heap_base: WebAssembly.Global;",
        "  /** The number of the bindings that the module belongs to. */",
        f"  {STAMP}?(): number;",
    ]
    for each in entry_points:
        names = arguments_of(each.function)
        arguments = ", ".join(f"{name}: {NUMBERS[kind]}" for name, kind in zip(names, each.kinds, strict=True))
        returned = {"int": "number", "float": "number", "None": "void"}[each.function.__annotations__["return"]]
        lines += [f"  /** {(each.function.__doc__ or '').strip()} */", f"  {each.name}({arguments}): {returned};"]
    return "/** What the module exports. */\nexport interface Exports {\n" + "\n".join(lines) + "\n}"


def _constants() -> Iterator[str]:
    for module, prefix, names in CONSTANTS:
        for name in names or _plain_names(module):
            value = getattr(module, name)
            text = json.dumps(value.decode() if isinstance(value, bytes) else value)
            yield f"export const {prefix}{name.removeprefix(prefix)} = {text};"


def _plain_names(module: ModuleType) -> list[str]:
    """The constants that a module itself says."""
    said = module.__annotations__
    return [
        name
        for name in said
        if name.isupper() and isinstance(getattr(module, name), (int, str, tuple)) and name[0] != "_"
    ]


def _records() -> Iterator[str]:
    for name, layout in {
        "STATE": state.STATE, "CANDIDATE": report.CANDIDATE, "STEP": receipt.STEP, "SHEET": reasons.SHEET,
        "REASON": reasons.REASON, "LIKENESS": likeness.LIKENESS,
    }.items():  # fmt: skip
        fields = {field: _field(*kind[:2]) for field, kind in (layout.fields or {}).items()}
        yield _json(name, {"bytes": layout.itemsize, "fields": fields})


def _field(kind: np.dtype[Any], at: int) -> dict[str, Any]:
    return {"at": at, "type": TYPES[kind.base.str[1:]], "shape": list(kind.shape)}


def _layout(thinker: Thinker) -> dict[str, Any]:
    """Where everything of a thinker lies but its network, which says that itself."""
    end, rows = 0, []
    for leaf in leaves(thinker):
        if leaf.name.startswith("asking.network."):
            continue
        row: dict[str, Any] = {"name": leaf.name}
        if isinstance(leaf.value, np.ndarray):
            row |= {"at": end, "shape": list(leaf.value.shape)}
            end += -(-leaf.value.nbytes // ALIGNMENT) * ALIGNMENT
        else:
            row |= {"float": isinstance(leaf.value, float)}
        rows.append(row)
    before = next(at for at, leaf in enumerate(leaves(thinker)) if leaf.name.startswith("asking.network."))
    network = sum(leaf.name.startswith("asking.network.") for leaf in leaves(thinker))
    return {"bytes": end, "networkAt": before, "networkRows": network, "edges": MOST_EDGES, "rows": rows}


def _hint() -> dict[str, int | None]:
    """How long a hint is thought about; with fewer positions it looks again, for so long."""
    first, again = hint.FIRST_LOOK.milliseconds, hint.SECOND_LOOK.milliseconds
    return {"milliseconds": first, "fewestNodes": hint.FEWEST_NODES, "secondMilliseconds": again}


def _networks() -> dict[str, int]:
    return {name.removesuffix(".npz"): fingerprint(name) for name in sorted(set(WEIGHTS.values()))}


def _json(name: str, value: Any) -> str:
    return f"export const {name} = {json.dumps(value, separators=(',', ':'), ensure_ascii=False)} as const;"
