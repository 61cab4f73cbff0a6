"""The tests give the same whatever the environment of the one who runs them is."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

OTHERS = {
    "another locale": {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    "proxies and Python's own": {
        "http_proxy": "http://127.0.0.1:1",
        "HTTPS_PROXY": "http://127.0.0.1:1",
        "NO_PROXY": "",
        "PYTHONUNBUFFERED": "1",
        "PYTHONIOENCODING": "latin-1",
        "PYTHONWARNINGS": "ignore",
    },
}
INNER = """
import os, sys
def test_environment(tmp_path):
    assert not {"LC_ALL", "PYTHONUTF8", "http_proxy", "HTTPS_PROXY", "PYTHONUNBUFFERED"} & set(os.environ)
    (tmp_path / "žluť.xml").write_text("ž", encoding="utf-8")
    assert os.listdir(tmp_path) == ["žluť.xml"]
    assert sys.getfilesystemencoding() == "utf-8"
"""


def test_the_environment_is_fixed() -> None:
    assert os.environ["LANG"] == "C.UTF-8"
    assert not {name for name in os.environ if name.lower().endswith("_proxy") or name.startswith("LC_")}


@pytest.mark.long
@pytest.mark.skipif(os.name != "posix", reason="the locale of a process is POSIX's")
@pytest.mark.parametrize("variables", OTHERS.values(), ids=OTHERS)
def test_an_environment_of_somebody_else(variables: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_bytes(Path(__file__).with_name("conftest.py").read_bytes())
    (tmp_path / "test_inner.py").write_text(INNER, encoding="utf-8")
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-c",
        os.devnull,
        str(tmp_path),
    ]
    done = subprocess.run(
        command, env={**os.environ, **variables}, cwd=tmp_path, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stdout.decode(errors="replace")
