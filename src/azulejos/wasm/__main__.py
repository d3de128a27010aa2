"""Writes what the page needs of the compiled code: an object file to be linked, the bindings, and the networks.

python -m azulejos.wasm FOLDER
"""

from __future__ import annotations

import os
import subprocess
import sys
import zlib
from importlib import resources
from pathlib import Path

from azulejos.net.choice import WEIGHTS
from azulejos.wasm.bindings import write_bindings
from azulejos.wasm.compile import STAMP, compile_object
from azulejos.wasm.entry_points import entry_points
from azulejos.wasm.networks import write_image

UNOPTIMIZED = {
    "NUMBA_OPT": "0",
    "NUMBA_LOOP_VECTORIZE": "0",
    "NUMBA_SLP_VECTORIZE": "0",
    "AZULEJOS_QUIET": "1",
    "AZULEJOS_CACHE": os.devnull,
}
"""LLVM's text is wanted before the optimizations for this machine's processor, and nothing of it is worth keeping."""


def main(folder: Path) -> None:
    """Write everything into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    listed = entry_points()
    bindings = write_bindings(listed)
    stamp = zlib.crc32(bindings.encode()) >> 1  # a whole number above zero on both sides
    (folder / "azulejos.o").write_bytes(compile_object(listed, stamp))
    (folder / "exports.txt").write_text(
        "".join(f"{name}\n" for name in (STAMP, *(each.name for each in listed))), "utf-8"
    )
    (folder / "bindings.ts").write_text(f"{bindings}\nexport const STAMP = {stamp};\n", "utf-8")
    for name in sorted(set(WEIGHTS.values())):
        with resources.as_file(resources.files("azulejos.net") / "weights" / name) as path:
            (folder / name).with_suffix(".weights").write_bytes(write_image(path))


if __name__ == "__main__":
    if os.environ.get("NUMBA_OPT") == "0":
        main(Path(sys.argv[1]))
    else:  # Numba reads its settings when it is imported, which has happened
        again = [sys.executable, "-m", "azulejos.wasm", *sys.argv[1:]]
        sys.exit(subprocess.run(again, env=os.environ | UNOPTIMIZED, check=False).returncode)
