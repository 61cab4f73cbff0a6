"""The replacement of a file: whole or not at all, with its owner, permissions, attributes and links."""

from __future__ import annotations

import errno
import os
import shutil
import signal
import stat
import struct
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from support.command_line import call

from feedcharset.cli import output_file

OLD, NEW = b"old content\n" * 500, b"new\n"
MIXED = b'<?xml version="1.0" encoding="ISO-8859-1"?><a>\xc3\xa9t\xc3\xa9 \xc3\xa0 No\xc3\xabl</a>'


def replace(path: Path, data: bytes = NEW, **options: Any) -> None:
    with output_file.output_file(str(path), **options) as file:
        file.write(data)


@pytest.fixture
def target(tmp_path: Path) -> Path:
    path = tmp_path / "target"
    path.write_bytes(OLD)
    return path


def refuse(number: int) -> Any:
    def refused(*names: object, **options: object) -> None:
        raise OSError(number, os.strerror(number))

    return refused


def test_a_new_file_has_the_mode_of_new_files(tmp_path: Path) -> None:
    replace(tmp_path / "new")
    (tmp_path / "other").touch()
    assert (tmp_path / "new").stat().st_mode == (tmp_path / "other").stat().st_mode
    assert (tmp_path / "new").read_bytes() == NEW


def test_permissions_and_attributes_stay(target: Path) -> None:
    target.chmod(0o4640)
    attributes = True
    try:
        os.setxattr(target, "user.origin", b"here")
    except (OSError, AttributeError):
        attributes = False  # this file system has none
    before = target.stat()
    replace(target)
    after = target.stat()
    assert (target.read_bytes(), stat.S_IMODE(after.st_mode)) == (NEW, 0o4640)
    assert after.st_mtime_ns >= before.st_mtime_ns
    assert not attributes or os.getxattr(target, "user.origin") == b"here"


def test_an_attribute_that_only_root_may_set_stays(target: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Such as `security.*`: the file is overwritten, since a new one would not have it."""
    listed = {target.stat().st_ino: ["security.kept"]}
    monkeypatch.setattr(
        os, "listxattr", lambda path, **options: listed.get(os.stat(path).st_ino, []), raising=False
    )
    monkeypatch.setattr(os, "getxattr", lambda *names, **options: b"", raising=False)
    monkeypatch.setattr(os, "setxattr", refuse(errno.EPERM), raising=False)
    before = target.stat()
    replace(target)
    assert (target.read_bytes(), target.stat().st_ino) == (NEW, before.st_ino)
    assert [path.name for path in target.parent.iterdir()] == [target.name]


@pytest.mark.parametrize("backup", [False, True])
def test_a_file_does_not_get_the_access_list_of_its_folder(backup: bool, target: Path) -> None:
    """Users who could not read it could read and write it then."""
    entries = ((1, 7, 2**32 - 1), (2, 7, 1001), (4, 5, 2**32 - 1), (16, 7, 2**32 - 1), (32, 5, 2**32 - 1))
    given = struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *entry) for entry in entries)
    target.chmod(0o660)
    with suppress(OSError, AttributeError):  # this file system has none
        os.setxattr(target.parent, "system.posix_acl_default", given)
    replace(target, backup=backup)
    assert stat.S_IMODE(target.stat().st_mode) == 0o660
    for path in (target, *target.parent.glob("*.bak")):
        assert not [name for name in getattr(os, "listxattr", lambda _: [])(path) if "acl" in name]


def test_the_owner_stays(target: Path) -> None:
    with suppress(PermissionError):  # only root gives files away
        os.chown(target, 1234, 2345)
    target.chmod(0o600)
    before = target.stat()
    replace(target)
    after = target.stat()
    assert (after.st_uid, after.st_gid, stat.S_IMODE(after.st_mode)) == (before.st_uid, before.st_gid, 0o600)


def test_an_owner_that_cannot_be_kept_means_the_same_file(
    target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inode = target.stat().st_ino
    real = os.stat

    def other_owner(path: Any, **options: Any) -> Any:
        found = real(path, **options)
        return os.stat_result((*found[:4], 4321, *found[5:])) if ".feedcharset." in str(path) else found

    monkeypatch.setattr(output_file.os, "stat", other_owner)
    monkeypatch.setattr(output_file.os, "chown", refuse(errno.EPERM))
    replace(target)
    assert (target.read_bytes(), target.stat().st_ino) == (NEW, inode)


def test_symbolic_and_hard_links_stay(target: Path, tmp_path: Path) -> None:
    hard, soft = tmp_path / "hard", tmp_path / "soft"
    hard.hardlink_to(target)
    soft.symlink_to(target)
    replace(soft)
    assert soft.is_symlink()
    assert hard.samefile(target)
    assert hard.read_bytes() == target.read_bytes() == NEW


def test_a_link_that_leads_nowhere_gets_its_file(tmp_path: Path) -> None:
    (tmp_path / "soft").symlink_to(tmp_path / "absent")
    replace(tmp_path / "soft")
    assert (tmp_path / "absent").read_bytes() == NEW


@pytest.mark.parametrize("length", [1, 255])
def test_names_of_any_length(tmp_path: Path, length: int) -> None:
    path = tmp_path / ("n" * length)
    path.write_bytes(OLD)
    replace(path)
    assert path.read_bytes() == NEW


def test_another_error_of_the_replacement_leaves_the_target(
    target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(output_file.os, "replace", refuse(errno.EIO))
    with pytest.raises(output_file.OutputError):
        replace(target)
    assert target.read_bytes() == OLD
    assert os.listdir(target.parent) == ["target"]


@pytest.mark.parametrize("number", [errno.EACCES, errno.EROFS])
def test_a_file_that_may_not_be_written_is_not_replaced(
    number: int, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = os.open

    def open_(path: Any, flags: int, *rest: Any, **named: Any) -> int:
        if os.path.realpath(target) == path and flags & os.O_WRONLY:
            raise OSError(number, os.strerror(number))
        return opened(path, flags, *rest, **named)

    monkeypatch.setattr(output_file.os, "open", open_)
    with pytest.raises(output_file.OutputError, match=os.strerror(number)):
        replace(target)
    assert target.read_bytes() == OLD
    assert os.listdir(target.parent) == ["target"]


@pytest.mark.parametrize("number", output_file.NOT_REPLACEABLE)
@pytest.mark.parametrize("data", [NEW, OLD + OLD])
def test_what_takes_no_other_name_is_overwritten(
    target: Path, monkeypatch: pytest.MonkeyPatch, number: int, data: bytes
) -> None:
    """A bind mount: the content is copied into the file, which stays the same file."""
    inode = target.stat().st_ino
    monkeypatch.setattr(output_file.os, "replace", refuse(number))
    replace(target, data)
    assert (target.read_bytes(), target.stat().st_ino) == (data, inode)
    assert os.listdir(target.parent) == ["target"]


@pytest.mark.parametrize("number", [errno.EROFS, errno.ENOENT])  # read-only; /proc
def test_a_folder_that_takes_no_new_file(
    target: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, number: int
) -> None:
    import tempfile

    real, other = os.open, tmp_path / "tmp"
    other.mkdir()

    def outside(path: Any, flags: int, mode: int = 0o777) -> int:
        made = flags & os.O_CREAT and Path(path).parent == target.parent
        return refuse(number)() if made else real(path, flags, mode)

    monkeypatch.setattr(os, "open", outside)
    monkeypatch.setattr(tempfile, "tempdir", str(other))
    monkeypatch.setattr(output_file.os, "replace", refuse(errno.EXDEV))
    replace(target)
    assert target.read_bytes() == NEW
    assert os.listdir(other) == []
    with pytest.raises(output_file.OutputError):
        replace(tmp_path / "new")


@pytest.mark.parametrize("made", [1, 2, 3])
def test_a_signal_when_a_file_was_just_made_leaves_none(
    target: Path, monkeypatch: pytest.MonkeyPatch, made: int
) -> None:
    """The new content, the backup, and the copy of the old content: another link needs one."""
    real, files = os.open, []

    def interrupted(path: Any, flags: int, mode: int = 0o777) -> int:
        number = real(path, flags, mode)
        if flags & os.O_CREAT:
            files.append(path)
            assert sys.platform == "win32" or os.stat(path).st_mode & 0o777 == 0o600
            if len(files) == made:
                os.close(number)
                raise SystemExit(143)
        return number

    os.link(target, target.parent / "link")
    monkeypatch.setattr(os, "open", interrupted)
    with pytest.raises(SystemExit):
        replace(target, backup=True)
    assert len(set(files)) == made
    assert target.read_bytes() == OLD
    assert sorted(os.listdir(target.parent)) == ["link", "target"]


@pytest.mark.parametrize("backup", [False, True])
@pytest.mark.parametrize("error", [OSError(errno.ENOSPC, "No space left on device"), KeyboardInterrupt()])
def test_an_overwriting_that_fails_is_undone(
    target: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException, backup: bool
) -> None:
    """A full disk, or Ctrl-C, in the middle of the copy. The backup goes, too: it would stop the next run."""
    real, failing = output_file._copy_into, [error]

    def copy(name: str, into: str) -> None:
        if failing and into == str(target):
            target.write_bytes(b"half")
            raise failing.pop()
        real(name, into)

    monkeypatch.setattr(output_file.os, "replace", refuse(errno.EBUSY))
    monkeypatch.setattr(output_file, "_copy_into", copy)
    with pytest.raises((output_file.OutputError, KeyboardInterrupt)):
        replace(target, backup=backup)
    assert target.read_bytes() == OLD
    assert os.listdir(target.parent) == ["target"]


def test_where_it_cannot_be_undone_the_old_file_is_kept_and_named(
    target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = output_file._copy_into

    def copy(name: str, into: str) -> None:
        if into == str(target):
            target.write_bytes(b"half")
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        real(name, into)

    monkeypatch.setattr(output_file.os, "replace", refuse(errno.EBUSY))
    monkeypatch.setattr(output_file, "_copy_into", copy)
    with pytest.raises(output_file.OutputError) as caught:
        replace(target, backup=True)
    kept = caught.value.reason.rpartition(" ")[2]
    assert Path(kept).read_bytes() == OLD
    assert sorted(os.listdir(target.parent)) == sorted(["target", "target.bak", os.path.basename(kept)])


def test_an_old_content_that_cannot_be_removed_is_named(
    target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else the page says to copy it back over the new one."""
    real = os.unlink

    def unlink(path: str) -> None:
        (refuse(errno.EIO) if path.endswith(".old") else real)(path)

    (target.parent / "hard").hardlink_to(target)
    monkeypatch.setattr(output_file.os, "unlink", unlink)
    with pytest.raises(output_file.OutputError) as caught:
        replace(target)
    assert "; the file is new and complete" in caught.value.reason
    kept = caught.value.reason.partition(" is left in ")[2].removesuffix(": remove that")
    assert (target.read_bytes(), Path(kept).read_bytes()) == (NEW, OLD)
    assert len(os.listdir(target.parent)) == 3


@pytest.mark.parametrize("options", [["repair", "-i"], ["check", "--fix"]], ids=" ".join)
def test_a_file_that_cannot_be_written_keeps_no_other_from_it(
    options: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One line for each, and the exit code is 2: a backup whose name is too long, a file without the right to
    write, a folder that takes no new file."""
    real, long = os.open, "n" * 248 + ".xml"

    def open_(path: Any, flags: int, *rest: Any, **named: Any) -> int:
        if ("c.xml" in str(path) and flags & os.O_WRONLY) or "closed/." in str(path):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        return real(path, flags, *rest, **named)

    monkeypatch.chdir(tmp_path)
    Path("closed").mkdir()
    names = ["a.xml", long, "b.xml", "c.xml", "closed/d.xml", "missing.xml", "z.xml"]
    for name in names[:5] + names[6:]:
        Path(name).write_bytes(MIXED)
    clean = Path("clean-c.xml")  # nothing changes in it, so it need not be written
    clean.write_bytes(b"<a/>\n")
    monkeypatch.setattr(os, "open", open_)
    assert call(*options, "--backup", clean) == 0
    capsys.readouterr()
    assert call(*options, "--backup", *names, clean) == 2
    told = dict(
        line.removeprefix("feedcharset: ").split(": ") for line in capsys.readouterr().err.splitlines()
    )
    told = {name: why for name, why in told.items() if name != "fixed"}
    assert told == {
        f"{long}.bak": "File name too long",
        "c.xml": "Permission denied",
        "closed/d.xml.bak": "Permission denied",
        "missing.xml": "No such file or directory",
    }
    changed = [name for name in names if name != "missing.xml" and Path(name).read_bytes() != MIXED]
    assert changed == ["a.xml", "b.xml", "z.xml"]


def test_a_copy_of_the_old_file_that_fails_leaves_it(target: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import shutil

    monkeypatch.setattr(output_file.os, "replace", refuse(errno.EBUSY))
    monkeypatch.setattr(shutil, "copyfileobj", refuse(errno.ENOSPC))
    with pytest.raises(output_file.OutputError, match="No space left"):
        replace(target)
    assert target.read_bytes() == OLD
    assert os.listdir(target.parent) == ["target"]


@contextmanager
def at_every_step(look: Callable[[], None]) -> Iterator[None]:
    """Look at the file system before and after every call, of C, too: what a `kill -9` then would leave.

    What Python holds in its buffers is not there, as it is not after a kill.
    """
    wrong: list[BaseException] = []

    def step(frame: object, event: str, argument: object) -> None:
        try:
            look()
        except BaseException as error:
            wrong.append(error)

    before = sys.getprofile()
    sys.setprofile(step)
    try:
        yield
    finally:
        sys.setprofile(before)
        if wrong:
            raise wrong[0]


@pytest.mark.parametrize("links", [True, False])
def test_a_backup_is_whole_at_any_step(links: bool, target: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A kill leaves no part of the file under the name from which somebody would restore it."""
    import shutil

    real, backup, states = shutil.copyfileobj, Path(f"{target}.bak"), set()
    monkeypatch.setattr(shutil, "copyfileobj", lambda source, into: real(source, into, 1000))
    if not links:  # as on a FAT file system
        monkeypatch.setattr(output_file.os, "link", refuse(errno.EPERM))

    def look() -> None:
        kept, data = backup.exists() and backup.read_bytes(), target.read_bytes()
        assert kept in (False, OLD)
        assert data == OLD or (kept and data == NEW)
        states.add((bool(kept), data == NEW))

    with at_every_step(look):
        replace(target, backup=True)
    assert states == {(False, False), (True, False), (True, True)}
    assert sorted(os.listdir(target.parent)) == ["target", "target.bak"]
    target.write_bytes(OLD)
    backup.write_bytes(NEW)
    file_state = output_file.file_state

    def unseen(path: str, **options: Any) -> Any:
        return None if path.endswith(".bak") else file_state(path, **options)

    with monkeypatch.context() as patch:  # it comes at the same moment
        patch.setattr(output_file, "file_state", unseen)
        if links:
            with pytest.raises(ValueError, match="is there already"):
                replace(target, backup=True)
            assert (target.read_bytes(), backup.read_bytes()) == (OLD, NEW)
    assert sorted(os.listdir(target.parent)) == ["target", "target.bak"]


@pytest.mark.long
@pytest.mark.parametrize("how", ["whole", "a full disk", "Ctrl-C"])
@pytest.mark.parametrize("backup", [False, True])
@pytest.mark.parametrize("why", ["a hard link", "its name cannot be taken"])
def test_a_kill_at_any_step_leaves_a_file_that_the_page_brings_back(
    why: str, backup: bool, how: str, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file named .old is whole, and on the disk under that name, before the target is written.

    docs/how-to/repair.md: where one is left, its content is the file's; else the file is as it was, or new.
    """
    import shutil

    folder, name = target.parent, str(target)
    old, new = OLD * 40, b"new content\n" * 15_000  # pieces of a copy, and a rest
    target.write_bytes(old)
    if why == "a hard link":
        (folder / "hard").hardlink_to(target)
    else:
        monkeypatch.setattr(output_file.os, "replace", refuse(errno.EBUSY))
    real_sync, real_copy = os.fsync, shutil.copyfileobj
    synced: set[str] = set()
    """The files and folders that were synced, with the names in a folder."""
    states = set()

    def sync(number: int) -> None:
        real_sync(number)
        state = os.fstat(number)
        names = sorted(os.listdir(folder)) if stat.S_ISDIR(state.st_mode) else [state.st_size]
        synced.add(f"{state.st_ino}: {names}")

    def copy(source: Any, into: Any) -> None:
        if how != "whole" and into.name == name and target.stat().st_size == len(old):
            into.write(source.read(70_000))
            into.truncate()
            into.flush()
            raise KeyboardInterrupt if how == "Ctrl-C" else OSError(errno.ENOSPC, "No space left on device")
        real_copy(source, into, 20_000)

    def look() -> None:
        names = sorted(os.listdir(folder))
        data, kept = target.read_bytes(), [one for one in names if one.endswith(".old")]
        if kept:
            (path,) = (folder / one for one in kept)
            assert path.read_bytes() == old
            assert f"{path.stat().st_ino}: {[len(old)]}" in synced
        else:
            assert data in (old, new)
        if data not in (old, new):
            assert f"{folder.stat().st_ino}: {names}" in synced
        assert "target.bak" not in names or (folder / "target.bak").read_bytes() == old
        states.add((bool(kept), "old" if data == old else "new" if data == new else "half"))

    monkeypatch.setattr(output_file.os, "fsync", sync)
    monkeypatch.setattr(shutil, "copyfileobj", copy)
    with suppress(output_file.OutputError, KeyboardInterrupt), at_every_step(look):
        replace(target, new, backup=backup)
    assert target.read_bytes() == (new if how == "whole" else old)
    assert states >= {(False, "old"), (True, "old"), (True, "half")}
    assert ((False, "new") in states) == (how == "whole")
    assert not [one for one in os.listdir(folder) if one.startswith(".feedcharset.")]


@pytest.mark.parametrize("error", [ValueError("refused"), KeyboardInterrupt()])
def test_a_broken_off_output_leaves_the_target(target: Path, error: BaseException) -> None:
    def write() -> None:
        with output_file.output_file(str(target)) as file:
            file.write(b"half")
            raise error

    with pytest.raises(type(error)):
        write()
    assert target.read_bytes() == OLD
    assert os.listdir(target.parent) == ["target"]


def test_a_backup_follows_no_link_and_overwrites_nothing(
    target: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mixed = tmp_path / "mixed.xml"
    feed = b'<?xml version="1.0" encoding="ISO-8859-1"?><a>\xc3\xa9t\xc3\xa9 \xc3\xa0 No\xc3\xabl</a>'
    mixed.write_bytes(feed)
    backup = tmp_path / "mixed.xml.bak"
    for there in ("link", "dangling", "file"):
        backup.unlink(missing_ok=True)
        if there == "file":
            backup.write_bytes(OLD)
        else:
            backup.symlink_to(target if there == "link" else tmp_path / "absent")
        for command in (["repair", "-i"], ["check", "--fix"]):
            assert call(*command, "--backup", mixed) == 2
            assert "is there already" in capsys.readouterr().err
            assert (mixed.read_bytes(), target.read_bytes()) == (feed, OLD)
            assert not (tmp_path / "absent").exists()
    backup.unlink()
    mixed.chmod(0o640)
    assert call("repair", "-i", "--backup", mixed) == 0
    assert (backup.read_bytes(), stat.S_IMODE(backup.stat().st_mode)) == (feed, 0o640)
    assert b"UTF-8" in mixed.read_bytes()
    assert call("repair", "--backup", mixed) == 2


def test_a_backup_that_fails_leaves_no_half(target: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import shutil

    monkeypatch.setattr(shutil, "copyfileobj", refuse(errno.ENOSPC))
    with pytest.raises(output_file.OutputError, match="No space left"):
        replace(target, backup=True)
    assert os.listdir(target.parent) == ["target"]
    assert target.read_bytes() == OLD


def test_a_backup_has_the_owner_of_the_file(target: Path) -> None:
    """Root repairs the file of a user, who can read the backup, too."""
    with suppress(PermissionError):
        os.chown(target, 1234, 2345)
    target.chmod(0o600)
    before = target.stat()
    replace(target, backup=True)
    backup = os.stat(f"{target}.bak")
    assert (backup.st_uid, backup.st_gid, backup.st_mode) == (before.st_uid, before.st_gid, before.st_mode)
    assert Path(f"{target}.bak").read_bytes() == OLD


@pytest.mark.parametrize(("group_kept", "mode"), [(False, 0o705), (True, 0o755)])
def test_a_backup_of_another_owner(
    group_kept: bool, mode: int, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is no program of ours, and no group reads it that does not read the file."""
    real = os.chown

    def refuse(path: str, owner: int, group: int) -> None:
        if owner != -1 or not group_kept:
            raise PermissionError
        real(path, owner, group)

    with suppress(PermissionError):
        os.chown(target, 1234, 2345)
    target.chmod(0o6755)
    kept = target.stat().st_uid == os.getuid()  # not for root
    monkeypatch.setattr(os, "chown", refuse)
    replace(target, backup=True)
    assert stat.S_IMODE(os.stat(f"{target}.bak").st_mode) == (0o6755 if kept else mode)


@pytest.mark.parametrize("signal_name", ["SIGTERM", "SIGHUP"])
@pytest.mark.parametrize("moment", ["writing", "overwriting"])
def test_a_signal_leaves_the_target_whole(
    moment: str, signal_name: str, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SIGTERM and SIGHUP are as Ctrl-C: nothing is left behind, and other hard links are whole, too."""
    number, real, first = getattr(signal, signal_name), output_file._copy_into, [True]
    (target.parent / "hard").hardlink_to(target)

    def copy(name: str, into: str) -> None:
        if into == str(target) and first:
            first.pop()
            target.write_bytes(b"half")
            os.kill(os.getpid(), number)
        real(name, into)

    def write(stream: output_file.OutputStream, data: bytes) -> int:
        if moment == "writing":
            os.kill(os.getpid(), number)
        return len(data)

    monkeypatch.setattr(output_file, "_copy_into", copy)
    monkeypatch.setattr(output_file.OutputStream, "write", write)
    before = signal.signal(number, signal.SIG_DFL)  # the tests may run where it is ignored (nohup)
    try:
        with pytest.raises(SystemExit) as ended:
            replace(target)
        assert signal.getsignal(number) is signal.SIG_DFL
    finally:
        signal.signal(number, before)
    assert ended.value.code == 128 + number
    assert target.read_bytes() == (target.parent / "hard").read_bytes() == OLD
    assert sorted(os.listdir(target.parent)) == ["hard", "target"]


@pytest.mark.parametrize("second", ["SIGINT", "SIGHUP", "SIGTERM"])
@pytest.mark.parametrize("first", ["SIGINT", "SIGHUP", "SIGTERM"])
@pytest.mark.parametrize("backup", [False, True])
def test_signals_behind_the_first_one_are_passed_over(
    first: str, second: str, backup: bool, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A terminal that is closed sends two. The first number is the exit code; later ones end the program
    again."""
    numbers = [getattr(signal, name) for name in (first, second)]
    usual = {signal.SIGINT: signal.default_int_handler}
    before = {number: signal.signal(number, usual.get(number, signal.SIG_DFL)) for number in numbers}
    real, sent = output_file._copy_into, []
    (target.parent / "hard").hardlink_to(target)

    def copy(name: str, into: str) -> None:
        if into == str(target):
            sent.append(numbers[len(sent)])
            target.write_bytes(b"half")
            os.kill(os.getpid(), sent[-1])
        real(name, into)

    def unlink(path: str, remove: Any = os.unlink) -> None:
        if sent:
            os.kill(os.getpid(), numbers[1])
        remove(path)

    monkeypatch.setattr(output_file, "_copy_into", copy)
    monkeypatch.setattr(os, "unlink", unlink)
    try:
        with pytest.raises((SystemExit, KeyboardInterrupt)) as ended:
            replace(target, backup=backup)
        assert all(signal.getsignal(number) is usual.get(number, signal.SIG_DFL) for number in numbers)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    assert sent == numbers
    code = ended.value.code if isinstance(ended.value, SystemExit) else 130
    assert code == 128 + numbers[0]
    assert target.read_bytes() == (target.parent / "hard").read_bytes() == OLD
    assert sorted(os.listdir(target.parent)) == ["hard", "target"]


def test_a_signal_that_is_ignored_stays_ignored(target: Path) -> None:
    """`nohup feedcharset repair -i *.xml` goes on without its terminal."""
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with output_file.output_file(str(target)) as file:
            os.kill(os.getpid(), signal.SIGHUP)
            file.write(NEW)
    finally:
        signal.signal(signal.SIGHUP, before)
    assert target.read_bytes() == NEW


def test_threads_write_files_too(target: Path) -> None:
    thread = Thread(target=replace, args=(target,))
    thread.start()
    thread.join()
    assert target.read_bytes() == NEW


def test_what_cannot_be_overwritten_is_not_said_to_be_damaged(
    target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that only grows (chattr +a) takes no other's name, and is not opened for overwriting."""
    real = open

    def opened(name: Any, mode: str = "r", **options: Any) -> Any:
        if mode == "r+b" and name == str(target):
            raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))
        return real(name, mode, **options)

    monkeypatch.setattr(output_file.os, "replace", refuse(errno.EPERM))
    monkeypatch.setattr(output_file, "open", opened, raising=False)
    with pytest.raises(output_file.OutputError) as caught:
        replace(target)
    assert caught.value.reason == os.strerror(errno.EPERM)
    assert os.listdir(target.parent) == ["target"]


def test_what_is_left_in_a_folder_that_was_renamed_is_named(
    target: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    renamed = target.parent.with_name("renamed")
    with (
        pytest.raises(ValueError, match="changed"),
        output_file.output_file(str(target), replaces=os.stat(target)),
    ):
        target.parent.rename(renamed)
    (left,) = renamed.glob(".feedcharset.*")
    seen = capsys.readouterr().err
    assert seen == f"feedcharset: {target.parent / left.name} is left (its folder was renamed); remove it\n"
    assert (renamed / "target").read_bytes() == OLD


IN_PLACE = [("repair", "-i"), ("check", "--fix")]


def test_a_temporary_file_that_cannot_be_removed_is_named(
    target: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As in a folder that takes files and loses none."""
    monkeypatch.setattr(output_file.os, "unlink", refuse(errno.EPERM))
    with pytest.raises(KeyboardInterrupt), output_file.output_file(str(target)):
        raise KeyboardInterrupt
    (left,) = target.parent.glob(".feedcharset.*")
    assert capsys.readouterr().err == f"feedcharset: {left} is left (Operation not permitted); remove it\n"


def test_a_temporary_file_that_was_not_made_is_not_named(
    target: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """On a file system that is read-only nothing can be removed, either."""
    monkeypatch.setattr(output_file.os, "open", refuse(errno.EROFS))
    monkeypatch.setattr(output_file.os, "unlink", refuse(errno.EROFS))
    output = output_file.output_file(str(target.with_name("new")))
    with pytest.raises(output_file.OutputError, match="Read-only file system"), output:
        pass
    assert capsys.readouterr().err == ""


def test_no_file_is_fixed_before_the_report_can_be_written(target: Path, capsys: Any) -> None:
    target.write_bytes(MIXED)
    assert call("check", "--fix", "-o", target.parent / "none" / "report", target) == 2
    assert target.read_bytes() == MIXED
    assert call("check", "--fix", "-o", target.parent / "report", target) == 0
    assert "nothing found" in (target.parent / "report").read_text()
    assert call("check", "--fix", "-o", target.parent / "report", target.parent / "none") == 2
    assert "nothing found" in (target.parent / "report").read_text()


@pytest.mark.parametrize("command", ["repair", "cat", "check"])
def test_an_output_without_a_name_is_refused(command: str, target: Path, capsys: Any) -> None:
    assert call(command, "-o", "", target) == 2
    assert "the name is empty" in capsys.readouterr().err


@pytest.mark.parametrize("command", IN_PLACE, ids=" ".join)
@pytest.mark.parametrize("how", ["another file", "another content", "gone"])
def test_a_file_that_is_changed_while_it_is_read_is_not_replaced(
    how: str, command: tuple[str, str], target: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    target.write_bytes(MIXED)
    real = output_file.OutputStream.write

    def write(stream: output_file.OutputStream, data: bytes) -> int:
        target.unlink(missing_ok=how != "another content")
        if how != "gone":
            target.write_bytes(b"<a>new</a>")
        return real(stream, data)

    monkeypatch.setattr(output_file.OutputStream, "write", write)
    assert call(*command, target) == 2
    assert "it was changed while it was read; nothing is written" in capsys.readouterr().err
    assert os.listdir(target.parent) == ([] if how == "gone" else ["target"])
    assert how == "gone" or target.read_bytes() == b"<a>new</a>"


@pytest.mark.parametrize("command", [*IN_PLACE, ("check", "--fix", "--backup")], ids=" ".join)
@pytest.mark.parametrize("links", [False, True], ids=["", "hard links"])
@pytest.mark.parametrize("step", [1, 2, 3])
def test_what_another_program_appends_while_the_disk_is_waited_for_is_kept(
    step: int, links: bool, command: tuple[str, ...], target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Behind each fsync, of which a disk may take seconds."""
    target.write_bytes(MIXED)
    if links:
        os.link(target, target.with_name("other"))
    real, steps = os.fsync, []

    def fsync(number: int) -> None:
        real(number)
        steps.append(number)
        if len(steps) == step:
            with target.open("ab") as file:
                file.write(b"<!-- new -->")

    monkeypatch.setattr(os, "fsync", fsync)
    code = call(*command, target)
    if step > 1 + links + ("--backup" in command):  # all is written, or there is no such step
        assert code == 0
    else:
        assert code == 2
        assert target.read_bytes() == MIXED + b"<!-- new -->"
        assert sorted(os.listdir(target.parent)) == (["other"] if links else []) + ["target"]
    assert len(steps) < step or target.read_bytes().endswith(b"<!-- new -->")


@pytest.mark.parametrize("command", IN_PLACE, ids=" ".join)
@pytest.mark.parametrize("change", ["chmod", "link", "setxattr"])
def test_what_another_program_makes_of_the_file_while_the_disk_is_waited_for_is_kept(
    change: str, command: tuple[str, ...], target: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    target.write_bytes(MIXED)
    real, before = os.fsync, target.stat()

    def fsync(number: int) -> None:
        real(number)
        if change == "chmod":
            target.chmod(0o600)
        elif change == "link":
            os.link(target, target.with_name("other"))
        while change == "setxattr" and target.stat().st_ctime_ns == before.st_ctime_ns:
            os.setxattr(target, "user.x", b"y")

    if change == "setxattr":
        try:
            os.setxattr(target, "user.x", b"x")
        except (AttributeError, OSError):
            return  # a system or a file system without them
        before = target.stat()
    monkeypatch.setattr(os, "fsync", fsync)
    assert call(*command, target) == 2
    assert "it was changed meanwhile; nothing is written" in capsys.readouterr().err
    assert target.read_bytes() == MIXED
    assert change != "chmod" or target.stat().st_mode & 0o777 == 0o600
    assert change != "link" or target.samefile(target.with_name("other"))
    assert change != "setxattr" or os.getxattr(target, "user.x") == b"y"


def test_a_file_that_could_not_be_overwritten_has_its_time(
    target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target.write_bytes(MIXED)
    os.link(target, target.with_name("other"))
    os.utime(target, ns=(0, 10**18))
    real = shutil.copyfileobj

    def copyfileobj(source: Any, file: Any) -> None:
        if source.name.startswith(str(target.parent / ".feedcharset")) and file.name == str(target):
            monkeypatch.setattr(shutil, "copyfileobj", real)
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        real(source, file)

    monkeypatch.setattr(shutil, "copyfileobj", copyfileobj)
    assert call("repair", "-i", target) == 2
    assert (target.read_bytes(), target.stat().st_mtime_ns) == (MIXED, 10**18)


@pytest.mark.parametrize("command", IN_PLACE, ids=" ".join)
def test_a_pipe_is_not_written_back(command: tuple[str, str], tmp_path: Path, capsys: Any) -> None:
    """Refused at once, before its data is read."""
    os.mkfifo(tmp_path / "pipe")
    assert call(*command, tmp_path / "pipe") == 2
    assert "it is a pipe or a device; only a file is written back" in capsys.readouterr().err


@pytest.mark.parametrize(
    "command", ["repair a -o l", "cat a -o l", "check a -o l", "check --format html a -o l"]
)
def test_a_loop_of_links_is_an_error_in_one_line(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a").write_bytes(b"<a/>")
    Path("l").symlink_to("l")
    assert call(*command.split()) == 2
    assert capsys.readouterr().err == f"feedcharset: l: {os.strerror(errno.ELOOP)}\n"
    assert Path("l").is_symlink()


def test_a_report_does_not_replace_the_backup(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.xml").write_bytes(MIXED)
    for output, why in (("./a.xml.bak", "is a backup"), ("a.xml", "is a source")):
        assert call("check", "--fix", "--backup", "a.xml", "-o", output) == 2
        assert why in capsys.readouterr().err
        assert (os.listdir(), Path("a.xml").read_bytes()) == (["a.xml"], MIXED)


@pytest.mark.parametrize("command", ["repair", "cat"])
def test_a_hyphen_is_standard_output(
    command: str, target: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    monkeypatch.chdir(target.parent)
    assert call(command, "target", "-o", "-") == 0
    assert capfdbinary.readouterr().out == OLD
    assert os.listdir() == ["target"]


def test_no_input_is_an_output(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("a", "b"):
        (tmp_path / name).write_bytes(b"<a>\xe9</a>")
    (tmp_path / "link").symlink_to(tmp_path / "b")
    for arguments in (
        ("repair", "a", "b", "-o", "a"),
        ("repair", "a", "b", "-o", "b"),
        ("repair", "a", "b", "-o", "link"),
        ("cat", "b", "-o", "link"),
        ("check", "a", "b", "-o", "link"),
        ("check", "--format", "html", "a", "b", "-o", "link"),
    ):
        paths = [str(tmp_path / part) if len(part) == 1 or part == "link" else part for part in arguments]
        assert call(*paths) == 2, arguments
        assert capsys.readouterr().err
        assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes() == b"<a>\xe9</a>"


@pytest.mark.parametrize("error", [errno.EPIPE, errno.EINVAL])
def test_a_closed_pipe_on_windows(monkeypatch: pytest.MonkeyPatch, error: int) -> None:
    class Closed:
        write = staticmethod(refuse(error))

    closed: Any = Closed()
    monkeypatch.setattr(output_file.sys, "platform", "win32")
    with pytest.raises(output_file.PipeClosed):
        output_file.OutputStream(closed, "x").write(b"")
    monkeypatch.setattr(output_file.sys, "platform", "linux")
    with pytest.raises(output_file.PipeClosed if error == errno.EPIPE else output_file.OutputError):
        output_file.OutputStream(closed, "x").write(b"")


@pytest.mark.parametrize("hard", [False, True])
@pytest.mark.parametrize("backup", [False, True])
@pytest.mark.parametrize("call", ["link", "rename", "unlink", "fsync", "replace", "chown"])
def test_a_signal_right_behind_a_call_leaves_nothing(
    call: str, backup: bool, hard: bool, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The n-th of each; the target is whole, old or new, and nothing else is left but a backup of the old."""
    for nth in range(1, 6):
        for file in target.parent.iterdir():
            file.unlink()
        target.write_bytes(OLD)
        if hard:
            os.link(target, target.parent / "hard")
        real, times = getattr(os, call), []

        def interrupted(
            *arguments: Any, real: Any = real, times: Any = times, nth: int = nth, **options: Any
        ) -> Any:
            done = real(*arguments, **options)
            times.append(1)
            if len(times) == nth:
                raise SystemExit(143)
            return done

        with monkeypatch.context() as patch:
            patch.setattr(os, call, interrupted)
            try:
                replace(target, backup=backup)
            except SystemExit:
                left = set(os.listdir(target.parent)) - {"target", "hard"}
                whole = target.read_bytes()
                assert whole in (OLD, NEW)
                assert left == ({"target.bak"} if backup and whole == NEW else set()), (nth, left)


@pytest.mark.parametrize("command", ["repair", "cat", "check"])
def test_an_output_in_a_folder_that_is_not_there(
    command: str, target: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Python's `realpath` would find the input behind it."""
    target.write_bytes(before := b"<a>caf\xe9</a>")
    output = f"{target.parent}/missing/../{target.name}"
    assert call(command, target, "-o", output) == 2
    assert target.read_bytes() == before
    assert "No such file or directory" in capsys.readouterr().err


@pytest.mark.skipif(not os.path.exists("/dev/fd"), reason="the system has no /dev/fd")
def test_an_open_file_is_written_on(target: Path) -> None:
    """As tee does: what is written to it later is not lost."""
    with target.open("ab", buffering=0) as shell:
        shell.write(b"before")
        replace(Path(f"/dev/fd/{shell.fileno()}"))
        shell.write(b"after")
    assert target.read_bytes() == OLD + b"before" + NEW + b"after"


ANY_STATE = [
    # what is in the folder beside `a`, a command line, and the file whose bytes, mode and links are looked at
    ("", "repair -i a", "a"),
    ("", "repair -i --backup a", "a"),
    ("hard", "repair -i --backup a", "a"),
    ("soft", "repair -i soft", "a"),
    ("soft", "repair -i --backup soft", "a"),
    ("", "check --fix a", "a"),
    ("", "check --fix --backup a", "a"),
    ("hard", "check --fix a", "a"),
    ("soft", "check --fix --backup soft", "a"),
    ("", "repair a -o out", "out"),
    ("", "cat a -o out", "out"),
    ("hard", "cat a -o out", "out"),
    ("soft", "cat a -o soft-out", "out"),
    ("", "check a -o out", "out"),
]


@pytest.mark.sampled(12)
@pytest.mark.parametrize(
    ("beside", "line", "name", "number"),
    [
        *((*row, errno.ESTALE) for row in ANY_STATE),
        *((*row, errno.ENOENT) for row in ANY_STATE if row[2] == "a"),  # another output may be gone
    ],
)
def test_a_state_that_cannot_be_read_costs_no_file(
    beside: str, line: str, name: str, number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The n-th `stat` or `lstat` fails, once, as on a network drive: the file is as it was, or new, with its
    mode and links, and it is new where the exit code is 0."""
    folder = tmp_path / "folder"
    results: list[tuple[int, bytes]] = []
    wrong = []
    for nth in range(1000):
        for left in folder.iterdir() if nth else ():
            left.unlink()
        folder.mkdir(exist_ok=True)
        monkeypatch.chdir(folder)
        old = {"a": MIXED, "out": OLD}
        for file, data in old.items():
            Path(file).write_bytes(data)
            os.chmod(file, 0o600)
            if beside == "hard":
                Path(f"hard-{file}").hardlink_to(file)
        if beside == "soft":
            Path("soft").symlink_to("a")
            Path("soft-out").symlink_to("out")
        others = set(os.listdir()) | {"a.bak", "soft.bak"}
        calls: list[object] = []

        def failing(real: Any, path: Any, *rest: Any, nth: int = nth, calls: Any = calls, **more: Any) -> Any:
            calls.append(path)
            if len(calls) == nth:
                raise OSError(number, os.strerror(number), path)
            return real(path, *rest, **more)

        with monkeypatch.context() as patch:
            patch.setattr(os, "stat", partial(failing, os.stat))
            patch.setattr(os, "lstat", partial(failing, os.lstat))
            code = call(*line.split())
        found, state = Path(name).read_bytes(), os.stat(name)
        results.append((code, found))
        whole = found in (old[name], results[0][1])
        new = code == 2 or found == results[0][1]
        kept = (stat.S_IMODE(state.st_mode), state.st_nlink) == (0o600, 1 + (beside == "hard"))
        links = beside != "soft" or (os.path.islink("soft") and os.path.islink("soft-out"))
        backups = {path.read_bytes() for path in folder.glob("*.bak")}
        if not (whole and new and kept and links and backups <= {MIXED} and set(os.listdir()) <= others):
            wrong.append((nth, calls[nth - 1], code, found[:20], oct(state.st_mode), os.listdir()))
        if nth > len(calls):
            break
    assert results[0] == results[-1]
    assert results[0][1] != old[name]
    assert 2 in dict(results)
    assert not wrong
