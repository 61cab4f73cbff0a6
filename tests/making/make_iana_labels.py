"""Make tests/data/iana_labels.tsv: the labels that ICU marks as registered with IANA, and what they name.

    python tests/making/make_iana_labels.py

Source: the alias table of ICU (convrtrs.txt), read from its library, libicuuc. `name` is the registry's name
of the charset, `mime` its preferred MIME name where ICU has one. A second source beside the lists of
charsets/labels.py; ICU leaves out aliases that were registered late (`csUTF8`), and charsets that it lacks.
No test runs this, because it needs ICU.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

OUT = Path(__file__).parents[1] / "data" / "iana_labels.tsv"


def icu() -> Callable[[str], Any]:
    """The functions of ICU by their names without the version."""
    found = ctypes.util.find_library("icuuc") or sys.exit("libicuuc is not installed")
    version = re.search(r"\d+", found.partition(".so")[2])
    library = ctypes.CDLL(found)
    return lambda name: getattr(library, f"{name}_{version[0]}" if version else name)


def names(function: Callable[[str], Any], opened: Any) -> Iterator[str]:
    """The strings of an enumeration."""
    function("uenum_next").restype = ctypes.c_char_p
    error = ctypes.c_int(0)
    while (name := function("uenum_next")(ctypes.c_void_p(opened), None, ctypes.byref(error))) is not None:
        yield name.decode("ascii")


def rows() -> Iterator[tuple[str, str, str]]:
    """Label, name and preferred MIME name."""
    function = icu()
    function("ucnv_openAllNames").restype = function("ucnv_openStandardNames").restype = ctypes.c_void_p
    function("ucnv_getStandardName").restype = ctypes.c_char_p
    error = ctypes.c_int(0)
    for converter in list(names(function, function("ucnv_openAllNames")(ctypes.byref(error)))):
        key, error = converter.encode(), ctypes.c_int(0)
        registered = list(
            names(function, function("ucnv_openStandardNames")(key, b"IANA", ctypes.byref(error)))
        )
        mime = function("ucnv_getStandardName")(key, b"MIME", ctypes.byref(error)) or b"-"
        yield from ((label, registered[0], mime.decode()) for label in registered)


def main() -> None:
    """Write the table."""
    lines = ["\t".join(row) for row in sorted(set(rows()), key=lambda row: (row[1].lower(), row[0].lower()))]
    OUT.write_text("label\tname\tmime\n" + "\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
