"""Inventories for links to the documentation of Python, requests and lxml, made without a network.

`names.toml` lists the names that these pages link to, and where they stand. From it the inventories are
written that sphinx.ext.intersphinx reads; nothing is downloaded while the pages are built.
"""

from __future__ import annotations

import tomllib
import zlib
from pathlib import Path

__all__ = ["write_inventories"]

NAMES = Path(__file__).with_name("names.toml")

_HEAD = """\
# Sphinx inventory version 2
# Project: {project}
# Version:
# The remainder of this file is compressed using zlib.
"""


def write_inventories(folder: Path) -> dict[str, tuple[str, str]]:
    """Write an inventory for each project; the value of `intersphinx_mapping`."""
    folder.mkdir(parents=True, exist_ok=True)
    mapping: dict[str, tuple[str, str]] = {}
    for project, entry in tomllib.loads(NAMES.read_text(encoding="utf-8")).items():
        lines = [
            f"{name} py:{role} 1 {page}#$ -\n"
            for role, by_page in entry["names"].items()
            for page, names in by_page.items()
            for name in names
        ]
        path = folder / f"{project}.inv"
        path.write_bytes(_HEAD.format(project=project).encode() + zlib.compress("".join(lines).encode()))
        mapping[project] = (entry["url"], str(path))
    return mapping
