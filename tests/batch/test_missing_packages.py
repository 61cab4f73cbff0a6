"""What is not installed is named, with the command that installs it; nothing else imports it."""

from __future__ import annotations

import subprocess
import sys

import pytest


def run(program: str) -> str:
    """What a fresh interpreter prints."""
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize(
    ("missing", "call", "sentence"),
    [
        (
            "pyarrow",
            "import feedcharset.batch",
            "feedcharset.batch needs pyarrow: pip install 'feedcharset[arrow]'",
        ),
        (
            "fastwarc",
            "import feedcharset.batch; next(feedcharset.batch.read_warc('x'))",
            "read_warc needs fastwarc: pip install 'feedcharset[warc]'",
        ),
        ("requests", "from feedcharset.batch import *; print(output_schema.__name__)", "output_schema"),
        ("urllib3", "from feedcharset.batch import *; print(output_schema.__name__)", "output_schema"),
    ],
)
def test_a_missing_package_is_named(missing: str, call: str, sentence: str) -> None:
    program = f"import sys; sys.modules[{missing!r}] = None\ntry: {call}\nexcept ImportError as e: print(e)"
    assert run(program).strip() == sentence


def test_the_package_itself_imports_neither() -> None:
    program = "import sys, feedcharset; feedcharset.decode(b'<a/>')"
    program += "; print({'pyarrow', 'fastwarc'} & set(sys.modules))"
    assert run(program).strip() == "set()"
