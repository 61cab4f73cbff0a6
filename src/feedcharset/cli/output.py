"""Where the commands write: standard output, or a file that replaces its target only when it is complete.

Failures of the output are kept apart from failures of the source, so that a message names the right one.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, BinaryIO

if TYPE_CHECKING:
    from pathlib import Path

__all__ = [
    "STANDARD_OUTPUT",
    "OutputError",
    "OutputStream",
    "PipeClosed",
    "is_closed_pipe",
    "output_file",
    "standard_output",
]

STANDARD_OUTPUT = "standard output"


class PipeClosed(Exception):
    """The reader of the pipe has closed it: not an error."""


class OutputError(Exception):
    """The output could not be written.

    Attributes:
        name: the file, or "standard output".
        reason: the message of the operating system.
    """

    def __init__(self, name: str, error: OSError) -> None:
        super().__init__(name, error)
        self.name = name
        self.reason: str = error.strerror or str(error)


def is_closed_pipe(error: OSError) -> bool:
    """Whether an error means a closed pipe: EPIPE, and on Windows EINVAL, too."""
    return error.errno == errno.EPIPE or (sys.platform == "win32" and error.errno == errno.EINVAL)


class OutputStream:
    """A binary stream for writing whose errors are `PipeClosed` and `OutputError`."""

    def __init__(self, stream: BinaryIO, name: str) -> None:
        self._stream = stream
        self._name = name

    def write(self, data: bytes) -> int:
        """Write bytes.

        Raises:
            PipeClosed, OutputError: the operating system refused.
        """
        with output_errors(self._name):
            return self._stream.write(data)

    def flush(self) -> None:
        """Write what is buffered; raises as `write`."""
        with output_errors(self._name):
            self._stream.flush()

    def fileno(self) -> int:
        """The file number of the stream below."""
        return self._stream.fileno()


@contextmanager
def output_errors(name: str) -> Iterator[None]:
    """Give errors of the operating system as errors of the output `name`."""
    try:
        yield
    except OSError as error:
        if is_closed_pipe(error):
            raise PipeClosed from error
        raise OutputError(name, error) from error


def standard_output() -> Any:
    """Standard output for bytes: an `OutputStream`.

    Raises:
        OutputError: it is closed (`>&-`).
    """
    if sys.stdout is None:
        raise OutputError(STANDARD_OUTPUT, OSError(errno.EBADF, os.strerror(errno.EBADF)))
    return OutputStream(sys.stdout.buffer, STANDARD_OUTPUT)


@contextmanager
def output_file(path: str, *, not_onto: str | BinaryIO | None = None) -> Iterator[Any]:
    """A file that replaces the target only when it is complete; a device or a pipe is written directly.

    Yields:
        An `OutputStream`.

    Raises:
        ValueError: it is the input file, possibly under another name.
        OutputError: it cannot be written.
    """
    from pathlib import Path  # it takes longer to import than most commands run

    if _is_same(path, not_onto):
        raise ValueError(f"the output {path!r} is the input; give another name")
    if os.path.exists(path) and not os.path.isfile(path):
        with output_errors(path), open(path, "wb") as device:
            yield OutputStream(device, path)
        return
    target = Path(path).resolve()
    with output_errors(path):
        file, name = _temporary_file(target)
    try:
        try:
            yield OutputStream(file, path)
        finally:
            with output_errors(path):
                file.close()
        with output_errors(path):
            os.chmod(name, _mode(target))
            _replace(name, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(name)
        raise


def _temporary_file(target: Path) -> tuple[BinaryIO, str]:
    """A new file beside the target, or, where that folder takes no new files, in the temporary folder."""
    import tempfile

    prefix = f".{target.name}."
    try:
        handle, name = tempfile.mkstemp(prefix=prefix, dir=target.parent)
    except PermissionError:
        if not os.access(target, os.W_OK):
            raise
        handle, name = tempfile.mkstemp(prefix=prefix)
    return os.fdopen(handle, "wb"), name


def _replace(name: str, target: Path) -> None:
    """Put the file in the target's place; copy it where the target cannot be replaced (a bind mount)."""
    try:
        os.replace(name, target)
    except OSError as error:
        if error.errno not in (errno.EBUSY, errno.EXDEV, errno.EACCES, errno.EPERM):
            raise
        import shutil

        with open(name, "rb") as source, open(target, "r+b") as file:
            shutil.copyfileobj(source, file)
            file.truncate()
        os.unlink(name)


def _is_same(path: str, source: str | BinaryIO | None) -> bool:
    if source is None:
        return False
    try:
        return os.path.samefile(path, source if isinstance(source, str) else source.fileno())
    except (OSError, ValueError):
        return False  # no such file, or a stream without a file number


def _mode(target: Path) -> int:
    """The mode of the existing file, or that of a new one."""
    if target.exists():
        return target.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
