"""Adapters: this library inside the libraries that people already use, one module for each.

requests       a response hook: `response.text` is right, `response.encoding` names the encoding
httpx          `read_response`, `aread_response`: the text of a response, sync and async
aiohttp        `aread_response`: the text of a response
scrapy         a downloader middleware: callbacks get an XmlResponse in UTF-8
feedparser     `parse` with feedparser's own arguments and results, and the right text
pandas         `read_xml`
beautifulsoup  `make_soup`
fsspec         `open_address`: an XmlReader of any address that fsspec opens
smart_open     `open_address`: the same with smart_open
warcio         `open_record`: an XmlReader of a record of a WARC file

Each module imports its library, and nothing here imports the modules: `import feedcharset.adapters.httpx`
needs httpx and no other of them. Where a library is missing, the error names what to install.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

__all__: list[str] = []


@contextmanager
def needed(module: str, package: str) -> Iterator[None]:
    """Name the package to install where the import of an adapter's library fails."""
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != module:
            raise
        raise ModuleNotFoundError(
            f"this adapter needs {package}: pip install {package}", name=module
        ) from None


def warn_of_gzip(reader: Any) -> None:
    """Log a warning where gzip that was read is cut off or damaged: the caller does not see the reader."""
    if any(kind == "gzip" for kind, _ in reader.repairs.kinds):
        logging.getLogger("feedcharset").warning("%s: its gzip is cut off or damaged", reader.name or "bytes")
