"""The command line, called in this process."""

from __future__ import annotations

import os

import pytest

from feedcharset.cli import main

__all__ = ["call", "close_folder"]


def call(*arguments: object) -> int:
    """The exit code of `feedcharset` with these arguments."""
    with pytest.raises(SystemExit) as left:
        main([str(argument) for argument in arguments])
    assert isinstance(left.value.code, int)
    return left.value.code


def close_folder(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Let no folder be read whose path ends so, for root neither."""
    real = os.scandir

    def scandir(path: str) -> object:
        if str(path).endswith(name):
            raise PermissionError(13, "Permission denied", path)
        return real(path)

    monkeypatch.setattr(os, "scandir", scandir)
