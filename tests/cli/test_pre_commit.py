"""The hook of .pre-commit-hooks.yaml, run by pre-commit itself.

pre-commit would install the package with its dependencies into an environment of its own. Here it runs the
one that is tested: only `language` and the beginning of `entry` are changed.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from support.cases import FIXTURES

HOOKS = FIXTURES.parent / ".pre-commit-hooks.yaml"
GOOD = '<?xml version="1.0" encoding="UTF-8"?>\n<rss><title>café</title></rss>\n'.encode()
BAD = GOOD.replace(b"UTF-8", b"ISO-8859-1")


def run(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    environment = {
        **os.environ,
        "PRE_COMMIT_HOME": str(folder / "home"),
        "PYTHONPATH": os.pathsep.join(sys.path),
        "GIT_CONFIG_GLOBAL": os.devnull,
    }
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with the hook."""
    (hook,) = yaml.safe_load(HOOKS.read_text(encoding="utf-8"))
    assert hook["entry"].startswith("feedcharset ")
    entry = hook["entry"].replace("feedcharset ", f"{shlex.quote(sys.executable)} -m feedcharset ", 1)
    hook |= {"language": "system", "entry": entry, "args": ["--fail-on", "error"]}
    configuration = {"repos": [{"repo": "local", "hooks": [hook]}]}
    (tmp_path / ".pre-commit-config.yaml").write_text(json.dumps(configuration))
    assert run(tmp_path, "git", "init", "-q").returncode == 0
    return tmp_path


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "body", "code", "shown"),
    [
        pytest.param("feed.xml", GOOD, 0, "Passed", marks=pytest.mark.long),
        ("feed.xml", BAD, 1, "plainly-utf-8"),
        pytest.param("public/feed.rss", BAD, 1, "plainly-utf-8", marks=pytest.mark.long),
        pytest.param("feed.txt", BAD, 0, "no files to check", marks=pytest.mark.long),
    ],
)
def test_the_hook(name: str, body: bytes, code: int, shown: str, repository: Path) -> None:
    path = repository / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(body)
    run(repository, "git", "add", ".")
    done = run(repository, sys.executable, "-m", "pre_commit", "run", "--all-files")
    assert done.returncode == code, done.stdout + done.stderr
    assert shown in done.stdout
