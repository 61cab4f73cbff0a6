"""A file in parts: the answer is that of the whole file, wherever the parts begin."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedcharset import Detection, detect
from feedcharset.reading import file_detection
from feedcharset.reading.file_detection import (
    FileDetector,
    detect_large,
    detect_part,
    detection_pool,
    is_large,
)
from feedcharset.reading.file_detection import file_parts as parts_of

PIECES = st.sampled_from(
    [
        *(b"abc", "é".encode(), "ย".encode(), "😀".encode(), b"\xe9", b"\x93", b"\x81", b"\x00", b"\x7f"),
        *(b"\x80\x80\x80\x80\x80", b"\xe2\x82", b"\xf0\x9f\x98", b"\xbf", b"\xc3"),
    ]
)


def in_parts(data: bytes, part: int) -> Detection:
    detector = FileDetector()
    for start, stop in parts_of(io.BytesIO(data), len(data), part):
        following = FileDetector(start)
        following.feed(data[start:stop])
        following.finish()
        detector.extend(following)
    return detector.finish()


@given(st.lists(PIECES, max_size=12).map(b"".join), st.integers(1, 12))
def test_the_answer_is_that_of_the_whole(data: bytes, part: int) -> None:
    """The encoding, and the offset of the byte that excluded the last one."""
    assert in_parts(data, part) == detect(data)


@given(st.binary(max_size=40), st.integers(1, 12))
def test_the_parts_are_the_file(data: bytes, part: int) -> None:
    found = list(parts_of(io.BytesIO(data), len(data), part))
    assert b"".join(data[start:stop] for start, stop in found) == data
    assert all(part <= stop - start <= part + 4 for start, stop in found[:-1])


def test_no_part_begins_within_a_character() -> None:
    data = "aéย😀".encode() * 5
    for part in range(1, 12):
        for start, stop in parts_of(io.BytesIO(data), len(data), part):
            assert data[start:stop].decode()


@pytest.mark.parametrize(
    ("start", "stop"), [(0, 300_001), (1, 2), (262_144, 300_001), (5, 5), (299_999, 900_000)]
)
def test_a_part_of_a_file(tmp_path: Path, start: int, stop: int) -> None:
    """No byte beyond it is looked at."""
    data = b"x" * 300_000 + b"\x81" + b"\0" * 10
    (tmp_path / "file").write_bytes(data)
    found = detect_part(str(tmp_path / "file"), start, stop)
    expected = FileDetector(start)
    expected.feed(data[start:stop])
    assert found.finish() == expected.finish()


def test_a_pool_reads_large_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts beyond a byte that excludes every answer are not waited for."""
    monkeypatch.setattr(file_detection, "FILE_PART", 1000)
    files = {
        "utf8": "aé".encode() * 2000,
        "cp1252": b"a" * 5000 + b"\x93" + b"\xe9" * 5000,
        "none": b"a" * 2500 + b"\x81" * 20_000,
    }
    done: list[int] = []
    with detection_pool(2) as pool:
        for name, data in files.items():
            path = tmp_path / name
            path.write_bytes(data)
            assert is_large(str(path))
            assert detect_large(str(path), pool, done.append) == detect(data)
        (tmp_path / "small").write_bytes(b"a" * 1999)
        assert not is_large(str(tmp_path / "small"))
        assert not is_large(str(tmp_path))
        assert not is_large(str(tmp_path / "missing"))
    assert sum(done) < sum(map(len, files.values())) - 15_000
