"""Settings that every test shares."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

# The same examples in every run: a failure is a change of the code, never luck.
settings.register_profile(
    "feedcharset",
    derandomize=True,
    deadline=None,
    database=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.differing_executors],
)
settings.load_profile("feedcharset")
