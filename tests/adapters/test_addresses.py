"""feedcharset.adapters.fsspec and .smart_open on real files and file systems."""

from __future__ import annotations

import bz2
import gzip
import zipfile
from pathlib import Path
from typing import Any

import pytest

from feedcharset import ResolutionError

TEXT = '<?xml version="1.0" encoding="windows-1251"?><rss><title>Погода</title></rss>'
BODY = TEXT.encode("cp1251")


def test_fsspec(tmp_path: Path) -> None:
    fsspec = pytest.importorskip("fsspec")
    from feedcharset.adapters.fsspec import open_address

    memory = fsspec.filesystem("memory")
    memory.pipe("/feed.xml", BODY)
    memory.pipe("/feed.xml.gz", gzip.compress(BODY))
    with zipfile.ZipFile(tmp_path / "feeds.zip", "w") as archive:
        archive.writestr("feed.xml", BODY)
    (tmp_path / "feed.xml").write_bytes(BODY)
    for address in (
        "memory://feed.xml",
        "memory://feed.xml.gz",
        f"zip://feed.xml::file://{tmp_path}/feeds.zip",
        f"file://{tmp_path}/feed.xml",
    ):
        with open_address(address) as reader:
            assert (reader.encoding, "Погода" in reader.read()) == ("windows-1251", True), address


def test_fsspec_passes_options_on() -> None:
    fsspec = pytest.importorskip("fsspec")
    from feedcharset.adapters.fsspec import open_address

    fsspec.filesystem("memory").pipe("/bare.xml", "<t>Погода</t>".encode("koi8-r"))
    options = {"skip_instance_cache": True}
    with open_address("memory://bare.xml", storage_options=options, encoding="KOI8-R") as reader:
        assert reader.read() == "<t>Погода</t>"
    with pytest.raises(FileNotFoundError):
        open_address("memory://none.xml")
    with pytest.raises(ValueError, match="policy"):
        open_address("memory://bare.xml", policy="rfc822")


WRONG: Any = ({"policy": "rfc822"}, {"detector": 5}, {"nonsense": 1}, {"limits": 5})


def test_the_file_is_closed_with_the_reader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("fsspec")
    from feedcharset.adapters import fsspec as adapter

    closed: list[bool] = []
    monkeypatch.setattr(adapter._Stream, "close", lambda stream: closed.append(True))
    (tmp_path / "feed.xml").write_bytes(BODY)
    for number, options in enumerate(({}, {"closefd": False}), 1):  # nobody else could close it
        with adapter.open_address(f"file://{tmp_path}/feed.xml", **options):
            assert len(closed) == number - 1
        assert len(closed) == number
    monkeypatch.setattr(adapter.fsspec, "open", pytest.fail)
    for options in WRONG:
        with pytest.raises((TypeError, ValueError)):
            adapter.open_address(f"file://{tmp_path}/feed.xml", **options)


def test_smart_open(tmp_path: Path) -> None:
    pytest.importorskip("smart_open")
    from feedcharset.adapters.smart_open import open_address

    (tmp_path / "feed.xml").write_bytes(BODY)
    (tmp_path / "feed.xml.gz").write_bytes(gzip.compress(BODY))
    (tmp_path / "feed.xml.bz2").write_bytes(bz2.compress(BODY))
    for name in ("feed.xml", "feed.xml.gz", "feed.xml.bz2"):
        for address in (str(tmp_path / name), f"file://{tmp_path}/{name}"):
            with open_address(address, transport_params={}) as reader:
                assert (reader.encoding, "Погода" in reader.read()) == ("windows-1251", True), address
    with open_address(str(tmp_path / "feed.xml"), encoding="KOI8-R") as reader:
        assert "Погода" not in reader.read()


def test_the_file_of_smart_open_is_closed_with_the_reader(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    smart_open = pytest.importorskip("smart_open")
    from feedcharset.adapters.smart_open import open_address

    real, opened = smart_open.open, []

    def kept(*arguments: Any, **options: Any) -> Any:
        opened.append(real(*arguments, **options))
        return opened[-1]

    monkeypatch.setattr(smart_open, "open", kept)
    (tmp_path / "feed.xml").write_bytes(BODY)
    for options in ({}, {"closefd": False}):
        with open_address(str(tmp_path / "feed.xml"), **options):
            assert not opened[-1].closed
        assert opened[-1].closed, options
    for options in WRONG:
        with pytest.raises((TypeError, ValueError)):
            open_address(str(tmp_path / "feed.xml"), **options)
    assert len(opened) == 2
    with pytest.raises(ResolutionError) as caught:
        open_address(str(tmp_path / "feed.xml"), lenient=False, content_type="text/plain")
    assert not opened[-1].closed
    caught.value.close()
    assert opened[-1].closed
