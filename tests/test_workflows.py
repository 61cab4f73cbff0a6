"""The files for forges and editors: what they call exists."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from typing import Any

import yaml
from support.cases import FIXTURES

PROJECT = FIXTURES.parent
WORKFLOWS = sorted((PROJECT / ".github" / "workflows").glob("*.yml"))
TARGETS = set(re.findall(r"^([a-z-]+):", (PROJECT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
TOML = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))


def steps(workflow: dict[Any, Any]) -> Iterator[dict[str, Any]]:
    for job in workflow["jobs"].values():
        yield from job["steps"]


def commands(text: str) -> Iterator[str]:
    """The targets of make and the files that a text names."""
    yield from (f"make {name}" for name in re.findall(r"\b(?:make|^step) ([a-z-]+)", text, re.M))
    yield from re.findall(r"(?<![\w/.])((?:\.ci|tests|docs|fixtures)/[\w/.]+\w)", text)


def exists(command: str) -> bool:
    if command.startswith("make "):
        return command.removeprefix("make ") in TARGETS
    return command == "docs/_build/html" or (PROJECT / command).exists()


def test_each_command_of_a_workflow_exists() -> None:
    """A target of the Makefile, or a file of the project; no key is missing that GitHub demands."""
    found = []
    for path in WORKFLOWS:
        workflow = yaml.safe_load(path.read_text(encoding="utf-8"))
        assert {"name", "jobs", "permissions"} <= workflow.keys()
        assert workflow[True]  # YAML 1.1 reads the key `on` as true
        for job in workflow["jobs"].values():
            assert job["runs-on"]
            assert job["timeout-minutes"] <= 60
        for step in steps(workflow):
            assert ("uses" in step) != ("run" in step)
            found += commands(str(step.get("run", "")))
    assert {".ci/run", "make docs", "make web-test", "tests/support/lowest_versions.py"} <= set(found)
    assert [command for command in found if not exists(command)] == []


def test_the_commands_of_the_gate_and_of_pre_commit_exist() -> None:
    names = (".ci/run", ".pre-commit-config.yaml")
    text = "".join((PROJECT / name).read_text(encoding="utf-8") for name in names)
    found = list(commands(text))
    assert len(found) > 5
    assert [command for command in found if not exists(command)] == []


def test_the_versions_of_python_are_those_of_the_package() -> None:
    workflow = yaml.safe_load((PROJECT / ".github" / "workflows" / "tests.yml").read_text(encoding="utf-8"))
    tested = workflow["jobs"]["tests"]["strategy"]["matrix"]["python"]
    named = [row.rpartition(" ")[2] for row in TOML["project"]["classifiers"] if ":: 3." in row]
    assert tested == named
    assert TOML["project"]["requires-python"] == f">={tested[0]}"


def test_the_form_for_wrong_text_asks_for_what_is_needed() -> None:
    form = yaml.safe_load((PROJECT / ".github/ISSUE_TEMPLATE/wrong-text.yml").read_text(encoding="utf-8"))
    required = {part["id"] for part in form["body"] if part.get("validations", {}).get("required")}
    assert required == {"explain", "bytes", "meant", "version"}
