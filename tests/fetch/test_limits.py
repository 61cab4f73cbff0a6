"""`Limits`: a value that checks itself, pickles, and costs no import."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from typing import Any

import pytest
from support.each import each

from feedcharset.fetch.limits import DEFAULT_LIMITS, Limits


def test_the_defaults_are_those_of_the_documentation() -> None:
    assert DEFAULT_LIMITS._asdict() == {
        "connect": 10,
        "read": 10,
        "total": 30,
        "wire": 10 * 1024 * 1024,
        "decoded": 20 * 1024 * 1024,
        "ratio": 100,
        "redirects": 5,
        "header": 64 * 1024,
        "https_to_http": False,
        "public_only": False,
    }
    assert Limits() == DEFAULT_LIMITS


@pytest.mark.parametrize(
    "name", ["connect", "read", "total", "wire", "decoded", "ratio", "redirects", "header"]
)
def test_none_lifts_a_limit(name: str) -> None:
    assert getattr(Limits(**{name: None}), name) is None


@each(
    ("name", "value"),
    [
        *(
            (name, wrong)
            for name in ("connect", "read", "total")
            for wrong in (0, -1, float("inf"), 1e7, "1", True)
        ),
        *((name, float("nan")) for name in ("connect", "read", "total", "ratio")),
        *((name, wrong) for name in ("wire", "decoded", "header") for wrong in (0, -1, 1.5, "1", True)),
        *(("ratio", wrong) for wrong in (0.5, 0, "1", True, float("inf"))),
        *(("redirects", wrong) for wrong in (-1, 1.0, "1", True)),
        *((name, wrong) for name in ("https_to_http", "public_only") for wrong in (None, 0, 1, "yes")),
    ],
)
def test_a_value_that_makes_no_sense_is_a_value_error(name: str, value: Any) -> None:
    with pytest.raises(ValueError, match=rf"Limits\({name}=.*\): give "):
        Limits(**{name: value})
    with pytest.raises(ValueError, match=rf"Limits\({name}=.*\): give "):
        DEFAULT_LIMITS._replace(**{name: value})


def test_limits_take_names_only() -> None:
    with pytest.raises(TypeError):
        Limits(5)  # type: ignore[misc]
    with pytest.raises(TypeError):
        Limits(timeout=5)  # type: ignore[call-arg]


def test_limits_are_values() -> None:
    limits = Limits(total=5, public_only=True)
    assert limits == Limits(total=5.0, public_only=True)
    assert hash(limits) == hash(Limits(total=5, public_only=True))
    assert limits != DEFAULT_LIMITS
    assert "total=5" in repr(limits)
    with pytest.raises(AttributeError):
        limits.total = 6  # type: ignore[misc]
    with pytest.raises(AttributeError):
        limits.unknown = 6  # type: ignore[attr-defined]


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_limits_pickle(protocol: int) -> None:
    limits = Limits(total=None, redirects=0)
    again = pickle.loads(pickle.dumps(limits, protocol))
    assert again == limits
    assert type(again) is Limits
    assert copy.deepcopy(limits) == limits


def test_limits_cost_no_import() -> None:
    names = ("requests", "urllib3", "socket", "inspect", "dataclasses")
    program = (
        f"import sys, feedcharset.fetch.limits; print([name for name in {names} if name in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, text=True)
    assert run.stdout == "[]\n"
