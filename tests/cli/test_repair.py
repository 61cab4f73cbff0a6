"""`feedcharset repair`: a filter."""

from __future__ import annotations

import os
import re
import stat
import subprocess
import sys
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest
from support import command_line
from support.each import each

from feedcharset.cli import terminal
from feedcharset.cli.repair import refusal

MIXED = b"caf\xe9 " + "café".encode() + b" \x93x\x94"
CLEAN = "café café “x”".encode()


call = partial(command_line.call, "repair")


def shell(command: str, directory: Path) -> subprocess.CompletedProcess[bytes]:
    """Run a command line in which `repair` is the filter."""
    line = re.sub(r"(?<![\w/])repair\b(?!/)", f"'{sys.executable}' -m feedcharset repair", command)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.run(
        ["/bin/sh", "-c", line], cwd=directory, env=environment, capture_output=True, check=False
    )


@pytest.fixture
def mixed(tmp_path: Path) -> Path:
    path = tmp_path / "mixed"
    path.write_bytes(MIXED)
    return path


def test_a_filter(mixed: Path) -> None:
    for command in ("repair < mixed", "cat mixed | repair - | cat"):
        run = shell(command, mixed.parent)
        assert (run.returncode, run.stdout, run.stderr) == (0, CLEAN, b"")


def test_a_file(mixed: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(mixed, "-o", tmp_path / "clean") == 0
    assert (tmp_path / "clean").read_bytes() == CLEAN
    assert mixed.read_bytes() == MIXED
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ([], CLEAN),
        (["--errors", "latin-1"], "café café \x93x\x94".encode()),
        (["--errors", "space"], "caf  café  x ".encode()),
        (["--errors", "replace"], "caf\ufffd café \ufffdx\ufffd".encode()),
    ],
)
def test_errors(options: list[str], expected: bytes, mixed: Path, tmp_path: Path) -> None:
    assert call(*options, mixed, "-o", tmp_path / "clean") == 0
    assert (tmp_path / "clean").read_bytes() == expected


def test_cesu8_and_mojibake(tmp_path: Path) -> None:
    (tmp_path / "old").write_bytes(b"\xed\xa0\xbd\xed\xb8\x80 " + "itâ€™s".encode())
    assert call("--cesu8", "join", "--mojibake", "fix", tmp_path / "old", "-o", tmp_path / "new") == 0
    assert (tmp_path / "new").read_text(encoding="utf-8") == "😀 it’s"


@each(
    ("page", "word", "byte", "told"),
    [
        ("windows-1251", "Погода", b"\x98", "1 byte not in windows-1251, written as C1 controls"),
        ("windows-1250", "řeřicha", b"\x81", "1 byte not in windows-1250, written as C1 controls"),
        ("windows-1253", "καιρός", b"\xaa", "1 place not in windows-1253, replaced"),
        ("windows-1251", "Погода", b"", ""),
    ],
)
def test_bytes_that_a_page_does_not_have(
    page: str, word: str, byte: bytes, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The Encoding Standard has C1 controls for some of them, and none for windows-1253's AA."""
    text = f'<?xml version="1.0" encoding="{page}"?><a>{word} x'.encode(page)
    (tmp_path / "old").write_bytes(text + byte + b"</a>")
    assert call("--force", tmp_path / "old", "-o", tmp_path / "new") == 0
    error = capsys.readouterr().err
    assert told in error if told else not error


@each(
    ("options", "places"),
    [([], 2), (["--errors", "latin-1"], 2), (["--errors", "replace"], 0), (["--cesu8", "join"], 0)],
)
def test_surrogate_pairs_that_became_letters_are_told(
    options: list[str], places: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pair = b"\xed\xa0\xbd\xed\xb8\x80"
    (tmp_path / "old").write_bytes("déjà ".encode() + pair + pair + b" x " + pair + b" \xe9t\xe9\n")
    assert call(*options, tmp_path / "old", "-o", tmp_path / "new") == 0
    error = capsys.readouterr().err
    assert ("with surrogate pairs (CESU-8) became letters; --cesu8 join" in error) == (places > 0)
    assert not places or f": {places} places with surrogate" in error


@each(
    ("text", "changes"),
    [
        ("blÃ¥\n", ["column 3 (byte 2): Ã¥ became å"]),
        ("SÃ¥ mye;blÃ¥ x\n", ["column 2 (byte 1): Ã¥ became å", "column 11 (byte 12): Ã¥ became å"]),
        ("<a>blÃ¥</a>\n", ["column 6 (byte 5): Ã¥ became å"]),
        ("x;donâ€™t blÃ¥\n", ["column 6 (byte 5): â€™ became ’", "column 13 (byte 17): Ã¥ became å"]),
    ],
)
def test_a_report_of_mojibake(
    text: str, changes: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What stands before a change in its line is evidence, too."""
    (tmp_path / "old").write_text(text, encoding="utf-8")
    assert call("--mojibake", "fix", "--report", tmp_path / "old", "-o", tmp_path / "new") == 0
    assert capsys.readouterr().err.splitlines()[1:] == [f"line 1, {change}" for change in changes]


def test_report(mixed: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call("--report", mixed, "-o", tmp_path / "clean") == 0
    assert capsys.readouterr() == (
        "",
        "bytes: 3\nline 1, column 4 (byte 3): E9 became é\nline 1, column 11 (byte 11): 93 became “\n"
        "line 1, column 13 (byte 13): 94 became ”\n",
    )
    assert call("--report", tmp_path / "clean", "-o", tmp_path / "again") == 0
    assert capsys.readouterr() == ("", "nothing to repair\n")


def test_report_names_a_hundred_places(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "bad").write_bytes(b"\xff" * 101 + b"\n")
    assert call("--report", tmp_path / "bad", "-o", tmp_path / "good") == 0
    count, *places, more = capsys.readouterr().err.splitlines()
    assert (count, more) == ("bytes: 101", "and 1 more")
    assert places == [f"line 1, column {at + 1} (byte {at}): FF became ÿ" for at in range(100)]


@pytest.mark.parametrize("source", ["mixed", "other", None])
def test_the_input_is_never_overwritten(
    source: str | None,
    mixed: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Under its own name, through a symbolic link, through another hard link; and standard input."""
    monkeypatch.chdir(mixed.parent)
    Path("soft").symlink_to(mixed)
    Path("hard").hardlink_to(mixed)
    Path("other").symlink_to(mixed)
    with open(mixed, "rb") as stream:
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=stream, isatty=lambda: False))
        for name in ("mixed", "./mixed", "soft", "hard"):
            assert call(*([source] if source else []), "-o", name) == 2
            out, err = capsys.readouterr()
            assert f"feedcharset: {source or '-'}: the output '{name}' is the input; give another name" in err
            assert (out, err.count("\n")) == ("", 1)
        assert call("/dev/null", "mixed", "/dev/null", "-o", "hard") == 2
        assert capsys.readouterr().err.startswith("feedcharset: mixed: the output 'hard' is the input")
    assert mixed.read_bytes() == MIXED
    assert sorted(os.listdir(mixed.parent)) == ["hard", "mixed", "other", "soft"]


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "command", ["repair mixed >> mixed", "repair < mixed >> soft", "repair mixed > mixed"]
)
def test_standard_output_onto_the_input(command: str, mixed: Path) -> None:
    (mixed.parent / "soft").symlink_to(mixed)
    run = shell(command, mixed.parent)
    assert run.returncode == 2
    assert b"standard output is the input" in run.stderr
    assert mixed.read_bytes() in (MIXED, b"")


@pytest.mark.long
@pytest.mark.parametrize(
    "command",
    [
        *("cat - < mixed >> soft", "explain mixed >> mixed", "check --json - < mixed 1<> mixed"),
        "detect other mixed >> mixed",
        *(
            pytest.param(command, marks=pytest.mark.long)
            for command in (
                *("cat mixed >> mixed", "cat < mixed 1<> mixed"),
                *("check other mixed >> mixed", "check --diff . >> mixed"),
            )
        ),
    ],
)
def test_other_commands_onto_their_source(command: str, mixed: Path) -> None:
    (mixed.parent / "soft").symlink_to(mixed)
    (mixed.parent / "other").write_bytes(b"")
    mixed.write_bytes(document := b"<?xml version='1.0'?><a>\xe9</a>")
    command = f"'{sys.executable}' -m feedcharset {command}"
    run = shell(command, mixed.parent)
    assert run.returncode == 2
    assert b"standard output is the input" in run.stderr
    assert mixed.read_bytes() == document


@pytest.mark.parametrize("byte", [*range(0x20), 0x7F])
def test_what_has_many_control_characters_is_binary(byte: int) -> None:
    """TAB, the line ends and ESC are text."""
    is_text = byte in (*range(0x09, 0x0E), 0x1B)
    refused = refusal(b"caf\xe9 " + "été déjà ".encode() * 20 + bytes([byte]) * 60 + b"x") or ""
    assert ("the file is binary" in refused) is not is_text


@pytest.mark.parametrize("rows", [1, 3, 900])
@pytest.mark.parametrize(
    "row",
    [
        *(b"1\x01Ann\x01caf\xe9\n", b"1\x01\x01\x01\x01\x01x\n", b"8=FIX.4.2\x0135=D\x0158=caf\xe9\x01"),
        *(b"nam\x1e10\x1faCaf\xe9\x1fbx\x1e\x1d", b"1\x1f2\x1ea\x1fb\x1e", b"1\x1cAnn\x1cK\xf6ln\n"),
        b"N\bNA\bAM\bME\bE\n",
    ],
)
def test_separators_of_fields_are_text(row: bytes, rows: int) -> None:
    assert refusal(row * rows) is None
    assert "the file is binary" in (refusal((row + b"\x05") * rows) or "")


@pytest.mark.parametrize("command", ["repair", "check", "cat", "detect"])
def test_a_file_that_becomes_shorter_is_not_taken_for_whole(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path, out = tmp_path / "file", tmp_path / "out"
    path.write_bytes(MIXED * 100_000)
    real = os.fstat
    sizes: list[int] = []

    def fstat(number: int) -> os.stat_result:
        found = real(number)
        if found.st_size == len(MIXED) * 100_000:
            sizes.append(number)
            path.write_bytes(MIXED)  # behind what is seen now
        return found

    monkeypatch.setattr(os, "fstat", fstat)
    monkeypatch.setattr(terminal, "LEAST_PROGRESS", 1 << 20)
    assert command_line.call(command, path, *(["-o", out] if command != "detect" else [])) == 2
    assert sizes
    assert "became shorter while it was read" in capsys.readouterr().err
    assert not out.exists() or command == "check"


@pytest.mark.long
def test_more_files_than_may_be_open(mixed: Path) -> None:
    for number in range(40):
        (mixed.parent / f"{number}.csv").write_bytes(MIXED)
    run = shell("ulimit -n 25; repair *.csv", mixed.parent)
    assert (run.returncode, run.stdout, run.stderr) == (0, CLEAN * 40, b"")
    run = shell("mkfifo p; cat mixed > p & repair mixed p absent; repair mixed p", mixed.parent)
    assert (run.returncode, run.stdout) == (0, CLEAN * 2)


def test_another_file_is_replaced_whole_with_its_mode(mixed: Path, tmp_path: Path) -> None:
    target = tmp_path / "target"
    target.write_bytes(b"old")
    target.chmod(0o640)
    link = tmp_path / "link"
    link.symlink_to(target)
    assert call(mixed, "-o", link) == 0
    assert link.is_symlink()
    assert target.read_bytes() == CLEAN
    assert stat.S_IMODE(target.stat().st_mode) == 0o640


@pytest.mark.long
def test_a_device_is_written_as_it_is(mixed: Path) -> None:
    run = shell("repair mixed -o /dev/stdout | cat; repair mixed -o /dev/null", mixed.parent)
    assert (run.returncode, run.stdout, run.stderr) == (0, CLEAN, b"")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


def test_what_fails_leaves_no_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(tmp_path / "missing", "-o", tmp_path / "new") == 2
    assert call(tmp_path, "-o", tmp_path / "new") == 2
    err = capsys.readouterr().err.splitlines()
    assert err == [
        f"feedcharset: {tmp_path / 'missing'}: No such file or directory",
        f"feedcharset: {tmp_path}: it is a folder; name the files in it (FOLDER/*.xml)",
    ]
    assert os.listdir(tmp_path) == []


def test_a_closed_pipe_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "long").write_bytes(MIXED * 100_000)
    run = shell("{ repair long; echo $? > code; } | head -c 1", tmp_path)
    assert (run.stdout, run.stderr) == (b"c", b"")
    assert (tmp_path / "code").read_text() == "0\n"


@pytest.mark.parametrize("options", [["--errors", "strict"], ["--cesu8", "fix"], ["--nonsense"], ["a", "b"]])
def test_usage(options: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert call(*options) == 2
    assert capsys.readouterr().out == ""


def test_places_behind_much_ascii(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The window opens behind what was written already."""
    (tmp_path / "long").write_bytes(b"x" * 100_000 + b"\n" + MIXED)
    assert call("--report", tmp_path / "long", "-o", tmp_path / "clean") == 0
    assert (tmp_path / "clean").read_bytes() == b"x" * 100_000 + b"\n" + CLEAN
    assert "line 2, column 4 (byte 100004): E9 became é" in capsys.readouterr().err


def test_ascii_is_not_converted_whatever_it_is_declared_as(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "old").write_bytes(b'<?xml version="1.0" encoding="windows-1251"?><a/>')
    assert call("--force", "--report", tmp_path / "old", "-o", tmp_path / "new") == 0
    assert "converted" not in capsys.readouterr().err


@pytest.mark.parametrize("size", [100, 30_000, 200_000])
def test_ascii_that_is_held_back_is_written_before_a_conversion(size: int, tmp_path: Path) -> None:
    """What the window converts follows all of the ASCII before it: `--mojibake fix` holds back a run."""
    western = "x y z\n" * size + "L'été à la CAFÉ… très élevé, où l'on\n" * 20
    cyrillic = "x y z\n" * size + "Привет, это текст на русском языке\n" * 20
    for text, page in ((western, "cp1252"), (cyrillic, "cp1251")):
        (tmp_path / "in").write_bytes(text.encode(page))
        assert call(tmp_path / "in", "--force", "--mojibake", "fix", "-o", tmp_path / "out") == 0
        assert (tmp_path / "out").read_bytes().decode() == text


@pytest.mark.long
@pytest.mark.parametrize(
    "before",
    ["a <b and c", "<!--", *(pytest.param(one, marks=pytest.mark.long) for one in ("</", "<?php", "<<EOF"))],
)
def test_mojibake_after_a_less_than_sign_in_csv(before: str, tmp_path: Path) -> None:
    text = f"id;t\n0;{before}\n" + "".join(f"{n};cafÃ© nÂ° {n}\n" for n in range(9000))
    (tmp_path / "in").write_text(text, "utf-8")
    assert call(tmp_path / "in", "--mojibake", "fix", "-o", tmp_path / "out") == 0
    assert (tmp_path / "out").read_text("utf-8") == text.replace("Ã©", "é").replace("Â°", "°")


@pytest.mark.parametrize("lines", [0, 100, 30_000])
def test_the_place_of_a_byte_that_a_conversion_replaces(
    lines: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It counts from the beginning of the file, however much ASCII stands before."""
    data = (
        b"x y z\n" * lines + "これは日本語のテキストです。今日はとても良い天気ですね\n".encode("cp932") * 200
    )
    (tmp_path / "in").write_bytes(data + b"a \xfd b\n")
    assert call(tmp_path / "in", "--force", "--report", "-o", tmp_path / "out") == 0
    assert f"byte {len(data) + 2}: FD was replaced" in capsys.readouterr().err


def test_a_quotation_in_windows_1252_among_utf8(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It ends in the bytes of a character of UTF-8; the report names each byte."""
    file = tmp_path / "dump.csv"
    file.write_bytes("été\n".encode() * 9 + b"\xab\xa0qualit\xe9\xa0\xbb\n" + "été\n".encode())
    for mojibake in "keep", "fix":
        assert call("--report", "--mojibake", mojibake, file) == 0
        out, err = capsys.readouterr()
        assert out == "été\n" * 9 + "«\xa0qualité\xa0»\n" + "été\n"
        assert [line.split(": ")[1] for line in err.splitlines()[1:]] == [
            "AB became «",
            "A0 became \\xa0",
            "E9 became é",
            "A0 became \\xa0",
            "BB became »",
        ]
    assert call("--errors", "latin-1", file) == 0
    assert "« qualit頻".replace(" ", "\xa0") in capsys.readouterr().out


def test_the_places_are_in_their_order(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Mojibake is known when its line has ended, another byte at once."""
    (tmp_path / "in").write_bytes("cafÃ© là caf\udce9\nÃ©tÃ© là \udce9\n".encode("utf-8", "surrogateescape"))
    assert call("--report", "--mojibake", "fix", tmp_path / "in", "-o", tmp_path / "out") == 0
    places = re.findall(r"\(byte ([0-9]+)\)", capsys.readouterr().err)
    assert len(places) == 5
    assert list(map(int, places)) == sorted(map(int, places))


@pytest.mark.parametrize("before", ["", "<?xml version='1.0'?>\n"])
def test_a_byte_order_mark_is_no_column(
    before: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "file"
    columns = []
    for bom in b"", b"\xef\xbb\xbf":
        path.write_bytes(bom + before.encode() + b"<a>caf\xe9 \xc3\xa9t\xe9</a>\n")
        assert command_line.call("repair", "--report", path, "-o", tmp_path / "out") == 0
        columns.append(re.findall("line [0-9]+, column [0-9]+", capsys.readouterr().err))
    assert columns[0] == columns[1]
    assert columns[0][0] == f"line {1 + before.count(chr(10))}, column 7"


@pytest.mark.parametrize("label", ["{{ charset }}", "%(encoding)s", "${enc}", "@ENC@", "%s"])
def test_the_declaration_of_a_template_stays(label: str, tmp_path: Path) -> None:
    """What fills it in is lost otherwise. A name that only nobody knows is repaired."""
    path = tmp_path / "template.xml"
    for text in ("<a/>\n", "<a>é</a>\n"):
        template = f'<?xml version="1.0" encoding="{label}"?>\n{text}'.encode()
        path.write_bytes(template)
        assert call("-i", path) == 0
        assert path.read_bytes() == template
        assert command_line.call("check", "--fix", "-q", path) == 1
        assert path.read_bytes() == template
    path.write_bytes(template.replace(label.encode(), b"bogus"))
    assert call("-i", path) == 0
    assert path.read_bytes() == template.replace(label.encode(), b"UTF-8")


META = '<meta http-equiv="Content-Type" content="text/html; charset=ISO-8859-1"/>'
MAIL = "From a@b Mon Jan  1 00:00:00 2020\nContent-Type: text/plain;{}charset={}\n\n{}\n\n"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (f'<?xml version="1.0" encoding="ISO-8859-1"?><html>{META}déjà</html>', "1 label"),
        (f'<?xml version="1.0"?><html>{META}déjà</html>', "1 label"),
        (f'<?xml version="1.0" encoding="UTF-8"?><html>{META.replace("ISO-8859-1", "utf-8")}é</html>', ""),
        ('<?xml version="1.0"?><x><xsl:output encoding="latin1"/>déjà</x>', "1 label"),
        (MAIL.format(" ", "us-ascii", "a") + MAIL.format("\n\t", "iso-8859-1", "déjà"), "1 label"),
        (MAIL.format(" ", "utf-8", "a") + MAIL.format(" ", '"ISO-8859-1"', "déjà") * 2, "2 labels"),
        ("SET NAMES utf8;\nSET NAMES latin1;\nINSERT ('déjà');\n", "1 label"),
        ("SET NAMES utf8;\n/*!40101 SET NAMES utf8mb4 */;\nINSERT ('déjà');\nset names binary;\n", ""),
        ("N;CHARSET=UTF-8:A\nFN;LANGUAGE=fr;CHARSET=ISO-8859-1:déjà\nNOTE;X=Y:charset=latin1\n", "1 label"),
    ],
)
def test_labels_of_another_encoding_that_stay_are_told(
    text: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "file"
    path.write_bytes(text.encode("latin-1"))
    assert call(path, "-o", tmp_path / "out") == 0
    found = f"{path}: {told} of another encoding (as meta, Content-Type) stayed in it\n"
    assert capsys.readouterr().err == (f"feedcharset: {found}" if told else "")


@each("encoding", ["utf-16", "utf-16-be", "utf-32", "cp500"])
@each(
    ("text", "told"),
    [
        ("#pragma code_page(1252)\n 1 é\n", "it still names windows-1252 as its encoding, and is UTF-8 now"),
        (
            'msgid ""\n"Content-Type: text/plain; charset=KOI8-R\\n"\n',
            "it still names KOI8-R as its encoding, and is UTF-8 now",
        ),
        ("<!DOCTYPE html><meta charset=UTF-16>é", "it still names UTF-16 as its encoding, and is UTF-8 now"),
        (f"<x>{META}é</x>", "1 label of another encoding (as meta, Content-Type) stayed in it"),
        (
            '<?xml version="1.0" encoding="{}"?><x><xsl:output encoding="latin1"/>é</x>',
            "1 label of another encoding (as meta, Content-Type) stayed in it",
        ),
        (
            '<?xml version="1.0" encoding="{}"?><x><?xml version="1.0" encoding="latin1"?>é</x>',
            "1 XML declaration in it still named another encoding",
        ),
        ('<?xml version="1.0" encoding="{}"?><x>é</x>', ""),
        ("é\n", ""),
    ],
)
def test_labels_that_stay_in_what_was_converted_from_a_wide_encoding_are_told(
    encoding: str, text: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if encoding == "cp500" and not text.startswith("<?xml"):
        return  # nothing names it
    path, text = tmp_path / "file", text.replace("{}", encoding)
    path.write_bytes(b"\xfe\xff" * (encoding == "utf-16-be") + text.encode(encoding))
    assert call("--force", path, "-o", tmp_path / "out") == 0
    assert capsys.readouterr().err == (f"feedcharset: {path}: {told}\n" if told else "")
    assert (tmp_path / "out").read_text("utf-8") == text.replace(f'"{encoding}"', '"UTF-8"', 1)


@pytest.mark.long
def test_what_is_refused_late_is_told_to_be_incomplete(tmp_path: Path) -> None:
    line = "Hello wörld, naïve café line\n".encode()
    (tmp_path / "late").write_bytes(line * 80_000 + "Привет, как дела сегодня?\n".encode("cp1251") * 5)
    told = b"; standard output has the text before it alone\n"
    run = shell("repair late", tmp_path)
    assert (run.returncode, run.stderr.endswith(told)) == (2, True)
    assert 0 < len(run.stdout) < len(line) * 80_000
    run = shell("repair late -o out", tmp_path)
    assert (run.returncode, run.stderr.endswith(told)) == (2, False)
    assert not (tmp_path / "out").exists()


def test_what_force_does_is_what_is_announced(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A list of letters seems to be GB18030; forced, it is read as windows-1252."""
    letters = "TRY esijanrtolcdugmphbyfvkwqxzäüößáéêàâñESIJANRTOLCDUGMPHBYFVKWQXZÄÜÖÉ-.\n"
    for text, codec, announced in (
        (letters, "cp1252", "--force reads it as windows-1252"),
        ("Привет, как дела сегодня?\n", "cp1251", "--force converts it from windows-1251"),
    ):
        (tmp_path / "file").write_bytes(text.encode(codec))
        assert call(tmp_path / "file") == 2
        words = ": Привет, как дела сегодня?" if codec == "cp1251" else ""
        assert capsys.readouterr().err.endswith(f"; {announced}{words}\n")
        assert call(tmp_path / "file", "--force", "-o", tmp_path / "out") == 0
        assert (tmp_path / "out").read_text(encoding="utf-8") == text


@each(
    ("data", "words"),
    [
        ("key=Привет мир\n".encode("cp1251"), ": Привет мир"),
        ("<a>Der Mann</a><b>Погода завтра</b>".encode("koi8-r"), ": Погода завтра"),
        (b"plain\n" * 9 + "今日は雨が降っている\n".encode("euc_jp"), ": 今日は雨が降っている"),
        (
            "Příliš žluťoučký kůň úpěl ďábelské ódy".encode("cp1250"),
            ": Příliš žluťoučký kůň úpěl ďábelské ódy",
        ),
        ("<?xml version='1.0' encoding='windows-1251'?><a>Погода</a>".encode("cp1251"), ""),  # its label
        ("Погода завтра\x07\x1b".encode("utf-16"), ""),
    ],
)
def test_a_refusal_shows_the_first_words_as_they_would_be_converted(data: bytes, words: str) -> None:
    found = re.fullmatch(".* --force converts it from [A-Za-z0-9_-]+(.*)", refusal(data) or "")
    assert found is not None
    assert found[1] == words
