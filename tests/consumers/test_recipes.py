"""The recipes of docs/how-to give the right title for every document; the table in the docs says so."""

from __future__ import annotations

import pytest
from support.consumer_table import (
    PAGE,
    RIGHT,
    client_column,
    client_documents,
    page,
    parser_column,
    parser_documents,
    versions,
)
from support.local_server import LocalServer, Row
from support.recipes import CLIENTS, PARSERS, missing, recipes


def pages(packages: dict[str, str]) -> list[object]:
    """The pages, those marked whose package is not installed."""
    reasons = {name: missing(package) for name, package in packages.items()}
    marks = {name: [pytest.mark.skip(reason=reason)] if reason else [] for name, reason in reasons.items()}
    return [pytest.param(name, marks=marks[name]) for name in packages]


def assert_right(cells: list[str], documents: list) -> None:
    assert len(cells) == len(documents) > 15
    assert [
        (document.name, cell) for document, cell in zip(documents, cells, strict=True) if cell != RIGHT
    ] == []


SOME = pytest.mark.parametrize("step", [3, pytest.param(1, marks=pytest.mark.long)])


@pytest.mark.sampled(3)
@SOME
@pytest.mark.parametrize("name", pages(PARSERS))
def test_a_parser_gives_the_right_title_of_every_document(name: str, step: int) -> None:
    assert_right(parser_column(name, library=True, step=step), parser_documents()[::step])


@pytest.mark.sampled(3)
@SOME
@pytest.mark.parametrize("name", pages(CLIENTS))
def test_a_client_gives_the_right_title_of_every_document(name: str, step: int) -> None:
    assert_right(client_column(name, library=True, step=step), client_documents()[::step])


def test_every_parser_has_a_page_with_recipes() -> None:
    counts = {name: len(recipes(name, "source")) for name in PARSERS if not missing(PARSERS[name])}
    assert counts.items() >= {"lxml": 6, "elementtree": 4, "sax": 2, "minidom": 3, "expat": 2}.items()
    assert min(counts.values()) >= 1


def test_feedparser_from_the_web() -> None:
    pytest.importorskip("feedparser")
    by_url, by_requests = recipes("feedparser", "url")
    for document in client_documents()[-8:]:
        row = Row(document.octets, (("Content-Type", document.content_type or ""), ("ETag", '"1"')))
        with LocalServer({"/": row}) as server:
            assert by_url.call(server.url("/")) == by_requests.call(server.url("/")) == document.title


@pytest.mark.long
@pytest.mark.skipif(
    any(map(missing, [*PARSERS.values(), *CLIENTS.values()])), reason="not every consumer is installed"
)
def test_the_table_is_current() -> None:
    """Where it was made with the packages that are installed here."""
    text = PAGE.read_text(encoding="utf-8")
    made_with = ", ".join(
        line[2:] for line in text.rpartition("## Made with")[2].splitlines() if line[:2] == "- "
    )
    # With others, cells without the library may differ; chardet, where it is, guesses in several consumers.
    if made_with == versions() and missing("chardet"):
        assert page() == text, "stale: run PYTHONPATH=src:tests python -m support.consumer_table"
    made = {name.split()[0] for name in made_with.split(", ")}
    assert made == {name.split()[0] for name in versions().split(", ")}


def test_every_document_of_the_tables_is_right_with_the_library() -> None:
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    for words, all_right in ("with this library", True), ("without it", False):
        rows = [line for line in lines if line.startswith(f"| **right {words}, of ")]
        assert len(rows) == 2
        for row, documents in zip(rows, (parser_documents(), client_documents()), strict=True):
            total, cells = row.partition(", of ")[2].partition("**")[0], row.split(" | ")[2:]
            assert total == str(len(documents)), (
                "stale: run PYTHONPATH=src:tests python -m support.consumer_table"
            )
            assert len(cells) > 4
            assert {cell.strip(" |") == total for cell in cells} == {all_right}
