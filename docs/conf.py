"""Sphinx: `make docs`. The pages are plain Markdown, so that they can be read where the source is."""

from __future__ import annotations

import re
from importlib.metadata import version as version_of
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sphinx.application import Sphinx

project = "feedcharset"
author = "The feedcharset authors"
copyright = f"2026, {author}"
release = version = version_of("feedcharset")

extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["_build", "making"]
myst_heading_anchors = 4

html_theme = "alabaster"
html_title = "feedcharset"
html_theme_options = {"description": "XML feeds in the right charset, and why", "fixed_sidebar": True}

_LINK = re.compile(r"\]\(([\w./-]+)\.md\)")


def _add_toctree(app: Sphinx, name: str, source: list[str]) -> None:
    """Give each index a table of contents of the pages that it links to, in its order.

    A page belongs to one index: that of its own folder, or the front page.
    """
    if PurePosixPath(name).name != "index":
        return
    folder = str(PurePosixPath(name).parent)
    pages = dict.fromkeys(_LINK.findall(source[0]))
    own = [page for page in pages if not page.startswith("..") and ("/" not in page or folder == ".")]
    source[0] += "\n```{toctree}\n:hidden:\n\n" + "\n".join(own) + "\n```\n"


def setup(app: Sphinx) -> None:
    """Connect what is above."""
    app.connect("source-read", _add_toctree)
