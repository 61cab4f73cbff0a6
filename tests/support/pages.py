"""The documentation's pages: their blocks of code, their links, and how an example is run.

A page is run from top to bottom in one session: blocks with `>>>` as doctests, other Python blocks as
programs, `console` blocks with `$ ` as commands of a shell. What stands under a prompt is what must come out;
`...` stands for anything. Examples run in a folder of their own, in which `fixtures` is the repository's, and
https://example.org/ is `SITE`.
"""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from support.local_server import Row

if TYPE_CHECKING:
    from collections.abc import Container, Iterator

__all__ = [
    "DOCS",
    "HOST",
    "ROOT",
    "SITE",
    "Block",
    "anchors",
    "blocks",
    "links",
    "missing_packages",
    "pages",
    "run_page",
]

ROOT = Path(__file__).resolve().parent.parent.parent
DOCS = ROOT / "docs"
HOST = "https://example.org"

FEED = '<?xml version="1.0" encoding="{}"?>\n<rss><channel><title>{}</title></channel></rss>\n'

SITE = {
    "/feed.xml": Row.typed(FEED.format("windows-1251", "Погода").encode("cp1251"), "application/rss+xml"),
    "/stale.xml": Row.typed(FEED.format("ISO-8859-1", "Žižkov").encode(), "text/xml"),
}
"""What https://example.org/ answers."""


class Block(NamedTuple):
    """A fenced block of code."""

    language: str
    line: int
    """Of its first line of code, from 0."""
    text: str
    section: str = ""
    """The heading of second level that it stands under."""

    @property
    def runs(self) -> bool:
        """It is an example that is run."""
        return self.language == "python" or (self.language == "console" and self.text.startswith("$ "))


def pages() -> list[Path]:
    """All pages."""
    return sorted(path for path in DOCS.rglob("*.md") if not {"_build", "making"} & {*path.parts})


_FENCE = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def blocks(text: str) -> Iterator[Block]:
    """The fenced blocks of a page."""
    section, at = "", 0
    for match in _FENCE.finditer(text):
        section = ([section, *re.findall(r"^## +(.+?) *$", text[at : match.start()], re.MULTILINE)])[-1]
        at = match.end()
        yield Block(match[1], text.count("\n", 0, match.start(2)), match[2], section)


def missing_packages(text: str) -> dict[str, list[str]]:
    """The sections of a page whose examples import what is not installed, and what that is."""
    found: dict[str, set[str]] = {}
    for block in blocks(text):
        if block.language == "python":
            names = re.findall(
                r"^(?:>>> |\.\.\. )? *(?:import|from) ([A-Za-z_]\w*)", block.text, re.MULTILINE
            )
            if missing := {name for name in names if find_spec(name) is None}:
                found.setdefault(block.section, set()).update(missing)
    return {section: sorted(names) for section, names in found.items()}


_LINK = re.compile(r"(?<!!)\[[^\]\n]*(?:\n[^\]\n]*)?\]\(([^()\s]+)\)")


def links(text: str) -> list[str]:
    """Where a page's links lead, in order; not those in code."""
    return _LINK.findall(re.sub(r"`[^`\n]*`", "``", _FENCE.sub("", text)))


def anchors(text: str) -> set[str]:
    """The anchors of a page's headings, as GitHub and MyST make them."""
    found: set[str] = set()
    for heading in re.findall(r"^#+ +(.+?) *$", _FENCE.sub("", text), re.MULTILINE):
        slug = re.sub(r"[^\w\- ]", "", re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()).replace(
            " ", "-"
        )
        number = next(n for n in range(len(found) + 1) if (f"{slug}-{n}" if n else slug) not in found)
        found.add(f"{slug}-{number}" if number else slug)
    return found


FLAGS = doctest.ELLIPSIS | doctest.REPORT_NDIFF


def run_page(path: Path, folder: Path, site: str, leave_out: Container[str] = ()) -> int:
    """Run the examples of a page; how many there were.

    Args:
        path: the page.
        folder: where they run; the current folder, too.
        site: what answers instead of https://example.org.
        leave_out: headings of sections that are not run.
    """
    names: dict[str, Any] = {"__name__": "__main__"}
    runner = doctest.DocTestRunner(optionflags=FLAGS, verbose=False)
    count = 0
    for block in blocks(path.read_text(encoding="utf-8")):
        if block.section in leave_out:
            continue
        if block.language == "python" and ">>>" in block.text:
            count += _run_session(runner, block, path, names)
        elif block.language == "python":
            exec(compile("\n" * block.line + block.text, str(path), "exec"), names)
            count += 1
        elif block.runs:
            count += run_console(block, path, folder, site)
    return count


def _run_session(runner: doctest.DocTestRunner, block: Block, path: Path, names: dict[str, Any]) -> int:
    test = doctest.DocTestParser().get_doctest(block.text, {}, path.name, str(path), block.line)
    test.globs = names
    said: list[str] = []
    result = runner.run(test, out=said.append, clear_globs=False)
    assert not result.failed, "".join(said)
    assert result.attempted
    return result.attempted


_COMMAND = re.compile(r"^\$ (.*(?:\n> .*)*)\n?((?:(?!\$ ).*\n)*)", re.MULTILINE)


def run_console(block: Block, path: Path, folder: Path, site: str) -> int:
    """Run the commands of a block, each in a shell, and hold what they print against what it shows."""
    found = list(_COMMAND.finditer(block.text))
    for command, expected in (match.groups() for match in found):
        printed = _shell(command.replace("\n> ", "\n").replace(HOST, site), folder).replace(site, HOST)
        checker = doctest.OutputChecker()
        if not checker.check_output(expected.rstrip(), printed.rstrip(), FLAGS):
            raise AssertionError(f"{path.name}: $ {command}\nexpected:\n{expected}\ngot:\n{printed}")
    return len(found)


def _shell(command: str, folder: Path) -> str:
    """What a command prints, on either stream; its exit code is 0 unless the command asks for it itself."""
    under_test = {"feedcharset": "-m feedcharset", "python": "", "python3": ""}
    functions = [f'{name}() {{ "{sys.executable}" {options} "$@"; }}' for name, options in under_test.items()]
    script = "\n".join([*functions, command, ""])
    done = subprocess.run(
        ["bash", "-c", script],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "PYTHONUTF8": "1", "LC_ALL": "C.UTF-8"},
    )
    return done.stdout.decode("utf-8", "backslashreplace")
