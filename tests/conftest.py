"""Every run of the tests is the same run: hypothesis draws its examples from a fixed stream."""

import os

os.environ["AZULEJOS_QUIET"] = "1"  # whether something has to be compiled first is no test's business

from hypothesis import HealthCheck, settings

settings.register_profile(
    "azulejos",
    derandomize=True,
    deadline=None,  # the first call of a compiled function may compile it
    database=None,
    max_examples=100,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("azulejos")
