"""Sphinx: `make docs`. The pages are plain Markdown, so that they can be read where the source is."""

from __future__ import annotations

import re
import sys
from importlib.metadata import version as version_of
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sphinx.application import Sphinx

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from making.inventories import write_inventories  # noqa: E402

import feedcharset  # noqa: E402

project = "feedcharset"
author = "The feedcharset authors"
copyright = f"2026, {author}"
release = version = version_of("feedcharset")

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx.ext.intersphinx",
    "sphinx_copybutton",
]
source_suffix = {".md": "markdown"}
exclude_patterns = ["_build", "making"]
smartquotes = False  # they would change what is copied from code-like text
myst_heading_anchors = 4

autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
autodoc_typehints_format = "short"
python_maximum_signature_line_length = 80
python_use_unqualified_type_names = True
napoleon_numpy_docstring = False
napoleon_use_rtype = False

intersphinx_mapping = write_inventories(HERE / "_build" / "inventories")

copybutton_prompt_text = r">>> |\.\.\. |\$ |> "
copybutton_prompt_is_regexp = True

if (HERE.parent / "build" / "web" / "index.html").is_file():
    tags.add("page_in_the_browser")  # noqa: F821 - Sphinx's; `make docs` puts the page beside the documentation

html_theme = "furo"
html_title = f"feedcharset {release}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_js_files = [("scrolling.js", {"defer": "defer"})]
html_copy_source = False
html_show_sourcelink = False

_NAME = re.compile(r"(?<![`:])`([^`]+)`(?!`)")
_CODE_BLOCK = re.compile(r"^(\S.*)\n\n(?= {4}\S)", re.MULTILINE)
_LINK = re.compile(r"\[([^]]+)\]\(([\w./-]+)\.md\)")
_IMAGE = re.compile(r'<img [^>]*?src="[^"]*?_images/([\w-]+)\.svg"[^>]*?/?>')


def _add_toctree(app: Sphinx, name: str, source: list[str]) -> None:
    """Make the sidebar of the front page's lists: a heading is a caption, each link an entry."""
    if name != "index":
        return
    for part in source[0].split("\n## ")[1:]:
        caption = part.partition("\n")[0]
        if entries := [f"{words} <{page}>" for words, page in _LINK.findall(part)]:
            listed = "\n".join(entries)
            source[0] += f"\n```{{toctree}}\n:hidden:\n:caption: {caption}\n\n{listed}\n```\n"


def _mark_up_names(app: Sphinx, what: str, name: str, value: Any, options: Any, lines: list[str]) -> None:
    """In docstrings, make links of public names between backticks, and code of indented blocks."""
    # A module's docstring as it is: Sphinx takes the indentation of its code for that of the docstring.
    text = value.__doc__ + "\n" if what == "module" else "\n".join(lines)
    text = _CODE_BLOCK.sub(r"\1\n\n::\n\n", text)
    lines[:] = [_NAME.sub(_marked_up, line) for line in text.split("\n")]


def _marked_up(match: re.Match[str]) -> str:
    return f":py:obj:`~feedcharset.{match[1]}`" if match[1] in feedcharset.__all__ else f"``{match[1]}``"


def _put_in_pictures(app: Sphinx, page: str, template: str, context: dict[str, Any], tree: Any) -> None:
    """Replace images of docs/pictures by the SVG itself, so that it takes the theme's colours."""
    if "body" in context:
        body = _IMAGE.sub(lambda match: _picture(match[1]), context["body"])
        context["body"] = body.replace("</strong> -- ", "</strong>: ")  # in the lists of parameters


def _picture(name: str) -> str:
    svg = (HERE / "pictures" / f"{name}.svg").read_text(encoding="utf-8")
    return f'<span class="scrolling-picture" tabindex="0">{svg}</span>'


def setup(app: Sphinx) -> None:
    """Connect what is above."""
    app.connect("source-read", _add_toctree)
    app.connect("autodoc-process-docstring", _mark_up_names, priority=400)  # before napoleon
    app.connect("html-page-context", _put_in_pictures)
