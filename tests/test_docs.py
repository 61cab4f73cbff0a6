"""The documentation: its examples run, its links lead somewhere. (That its generated pages are current is in
`test_generated.py`.)"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import responses
from support.each import each
from support.local_server import LocalServer
from support.pages import DOCS, HOST, ROOT, SITE, anchors, blocks, links, missing_packages, pages, run_page

import feedcharset

PAGES = {str(path.relative_to(DOCS)): path.read_text(encoding="utf-8") for path in pages()}
LONG = {"how-to/web-archives.md", "how-to/repair.md", "how-to/ci.md"}
"""Each example of a command line starts a process, those of web archives start workers, too."""
RUN = [name for name, text in PAGES.items() if any(block.runs for block in blocks(text))]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in, with the repository's fixtures."""
    (tmp_path / "fixtures").symlink_to(ROOT / "fixtures", target_is_directory=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.long if name in LONG else ()) for name in RUN]
)
def test_the_examples_do_what_they_show(name: str, folder: Path) -> None:
    """A section that needs a package that is not installed is left out; `make engines` installs them."""
    missing = missing_packages(PAGES[name])
    if "" in missing or set(missing) == {block.section for block in blocks(PAGES[name]) if block.runs}:
        pytest.skip(f"needs {', '.join(map(str, missing.values()))}")
    with LocalServer(SITE) as server, responses.RequestsMock(assert_all_requests_are_fired=False) as web:
        for path, row in SITE.items():
            web.get(HOST + path, body=row.body, content_type=dict(row.headers)["Content-Type"])
        web.add_passthru("http://127.0.0.1")
        assert run_page(DOCS / name, folder, server.url(""), missing) > 0


def test_every_public_name_is_on_the_page_of_the_api() -> None:
    directives = re.findall(
        r"^\.\. auto(?:class|function|exception):: feedcharset\.(\w+)$",
        PAGES["reference/api.md"],
        re.MULTILINE,
    )
    assert sorted(directives) == sorted(feedcharset.__all__)


def test_every_limit_has_a_reason() -> None:
    pages = PAGES["how-to/http.md"] + (DOCS / "making" / "constants.md").read_text(encoding="utf-8")
    rows = [line for line in pages.splitlines() if line.startswith("| `")]
    assert len(rows) > 50
    bare = [row for row in rows if "|  |" in row]
    assert bare == [], "each needs a sentence in the code: a comment, or a docstring"


def test_most_pages_have_examples() -> None:
    assert len(RUN) > len(PAGES) / 2


@each("name", PAGES)
def test_every_link_leads_somewhere(name: str) -> None:
    here = (DOCS / name).parent
    for link in links(PAGES[name]):
        if link.startswith(("https://", "http://")):
            continue
        path, _, anchor = link.partition("#")
        target = (here / path).resolve() if path else DOCS / name
        assert target.exists(), link
        assert not anchor or anchor in anchors(target.read_text(encoding="utf-8")), link


def test_every_page_can_be_reached_from_the_index() -> None:
    reached: set[Path] = set()
    waiting = [DOCS / "index.md"]
    while waiting:
        page = waiting.pop()
        if page in reached or page.suffix != ".md" or not page.is_relative_to(DOCS):
            continue
        reached.add(page)
        here = page.parent
        waiting += [
            (here / link.partition("#")[0]).resolve()
            for link in links(page.read_text(encoding="utf-8"))
            if "://" not in link and not link.startswith("#")
        ]
    assert {DOCS / name for name in PAGES} == reached


def test_the_readme_leads_to_pages_that_exist() -> None:
    found = [link for link in links((ROOT / "README.md").read_text(encoding="utf-8")) if "://" not in link]
    assert "docs/first-steps.md" in found
    for link in found:
        assert (ROOT / link.partition("#")[0]).exists(), link


def test_contributing_names_files_that_exist() -> None:
    """By their paths in the repository, or in the package."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`(\w[\w.-]*/[\w./-]*)`", text)) - {"build/packages"}
    tests = {f"tests/{room}/{name}" for room, name in _tests_named(text)}
    assert len(named) > 30
    assert len(tests) > 8
    places = (ROOT, ROOT / "src" / "feedcharset")
    assert [name for name in sorted(named | tests) if not any((at / name).exists() for at in places)] == []
    rooms = set(re.findall(r"^\| `(\w+)/` \|", text, re.MULTILINE))
    assert rooms == {path.parent.name for path in places[1].glob("*/__init__.py")} - {"results"}


def _tests_named(text: str) -> set[tuple[str, str]]:
    """Folders of tests and the files that a paragraph names after them."""
    paragraphs = re.findall(r"^Tested in `tests/(\w+)/`:(.*?)\n\n", text, re.DOTALL | re.MULTILINE)
    return {(room, name) for room, words in paragraphs for name in re.findall(r"`(test_\w+\.py)`", words)}
