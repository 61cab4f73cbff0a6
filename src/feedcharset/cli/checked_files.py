"""What the command line of `check` names: the files of a folder, and the codes of findings."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from difflib import get_close_matches

from feedcharset.evidence.document_head import gather_facts
from feedcharset.validate.findings import CATALOGUE

__all__ = ["files_of", "known_codes"]

XML_SUFFIXES = (".xml", ".rss", ".atom", ".rdf", ".opml")
"""The files of a folder that are checked, by the end of their names."""

FILE_BEGINNING = 512
"""Bytes in which a file without an extension must begin as XML."""

_FEED_OPENING = re.compile(rb"(?:\xef\xbb\xbf)?\s*<(?:rss|feed|opml|rdf:RDF)[\s/>]")


def files_of(source: str) -> Iterator[str]:
    """The source itself; for a folder the XML files in it, sorted, without hidden files and folders."""
    if source == "-" or "://" in source or not os.path.isdir(source):
        yield source
        return
    for folder, folders, files in os.walk(source):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(files):
            path = os.path.join(folder, name)
            wanted = name.lower().endswith(XML_SUFFIXES) and not name.startswith(".")
            if wanted or ("." not in name and _begins_as_xml(path)):
                yield path


def _begins_as_xml(path: str) -> bool:
    """Return True for a file that begins with an XML declaration, or with the root element of a feed."""
    if not os.path.isfile(path):
        return False  # to open a pipe would wait for its writer
    try:
        with open(path, "rb") as file:
            head = file.read(FILE_BEGINNING)
    except OSError:
        return False
    return _FEED_OPENING.match(head) is not None or gather_facts(head, None, lenient=True).guess is not None


def known_codes(names: Iterable[str]) -> tuple[str, ...]:
    """The codes that the names select: a name is a code, or the first words of codes ("rule", "label").

    Raises:
        ValueError: a name selects nothing.
    """
    codes = []
    for name in names:
        found = [kind.code for kind in CATALOGUE if f"{kind.code}-".startswith(f"{name}-")]
        if not found:
            near = get_close_matches(name, [kind.code for kind in CATALOGUE], 1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise ValueError(f"no finding has the code {name!r}{hint}")
        codes += found
    return tuple(codes)
