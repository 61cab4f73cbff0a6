"""`feedcharset detect`: one line a file."""

from __future__ import annotations

import io
import json
import struct
import sys
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest
from support import command_line
from support.each import each

from feedcharset.cli import terminal
from feedcharset.validate.file_charset import WIDE_SPACES, unnamed_utf16

FILES = {
    "ascii": (b"abc", "US-ASCII"),
    "empty": (b"", "US-ASCII"),
    "utf8": ("é".encode(), "UTF-8"),
    "latin9": (b"\xe9", "ISO-8859-15"),
    "cp1252": (b"\x93", "windows-1252"),
}


call = partial(command_line.call, "detect")

BINARY = "it is binary, or text in an encoding that nothing names"


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    for name, (data, _) in FILES.items():
        (tmp_path / name).write_bytes(data)
    return [tmp_path / name for name in FILES]


@pytest.fixture
def unknown(tmp_path: Path) -> Path:
    path = tmp_path / "unknown"
    path.write_bytes(b"ab\xa0\x81\x00")
    return path


def test_one_line_a_file(files: list[Path], capsys: pytest.CaptureFixture[str]) -> None:
    assert call(*files) == 0
    expected = [f"{path}: {FILES[path.name][1]}" for path in files]
    assert capsys.readouterr() == ("".join(line + "\n" for line in expected), "")


def test_quiet_leaves_the_names_out(files: list[Path], capsys: pytest.CaptureFixture[str]) -> None:
    assert call("-q", *files) == 0
    assert capsys.readouterr().out.split() == [name for _, name in FILES.values()]


def test_none_detected_is_1(unknown: Path, files: list[Path], capsys: pytest.CaptureFixture[str]) -> None:
    assert call(unknown) == 1
    assert call("--offset", unknown, files[0]) == 1
    assert call("-q", "--offset", unknown) == 1
    lines = [
        f"{unknown}: unknown",
        f"{unknown}: unknown (byte 3)",
        f"{files[0]}: US-ASCII",
        "unknown (byte 3)",
    ]
    assert capsys.readouterr().out.splitlines() == lines


def test_unreadable_is_2_and_wins(unknown: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    missing = tmp_path / "missing"
    assert call(unknown, missing, tmp_path, unknown) == 2
    out, err = capsys.readouterr()
    assert out == f"{unknown}: unknown\n" * 2
    assert [line for line in err.splitlines() if "none of the four" not in line] == [
        f"feedcharset: {missing}: No such file or directory",
        f"feedcharset: {tmp_path}: it is a folder; name the files in it (FOLDER/*.xml)",
    ]


def test_json_is_one_object_a_line(
    unknown: Path, files: list[Path], capsys: pytest.CaptureFixture[str]
) -> None:
    assert call("--json", files[2], unknown) == 1
    first, second = map(json.loads, capsys.readouterr().out.splitlines())
    assert first == {"file": str(files[2]), "encoding": "UTF-8", "offset": None}
    assert second == {"file": str(unknown), "encoding": None, "offset": 3}


def test_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(b"\xe9"), isatty=lambda: False))
    assert call() == 0
    assert capsys.readouterr().out == "-: ISO-8859-15\n"


def test_a_hostile_name_is_escaped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = "\x1b[31m[bold]\u202e\x9b\n"
    (tmp_path / name).write_bytes(b"")
    assert call(tmp_path / name, tmp_path / (name + "x")) == 2
    out, err = capsys.readouterr()
    assert out == f"{tmp_path}/\\x1b[31m[bold]\\u202e\\x9b\\x0a: US-ASCII\n"
    assert f"{tmp_path}/\\x1b[31m[bold]\\u202e\\x9b\\x0ax: " in err
    assert err.count("\n") == 1


def test_a_name_that_is_not_utf8(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "caf\udce9"
    path.write_bytes(b"")
    assert call(path) == 0
    assert call("--json", path) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[0].endswith("caf\\udce9: US-ASCII")
    assert json.loads(out[1])["file"] == str(path)


OTHERS = {
    "windows-1251": (
        '<?xml version="1.0" encoding="windows-1251"?><a>Погода</a>'.encode("cp1251"),
        "windows-1251",
    ),
    "UTF-16": ('<?xml version="1.0" encoding="UTF-16"?><a>é</a>'.encode("utf-16"), "UTF-16LE"),
    "Shift_JIS": ('<?xml version="1.0" encoding="Shift_JIS"?><a>日本語</a>'.encode("shift_jis"), "Shift_JIS"),
    "gzip": (b"\x1f\x8b\x08\x00\xe9", "the file is a gzip file, which is no text"),
    "PNG": (b"\x89PNG\r\n\x1a\n\0\xe9", "the file is a PNG image, which is no text"),
    "mixed": (
        "été déjà été".encode() + b" caf\xe9 \x81",
        "UTF-8 with other bytes in it; see feedcharset repair",
    ),
    "Czech beside Czech in UTF-8": (
        "Předpověď počasí: déšť se zhorší, děti přijdou\n".encode()
        + "Vítr zesílí v neděli\n".encode("cp1250"),
        "UTF-8 with other bytes in it; feedcharset repair refuses it: the bytes that are not UTF-8 seem to "
        "be in windows-1250",
    ),
    "nearly UTF-8": ("Žižkov\n".encode() * 20_000 + b"caf\xe9", "UTF-8 with other bytes in it"),
    "DOS": ("Jürgen Müller aus Düsseldorf\n".encode("cp850") * 9, "feedcharset cat --encoding IBM850"),
    "French DOS": ("René payé déjà très bien\n".encode("cp850") * 9, "feedcharset cat --encoding IBM850"),
    "a BOM and windows-1251": (
        b"\xef\xbb\xbf" + "Погода на завтра в Москве\n".encode("cp1251") * 20,
        "windows-1251",
    ),
}


@pytest.mark.parametrize("name", OTHERS)
def test_another_encoding_is_hinted_at(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data, hint = OTHERS[name]
    (tmp_path / "feed.xml").write_bytes(data)
    call(tmp_path / "feed.xml")
    assert hint in capsys.readouterr().err
    for quiet in ("-q", "--json"):
        call(quiet, tmp_path / "feed.xml")
        assert capsys.readouterr().err == ""


def test_a_long_file_shows_progress_on_a_terminal_only(
    files: list[Path], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(terminal, "LEAST_PROGRESS", 0)
    assert call(files[2]) == 0
    assert capsys.readouterr() == (f"{files[2]}: UTF-8\n", "")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    assert call(files[2]) == 0
    assert capsys.readouterr().out == f"{files[2]}: UTF-8\n"


@pytest.mark.parametrize("data", [b"caf\xc3\xa9 \x01\n", b"abc\x01\n"])
def test_a_control_character_is_no_other_byte(
    data: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_bytes(data)
    assert call(tmp_path / "file") == 1
    assert "UTF-8 or US-ASCII, with control characters in it" in capsys.readouterr().err


@pytest.mark.parametrize(
    "text",
    ["hello world, plain English\n", "1\n00:00:01 --> 00:00:04\nПривет, как дела?\n", "a;b\r\nő;1\r\n" * 900],
)
@pytest.mark.parametrize("name", ["UTF-16LE", "UTF-16BE"])
def test_utf_16_without_a_bom_is_named_by_each_command(
    name: str, text: str, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    """And the command that the messages name converts it."""
    path = tmp_path / "file"
    path.write_bytes(text.encode(name))
    for command in (["detect"], ["cat"], ["repair"], ["repair", "--force"], ["repair", "-i"]):
        assert command_line.call(*command, path) == (1 if command == ["detect"] else 2)
        assert f"seems to be {name} without a BOM; ".encode() in capfdbinary.readouterr().err
    assert path.read_bytes() == text.encode(name)
    assert command_line.call("cat", "--encoding", name, path) == 0
    assert capfdbinary.readouterr().out.decode() == text


@pytest.mark.parametrize(
    ("data", "hint"),
    [
        ("hello world, plain English\n".encode("utf-32-le"), BINARY),
        (
            b"\1\0" + struct.pack("<3000H", *(number % 300 for number in range(3000))),
            "none of the four; see feedcharset explain",
        ),
        (b"editor\n\0\0on\r\n", BINARY),
        (b"encoding: cp860\na\0\0\n", "UTF-8 or US-ASCII, with control characters in it"),
        ("одно_слово_без_пробелов_".encode("utf-16-le") * 4, BINARY),  # as other data might be
    ],
)
def test_what_is_no_text_in_utf_16_is_not_named_so(
    data: bytes, hint: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_bytes(data)
    assert call(tmp_path / "file") == 1
    assert capsys.readouterr().err == f"feedcharset: {tmp_path / 'file'}: {hint}\n"


@pytest.mark.parametrize(
    ("name", "text"),
    {
        "windows-1251": "Сегодня идёт дождь, и мы читаем книги дома.\n",
        "KOI8-R": "Сегодня идёт дождь, и мы читаем книги дома.\n",
        "Shift_JIS": "今日は雨が降っているので、家で本を読もうと思います。\n",
        "Big5": "今天下雨了，所以我想在家裡看書。\n",
        "ISO-8859-2": "\\usepackage[latin2]{inputenc}\nElőző oldal bezárása, függő\n",
        "ISO-2022-JP": "今日は雨が降っているので、家で本を読もうと思います。\n",
    }.items(),
)
def test_the_command_that_the_hint_names_converts_the_file(
    name: str, text: str, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    path = tmp_path / "file"
    path.write_bytes(text.encode(name))
    call(path)
    hint = f"probably {name}, which is none of the four; feedcharset repair --force converts it\n".encode()
    assert capfdbinary.readouterr().err.endswith(hint)
    assert command_line.call("repair", "--force", path) == 0
    assert capfdbinary.readouterr().out.decode() == text


def test_the_hint_names_no_command_that_refuses_the_file(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    """A line in UTF-8 behind Czech in windows-1250."""
    path, text = tmp_path / "file", "Předpověď počasí na zítřek: déšť a silný vítr.\n"
    path.write_bytes(text.encode("cp1250") * 5 + text.encode())
    call(path)
    assert (
        b": feedcharset repair refuses it: the file is in windows-1250, but at"
        in capfdbinary.readouterr().err
    )
    assert command_line.call("repair", "--force", path) == 2


def test_the_hint_tells_of_utf_16_behind_other_text(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    path = tmp_path / "file"
    path.write_bytes("Größe\n".encode() * 20 + "The council met.\n".encode("utf-16-le"))
    call(path)
    told = b": at byte 160 it has UTF-16; convert each part from its own encoding\n"
    assert capfdbinary.readouterr().err.endswith(told)
    assert command_line.call("repair", path) == 2
    assert capfdbinary.readouterr().err.endswith(told)


def test_a_space_in_forty_characters_is_text_in_utf_16() -> None:
    text = "x" * (WIDE_SPACES - 1) + " "
    assert unnamed_utf16(text.encode("utf-16-be")) == "UTF-16BE"
    for more, name in ((9, "UTF-16BE"), (8, "")):  # of a text in an alphabet one in ten is a sign
        assert unnamed_utf16(("—" + "я" * (more - 1) + " ").encode("utf-16-be")) == name
    assert unnamed_utf16(("x" + text).encode("utf-16-be")) == ""
    assert unnamed_utf16(text.encode("utf-16-le") + b"x") == "UTF-16LE"  # a byte too many
    assert unnamed_utf16(("\x01" + text[1:]).encode("utf-16-le")) == ""


EAST_ASIAN_LINES = [
    "今日は雨が降っているので、家で本を読もうと思います。\n",
    "오늘은 비가 와서 집에서 책을 읽으려고 합니다.\n",
    "今天下雨了，所以我想在家裡看書。\n",
    "今天下雨了，所以我想在家里看书。\n",
]


@pytest.mark.parametrize("name", ["UTF-16LE", "UTF-16BE"])
@each("line", EAST_ASIAN_LINES)
def test_east_asian_text_in_utf_16_is_named_and_kept(
    line: str, name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """By --force, too: it would be letters of windows-1252."""
    path = tmp_path / "lines.txt"
    path.write_bytes(data := (3 * line).encode(name))
    for command in (["repair", "-i"], ["repair", "-i", "--force"], ["detect"]):
        assert command_line.call(*command, path) != 0
        assert f"feedcharset cat --encoding {name} converts it\n" in capsys.readouterr().err
        assert path.read_bytes() == data
    for text in (b"caf\xe9\0\n", b"0a\0\n"):
        assert unnamed_utf16(text) == ""
    for codec in ("gb18030", "euc-jp", "shift_jis", "cp949", "utf-8"):
        assert unnamed_utf16(line.encode(codec, "ignore")) == ""


def test_other_bytes_far_behind_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "file"
    path.write_bytes("1;Álvaro;x\n".encode() * 200_000 + "Погода завтра, новости дня\n".encode("cp1251"))
    assert call(path) == 1
    assert "UTF-8 or US-ASCII up to byte 2400000, where" in capsys.readouterr().err


@pytest.mark.parametrize("size", [0, 100_000, 3_000_000])
@pytest.mark.parametrize("codec", ["cp1251", "koi8_r", "cp932", "utf-8"])
def test_text_that_begins_late_is_judged(
    codec: str, size: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = {"cp932": "今日は東京で雨が降ります。", "utf-8": "日本\x01 weather"}.get(
        codec, "Погода на завтра: дождь"
    )
    (tmp_path / "late").write_bytes(b"plain text\n" * (size // 11) + f"{text}\n".encode(codec) * 5)
    call(tmp_path / "late")
    named = {"cp1251": "windows-1251", "koi8_r": "KOI8-R", "cp932": "Shift_JIS"}.get(codec)
    expected = (
        f"probably {named}, which is none" if named else "UTF-8 or US-ASCII, with control characters in it"
    )
    assert expected in capsys.readouterr().err
