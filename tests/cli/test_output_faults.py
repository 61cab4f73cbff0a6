"""Faults around a command, not in a document: one line or none on stderr, and the right exit code."""

from __future__ import annotations

import errno
import gzip
import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from feedcharset.cli import main, output, terminal

FEED = "<?xml version='1.0' encoding='iso-8859-1'?><rss><title>Žižkov – ☃</title></rss>".encode()
COMMANDS = {
    "cat": ["cat", "feed.xml"],
    "check": ["check", "feed.xml"],
    "detect": ["detect", "feed.xml"],
    "explain": ["explain", "feed.xml"],
    "explain-json": ["explain", "--json", "feed.xml"],
    "repair": ["repair", "feed.xml"],
    "help": ["--help"],
}
FINDINGS = {"check"}  # it has something to report about this feed: exit code 1


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "feed.xml").write_bytes(FEED)
    (tmp_path / "cat.xml").write_bytes(FEED)
    return tmp_path


def run(
    folder: Path, arguments: list[str], redirection: str = "", **variables: str
) -> subprocess.CompletedProcess[bytes]:
    """Run the command in a shell, with a redirection, and with variables in the environment."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), **variables}
    line = f'exec "$0" -m feedcharset "$@" {redirection}'
    command = ["/bin/sh", "-c", line, sys.executable, *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=False)


@pytest.mark.parametrize("name", COMMANDS)
def test_a_full_disk(folder: Path, name: str) -> None:
    done = run(folder, COMMANDS[name], "> /dev/full")
    assert done.stderr.decode() == "feedcharset: standard output: No space left on device\n"
    assert done.returncode == 2


@pytest.mark.parametrize("name", COMMANDS)
def test_a_closed_standard_output(folder: Path, name: str) -> None:
    done = run(folder, COMMANDS[name], ">&-")
    assert done.stderr.decode() == "feedcharset: standard output: Bad file descriptor\n"
    assert done.returncode == 2


@pytest.mark.parametrize("name", COMMANDS)
def test_a_closed_standard_error(folder: Path, name: str) -> None:
    done = run(folder, COMMANDS[name], "2>&-")
    assert (done.returncode, done.stderr) == (int(name in FINDINGS), b"")
    assert done.stdout


@pytest.mark.parametrize("redirection", ["2>&-", "2> /dev/full"])
def test_an_error_without_standard_error(folder: Path, redirection: str) -> None:
    done = run(folder, ["cat", "missing.xml"], redirection)
    assert (done.returncode, done.stdout, done.stderr) == (2, b"", b"")


@pytest.mark.parametrize("command", ["cat", "check", "detect", "explain", "repair"])
def test_a_closed_standard_input(folder: Path, command: str) -> None:
    done = run(folder, [command, "-"], "<&-")
    assert (done.returncode, done.stderr.decode()) == (2, "feedcharset: -: standard input is closed\n")


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.parametrize("encoding", ["cp1252", "latin-1"])
def test_a_pipe_in_another_encoding(folder: Path, name: str, encoding: str) -> None:
    """Text that the encoding does not have is escaped; `cat` and `repair` write UTF-8 all the same."""
    done = run(folder, COMMANDS[name], PYTHONIOENCODING=encoding)
    assert (done.returncode, done.stderr) == (int(name in FINDINGS), b"")
    if name in ("cat", "repair"):
        assert "☃".encode() in done.stdout
    else:
        assert done.stdout.decode(encoding)


@pytest.mark.parametrize("name", COMMANDS)
def test_the_c_locale(folder: Path, name: str) -> None:
    done = run(folder, COMMANDS[name], LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0")
    assert (done.returncode, done.stderr) == (int(name in FINDINGS), b"")


@pytest.mark.parametrize("name", COMMANDS)
def test_a_pipe_that_is_closed_at_once(folder: Path, name: str) -> None:
    done = run(folder, COMMANDS[name], "| true")
    assert done.stderr == b""


@pytest.mark.parametrize("error", [errno.EPIPE, errno.EINVAL])
def test_a_closed_pipe_on_windows(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], error: int
) -> None:
    class Closed:
        def write(self, data: bytes) -> int:
            raise OSError(error, os.strerror(error))

    monkeypatch.setattr(output.sys, "platform", "win32")
    with pytest.raises(output.PipeClosed):
        output.OutputStream(Closed(), "x").write(b"")  # type: ignore[arg-type]
    monkeypatch.setattr(output.sys, "platform", "linux")
    expected = output.PipeClosed if error == errno.EPIPE else output.OutputError
    with pytest.raises(expected):
        output.OutputStream(Closed(), "x").write(b"")  # type: ignore[arg-type]


@pytest.mark.parametrize("command", ["cat", "repair"])
def test_an_output_folder_that_does_not_exist(folder: Path, command: str) -> None:
    done = run(folder, [command, "feed.xml", "-o", "missing/out.xml"])
    assert done.stderr.decode() == "feedcharset: missing/out.xml: No such file or directory\n"
    assert (done.returncode, done.stdout) == (2, b"")


@pytest.mark.parametrize("command", ["cat", "repair"])
def test_an_output_that_is_a_full_device(folder: Path, command: str) -> None:
    done = run(folder, [command, "feed.xml", "-o", "/dev/full"])
    assert done.stderr.decode() == "feedcharset: /dev/full: No space left on device\n"
    assert done.returncode == 2


@pytest.mark.parametrize("number", [errno.EBUSY, errno.EXDEV])
def test_an_output_that_cannot_be_replaced(
    folder: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    """A bind mount: the content is copied into the file, which stays the same file."""

    def refuse(*names: object) -> None:
        raise OSError(number, os.strerror(number))

    target = folder / "out.xml"
    target.write_bytes(b"x" * 5000)
    inode = target.stat().st_ino
    monkeypatch.setattr(output.os, "replace", refuse)
    with pytest.raises(SystemExit) as left:
        main(["repair", str(folder / "feed.xml"), "-o", str(target)])
    assert left.value.code == 0
    assert (target.read_bytes(), target.stat().st_ino) == (FEED, inode)
    assert sorted(path.name for path in folder.iterdir()) == ["cat.xml", "feed.xml", "out.xml"]


def test_a_broken_off_output_leaves_the_target_as_it_was(folder: Path) -> None:
    target = folder / "out.xml"
    target.write_bytes(b"before")

    def write() -> None:
        with output.output_file(str(target)) as file:
            file.write(b"half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write()
    assert target.read_bytes() == b"before"
    assert sorted(path.name for path in folder.iterdir()) == ["cat.xml", "feed.xml", "out.xml"]


INTERRUPTED = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # it is ignored where a shell runs the tests with &
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == {name!r}:
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Finder())
from feedcharset.cli import main
main(["detect", "feed.xml"])
"""


@pytest.mark.parametrize("name", ["click", "feedcharset.cli.command_group", "feedcharset.cli.detect"])
def test_ctrl_c_while_importing(folder: Path, name: str) -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", INTERRUPTED.format(name=name)]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr.strip()) == (130, b"", b"")  # at most an empty line


REPAIRING = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
from feedcharset.cli import main
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
        piece = b"x" * (64 << 10)  # as much as the command reads at once
        process.stdin.write(piece + b"x" * 8)  # and a little for its look at the first bytes
        process.stdin.flush()
        assert process.stdout.read(len(piece)) == piece  # now it waits for more
        process.send_signal(signal.SIGINT)
        errors = process.stderr.read()
        assert (process.wait(), errors.strip()) == (130, b"")


@pytest.mark.parametrize(
    ("shell", "variable"), [("bash", "bash_complete"), ("zsh", "zsh_complete"), ("fish", "fish_complete")]
)
def test_shell_completion(folder: Path, shell: str, variable: str) -> None:
    words = {"COMP_WORDS": "feedcharset de", "COMP_CWORD": "1" if shell != "fish" else "de"}
    done = run(folder, [], _FEEDCHARSET_COMPLETE=variable, **words)
    assert (done.returncode, done.stderr) == (0, b"")
    assert "detect" in done.stdout.decode()
    assert "check" not in done.stdout.decode()


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


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("gzip", gzip.compress(FEED, mtime=0)),
        ("zstd", b"\x28\xb5\x2f\xfd\x00"),
        ("bzip2", b"BZh91AY&SY"),
        ("xz", b"\xfd7zXZ\x00\x00"),
        ("zip", b"PK\x03\x04\x14\x00"),
    ],
)
def test_repair_refuses_what_is_compressed(folder: Path, name: str, data: bytes) -> None:
    (folder / "packed").write_bytes(data)
    for arguments, redirection in ((["repair", "packed"], ""), (["repair"], "< packed")):
        done = run(folder, arguments, redirection)
        assert (done.returncode, done.stdout) == (2, b"")
        assert f"is {name}; unpack it first" in done.stderr.decode()


def test_repair_in_place(folder: Path) -> None:
    mixed = folder / "mixed.xml"
    mixed.write_bytes(b"<a>\xe9</a>")
    mixed.chmod(0o640)
    done = run(folder, ["repair", "--in-place", "--report", "mixed.xml", "feed.xml"])
    assert done.returncode == 0
    assert done.stderr.decode() == "bytes: 1\nat bytes 3\nnothing to repair\n"
    assert (mixed.read_bytes(), mixed.stat().st_mode & 0o777) == ("<a>é</a>".encode(), 0o640)
    assert (folder / "feed.xml").read_bytes() == FEED


@pytest.mark.parametrize("arguments", [["-i"], ["-i", "-"], ["-i", "feed.xml", "-o", "x"]])
def test_repair_in_place_needs_files(folder: Path, arguments: list[str]) -> None:
    assert run(folder, ["repair", *arguments]).returncode == 2


def test_repair_several_files_into_one(folder: Path) -> None:
    (folder / "one").write_bytes(b"\xe9")
    (folder / "two").write_bytes(b"\xe8")
    done = run(folder, ["repair", "--report", "one", "two"])
    assert done.stdout == "éè".encode()
    assert done.stderr.decode().splitlines() == [
        "one: bytes: 1",
        "one: at bytes 0",
        "two: bytes: 1",
        "two: at bytes 0",
    ]
    done = run(folder, ["repair", "one", "missing", "-o", "out"])
    assert done.stderr.decode() == "feedcharset: missing: No such file or directory\n"
    assert (done.returncode, (folder / "out").exists()) == (2, False)


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
    assert terminal.EXIT_OK == 0
