"""The same rows on the engines that the test extra installs: the digests agree. `make engines` has seven."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.engines import ENGINES, digest, write_documents

ROWS = 1_000
HERE = ("pyarrow", "DuckDB", "Polars")


@pytest.fixture(scope="module")
def documents(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Parquet file, and no other."""
    path = tmp_path_factory.mktemp("engines") / "documents.parquet"
    write_documents(path, ROWS)
    return path


@pytest.mark.parametrize("name", HERE[1:])
def test_the_engine_gives_what_pyarrow_gives(name: str, documents: Path) -> None:
    pytest.importorskip(ENGINES[name][0])
    expected = digest(ENGINES["pyarrow"][1](documents))
    assert expected[0] == ROWS
    assert digest(ENGINES[name][1](documents)) == expected
