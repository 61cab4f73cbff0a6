"""Where the commands write: the standard streams, or a file that replaces its target when it is complete.

Failures of the output are kept apart from failures of the source, so that a message names the right one. A
closed pipe is no failure. It ends `cat` and `repair`, whose product is the text; the other commands go on
without output, because their exit code is a verdict.

One replacement of a file, for `-o`, `repair --in-place` and `check --fix`:

1. The new content goes into a temporary file beside the target, or in the temporary folder where the target's
   folder takes no new file. A failure until here leaves the target as it was.
2. The temporary file gets the target's owner, permissions and extended attributes, and takes its name. A
   symbolic link stays one: the file that it leads to is replaced.
3. Where that is not possible (a bind mount, a folder that cannot be written, an owner that cannot be kept),
   or the target has other hard links, which shall show the new content too, the target is overwritten. Its
   old content is copied beside the new one before, under a name that ends in .old when it is whole; after a
   failure it is written back, and where that fails as well, the copy is kept and named.

Ctrl-C, SIGTERM and SIGHUP are failures of this kind: the temporary file goes, and the target is whole. A file
that may not be written is never replaced, though its folder would allow it.
"""

from __future__ import annotations

import errno
import filecmp
import io
import os
import re
import select
import signal
import stat
import sys
from codecs import getincrementaldecoder
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import IO, Any, BinaryIO

import click

from feedcharset.results.explanation import visible

STANDARD_OUTPUT = "standard output"

NOT_REPLACEABLE = (errno.EBUSY, errno.EXDEV, errno.EACCES, errno.EPERM)
"""Why a file takes no other's name: it is a mount point, on another file system, or its folder may not be
written."""

TAKES_NO_FILE = (*NOT_REPLACEABLE, errno.EROFS, errno.ENOENT)  # also read-only file systems, and /proc

MUST_RESOLVE = os.name == "posix"
"""A path that cannot be resolved is an error. Not on Windows, where those on some drives never can."""


class PipeClosed(Exception):
    """The reader of the pipe has closed it; raised where bytes are written."""


class OutputError(Exception):
    """The output could not be written.

    Attributes:
        name: the file, or "standard output".
        reason: the message of the operating system.
    """

    def __init__(self, name: str, error: OSError, more: str = "") -> None:
        super().__init__(name, error)
        self.name = name
        self.reason: str = (error.strerror or str(error)) + more


class OutputStream:
    """A binary stream for writing whose errors are `PipeClosed` and `OutputError`."""

    def __init__(self, stream: BinaryIO, name: str) -> None:
        self._stream = stream
        self._name = name
        self.kept = False
        """The target shall stay as it is: what was written is thrown away."""
        self.is_empty: bool = True

    def write(self, data: bytes) -> int:
        """Write bytes.

        Raises:
            PipeClosed, OutputError: the operating system refused.
        """
        self.is_empty = self.is_empty and not data
        with output_errors(self._name):
            return self._stream.write(data)

    def flush(self) -> None:
        """Write what is buffered; raises as `write`."""
        with output_errors(self._name):
            self._stream.flush()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


_ACTING = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""Control characters, but tabs and line ends, and those that change the direction of text."""


class _Terminal(OutputStream):
    """A terminal, on which no character of a text in UTF-8 acts: it is escaped."""

    def __init__(self, stream: BinaryIO, name: str) -> None:
        super().__init__(stream, name)
        self._decoder = getincrementaldecoder("utf-8")("backslashreplace")

    def write(self, data: bytes) -> int:
        text = _ACTING.sub(lambda char: visible(char[0]), self._decoder.decode(data))
        super().write(text.encode("utf-8"))
        return len(data)


@contextmanager
def output_errors(name: str) -> Iterator[None]:
    """Give errors of the operating system as errors of the output `name`."""
    try:
        yield
    except OSError as error:
        if error.errno == errno.EPIPE or (sys.platform == "win32" and error.errno == errno.EINVAL):
            raise PipeClosed from error
        raise OutputError(name, error) from error


class _WholeWrites(io.FileIO):
    """An open file that takes all bytes in one call, or raises. `io.FileIO` may take a part of them, where
    the disk becomes full or after Ctrl-Z, and none where a pipe does not block. Without a buffer before it
    (PYTHONUNBUFFERED), nothing would write the rest. The file descriptor stays open."""

    def __init__(self, number: int) -> None:
        super().__init__(number, "wb", closefd=False)

    def write(self, data: Any) -> int:
        left = memoryview(data)
        while left:
            if (count := super().write(left)) is None:
                select.select([], [self], [])
            left = left[count or 0 :]
        return len(data)


class _StandardStream:
    """A standard stream of Python, None where it is closed, with another write and flush."""

    def __init__(self, stream: Any) -> None:
        self.stream: Any = stream
        if stream is None:
            # The first write fails, as it does for a number that is not open.
            closed = _WholeWrites(os.open(os.devnull, os.O_RDONLY))
            self.stream = io.TextIOWrapper(closed, encoding="utf-8", write_through=True)
        elif isinstance(stream, io.TextIOWrapper):
            buffer: Any = stream.buffer
            if isinstance(getattr(buffer, "raw", buffer), io.FileIO):  # and no console of Windows
                whole: Any = _WholeWrites(stream.fileno())
                self.stream = io.TextIOWrapper(
                    whole if buffer is getattr(buffer, "raw", buffer) else io.BufferedWriter(whole),
                    encoding=stream.encoding,
                    errors=stream.errors,
                    line_buffering=stream.line_buffering,
                    write_through=stream.write_through,
                )

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


class StandardOutput(_StandardStream):
    """Standard output. Text for a closed pipe is lost; other failures are `OutputError`."""

    @property
    def buffer(self) -> Any:
        """The same for bytes: an `OutputStream`, which raises `PipeClosed`, too."""
        stream_class = _Terminal if self.stream.isatty() else OutputStream
        return stream_class(self.stream.buffer, STANDARD_OUTPUT)

    def write(self, text: str) -> int:
        with suppress(PipeClosed), output_errors(STANDARD_OUTPUT):
            self.stream.write(text)
        return len(text)

    def flush(self) -> None:
        with suppress(PipeClosed), output_errors(STANDARD_OUTPUT):
            self.stream.flush()


class StandardErrors(_StandardStream):
    """Standard error, on which no write fails: what it cannot take is lost."""

    lost: bool = False
    """Something was lost."""

    def write(self, text: str) -> int:
        try:
            self.stream.write(text)
        except OSError:
            self.lost = True
        return len(text)

    def flush(self) -> None:
        with suppress(OSError):
            self.stream.flush()


def file_state(path: str, *, follow_symlinks: bool = True) -> os.stat_result | None:
    """The state of a file, None where there is none. `os.path.exists` and its like return False at any error,
    as of a network drive: then a file would be taken for a new one, or for a device.

    Raises:
        OSError: its state cannot be read.
    """
    try:
        return os.stat(path, follow_symlinks=follow_symlinks)
    except FileNotFoundError:
        return None


def regular_file(path: str) -> os.stat_result:
    """The state of a file that is to be written back under its own name.

    Raises:
        ValueError: it is a pipe or a device, whose data would be gone.
        OSError: it is not there.
    """
    state = os.stat(path)
    if not stat.S_ISREG(state.st_mode) and not stat.S_ISDIR(state.st_mode):
        raise ValueError("it is a pipe or a device; only a file is written back")
    return state


_taken: list[int] = []
"""The signal that has come, until what it interrupts is undone: another one would leave half of that."""


def _end(number: int, frame: object) -> None:
    if _taken:
        return
    _taken.append(number)
    if number == signal.SIGINT:
        raise KeyboardInterrupt
    sys.exit(128 + number)


def take_again() -> None:
    """Let the next signal end the program: Python has ignored the exception of the last one."""
    _taken.clear()


@contextmanager
def signals_as_exceptions(*, first_alone: bool = False) -> Iterator[None]:
    """Let SIGTERM and SIGHUP end the program by an exception, as Ctrl-C does; what is ignored stays so.

    Args:
        first_alone: signals behind the first one are passed over until the context ends. A terminal that is
            closed sends two.
    """
    numbers = (getattr(signal, name, None) for name in ("SIGTERM", "SIGHUP"))
    found: dict[int, Any] = {number: signal.SIG_DFL for number in numbers if number}
    if first_alone:
        found[signal.SIGINT] = signal.default_int_handler
    found = {number: usual for number, usual in found.items() if signal.getsignal(number) is usual}
    end = _end if first_alone else lambda number, frame: sys.exit(128 + number)
    try:
        with suppress(ValueError):  # only the main thread may
            for number in found:
                signal.signal(number, end)
        yield
    finally:
        with suppress(ValueError):
            for number, usual in found.items():
                signal.signal(number, usual)
        take_again()


@contextmanager
def output_file(
    path: str,
    *,
    not_onto: Iterable[str | IO[bytes]] = (),
    replaces: os.stat_result | None = None,
    backup: bool = False,
) -> Iterator[Any]:
    """A file that replaces the target only when it is complete; a device, a pipe and what is standard output
    or standard error already are written directly.

    Args:
        path: the target, which need not exist.
        not_onto: the inputs, as paths or open streams; "-" is standard input.
        replaces: the state of the target before it was read, where it is the input: it must not have changed.
        backup: copy the target to FILE.bak first, which must not exist.

    Yields:
        An `OutputStream`.

    Raises:
        ValueError: it is one of the inputs, possibly under another name; it has changed; FILE.bak is there.
        OutputError: it cannot be written.
    """
    if any(is_same_file(path, source) for source in not_onto):
        raise ValueError(f"the output {path!r} is the input; give another name")
    for standard in (sys.stdout, sys.stderr) if replaces is None else ():
        if is_same_file(path, standard):
            standard.flush()
            yield OutputStream(standard.buffer, path)
            return
    with output_errors(path):
        state = replaces or file_state(path)
    is_open = path.startswith(("/dev/fd/", "/proc/self/fd/"))  # to be written on, not replaced
    if replaces is None and (is_open or (state is not None and not stat.S_ISREG(state.st_mode))):
        with output_errors(path), open(path, "ab" if is_open else "wb") as device:
            yield OutputStream(device, path)
        return
    with output_errors(path):
        os.stat(folder := os.path.dirname(path) or os.curdir)
        # Without `strict`, it finds x in MISSING/../x, and takes a link that cannot be read for a file.
        target = os.path.join(os.path.realpath(folder, strict=MUST_RESOLVE), os.path.basename(path))
        target = os.path.realpath(target, strict=MUST_RESOLVE and state is not None)
        state = file_state(target, follow_symlinks=False)
        if state is not None and stat.S_ISLNK(state.st_mode):
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
        if state is not None and replaces is None:
            os.close(os.open(target, os.O_WRONLY))  # the error of a file that cannot be written
    made: list[str] = []
    with signals_as_exceptions(first_alone=True), _temporary_file(target, path) as (file, name):
        try:
            output = OutputStream(file, path)
            try:
                yield output
            finally:
                with output_errors(path):
                    file.close()
            if output.kept:
                return
            _refuse_changed(replaces, target)
            if replaces is not None:  # what is kept need not be writable
                with output_errors(path):
                    os.close(os.open(target, os.O_WRONLY))
            if backup:
                _back_up(path, made)
            with output_errors(path):
                if replaces is not None or file_state(target) is not None:
                    _replace(name, target, path, replaces)
                else:
                    mask = os.umask(0)
                    os.umask(mask)
                    os.chmod(name, 0o666 & ~mask)
                    os.replace(name, target)
        except _Changed:
            while made:
                with suppress(OSError):
                    os.unlink(made.pop())
            raise
        finally:
            with suppress(OSError):  # the backup of a file that is as it was would stop the next run
                if made and filecmp.cmp(made[0], path, shallow=False):
                    os.unlink(made[0])


class _Changed(ValueError):
    """Another program has changed the file."""


def _refuse_changed(state: os.stat_result | None, target: str, copied: os.stat_result | None = None) -> None:
    """Raise _Changed where the target is not what it was before it was read; None: it was not read. It is
    asked before the copies are made, and when all but the last step is done: a disk may take a minute.
    `copied`: the state whose owner, permissions and attributes the new file has."""
    if state is None:
        return
    with suppress(OSError):
        now = os.stat(target)
        names = ("st_ctime_ns", "st_mode", "st_uid", "st_gid", "st_nlink")  # a clock may have ticks of 4 ms
        if copied is not None and any(getattr(copied, name) != getattr(now, name) for name in names):
            raise _Changed("it was changed meanwhile; nothing is written")
        # Not ctime: opening a file for writing changes it, where a file system is a layer (overlayfs).
        same = (state.st_size, state.st_mtime_ns) == (now.st_size, now.st_mtime_ns)
        if same and os.path.samestat(state, now):
            return
    raise _Changed("it was changed while it was read; nothing is written")


def _back_up(path: str, made: list[str]) -> None:
    """Copy a file to FILE.bak, which must not exist, not even as a symbolic link that leads nowhere. The copy
    has that name when it is whole; it is in `made` before, since a signal may come between any two steps."""
    name = f"{path}.bak"
    taken = ValueError(f"the backup {name!r} is there already; move it away")
    with output_errors(name):
        if file_state(name, follow_symlinks=False) is not None:
            raise taken
    with output_errors(name), _temporary_file(name, name) as (file, copy):
        file.close()
        _copy_into(path, copy)
        state = os.stat(path)
        for owner in (-1, state.st_uid):  # who may not give it to the owner may give it to a group
            if (state.st_uid, state.st_gid) != (os.stat(copy).st_uid, os.stat(copy).st_gid):
                with suppress(OSError):
                    os.chown(copy, owner, state.st_gid)
        _copy_attributes(path, copy)
        kept = os.stat(copy)
        if (state.st_uid, state.st_gid) != (kept.st_uid, kept.st_gid):  # no program of others is ours
            for_others = 0 if state.st_gid == kept.st_gid else stat.S_IRWXG
            os.chmod(copy, stat.S_IMODE(kept.st_mode) & ~(stat.S_ISUID | stat.S_ISGID | for_others))
        made.append(name)
        try:
            os.link(copy, name)  # unlike a renaming it replaces nothing
        except FileExistsError:
            made.clear()
            raise taken from None
        except OSError:  # a file system without links
            os.rename(copy, name)


@contextmanager
def _temporary_file(target: str, path: str) -> Iterator[tuple[BinaryIO, str]]:
    """A new file beside the target, or, where that folder takes no new files, in the temporary folder; it
    goes at the end. Its name is known before it is made: a signal may come between any two steps."""
    from secrets import token_hex
    from tempfile import gettempdir

    own = f".feedcharset.{token_hex(8)}"  # not the target's name, which may be as long as names can be
    name = os.path.join(os.path.dirname(target), own)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    handle = -1
    try:
        with output_errors(path):
            try:
                handle = os.open(name, flags, 0o600)
            except OSError as error:
                if error.errno not in TAKES_NO_FILE or not os.path.exists(target):
                    raise
                name = os.path.join(gettempdir(), own)
                handle = os.open(name, flags, 0o600)
        yield os.fdopen(handle, "wb"), name
    finally:
        try:
            os.unlink(name)
        except OSError as error:
            moved = handle >= 0 and not os.path.exists(os.path.dirname(name) or os.curdir)
            why = "its folder was renamed" if moved else error.strerror
            if moved or os.path.lexists(name):  # else it has the target's name, or was not made
                sys.stderr.write(f"feedcharset: {visible(name)} is left ({why}); remove it\n")


def _replace(name: str, target: str, path: str, state: os.stat_result | None) -> None:
    """Put the complete file `name` in the place of `target`, which exists, with its owner, permissions and
    extended attributes. Where that is not possible, or it has other hard links, which would keep the old
    content, it is overwritten. `state`: as it was read."""
    old, new = os.stat(target), os.stat(name)
    takes_after = old.st_nlink == 1
    if takes_after and (old.st_uid, old.st_gid) != (new.st_uid, new.st_gid):
        try:
            os.chown(name, old.st_uid, old.st_gid)
        except OSError:
            takes_after = False
    if takes_after and _copy_attributes(target, name):
        os.utime(name)
        with open(name, "r+b") as file:  # Windows syncs only what is open for writing
            os.fsync(file.fileno())  # else a power failure can leave an empty file of the target's name
        _refuse_changed(state, target, old)
        try:
            os.replace(name, target)
            return
        except OSError as error:
            if error.errno not in NOT_REPLACEABLE:
                raise
    _overwrite(name, target, path, state)


_ACCESS_LIST = "system.posix_acl_access"
"""The extended attribute of Linux that has it."""


def _copy_attributes(path: str, copy: str) -> bool:
    """Copy permissions, times and extended attributes; an access control list that the copy has of its folder
    goes, where the file has none. Return False where an attribute is lost: some only root may set."""
    import shutil

    if hasattr(os, "listxattr"):
        with suppress(OSError):
            if _ACCESS_LIST not in os.listxattr(path):
                os.removexattr(copy, _ACCESS_LIST)
    shutil.copystat(path, copy)
    if hasattr(os, "listxattr"):
        with suppress(OSError):
            return set(os.listxattr(copy)).issuperset(os.listxattr(path))
    return True


def _overwrite(name: str, target: str, path: str, state: os.stat_result | None) -> None:
    """Write the content of the file `name` into the target, whose old content and time can be written back.

    The copy of the old content is named .old when it is whole and on the disk: who finds one after `kill -9`
    or a power failure puts it back.
    """
    open(target, "r+b").close()  # what cannot be overwritten is not touched
    before = os.stat(target)
    old, is_whole = "", False
    try:
        with _temporary_file(name, path) as (file, copy):
            file.close()
            old = f"{copy}.old"
            _copy_into(target, copy)
            os.rename(copy, old)
            with suppress(OSError):  # Windows opens no folder, and some file systems sync none
                number = os.open(os.path.dirname(name), os.O_RDONLY)
                try:
                    os.fsync(number)
                finally:
                    os.close(number)
        _refuse_changed(state, target)
        is_whole = True
        _copy_into(name, target)
    except BaseException as error:
        try:
            if is_whole:
                _copy_into(old, target)
                os.utime(target, ns=(before.st_atime_ns, before.st_mtime_ns))
        except BaseException:
            more = f"; it is damaged now, and whole as it was in {old}"
            raise OutputError(
                path, error if isinstance(error, OSError) else OSError("interrupted"), more
            ) from error
        with suppress(OSError):
            os.unlink(old)
        raise
    try:
        os.unlink(old)
    except OSError as error:
        more = f"; the file is new and complete, but its old content is left in {old}: remove that"
        raise OutputError(path, error, more) from error


def _copy_into(name: str, target: str) -> None:
    import shutil

    with open(name, "rb") as source, open(target, "r+b") as file:
        shutil.copyfileobj(source, file)
        file.truncate()
        file.flush()
        os.fsync(file.fileno())


def refuse_onto_input(sources: Iterable[str | IO[bytes]]) -> None:
    """Refuse to write to standard output what is read from the same file; "-" is standard input.

    `FILE > FILE` has emptied the file already; `FILE >> FILE` would never end.

    Raises:
        UsageError: standard output is one of the inputs.
    """
    try:
        output = sys.stdout.fileno()
        regular = stat.S_ISREG(os.fstat(output).st_mode)
    except (OSError, ValueError):
        return  # not a file of the operating system
    if regular and any(is_same_file(output, source) for source in sources):
        raise click.UsageError("standard output is the input; write to another file")


def is_same_file(path: str | int, source: str | IO[Any]) -> bool:
    """Return True where the path of an output leads to a source, possibly under another name; "-" is standard
    input.

    Raises:
        OutputError: the state of the output cannot be read.
    """
    if source == "-" and sys.stdin:
        source = sys.stdin.buffer
    with output_errors(str(path)):
        output = os.stat(path) if isinstance(path, int) else file_state(path)
    try:
        named = source if isinstance(source, str) else source.fileno()
        return output is not None and os.path.samestat(output, os.stat(named))
    except (OSError, ValueError):  # no such file, a URL, or a stream without a file number
        if output is None or not (isinstance(path, str) and isinstance(source, str)):
            return False
    with suppress(FileNotFoundError):  # a relative name, and the current directory was removed
        return os.path.realpath(path) == os.path.realpath(source)
    return False
