"""What to say when the library of an environment is not installed."""

from __future__ import annotations

from typing import Final

EXTRAS: Final = {"numba-cuda": "cuda", "jax": "jax"}
"""The extra that brings a package, where it is not `envs`."""


def missing(module: str, package: str, fault: ImportError) -> ImportError:
    """The error of a module whose library cannot be imported, with what to install."""
    extra = EXTRAS.get(package, "envs")
    return ImportError(
        f"{module} needs the package {package}, which cannot be imported ({fault}): pip install 'azulejos[{extra}]'"
    )
