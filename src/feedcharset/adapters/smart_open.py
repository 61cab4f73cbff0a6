"""smart_open: an XmlReader of any address that smart_open opens: s3://, gs://, azure://, ssh://, hdfs://."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, Unpack

from feedcharset.adapters import needed
from feedcharset.reading.xml_reader import ReaderOptions, XmlReader, check_reader_options

with needed("smart_open", "smart_open"):
    import smart_open

__all__ = ["open_address"]


def open_address(
    address: str | os.PathLike[str],
    *,
    transport_params: Mapping[str, Any] | None = None,
    **options: Unpack[ReaderOptions],
) -> XmlReader:
    """Open an address with smart_open and return an `XmlReader` of it.

    smart_open unpacks .bz2, .xz and .zst by the name. A .gz is unpacked by the reader, which limits the
    ratio of its sizes.

    Args:
        address: as for `smart_open.open`. An http or https address is opened by smart_open, too, so `Limits`
            does not bind it and its Content-Type is not seen: pass such an address to `XmlReader` itself.
        transport_params: passed to the transport: sessions, credentials.
        options: those of `XmlReader`. Closing the reader closes the file.

    Raises what `smart_open.open` and `XmlReader` raise.
    """
    options["closefd"] = True
    check_reader_options(options)
    address = os.fspath(address)
    compression = "disable" if address.endswith(".gz") else "infer_from_extension"
    parameters = dict(transport_params or {})
    stream = smart_open.open(address, "rb", compression=compression, transport_params=parameters)
    return XmlReader(stream, **options)
