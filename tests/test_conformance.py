"""fixtures/conformance: the suite for other programs is what this repository holds, and its runner judges."""

from __future__ import annotations

import base64
import json
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest
from support.cases import FIXTURES
from support.field_reports import read_field_reports
from support.module_files import module_at

SUITE = FIXTURES / "conformance"
run = module_at(SUITE / "run.py")


def lines(name: str) -> list[dict[str, object]]:
    text = (SUITE / f"{name}.jsonl").read_text(encoding="utf-8")
    assert len(text.splitlines()) == text.count("\n")  # no language splits it otherwise
    return [json.loads(line) for line in text.splitlines()]


def test_every_short_document_of_the_tables_is_there() -> None:
    """Whether the files are those that the script makes, `make test-long` sees."""
    longest = module_at(SUITE / "make_cases.py").LONGEST
    rows = [row for name in ("field_reports", "hard_cases") for row in read_field_reports(name)]
    short = {
        row.id
        for row in rows
        if row.judge != "alive" and len(row.body) <= longest and len(row.content_type or "") <= longest // 16
    }
    assert len(short) > 500
    assert short <= {row["id"] for row in lines("texts")}, "run python fixtures/conformance/make_cases.py"


@pytest.mark.long
def test_the_files_are_current() -> None:
    maker = module_at(SUITE / "make_cases.py")
    for name, cases in (("texts", maker.text_cases()), ("strict", maker.strict_cases())):
        assert (SUITE / f"{name}.jsonl").read_text(encoding="utf-8") == maker.written(cases)


@pytest.mark.parametrize(("name", "count"), [("texts", 2169), ("strict", 1396)])
def test_each_line_is_as_the_schema_says(name: str, count: int) -> None:
    validator = jsonschema.Draft202012Validator(json.loads((SUITE / "schema.json").read_text("utf-8")))
    rows = lines(name)
    assert [row["id"] for row in rows if not validator.is_valid(row)] == []
    assert len({row["id"] for row in rows}) == len(rows) == count
    assert f"{count:,}" in (SUITE / "README.md").read_text(encoding="utf-8")


def test_every_class_is_explained() -> None:
    readme = (SUITE / "README.md").read_text(encoding="utf-8")
    for kind in {str(row["class"]) for row in lines("texts")}:
        assert f"| {kind} | " in readme


def peer(tmp_path: Path, code: str) -> list[str]:
    """A program that gets `path` and `content_type`."""
    file = tmp_path / "peer.py"
    file.write_text(f"import sys, pathlib\npath, content_type = sys.argv[1:]\n{code}\n", encoding="utf-8")
    return [
        "--class",
        "around the document",
        "--json",
        str(tmp_path / "counts.json"),
        "--",
        sys.executable,
        str(file),
    ]


def counts(tmp_path: Path) -> dict[str, int]:
    found: dict[str, int] = json.loads((tmp_path / "counts.json").read_text(encoding="utf-8"))["all"]
    return found


@pytest.mark.long
def test_a_program_is_started_for_each_document(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Right where it prints UTF-8 as it is, wrong where that is another text, refused by its exit code."""
    code = "data = pathlib.Path(path).read_bytes()\ndata.decode()\nsys.stdout.buffer.write(data)"
    assert run.main(peer(tmp_path, code)) == 1
    found = counts(tmp_path)
    assert found["right"] > 10
    assert found["refused"] > 2
    assert found["wrong"] == 49 - found["right"] - found["refused"]
    assert "around the document" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("texts", "strict"),
    [
        (["--class", "no usable label"], ["--class", "rfc3023: an answer"]),
        pytest.param([], [], marks=pytest.mark.long),
    ],
    ids=["no usable label", "all"],
)
def test_the_library_itself(
    texts: list[str], strict: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """By lines, in one process: each document, but those that the repository keeps as not reached."""
    command = [sys.executable, str(SUITE / "peers" / "python_peer.py")]
    out = str(tmp_path / "counts.json")
    assert run.main([*texts, "--list", "--json", out, "--serve", "--", *command, "feedcharset"]) in (0, 1)
    known = {"legacy-8859-2-is-1250-pl", "legacy-8859-8-is-1255", "legacy-8859-6-is-1256", "cut-lt-z"}
    known |= {"cut-pasted-menu", "utf16-trimmed-nul"}
    listed = {line.split("\t")[1] for line in capsys.readouterr().out.splitlines() if "\t" in line}
    assert listed <= known
    assert run.main([*strict, "--strict", "rfc3023", "--serve", "--", *command, "feedcharset-strict"]) == 0


def test_a_program_that_ends_is_named() -> None:
    command = [
        sys.executable,
        str(SUITE / "run.py"),
        "--class",
        "around the document",
        "--serve",
        "--",
        sys.executable,
        "-c",
        "raise SystemExit(3)",
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "the program ended at 0.xml" in done.stderr


@pytest.mark.parametrize(
    ("case", "answer", "verdict"),
    [
        ({"texts": ["<a/>\n"]}, '<?xml version="1.0"?>\r\n<a/>\r\n', "right"),
        ({"texts": ["<a/>"]}, "\ufeff<a/>", "right"),
        ({"texts": ["<a/>"]}, "<b/>", "wrong"),
        ({"texts": ["<a/>"]}, None, "refused"),
    ],
)
def test_a_text_is_compared_behind_the_declaration(
    case: dict[str, object], answer: str | None, verdict: str
) -> None:
    assert run.judged(case, answer) == verdict


def test_the_readers_of_other_languages_speak_of_the_same_lines() -> None:
    """The protocol of --serve, as README.md tells it."""
    command = [sys.executable, str(SUITE / "peers" / "python_peer.py"), "feedcharset"]
    text = f"{FIXTURES / 'feeds' / 'fr-rss20-iso-8859-1-crlf.xml'}\t-\n/nowhere\t\n"
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    first, second = done.stdout.splitlines()
    assert "Le Courrier des Îles" in base64.b64decode(first).decode()
    assert second.startswith("!FileNotFoundError")
