"""Without its library an environment says what it needs; nothing else needs it."""

from __future__ import annotations

import importlib
import sys

import numba
import pytest

MODULES = {
    "azulejos.envs.pettingzoo": ("pettingzoo", "pettingzoo"),
    "azulejos.envs.gymnasium": ("gymnasium", "gymnasium"),
    "azulejos.envs.vector": ("gymnasium", "gymnasium"),
    "azulejos.envs.openspiel": ("pyspiel", "open_spiel"),
    "azulejos.envs.batch_cuda": ("numba.cuda", "numba-cuda"),
    "azulejos.envs.image": ("PIL", "pillow"),
    "azulejos.envs.jax": ("jax", "jax"),
}


@pytest.mark.parametrize("module", MODULES)
def test_a_missing_library_is_named(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    library, package = MODULES[module]
    monkeypatch.delitem(sys.modules, module, raising=False)
    monkeypatch.setitem(sys.modules, library, None)
    if library == "numba.cuda":
        monkeypatch.delattr(numba, "cuda", raising=False)
    with pytest.raises(ImportError) as told:
        importlib.import_module(module)
    assert f"{module} needs the package {package}, which cannot be imported" in str(told.value)
    extra = {"numba-cuda": "cuda", "jax": "jax"}.get(package, "envs")
    assert f"pip install 'azulejos[{extra}]'" in str(told.value)


def test_the_batch_needs_none_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    for library in ("gymnasium", "pettingzoo", "pyspiel", "PIL", "numba.cuda"):
        monkeypatch.setitem(sys.modules, library, None)
    for module in ("batch", "lane", "settings", "dlpack"):
        monkeypatch.delitem(sys.modules, f"azulejos.envs.{module}", raising=False)
    importlib.import_module("azulejos.envs.dlpack")
    batch = importlib.import_module("azulejos.envs.batch").Batch(2)
    batch.reset(seed=1)
    batch.step(batch.sample())
    assert not batch.illegal.any()
