"""`feedcharset explain` and `feedcharset cat`."""

from __future__ import annotations

import gzip
import io
import json
import os
import subprocess
import sys
from codecs import BOM_UTF16_LE
from pathlib import Path

import click
import pytest
from support.command_line import call
from support.each import each
from support.local_server import LocalServer, Row

from feedcharset import resolve

RUSSIAN = '<?xml version="1.0" encoding="windows-1251"?><rss><title>Погода</title></rss>'
HOSTILE = b'<?xml version="1.0" encoding="\x1b[31mred\xc2\x85\xe2\x80\xae"?><a/>'


@pytest.fixture
def feed(tmp_path: Path) -> Path:
    path = tmp_path / "feed.xml"
    path.write_bytes(RUSSIAN.encode("cp1251"))
    return path


def test_explain_says_what_was_seen_tried_and_decided(feed: Path, capsys) -> None:
    assert call("explain", feed) == 0
    out = capsys.readouterr().out
    assert out.splitlines()[0] == str(feed)
    for part in ("encoding: windows-1251  (rule 1.2)", "declared: windows-1251", "answer windows-1251"):
        assert part in out


def test_explain_several_sources_with_an_empty_line_between(feed: Path, capsys) -> None:
    assert call("explain", feed, feed) == 0
    assert capsys.readouterr().out.count("\n\n" + str(feed)) == 1


def test_explain_json_is_one_object_a_line(feed: Path, capsys) -> None:
    assert call("explain", "--json", "--content-type", "text/xml", feed, feed) == 0
    first, second = map(json.loads, capsys.readouterr().out.splitlines())
    assert first == second
    assert (first["source"], first["encoding"], first["rule"]) == (str(feed), "windows-1251", "L2")
    assert first["facts"]["content_type"] == "text/xml"


def test_explain_strict_refuses_with_1(feed: Path, capsys) -> None:
    assert call("explain", "--strict", "--content-type", "text/html", feed) == 1
    assert "refused: rule 2.6" in capsys.readouterr().out
    assert call("explain", "--strict", "--json", "--content-type", "text/html", feed) == 1
    refused = json.loads(capsys.readouterr().out)
    assert (refused["error"], refused["facts"]["media_class"]) == ("NotXmlMediaType", "HTML")


def test_a_source_that_cannot_be_read_is_2_and_one_line_and_2_wins(feed: Path, capsys) -> None:
    assert call("explain", "--strict", "--content-type", "text/html", "nowhere.xml", feed) == 2
    err = capsys.readouterr().err
    assert err == "feedcharset: nowhere.xml: No such file or directory\n"


def test_an_empty_content_type_is_a_message_without_the_field(feed: Path, capsys) -> None:
    assert call("explain", "--content-type", "", feed) == 0
    assert "Content-Type: absent" in capsys.readouterr().out


def test_standard_input(feed: Path, capsys, monkeypatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(RUSSIAN.encode("cp1251"))))
    assert call("explain", "-") == 0
    assert "windows-1251" in capsys.readouterr().out


def test_nothing_hostile_reaches_the_terminal(tmp_path: Path, capsys) -> None:
    path = tmp_path / "bad\x1b[2J.xml"
    path.write_bytes(HOSTILE)
    for arguments in ([], ["--strict"]):
        call("explain", *arguments, path)
        shown = capsys.readouterr()
        for char in ("\x1b", "\x85", "\u202e"):
            assert char not in shown.out + shown.err
    call("explain", str(path) + ".missing")
    assert "\x1b" not in capsys.readouterr().err


def test_a_usage_error_does_not_act_on_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("cat", "check", "repair", "detect", "explain", "nix\x1b"):
        for arguments in (("a", "z\x1b]0;X\a\n\u202e"), ("--nix\x1b]0;X\a",), ("a", "--nix=\n\x9b")):
            assert call(command, *arguments) == 2
            shown = capsys.readouterr()
            assert (shown.out + shown.err).replace("\n", "").isprintable()
            assert shown.err.count("\n") <= 5


def test_rich_colours_a_terminal_and_takes_no_data_as_markup(tmp_path: Path) -> None:
    """On a terminal there are colours; `[bold]` in a label stays what it is."""
    import pty

    path = tmp_path / "feed.xml"
    path.write_bytes(b'<?xml version="1.0" encoding="[bold]x[/bold]"?><a/>')
    terminal, inside = pty.openpty()
    command = [sys.executable, "-m", "feedcharset", "explain", str(path)]
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "200"}
    environment.pop("NO_COLOR", None)
    with subprocess.Popen(command, stdout=inside, env=environment) as process:
        os.close(inside)
        shown = b""
        while True:
            try:
                piece = os.read(terminal, 4096)
            except OSError:
                break
            if not piece:
                break
            shown += piece
    os.close(terminal)
    assert process.returncode == 0
    assert b"\x1b[" in shown
    assert b"[bold]x[/bold]" in shown


@each(
    ("terminal", "no_color", "term", "colored"),
    [
        (True, "", "xterm", True),
        (True, "1", "xterm", False),
        (False, "", "xterm", False),
        (True, "", "dumb", False),
    ],
)
def test_colours_are_for_a_terminal(
    terminal: bool, no_color: str, term: str, colored: bool, feed: Path, capsys, monkeypatch
) -> None:
    monkeypatch.setenv("NO_COLOR", no_color)
    monkeypatch.setenv("TERM", term)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: terminal)
    assert call("explain", feed) == 0
    assert ("\x1b[" in capsys.readouterr().out) is colored


def test_the_encoding_stands_out_in_colours(feed: Path, capsys, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert call("explain", feed) == 0
    shown = capsys.readouterr().out
    assert click.style("windows-1251", bold=True, fg="green", reset=False) in shown
    assert shown.count(click.style("", bold=True, fg="green", reset=False)) == 1


def test_cat_gives_utf8_with_the_declaration_blanked(feed: Path, capfdbinary) -> None:
    assert call("cat", feed) == 0
    blank = " " * len(' encoding="windows-1251"')
    expected = f'<?xml version="1.0"{blank}?><rss><title>Погода</title></rss>'
    assert capfdbinary.readouterr().out.decode() == expected


@each(("label", "told"), [("ISO-2022-KR", True), ("johab", True), ("klingon", False), ("EUC-KR", False)])
def test_cat_tells_a_label_that_is_not_decoded(label: str, told: bool, tmp_path: Path, capsys) -> None:
    path = tmp_path / "feed.xml"
    path.write_bytes(f"<?xml version='1.0' encoding='{label}'?><a>뉴스</a>".encode("euc-kr"))
    for options in ([], ["--encoding", "EUC-KR"]):
        assert call("cat", path, *options) == 0
        shown = capsys.readouterr().err
        encoding = resolve(path.read_bytes(), complete=True).encoding
        line = f"feedcharset: {path}: {label} is not decoded: the text was read as {encoding}\n"
        assert shown == (line if told and not options else "")


@each("before", ["<!-- cached -->\n", "<b>Notice</b>: x<br />\n"])
def test_cat_tells_a_declaration_that_is_not_the_first_thing(before: str, tmp_path: Path, capsys) -> None:
    for label, codec, told in (("windows-1251", "cp1251", True), ("UTF-8", "utf-8", False)):
        path = tmp_path / "feed.xml"
        path.write_bytes((before + RUSSIAN.replace("windows-1251", label)).encode(codec))
        assert call("cat", path) == 0
        told_so = f"feedcharset: {path}: an XML declaration further down names another encoding\n"
        assert capsys.readouterr().err == told_so * told
        assert call("cat", "--keep-declaration", path) == 0
        assert capsys.readouterr().err == ""
    path.write_bytes(b"<?xml version='1.0' encoding='windows-1251")  # the document ends in it
    assert (call("cat", path), capsys.readouterr().err) == (0, "")


def test_cat_keeps_the_declaration_on_request(feed: Path, capfdbinary) -> None:
    assert call("cat", "--keep-declaration", feed) == 0
    assert capfdbinary.readouterr().out.decode() == RUSSIAN


def test_cat_into_a_file_and_not_onto_its_input(feed: Path, tmp_path: Path, capsys) -> None:
    target = tmp_path / "out.xml"
    assert call("cat", feed, "-o", target) == 0
    assert "Погода" in target.read_text(encoding="utf-8")
    before = feed.read_bytes()
    link = tmp_path / "link.xml"
    link.symlink_to(feed)
    assert call("cat", feed, "-o", link) == 2
    assert feed.read_bytes() == before
    assert "input" in capsys.readouterr().err


def test_cat_leaves_no_half_file_behind(tmp_path: Path, capsys) -> None:
    path = tmp_path / "feed.xml"
    path.write_bytes(b"<?xml version='1.0'?><a>" + b"x" * 200_000 + b"\xff</a>")
    target = tmp_path / "out.xml"
    target.write_bytes(b"old")
    assert call("cat", "--strict", path, "-o", target) == 1
    assert target.read_bytes() == b"old"
    assert sorted(found.name for found in tmp_path.iterdir()) == ["feed.xml", "out.xml"]
    assert "byte 200024" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ([], "caf\u00e9 \x08"),
        (["--errors", "replace"], "caf\ufffd \x08"),
        (["--errors", "space", "--xml-chars", "space"], "caf   "),
        (["--xml-chars", "drop"], "caf\u00e9 "),
        (["--encoding", "cp1251"], "caf\u0439 \x08"),
    ],
)
def test_cat_options(tmp_path: Path, capfdbinary, options, expected: str) -> None:
    path = tmp_path / "feed.xml"
    path.write_bytes(b"<?xml version='1.0'?><a>" + "жжжжжжжж ".encode() + b"caf\xe9 \x08</a>")
    assert call("cat", *options, path) == 0
    assert expected in capfdbinary.readouterr().out.decode()


def test_cat_fixes_mojibake(tmp_path: Path, capfdbinary) -> None:
    path = tmp_path / "feed.xml"
    path.write_bytes("<a>lâ€™été dÃ©jÃ </a>".encode())
    assert call("cat", "--mojibake", "fix", path) == 0
    assert "l’été déjà" in capfdbinary.readouterr().out.decode()


def test_a_closed_pipe_is_no_error(tmp_path: Path) -> None:
    path = tmp_path / "feed.xml"
    path.write_bytes(b"<a>" + b"line\n" * 200_000 + b"</a>")
    command = f"{sys.executable} -m feedcharset cat {path} | head -1; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, check=True)
    assert done.stdout == b"<a>line\n0\n"
    assert done.stderr == b""


@pytest.mark.parametrize("arguments", [[], ["--help"], ["explain", "--help"], ["cat", "-h"], ["--version"]])
def test_help_is_there_and_has_examples(arguments, capsys) -> None:
    code = call(*arguments)
    shown = capsys.readouterr()
    assert code == (0 if arguments else 2)
    if arguments[-1:] != ["--version"]:
        assert "\n  Examples:\n" in shown.out + shown.err


@pytest.mark.parametrize(
    "arguments", [["nosuch"], ["explain"], ["explain", "--nosuch", "x"], ["cat", "--errors", "x", "y"]]
)
def test_usage_is_2(arguments, capsys) -> None:
    assert call(*arguments) == 2
    assert capsys.readouterr().err


@pytest.mark.parametrize(
    "command",
    ["cat", "explain", "explain --json", "check", "check --format json", "detect", "repair", "batch -o x"],
)
def test_no_password_of_a_url_is_printed(command: str, capsys) -> None:
    """What the command line is given is shown in messages and reports, but for the password in it."""
    for url, name in (
        ("http://user:s3cret@127.0.0.1:1/feed", "http://127.0.0.1:1/feed"),
        ("http://user:1/s3cret@host.invalid/feed", "http://user:...@host.invalid/feed"),
        ("http://user:s3c#ret@host.invalid/feed", "http://host.invalid/feed"),
        ("http:user:s3cret@host/feed", "http:host/feed"),
        ("ftp://user:s3cret@host/feed", "ftp://host/feed"),
        ("<http://user:s3cret@host>", "<http://host>"),
        ("<http:user:s3cret@host>", "<http:host>"),
        ('"http://user:s3c#ret@host/feed"', '"http://host/feed"'),
        ("http ://user:s3cret@host", "http ://host"),
        ("http ://user:s3cret\uff20host", "http ://host"),
        ("host.invalid/https://user:s3cret@host/", "host.invalid/https://host/"),
        ("http://127.0.0.1:1/https://user:s3cret@host/", "http://127.0.0.1:1/https://host/"),
        ("http://127.0.0.1:1/?u=https%3A%2F%2Fu%3As3cret%40h", "http://127.0.0.1:1/?u=https%3A%2F%2Fh"),
    ):
        call(*command.split(), url)
        out, err = capsys.readouterr()
        assert name in err
        assert "s3c" not in out + err


def test_no_password_of_an_input_or_an_output_of_batch_is_shown(tmp_path: Path, capsys) -> None:
    feed = tmp_path / "feed.xml"
    feed.write_bytes(b"<rss/>")
    url, out = "https:/user:s3cret@h/a", str(tmp_path / "out")
    for arguments in (
        *([feed, source, "-o", out] for source in ("ftp://user:s3cret@h/x.warc.gz", "user:s3cret@h/x", url)),
        [url, "-o", url],
        [feed, "-o", out, "--where", "http://user:s3cret@h/a"],
        [feed, "-o", out, "--columns", "http://user:s3cret@h/a"],
    ):
        assert call("batch", *arguments) == 2
        told = "".join(capsys.readouterr())
        kept = [path.read_text("utf-8") for path in tmp_path.glob("**/failures.tsv")]
        assert "s3cret" not in told + "".join(kept)
        assert told


def test_no_password_is_in_what_cat_tells(capsys) -> None:
    bodies = {
        "/refused": b'<?xml version="1.0" encoding="utf-7"?><rss/>',
        "/behind": b'<br/><?xml version="1.0" encoding="windows-1251"?><rss/>',
    }
    with LocalServer(
        {path: Row(body, (("Content-Type", "text/xml"),)) for path, body in bodies.items()}
    ) as local:
        for path in bodies:
            assert call("cat", local.url(path).replace("//", "//user:s3cret@")) == 0
            assert capsys.readouterr().err.startswith(f"feedcharset: {local.url(path)}: ")


def test_no_password_is_in_a_usage_error(capsys) -> None:
    url = "http://user:s3cret@host/feed"
    for arguments in ([url], ["cat", "a", url], ["cat", "--errors", url], [f"--{url}"]):
        assert call(*arguments) == 2
        out, err = capsys.readouterr()
        assert "http://host/feed" in err
        assert "s3c" not in out + err


def test_a_file_is_shown_by_its_name(tmp_path: Path, capsys) -> None:
    folder = tmp_path / "http:"
    folder.mkdir()
    file = folder / "a@b.xml"
    file.write_bytes(b"<rss/>")
    assert call("check", file) == 0
    assert f"{tmp_path}/http:/a@b.xml" in capsys.readouterr().out


def test_a_url_with_an_at_sign_in_its_path_is_shown_as_it_is(capsys) -> None:
    call("cat", "http://127.0.0.1:1/")
    with_none = capsys.readouterr().err
    call("cat", "http://localhost/@user:1/feed")
    assert "http://localhost/@user:1/feed: " in capsys.readouterr().err
    assert with_none.startswith("feedcharset: http://127.0.0.1:1/: could not be fetched")


@pytest.mark.parametrize("body", [b"", b"GOOD"])
def test_half_of_a_gzip_file_replaces_nothing(
    body: bytes, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    packed, output = tmp_path / "feed.xml.gz", tmp_path / "feed.xml"
    packed.write_bytes(gzip.compress(b"<rss>abcdefghijklmnopqrstuvwxyz</rss>", mtime=0)[:-12])
    if body:
        output.write_bytes(body)
    assert call("cat", packed, "-o", output) == 1
    assert output.exists() == bool(body)
    assert not body or output.read_bytes() == body
    assert b"no file is written" in capfdbinary.readouterr().err


OUTPUTS = ["cat {} -o", "check -q {} -o", "repair {} -o", "check --format html {} -o"]


@pytest.mark.long
@pytest.mark.parametrize(
    ("command", "device"),
    [
        pytest.param(command, device, marks=[] if (at + place) % 3 == 0 else pytest.mark.long)
        for at, command in enumerate(OUTPUTS)
        for place, device in enumerate(["/dev/stdout", "/dev/stderr", "log"])
    ],
)
def test_the_file_behind_a_standard_stream_is_written_to(command: str, device: str, tmp_path: Path) -> None:
    if sys.platform == "win32":
        pytest.skip("no such devices")
    (tmp_path / "feed.xml").write_bytes(b"<rss>x\x08</rss>")
    (tmp_path / "log").write_text("old\n")
    command = f"{sys.executable} -m feedcharset {command.format('feed.xml')} {device}"
    shell = f"{{ echo before; {command}; echo after; }} >> log 2>&1"
    subprocess.run(shell, shell=True, cwd=tmp_path, check=True)
    lines = (tmp_path / "log").read_bytes().splitlines()
    assert lines[:2] == [b"old", b"before"]
    assert len(lines) > 2
    assert lines[-1].endswith(b"after")


BEHIND_GZIP = [
    # What follows a gzip member, and the exit code of cat and check.
    (b"", 0),
    (b"\0" * 600, 0),
    (gzip.compress(b"<!-- two -->", mtime=0), 0),
    (b"\n", 1),
    (b"\x1e" + gzip.compress(b"<!-- two -->", mtime=0)[1:], 1),
    (b"\0" * 600 + b"garbage", 1),
]


@pytest.mark.parametrize(("rest", "code"), BEHIND_GZIP)
def test_what_follows_gzip_and_is_none_is_named(
    rest: bytes, code: int, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    (tmp_path / "feed.xml.gz").write_bytes(gzip.compress(b"<rss/>", mtime=0) + rest)
    assert call("cat", tmp_path / "feed.xml.gz") == code
    out, err = capfdbinary.readouterr()
    assert out.startswith(b"<rss/>")
    assert (b"followed by other bytes" in err) == bool(code)
    assert call("check", "--fail-on", "error", tmp_path / "feed.xml.gz") == code
    assert (b"bytes that are no gzip follow it" in capfdbinary.readouterr().out) == bool(code)


@each("options", [[], ["--errors", "space"], ["--mojibake", "fix"]])
def test_cat_tells_what_was_replaced(options: list[str], tmp_path: Path, capsys) -> None:
    path = tmp_path / "feed.xml"
    path.write_bytes(
        '<?xml version="1.0" encoding="windows-1253"?><a>Ο καιρός αύριο'.encode("cp1253") + b"\xaa</a>"
    )
    assert call("cat", path, *options, "-o", tmp_path / "out") == 0
    line = "1 place did not decode as windows-1253, and was replaced; --errors strict refuses them\n"
    assert capsys.readouterr().err.endswith(line)
    assert call("cat", path, "--errors", "strict", "-o", tmp_path / "out") == 1


def test_cat_tells_of_a_mixture(tmp_path: Path, capsys) -> None:
    """errors="strict" refuses none of it."""
    text = '<?xml version="1.0" encoding="ISO-8859-1"?><a>d\xe9j\xe0 \x93x\x94 '.encode("latin-1")
    (path := tmp_path / "feed.xml").write_bytes(text + "été là tômbé".encode() + b"</a>")
    assert call("cat", path, "--errors", "strict") == 0
    assert capsys.readouterr().err.endswith("feed.xml: 4 bytes among UTF-8 read as ISO-8859-1\n")


@each(
    ("data", "encoding", "told"),
    [
        ("Погода".encode("cp1251"), "utf-8", "6 places did not decode as UTF-8, and were replaced"),
        (b"caf\xe9", "utf-8", "1 place did not decode as UTF-8, and was replaced"),
        (
            "日本".encode("cp932") + b"\xff",
            "shift_jis",
            "1 place did not decode as Shift_JIS, and was replaced",
        ),
        ("Погода".encode(), "windows-1252", "it is well-formed UTF-8, and was read as windows-1252"),
        (b"x" * 65_535 + "é".encode(), "windows-1252", ""),  # behind what is looked at
        (b"x" * 65_534 + "é".encode(), "windows-1252", "it is well-formed UTF-8"),
        ("Погода".encode(), "utf-8", ""),
        (BOM_UTF16_LE + b"a\0", "cp1252", "it begins with the BOM of UTF-16LE, and was read as windows-1252"),
        (b"\xef\xbb\xbfcaf\xe9", "cp1252", "it begins with the BOM of UTF-8, and was read as windows-1252"),
        (BOM_UTF16_LE + b"a\0", "utf-16", ""),
        ("Погода".encode("cp1251"), "cp1251", ""),
        (b"cafe", "windows-1252", ""),
    ],
)
def test_cat_tells_that_the_bytes_are_in_another_encoding(
    data: bytes, encoding: str, told: str, tmp_path: Path, capsys
) -> None:
    """Than the one that the caller names."""
    path = tmp_path / "feed.xml"
    path.write_bytes(data)
    assert call("cat", "--encoding", encoding, path, "-o", tmp_path / "out") == 0
    error = capsys.readouterr().err
    assert told in error if told else error == ""
