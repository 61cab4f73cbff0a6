"""fsspec: an XmlReader of any address that fsspec opens: s3://, gs://, memory://, zip://…::…"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Unpack

from feedcharset.adapters import needed
from feedcharset.fetch.urls import without_userinfo
from feedcharset.reading.xml_reader import ReaderOptions, XmlReader, check_reader_options

with needed("fsspec", "fsspec"):
    import fsspec

__all__ = ["open_address"]


def open_address(
    address: str, *, storage_options: Mapping[str, Any] | None = None, **options: Unpack[ReaderOptions]
) -> XmlReader:
    """Open an address with fsspec and return an `XmlReader` of it.

    Args:
        address: a URL or a chain of URLs, as for `fsspec.open`. An http or https address is opened by
            fsspec, too, so `Limits` does not bind it and its Content-Type is not seen: pass such an address
            to `XmlReader` itself.
        storage_options: passed to the file system.
        options: those of `XmlReader`. Closing the reader closes the file.

    Raises what `fsspec.open` and `XmlReader` raise.
    """
    options["closefd"] = True
    check_reader_options(options)
    stream = _Stream(fsspec.open(address, "rb", **(storage_options or {})))
    return XmlReader(stream, **options)


class _Stream:
    """The bytes of an opened address. Keeps fsspec's OpenFile, whose file systems are closed with it."""

    def __init__(self, opened: Any) -> None:
        self._opened = opened
        self._file = opened.open()
        self.read = self._file.read
        self.name = without_userinfo(str(opened.full_name))

    def close(self) -> None:
        """Close the file."""
        self._file.close()
        self._opened.close()
