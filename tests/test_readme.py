"""What the README shows is what happens."""

from __future__ import annotations

import doctest
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import responses

README = Path(__file__).parent.parent / "README.md"
TEXT = README.read_text(encoding="utf-8")
MIXED = "<rss><a>Žižkov</a><b>caf".encode() + b"\xe9</b></rss>"
FEED = '<?xml version="1.0" encoding="windows-1251"?><rss><title>Погода</title></rss>'.encode("cp1251")


def test_the_sessions_are_what_python_prints() -> None:
    flags = doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL
    failed, tried = doctest.testfile(str(README), module_relative=False, optionflags=flags, encoding="utf-8")
    assert failed == 0
    assert tried >= 6


@responses.activate
def test_the_program_runs(tmp_path: Path, monkeypatch, capsys) -> None:
    (tmp_path / "feed.xml").write_bytes(FEED)
    monkeypatch.chdir(tmp_path)
    responses.get("https://example.org/feed.xml", body=FEED, content_type="application/rss+xml")
    programs = [code for code in re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL) if ">>>" not in code]
    assert programs
    for code in programs:
        exec(compile(code, str(README), "exec"), {})
    assert capsys.readouterr().out == "windows-1251 2.0/1.2\n"


COMMANDS = [
    line
    for block in re.findall(r"```console\n(.*?)```", TEXT, re.DOTALL)
    for line in block.splitlines()
    if line
]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("line", COMMANDS)
def test_a_command_line_runs(line: str, tmp_path: Path) -> None:
    """Each line, with a file for the URL; what is not ours after a pipe is left out."""
    for name in ("feed.xml", "mixed.xml", "other.xml"):
        (tmp_path / name).write_bytes(MIXED if name == "mixed.xml" else FEED)
    command = line.split("|")[0].replace("https://example.org/feed.xml", "feed.xml")
    assert command.startswith("feedcharset ")
    ours = f"{shlex.quote(sys.executable)} -m {command}"
    done = subprocess.run(ours, shell=True, cwd=tmp_path, capture_output=True, check=False)
    assert done.returncode == (1 if " check " in command else 0), done.stderr
    assert done.stdout or ">" in command
