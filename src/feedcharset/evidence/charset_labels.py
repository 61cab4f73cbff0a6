"""The labels of the charsets of the table."""

from __future__ import annotations

__all__ = ["IANA"]

IANA = {
    "UTF-8": "csutf8",
    "UTF-16": "csutf16 iso-10646-ucs-2 csunicode",
    "UTF-16BE": "csutf16be",
    "UTF-16LE": "csutf16le",
    "UTF-32": "csutf32 iso-10646-ucs-4 csucs4",
    "UTF-32BE": "csutf32be",
    "UTF-32LE": "csutf32le",
    "US-ASCII": "iso-ir-6 ansi_x3.4-1968 ansi_x3.4-1986 iso_646.irv:1991 iso646-us us ibm367 cp367 csascii",
    "ISO-8859-1": "iso_8859-1:1987 iso-ir-100 iso_8859-1 latin1 l1 ibm819 cp819 csisolatin1",
    "ISO-8859-9": "iso_8859-9:1989 iso-ir-148 iso_8859-9 latin5 l5 csisolatin5",
    "TIS-620": "cstis620 iso-8859-11",
    "windows-31J": "cswindows31j",
    "Big5-HKSCS": "csbig5hkscs",
}
