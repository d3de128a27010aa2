"""What is seen in a version of the environments stays what it is: a change has to be a version of its own."""

from __future__ import annotations

import hashlib

import gymnasium
import pytest
from pettingzoo import make

from azulejos.envs import gymnasium as for_gymnasium
from azulejos.envs import pettingzoo
from azulejos.envs.batch import Batch
from azulejos.envs.settings import VERSIONS
from azulejos.net.features import FEATURES_VERSION

SEEN = {(0, 1): "d9d4eb55c308b9ff", (1, 1): "6fc866e26d8f19a3"}
"""Version of the environments, that of the features, and a digest of what is seen in some games."""


def digest(observation: str) -> str:
    """What is seen in random games of every kind, in a few letters."""
    seen = hashlib.sha256()
    for players in (2, 3, 4):
        for wall in ("std", "gray"):
            batch = Batch(20, num_players=players, wall=wall, observation=observation, autoreset="same_step")
            batch.reset(seed=1)
            for _ in range(60):
                batch.step(batch.sample())
                seen.update(batch.observations)  # type: ignore[arg-type]
    return seen.hexdigest()[:16]


@pytest.mark.parametrize("version", VERSIONS)
def test_a_version_shows_what_it_always_showed(version: int) -> None:
    told = "the observation has changed: raise FEATURES_VERSION or add a version to VERSIONS, and name both here"
    assert SEEN[version, FEATURES_VERSION] == digest(VERSIONS[version]), told


def test_every_version_has_its_names() -> None:
    assert set(for_gymnasium.NAMES.values()) == set(VERSIONS)
    for version, observation in VERSIONS.items():
        assert gymnasium.spec(f"azulejos/Azul-v{version}").kwargs == {"observation": observation}
        env = make("aec", f"azulejos/azul-v{version}")
        assert env.unwrapped.settings.observation == observation
        assert env.unwrapped.metadata["name"] == f"azul_v{version}"
        assert f"* v{version}: " in (pettingzoo.__doc__ or "")


def test_the_latest_version_is_what_is_made_without_one() -> None:
    latest = VERSIONS[max(VERSIONS)]
    assert pettingzoo.raw_env().settings.observation == for_gymnasium.AzulEnv().settings.observation == latest
    assert Batch(1).settings.observation == latest
