"""The command line, called in this process."""

from __future__ import annotations

import pytest

from feedcharset.cli import main

__all__ = ["call"]


def call(*arguments: object) -> int:
    """The exit code of `feedcharset` with these arguments."""
    with pytest.raises(SystemExit) as left:
        main([str(argument) for argument in arguments])
    assert isinstance(left.value.code, int)
    return left.value.code
