"""Exit codes, and what stands on standard error, whatever becomes of the standard streams.

A table of commands and faults, with or without PYTHONUNBUFFERED in turn, in one child process each.
"""

from __future__ import annotations

import gzip
import os
import pty
import shlex
import signal
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import pytest
from support import local_server
from support.command_line import call

from feedcharset.cli import main
from feedcharset.evidence.document_head import HEAD_LIMIT
from feedcharset.reading.utf8_stream import CHUNK

FEED = "<?xml version='1.0' encoding='iso-8859-1'?><rss><title>Žižkov – ☃</title></rss>".encode()
UTF8 = FEED.replace(b"iso-8859-1", b"UTF-8")


class Row(NamedTuple):
    """A command line, its exit code, and whether it prints anything on each stream."""

    line: str
    code: int
    out: bool = True
    err: bool = False


COMMANDS = {
    "--help": Row("--help", 0),
    "--version": Row("--version", 0),
    "detect --help": Row("detect --help", 0),
    "cat": Row("cat feed.xml", 0),
    "check": Row("check feed.xml", 1),
    "check --format json": Row("check --format json feed.xml", 1),
    "detect": Row("detect feed.xml", 0),
    "explain": Row("explain feed.xml", 0),
    "explain --json": Row("explain --json feed.xml", 0),
    "repair": Row("repair --report feed.xml", 0, err=True),
    "cat, missing": Row("cat missing.xml", 2, out=False, err=True),
    "cat, cut gzip": Row("cat cut.xml.gz", 1, err=True),
    "cat --strict, cut gzip": Row("cat --strict cut.xml.gz", 1, err=True),
    "repair, refused": Row("repair cut.xml.gz", 2, out=False, err=True),
    "a misspelt command": Row("chekc feed.xml", 2, out=False, err=True),
    "a misspelt option": Row("cat --strct feed.xml", 2, out=False, err=True),
    "an unknown encoding": Row("cat --encoding klingon feed.xml", 2, out=False, err=True),
    "no command": Row("", 2, out=False, err=True),
}
STANDARD_OUTPUT = {"> /dev/full": "No space left on device", ">&-": "Bad file descriptor"}
FAULTS = ("", *STANDARD_OUTPUT, "2> /dev/full", "2>&-", "| true", "> /dev/full 2>&1", ">&- 2>&- <&-")
ENVIRONMENTS: dict[str, dict[str, str]] = {
    "": {},
    "unbuffered": {"PYTHONUNBUFFERED": "1"},
    "C": {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    "cp1252": {"PYTHONIOENCODING": "cp1252"},
}


def run(folder: Path, line: str, fault: str = "", **variables: str) -> subprocess.CompletedProcess[bytes]:
    """Run a command line in a shell, with a redirection, in an environment of its own."""
    environment = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
        "PYTHON": sys.executable,
        "LC_ALL": "C.UTF-8",
        **variables,
    }
    if fault.startswith("|"):  # the exit code of the first command, on a stream of its own
        script = f'{{ "$PYTHON" -m feedcharset {line}; echo $? >&9; }} 9> code.$$ {fault}'
    else:
        script = f'"$PYTHON" -m feedcharset {line} {fault}; echo $? > code.$$'
    command = ["bash", "-c", f"{script}; cat code.$$ >&2"]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=False)
    shown, _, code = done.stderr.rstrip(b"\n").rpartition(b"\n")
    return subprocess.CompletedProcess(command, int(code), done.stdout, shown)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "feed.xml").write_bytes(FEED)
    (tmp_path / "cat.xml").write_bytes(FEED)
    (tmp_path / "cut.xml.gz").write_bytes(gzip.compress(UTF8, mtime=0)[:-12])
    return tmp_path


QUICK = ("--help", "repair", "cat, missing", "a misspelt command")


def environments(fault: str) -> Sequence[str]:
    return ("", "unbuffered") if fault else list(ENVIRONMENTS)


def quick_cases(fault: str) -> list[tuple[str, str]]:
    """A command in each environment, where there is no fault; else one in two of them."""
    places = environments(fault)
    if not fault:
        return list(zip(QUICK, places, strict=True))
    return list(zip(QUICK[FAULTS.index(fault) % 2 :: 2], places, strict=True))


@pytest.mark.sampled(3)
@pytest.mark.parametrize("fault", FAULTS)
def test_the_exit_code_and_the_streams(fault: str, folder: Path) -> None:
    check_outcomes(folder, quick_cases(fault), fault)


@pytest.mark.long
@pytest.mark.parametrize("fault", FAULTS)
def test_the_exit_code_and_the_streams_of_all_commands(fault: str, folder: Path) -> None:
    places = environments(fault)
    if fault:  # a process takes long to start: each command meets each fault, in one of the environments
        first = FAULTS.index(fault)
        every = [(name, places[(first + at) % 2]) for at, name in enumerate(COMMANDS)]
    else:
        every = [(name, place) for name in COMMANDS for place in places]
    check_outcomes(folder, [case for case in every if case not in quick_cases(fault)], fault)


def check_outcomes(folder: Path, cases: Sequence[tuple[str, str]], fault: str) -> None:
    """Run command lines with a fault, some at a time, since each waits for its process to start."""

    def one(case: tuple[str, str]) -> subprocess.CompletedProcess[bytes]:
        name, environment = case
        return run(folder, COMMANDS[name].line, fault, **ENVIRONMENTS[environment])

    with ThreadPoolExecutor(4) as threads:
        outcomes = list(threads.map(one, cases))
    wrong = []
    for case, done in zip(cases, outcomes, strict=True):
        row = COMMANDS[case[0]]
        code, err = row.code, row.err
        if fault.startswith(">") and row.out:
            code, err = 2, True
        elif fault == "| true" and row.line.startswith("cat"):
            code = done.returncode if done.returncode in (0, row.code) else row.code
        elif "2>" in fault and "--report" in row.line:
            code = 2
        shown = done.stderr.decode()
        right = done.returncode == code and "Traceback" not in shown and "Exception" not in shown
        if fault in STANDARD_OUTPUT and row.out:
            right &= f"feedcharset: standard output: {STANDARD_OUTPUT[fault]}" in shown
        if "2>" in fault:
            right &= not shown
        elif not fault.startswith("|"):
            right &= bool(shown) == err
        if not fault:
            right &= bool(done.stdout) == row.out
            right &= case[0] not in ("cat", "repair") or "☃".encode() in done.stdout
        if not right:
            wrong.append((case, done.returncode, shown))
    assert not wrong


LINES = [
    # A product of many megabytes, of which the pipe takes the first bytes; and the exit code.
    ("check --limit 100 many.xml many.xml many.xml", 1),
    *((f"check --format {form} --limit 5000 many.xml", 1) for form in ("json", "junit", "html", "github")),
    ("check --diff feed.xml many.xml", 1),
    ("check --explain rule", 0),
    ("detect -q --offset " + "cut.xml.gz " * 500, 1),
    ("explain --strict --content-type text/plain " + "feed.xml " * 200, 1),
    ("cat many.xml", 0),
    ("repair many.xml", 0),
]


@pytest.mark.parametrize("step", [7, pytest.param(1, marks=pytest.mark.long)])
def test_a_closed_pipe_changes_no_verdict(folder: Path, step: int) -> None:
    """The text of `cat` and `repair` was wanted no longer; the findings of `check` are there all the same."""
    text = "".join(f"<a>{number} &#{number % 7 + 1};\x01 \ufffe</a>\n" for number in range(2_000))
    (folder / "many.xml").write_text(f"\n<?xml version='1.0'?><rss>{text}</rss>", encoding="utf-8")
    with ThreadPoolExecutor(2) as threads:
        done = list(threads.map(lambda row: run(folder, row[0], "| head -c 10 > /dev/null"), LINES[::step]))
    wrong = [(row, one) for row, one in zip(LINES[::step], done, strict=True) if one.returncode != row[1]]
    assert not wrong
    assert not any(b"Traceback" in one.stderr or b"standard output" in one.stderr for one in done)


@pytest.mark.long
@pytest.mark.parametrize(
    ("line", "unbuffered"),
    [
        ("repair text.xml", "1"),
        pytest.param("check --json" + 90 * " feed.xml", "1", marks=pytest.mark.long),
        pytest.param("cat text.xml", "", marks=pytest.mark.long),
        pytest.param("repair text.xml", "", marks=pytest.mark.long),
    ],
)
def test_a_part_of_the_output_is_never_taken_for_all(folder: Path, line: str, unbuffered: str) -> None:
    """A write may take a part: where the file may not become longer, and where the pipe does not block."""
    text = "".join(f"<a>é{number} &#1;</a>\n" for number in range(9_000))
    (folder / "text.xml").write_text(f"<rss>{text}</rss>", encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    environment["PYTHONUNBUFFERED"] = unbuffered
    command = [sys.executable, "-m", "feedcharset", *line.split()]
    whole = subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=False)
    assert len(whole.stdout) > 1 << 17
    limited = ["bash", "-c", f'ulimit -f {len(whole.stdout) >> 10}; exec "$0" "$@" > short', *command]
    short = subprocess.run(limited, cwd=folder, env=environment, capture_output=True, check=False)
    assert (short.returncode, b"standard output: File too large" in short.stderr) == (2, True)
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    with subprocess.Popen(command, cwd=folder, env=environment, stdout=writing) as process:
        os.close(writing)
        received = b""
        while piece := os.read(reading, 1 << 14):
            received += piece
        os.close(reading)
    assert (len(received), process.returncode) == (len(whole.stdout), whole.returncode)
    assert received == whole.stdout


@pytest.mark.parametrize("command", ["cat", "check", "detect", "explain", "repair"])
def test_a_closed_standard_input(
    command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", None)  # as Python starts with <&-
    for arguments in ([], ["-"]):
        assert call(command, *arguments) == 2
        assert "feedcharset: -: standard input is closed\n" in capsys.readouterr().err


@pytest.mark.parametrize(
    "line",
    ["check", "check --json", "check --diff", "check --fix", "detect", "explain", "repair -i", "cat"],
)
def test_a_file_for_which_the_memory_does_not_suffice(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """One line for it, and the others are done."""
    from feedcharset.validate import document_check

    for name in ("large.xml", "other.xml"):
        (tmp_path / name).write_text('<?xml version="1.0" encoding="ISO-8859-1"?><a>été à Noël</a>', "utf-8")
    alone, real, fix = (tmp_path / "large.xml").stat().st_ino, os.fstat, document_check.fix_document

    def fstat(number: int) -> os.stat_result:
        if (state := real(number)).st_ino == alone:
            raise MemoryError
        return state

    def fix_document(*arguments: object) -> None:
        monkeypatch.setattr(document_check, "fix_document", fix)
        raise MemoryError

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(os, "fstat", fstat)
    if "--" in line and "json" not in line:
        monkeypatch.setattr(document_check, "fix_document", fix_document)
    files = ["large.xml"] if line == "cat" else ["large.xml", "other.xml"]
    assert call(*line.split(), *files) == 2
    out, err = capfd.readouterr()
    assert "feedcharset: large.xml: there is not enough memory for it\n" in err
    assert "Traceback" not in err
    assert len(err.splitlines()) == 1 + (line == "check --fix")
    changed = [name for name in files if b"ISO" not in Path(name).read_bytes()]
    assert line == "cat" or "other.xml" in out or changed == ["other.xml"]


@pytest.mark.parametrize("command", ["cat", "repair"])
def test_an_output_that_cannot_be_written(
    folder: Path, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    missing = folder / "missing" / "out.xml"
    assert call(command, folder / "feed.xml", "-o", missing) == 2
    assert capsys.readouterr() == ("", f"feedcharset: {missing}: No such file or directory\n")
    assert call(command, folder / "feed.xml", "-o", "/dev/full") == 2
    assert capsys.readouterr() == ("", "feedcharset: /dev/full: No space left on device\n")


def test_a_cut_gzip_gives_what_there_is_and_says_so(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (folder / "damaged.gz").write_bytes(gzip.compress(UTF8, mtime=0)[:-6] + b"x" * 6)
    (folder / "later.gz").write_bytes(gzip.compress(UTF8) + b"\x1f\x8b\x07" + gzip.compress(b"more")[3:])
    for name in ("cut.xml.gz", "damaged.gz", "later.gz"):
        assert call("cat", folder / name) == 1
        out, err = capfd.readouterr()
        assert out.startswith("<?xml")
        assert err.startswith(
            f"feedcharset: {folder / name}: the gzip data is cut off, damaged or followed by"
        )
        assert err.endswith(": the text is what could be read\n")
        assert err.count("\n") == 1
    assert call("explain", folder / "cut.xml.gz") == 0
    assert "is cut off: the text is what could be read" in capfd.readouterr().err
    cut = (folder / "cut.xml.gz").read_bytes()
    with local_server.LocalServer(
        {"/cut.xml.gz": local_server.Row(cut, (("Content-Type", "application/gzip"),))}
    ) as server:
        for source in (folder / "cut.xml.gz", server.url("/cut.xml.gz")):  # the download itself is whole
            assert call("cat", "--strict", source) == 1
            assert "leave out --strict" in capfd.readouterr().err


@pytest.mark.parametrize(
    ("given", "near"), [("chekc", "check"), ("detct", "detect"), ("Explain", "explain"), ("kat", "cat")]
)
def test_the_nearest_command_is_named(given: str, near: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(given, "feed.xml") == 2
    assert f"Did you mean {near!r}?" in capsys.readouterr().err
    assert call("xyzzy") == 2
    assert "Did you mean" not in capsys.readouterr().err


INTERRUPTED = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # it is ignored where a shell runs the tests with &
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == {name!r}:
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Finder())
from feedcharset.cli import main
from feedcharset.evidence.document_head import HEAD_LIMIT
from feedcharset.reading.utf8_stream import CHUNK
main(["detect", "feed.xml"])
"""


@pytest.mark.long
@pytest.mark.parametrize(
    "name", ["click", "feedcharset.cli.commands", "feedcharset.reading.western_detection"]
)
def test_ctrl_c_while_importing(folder: Path, name: str) -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", INTERRUPTED.format(name=name)]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr.strip()) == (130, b"", b"")  # at most an empty line


LOST = """
import os, signal, sys, time
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGTERM, signal.SIG_DFL)
from feedcharset.cli import main, terminal
from feedcharset.cli.output_file import output_file
class Interrupted:
    def {name}(self, *_):
        os.kill(os.getpid(), signal.{number})
        time.sleep(20)
def run(*_):
    with output_file("target"):
        class Holder:
            value = Interrupted()
        del Holder.value
        time.sleep(20)
terminal.run = run
main()
"""


@pytest.mark.parametrize("name", ["__set_name__", "__del__"])
@pytest.mark.parametrize(("number", "code"), [("SIGINT", 130), ("SIGTERM", 143)])
def test_a_signal_where_python_loses_its_exception(number: str, code: int, name: str, tmp_path: Path) -> None:
    """It wraps an exception while a class is made (before 3.12), and ignores one while an object is freed. No
    temporary file is left."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", LOST.format(name=name, number=number)]
    done = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, check=False, timeout=15
    )
    assert (done.returncode, done.stdout, done.stderr.strip()) == (code, b"", b"")
    assert os.listdir(tmp_path) == []


REPAIRING = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
from feedcharset.cli import main
from feedcharset.evidence.document_head import HEAD_LIMIT
from feedcharset.reading.utf8_stream import CHUNK
main(["repair"])
"""


def test_ctrl_c_while_reading(folder: Path) -> None:
    """The command waits for standard input when the signal arrives."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", REPAIRING]
    with subprocess.Popen(
        command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        piece = b"x" * (HEAD_LIMIT + CHUNK)  # what the command writes when it has the next CHUNK
        process.stdin.write(piece + b"x" * (CHUNK + 8))
        process.stdin.flush()
        assert process.stdout.read(len(piece)) == piece  # now it waits for more
        process.send_signal(signal.SIGINT)
        errors = process.stderr.read()
        assert (process.wait(), errors.strip()) == (130, b"")


WRITING = """
import resource, signal
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
for number in signal.SIGHUP, signal.SIGTERM, signal.SIGQUIT:
    signal.signal(number, signal.SIG_DFL)
signal.signal(signal.SIGINT, signal.default_int_handler)
from feedcharset.cli import main
main(["repair", "-o", "feed.xml"])
"""


@pytest.mark.long
@pytest.mark.parametrize("name", ["SIGINT", "SIGHUP", "SIGTERM", "SIGQUIT", "SIGKILL"])
def test_a_signal_while_a_file_is_written(folder: Path, name: str) -> None:
    """The page names the code; what no exception can be made of leaves the temporary file, and no more."""
    number = getattr(signal, name)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", WRITING]
    with subprocess.Popen(
        command, cwd=folder, env=environment, stdin=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stderr is not None
        process.stdin.write(b"x" * (1 << 20))  # more than a pipe holds: the command has begun to read
        process.stdin.flush()
        process.send_signal(number)
        with suppress(BrokenPipeError):  # a signal that comes just before a read is seen after it
            os.write(process.stdin.fileno(), b"x" * (1 << 20))
        assert process.stderr.read().strip() == b""
        code = process.wait()
    left = list(folder.glob(".feedcharset.*"))
    assert (folder / "feed.xml").read_bytes() == FEED
    page = (Path(__file__).parents[2] / "docs/reference/command-line.md").read_text(encoding="utf-8")
    if name in ("SIGQUIT", "SIGKILL"):
        assert (code, len(left)) == (-number, 1)
        assert {"SIGQUIT": "SIGQUIT", "SIGKILL": "`kill -9`"}[name] in page
    else:
        assert (code, left) == (128 + number, [])
        assert f"\n| {code} | " in page


@pytest.mark.parametrize(
    ("shell", "variable"), [("bash", "bash_complete"), ("zsh", "zsh_complete"), ("fish", "fish_complete")]
)
def test_shell_completion(folder: Path, shell: str, variable: str) -> None:
    words = {"COMP_WORDS": "feedcharset de", "COMP_CWORD": "1" if shell != "fish" else "de"}
    done = run(folder, "", _FEEDCHARSET_COMPLETE=variable, **words)
    assert (done.returncode, done.stderr) == (0, b"")
    assert "detect" in done.stdout.decode()
    assert "check" not in done.stdout.decode()


@pytest.mark.long
@pytest.mark.parametrize(
    "words", ["check", "check -o", "cat", "cat -o", "repair", "repair -o", "explain", "detect", "batch"]
)
def test_the_shell_completes_names_of_files(folder: Path, words: str) -> None:
    line = {"COMP_WORDS": f"feedcharset {words} fe", "COMP_CWORD": str(len(words.split()) + 1)}
    done = run(folder, "", _FEEDCHARSET_COMPLETE="bash_complete", **line)
    assert (done.returncode, done.stdout.split(), done.stderr) == (0, [b"file,fe"], b"")


def test_wildcards_are_expanded_on_windows(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """click expands them where the shell does not: on Windows, for the arguments of the process."""
    import click.core

    monkeypatch.setattr(click.core.os, "name", "nt")
    monkeypatch.setattr(sys, "argv", ["feedcharset", "detect", "-q", str(folder / "*.xml")])
    lines: list[str] = []
    monkeypatch.setattr("click.echo", lambda line="", **options: lines.append(line))
    with pytest.raises(SystemExit) as left:
        main()
    assert (left.value.code, lines) == (0, ["UTF-8", "UTF-8"])


@pytest.mark.parametrize("arguments", [["-i"], ["-i", "-"], ["-i", "feed.xml", "-o", "x"]])
def test_repair_in_place_needs_files(folder: Path, arguments: list[str]) -> None:
    assert call("repair", *arguments) == 2


def test_repair_several_files_into_one(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder)
    Path("one").write_bytes(b"\xe9")
    Path("two").write_bytes(b"\xe8")
    assert call("repair", "--report", "one", "two") == 0
    out, err = capfd.readouterr()
    assert out == "éè"
    assert err.splitlines() == [
        "one: bytes: 1",
        "one: line 1, column 1 (byte 0): E9 became é",
        "two: bytes: 1",
        "two: line 1, column 1 (byte 0): E8 became è",
    ]
    assert call("repair", "one", "missing", "-o", "out") == 2
    assert capfd.readouterr().err == "feedcharset: missing: No such file or directory\n"
    assert not Path("out").exists()


GONE = [
    *(
        "check .",
        "check ./ --diff",
        "check x -o y",
        "check x -o {}/y",
        "detect x",
        "explain x",
        "repair x -o y",
    ),
    *("cat {}/feed.xml -o y", "check {}/feed.xml --fix --backup -o y", "batch . -o {}/y"),
]


@pytest.mark.parametrize("line", GONE)
def test_in_a_folder_that_was_removed(
    line: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Relative names lead nowhere."""
    (folder / "gone").mkdir()
    monkeypatch.chdir(folder / "gone")
    (folder / "gone").rmdir()
    assert call(*line.format(folder).split()) == 2
    out, err = capfd.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith("feedcharset: ")
    assert not (folder / "y").exists()


@pytest.mark.parametrize(
    ("more", "changes"), [([], False), (["--quiet"], False), (["feed.xml"], True), (["--json"], True)]
)
def test_a_report_of_nothing_that_was_read_replaces_none(
    more: list[str], changes: bool, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    Path("report").write_text("old", encoding="utf-8")
    assert call("check", "missing", *more, "-o", "report") == 2
    assert (Path("report").read_text(encoding="utf-8") != "old") == changes


@pytest.mark.long
def test_cat_into_a_file_shows_progress(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a terminal, for a large file."""
    (folder / "large.xml").write_bytes(b"<a>" + b"x" * (65 << 20) + b"</a>")
    leader, follower = pty.openpty()
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "TERM": "xterm"}
    command = [sys.executable, "-m", "feedcharset", "cat", "large.xml", "-o", "out.xml"]
    with subprocess.Popen(command, cwd=folder, env=environment, stderr=follower) as process:
        os.close(follower)
        shown = b""
        try:
            while piece := os.read(leader, 4096):
                shown += piece
        except OSError:
            pass  # the terminal is gone with the process
        assert process.wait() == 0
    os.close(leader)
    assert b"large.xml" in shown
    assert (folder / "out.xml").stat().st_size == (65 << 20) + 7


@pytest.mark.long
@pytest.mark.parametrize("line", ["cat", "repair", "check", "explain", "detect", "repair - -o out"])
def test_the_end_of_what_is_typed_is_typed_once(line: str, folder: Path) -> None:
    leader, follower = pty.openpty()
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "TERM": "xterm"}
    command = [sys.executable, "-m", "feedcharset", *line.split()]
    with subprocess.Popen(
        command, cwd=folder, env=environment, stdin=follower, stdout=-1, stderr=-1
    ) as process:
        os.write(leader, b"<r>x</r>\n\x04")
        try:
            out, err = process.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
        os.close(follower)
    os.close(leader)
    assert (process.returncode, err.splitlines()[0]) == (0, b"feedcharset: reading standard input")
    written = (folder / "out").read_bytes() if line.endswith("out") else out
    shown = {"check": b"nothing found", "explain": b"UTF-8", "detect": b"US-ASCII"}
    assert shown.get(line, b"<r>x</r>") in written, line


CARELESS = [
    # a command line, its exit code, and what standard error or standard output tells
    ("feed.xml", 2, "Put a command before it: explain, check or cat."),
    ("https://example.org/feed.xml", 2, "Put a command before it"),
    ("check ''", 2, "feedcharset: '': No such file or directory"),
    *((f"{command} - - < feed.xml", 2, "feedcharset: -: standard input is read already; give - once")
      for command in ("check", "explain", "detect", "repair")),
    ("check --content-type 'Content-Type:  text/plain' feed.xml", 1, "error rule-2.6"),
    ("check --content-type 'content-type: application/xml; charset=UTF-8' utf8.xml", 0, "every consumer"),
    ("check folder", 2, "feedcharset: folder: the folder has no XML files"),
    ("cat http://", 2, "give the http or https URL of the feed as a browser would show it"),
]  # fmt: skip


def test_careless_command_lines(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """A pipe of the file system in a folder is passed over: to open it would wait for its writer."""
    (folder / "folder").mkdir()
    os.mkfifo(folder / "folder" / "pipe.xml")
    (folder / "utf8.xml").write_bytes(UTF8)
    (folder / "conflict.xml").write_bytes(b"\xef\xbb\xbf" + FEED)
    wrong = []
    monkeypatch.chdir(folder)
    for line, code, told in CARELESS:
        arguments, _, standard_input = line.partition(" < ")
        with open(standard_input or os.devnull, encoding="utf-8") as stream:
            monkeypatch.setattr(sys, "stdin", stream)
            done = call(*shlex.split(arguments))
        shown = "".join(capfd.readouterr())
        if done != code or told not in shown:
            wrong.append((line, done, shown))
    done_apart = run(folder, "cat --strict conflict.xml")
    assert done_apart.returncode == 1
    assert b"; correct the label, or leave out --strict" in done_apart.stderr
    assert not wrong
