"""The same rows on the engines that the test extra installs: the digests agree. `make engines` runs seven."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.engines import ENGINES, digest, write_documents

ROWS = 200
HERE = ("pyarrow", "DuckDB", "Polars")


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The same rows in one file and in three, in row groups of different sizes."""
    top = tmp_path_factory.mktemp("engines")
    write_documents(top / "one", ROWS, files=1, row_group=90)
    write_documents(top / "three", ROWS, files=3, row_group=31)
    return [top / "one", top / "three"]


def test_the_engines_give_what_pyarrow_gives_however_the_rows_are_parted(folders: list[Path]) -> None:
    found = {name: [digest(ENGINES[name][1](folder)) for folder in folders] for name in HERE}
    assert found["pyarrow"][0][0] == ROWS
    assert len({one for digests in found.values() for one in digests}) == 1
