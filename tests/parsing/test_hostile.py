"""Hostile documents end in a clear error, or a harmless tree, in a second and 200 MB; nobody is called."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from support.hostile import HOSTILE, SECRET

import feedcharset

SOURCE = Path(feedcharset.__file__).parent.parent
TESTS = Path(__file__).parent.parent

ERRORS = {
    # What the error says where one has to come.
    "billion laughs": "Maximum entity amplification factor exceeded",
    "billion laughs, in an attribute": "Maximum entity amplification factor exceeded",
    "quadratic blow-up": "Maximum entity amplification factor exceeded",
    "quadratic blow-up, in attributes": "Maximum entity amplification factor exceeded",
    "deep nesting": "Excessive depth in document: 256",
    "deep nesting, closed": "Excessive depth in document: 256",
    "a long text": "Text node too long",
    "a long name": "XMLSyntaxError",
}


PROCESSOR_SECONDS = 15
"""Of one way to parse one document: 30 times what it takes, and far less than quadratic work would."""


@pytest.fixture
def port():
    """A port on which nobody is to call."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)
        yield server.getsockname()[1]
        with pytest.raises(BlockingIOError):
            server.accept()


LONG = {name for name in HOSTILE if name.startswith("a long ")} - {"a long text"} | {
    "debris that does not end",
    "many attributes",
    "many entities",
    "many errors",
}
"""One token of 10 MB, or a million small ones: each takes seconds."""
QUICK = [name for name in HOSTILE if name not in LONG]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="each way to parse is measured in a fork")
@pytest.mark.parametrize(
    "names",
    [
        QUICK[::24],
        *(pytest.param(QUICK[at::24], marks=pytest.mark.long) for at in range(1, 24)),
        *(pytest.param([name], marks=pytest.mark.long) for name in HOSTILE if name in LONG),
    ],
    ids=lambda names: names[0],
)
def test_hostile(names: list[str], port: int, tmp_path: Path) -> None:
    """Some documents by one process, which forks for each way to parse one of them."""
    secret = tmp_path / "secret"
    secret.write_text(SECRET, encoding="ascii")
    documents = [tmp_path / f"{number}.xml" for number in range(len(names))]
    for name, document in zip(names, documents, strict=True):
        text = HOSTILE[name](secret.as_uri(), f"http://127.0.0.1:{port}")
        document.write_text(text, encoding="utf-8")
    path = os.pathsep.join([str(SOURCE), str(TESTS)])
    command = [sys.executable, "-m", "support.hostile", *map(str, documents)]
    env = {**os.environ, "PYTHONPATH": path, "http_proxy": f"http://127.0.0.1:{port}"}
    done = subprocess.run(command, env=env, check=True, capture_output=True, text=True, timeout=600)
    lines = done.stdout.splitlines()
    assert len(lines) == 8 * len(names)
    for number, line in enumerate(lines):
        name = names[number // 8]
        told, _, mebibytes = line.rpartition(" ")
        way, outcome, seconds = json.loads(told)
        way = f"{name}: {way}"
        assert seconds < PROCESSOR_SECONDS, way
        assert int(mebibytes) < 200, way
        # lxml before 6.1.3 has another exception for a refused address.
        refused = outcome.startswith("OSError: ") and "Attempt to load network entity" in outcome
        assert refused or outcome == "tree" or outcome.startswith(("XMLSyntaxError: ", "NoDocument: ")), way
        assert ERRORS.get(name, "") in outcome, way
