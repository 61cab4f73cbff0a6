"""Pasted dumps and responses become the bytes that they stand for."""

from __future__ import annotations

import gzip
import re
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.each import each
from support.effort import growth
from support.pages import ROOT

sys.path.insert(0, str(ROOT / "web" / "browser"))
from page_calls import read_paste
from pasted_input import DECLARED, TEXT_ENCODINGS, bytes_of_hex, bytes_of_text, split_response, unpacked

DATA = b'<?xml version="1.0"?>\n<rss>| caf\xe9 |</rss>\n'


def xxd(data: bytes) -> str:
    """As `xxd` prints it."""
    rows = []
    for at in range(0, len(data), 16):
        row = data[at : at + 16]
        digits = " ".join(row[i : i + 2].hex() for i in range(0, len(row), 2))
        shown = "".join(chr(byte) if 32 <= byte < 127 else "." for byte in row)
        rows.append(f"{at:08x}: {digits:<39}  {shown}")
    return "\n".join(rows)


def hexdump(data: bytes) -> str:
    """As `hexdump -C` prints it."""
    rows = []
    for at in range(0, len(data), 16):
        row = data[at : at + 16]
        shown = "".join(chr(byte) if 32 <= byte < 127 else "." for byte in row)
        rows.append(f"{at:08x}  {row[:8].hex(' ')}  {row[8:].hex(' '):<23}  |{shown}|")
    return "\n".join([*rows, f"{len(data):08x}"])


def od(data: bytes) -> str:
    """As `od -A x -t x1` prints it."""
    rows = [f"{at:06x} {data[at : at + 16].hex(' ')}" for at in range(0, len(data), 16)]
    return "\n".join([*rows, f"{len(data):06x}"])


def wireshark(data: bytes) -> str:
    """As Wireshark copies it."""
    rows = ((at, data[at : at + 16]) for at in range(0, len(data), 16))
    return "\n".join(f"{at:04x}   {row.hex(' '):<47}   {shown(row)}" for at, row in rows)


def python_dump(data: bytes) -> str:
    """As the package hexdump prints it."""
    rows = ((at, data[at : at + 16]) for at in range(0, len(data), 16))
    return "\n".join(
        f"{at:08x}: {row[:8].hex(' '):<23}  {row[8:].hex(' '):<23}  {shown(row)}" for at, row in rows
    )


def shown(row: bytes) -> str:
    return "".join(chr(byte) if 32 <= byte < 127 else "." for byte in row)


def octal(data: bytes) -> str:
    """As `od -t x1` prints it."""
    rows = [f"{at:07o} {data[at : at + 16].hex(' ')}" for at in range(0, len(data), 16)]
    return "\n".join([*rows, f"{len(data):07o}"])


FORMS = [xxd, hexdump, od, octal, bytes.hex, lambda data: data.hex(" "), lambda data: data.hex("\n").upper()]
FORMS.append(lambda data: "".join(f"\\x{byte:02x}" for byte in data))
FORMS.append(lambda data: ", ".join(f"0x{byte:02X}" for byte in data))


@pytest.mark.parametrize("form", FORMS)
def test_every_form_of_a_dump(form) -> None:
    assert bytes_of_hex(form(DATA)) == DATA
    assert bytes_of_hex(form(b"")) == b""


@given(st.binary(max_size=70))
def test_a_dump_of_any_bytes(data: bytes) -> None:
    """Reading a dump gives the bytes that were dumped, whatever characters stand beside the digits."""
    for form in (xxd, hexdump, od, octal):
        assert bytes_of_hex(form(data)) == data


@each("text", [b"0123456789abc" + b"de ad be ef", b"Le prix de la maison", b"00 11 22 33 44 55"])
def test_digits_among_the_characters_of_xxd_are_none(text: bytes) -> None:
    for before in range(17):
        data = b"x" * before + text
        assert bytes_of_hex(xxd(data)) == data


def test_a_dump_with_lines_left_out_is_refused() -> None:
    row = hexdump(b"a" * 16).splitlines()[0]
    with pytest.raises(ValueError, match=r"^Line 2: \* stands for lines that are left out; .* with -v"):
        bytes_of_hex(f"{row}\n*\n00000030")
    with pytest.raises(ValueError, match=r"^Line 2: 00000030 is not the offset of this line"):
        bytes_of_hex(f"{row}\n00000030")


WORDS = [
    "0000000 feff 003c 0061\n0000006",  # od -x
    "0000000    3f3c    6d78\n0000004",  # od -A d -x
    "00000000  3f3c 6d78 206c\n00000006",  # hexdump
    "00000000: 6d783f3c 6576206c  <?xml ve",  # xxd -e
    "00000000: 3f3c 6d78  <?xm",  # xxd -e -g2
    "0000000 6d783f3c 3e3f206c\n0000010",  # od -t x4
    "0000000 060474 074076 074170 074170 036170 060457 000076\n0000015",  # od
    "0000000  1014062396  2021161080\n0000010",  # od -i
    "0000000 074 141 076\n0000003",  # od -b
]


@each(
    "dump",
    [
        "000010 3c 72 73 73 3e\n000015",  # od -A x -t x1 -j 16
        "00000010  3c 72 73 73 3e",
        "0010  3c 72\n0012  73",
        "0000 3c 72",
        "000010 3f3c 6d78 206c\n000020 6576",  # od -A x -x
    ],
)
def test_an_offset_is_not_taken_for_bytes(dump: str) -> None:
    with pytest.raises(
        ValueError, match=r"^Line 1: [0-9]+ seems to be an offset: rows before it are missing"
    ):
        bytes_of_hex(dump)


@each("dump", WORDS)
def test_a_dump_in_words_of_the_machine_is_refused(dump: str) -> None:
    with pytest.raises(
        ValueError, match=r"^Line 1: these are words, not bytes; make the dump with hexdump -C"
    ):
        bytes_of_hex(dump)


def test_rows_are_as_long_as_their_offsets_say() -> None:
    """Whatever stands beside the digits, in whatever base the offsets are."""
    data = DATA + b"dead be  |" + b"ef be de ad |  |"
    for form in (xxd, hexdump, od, octal, wireshark, python_dump):
        for size in range(1, len(data)):
            assert bytes_of_hex(form(data[:size])) == data[:size], form
    decimal = "\n".join(f"{at:07d} {data[at : at + 16].hex(' ')}" for at in range(0, len(data), 16))
    assert bytes_of_hex(f"{decimal}\n{len(data):07d}") == data
    far = bytes(8**7 + 20)
    assert bytes_of_hex(octal(far)) == far  # the last offsets have eight digits


def rows_lost(form) -> list[str]:
    """Dumps of some rows of which one or several are missing, not the last ones."""
    lines = form(bytes(range(0x20, 0x80)) + DATA).splitlines()
    lost = [[*lines[:at], *lines[at + 1 :]] for at in range(len(lines) - 1)]
    return ["\n".join(some) for some in [*lost, lines[::2], lines[::3], [lines[0], lines[2]]]]


@each("form", [xxd, hexdump, od, wireshark])
def test_a_dump_from_which_rows_are_missing_is_refused(form) -> None:
    """Offsets that also make sense in octal, as 0 and 20 of 16 bytes, are not taken for such."""
    for dump in rows_lost(form):
        with pytest.raises(ValueError, match=r"^Line \d+: "):
            bytes_of_hex(dump)
    lines = octal(bytes(80)).splitlines()
    with pytest.raises(ValueError, match=r"^Line 4: 0000100 is not the offset of this line"):
        bytes_of_hex("\n".join([*lines[:3], *lines[4:]]))


def od_with_characters(data: bytes) -> str:
    """As `od -A x -t x1z` prints it."""
    rows = ((at, data[at : at + 16]) for at in range(0, len(data), 16))
    return "\n".join(f"{at:06x} {row.hex(' '):<47}  >{shown(row)}<" for at, row in rows)


@each("form", [xxd, hexdump, wireshark, od, octal, od_with_characters])
@each("by", [" ", "  ", "\t"])
@each("joined", [slice(0, 2), slice(1, 3), slice(-2, None), slice(None)])
def test_rows_that_became_one_line_are_refused(form, by, joined) -> None:
    lines = form(DATA + DATA).splitlines()
    assert bytes_of_hex("\n".join(lines)) == DATA + DATA
    lines[joined] = [by.join(lines[joined])]
    with pytest.raises(ValueError, match=r"^Line \d+: "):
        bytes_of_hex("\n".join(lines))


@each("around", ["\ufeff{}", "> {}", ">{}", "> > {}", "    {}"])
@each("form", FORMS)
def test_what_programs_put_around_a_dump_is_none_of_it(form, around: str) -> None:
    before, _, _ = around.partition("{}")
    dump = form(DATA)
    marked = before + dump if before == "\ufeff" else "\n".join(before + line for line in dump.splitlines())
    assert bytes_of_hex(marked) == DATA
    assert bytes_of_hex(dump.replace(" ", "\xa0")) == DATA
    lines = [re.sub("  +", blanks_as_tabs, line) for line in dump.splitlines()]
    assert bytes_of_hex("\n".join(lines)) == DATA


def blanks_as_tabs(found: re.Match[str]) -> str:
    """As `unexpand -a` writes them."""
    stop = found.end() // 8 * 8
    tabs = max(0, stop // 8 - found.start() // 8)
    return "\t" * tabs + " " * (found.end() - stop) if tabs else found[0]


def test_rows_of_another_kind_are_refused() -> None:
    halves = "00000000  3c 72 73 73 3e 41 62 3c   2f 72 73 73 3e      <rss>Ab< /rss>"  # hexyl
    numbers = "0000000  60  97  62  60  47  97  62\n0000007"  # od -t u1
    bits = "00000000: 00111100 01100001 00101111 00111110                    <a/>"  # xxd -b
    for dump in (halves, bits, numbers, "00000000: 3c61 2f3e  <a"):
        with pytest.raises(ValueError, match="is not one row, or it is of another kind"):
            bytes_of_hex(dump)
    assert bytes_of_hex("3c3f 78") == b"<?x"


@each("start", [b"a:", b"HTTP/1.1 200 OK\r\nX:", b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1"])
@each("end", [b"", b"x", b"\r<rss/>"])
def test_a_run_of_spaces_costs_no_more_than_its_length(start: bytes, end: bytes) -> None:
    def look(size: int) -> None:
        split_response(start + b" " * size + end)

    assert growth(look, 2_000, 16_000, 24) < 24


def test_groups_of_any_size_are_in_the_order_of_the_bytes() -> None:
    assert bytes_of_hex("00000000: 3c3f786d 6c207665  <?xml ve") == b"<?xml ve"  # xxd -g 4
    assert bytes_of_hex("0000 feff 0000 003c") == b"\0\0\xfe\xff\0\0\0<"  # no offset
    assert bytes_of_hex("00000000 3c 3f\n00000002") == b"<?"
    assert bytes_of_hex("0000   3c 61 3e\n0003   62 65 20       be \n") == b"<a>be "  # Wireshark
    assert bytes_of_hex("0000   3c 61 3e\n0003   62 65 20       de \n") == b"<a>be "


@each(
    ("before", "behind"),
    [
        ("$ xxd h.xml\n", ""),
        ("me@host:~$ hexdump -C h.xml\n", ""),
        ("Offset(h) 00 01 02 03 04 05 06 07 08 09 0A 0B 0C 0D 0E 0F\n\n", ""),
        ("unsigned char h_xml[] = {\n", "\n};\nunsigned int h_xml_len = 8;\n"),
    ],
)
def test_what_stands_around_bytes(before: str, behind: str) -> None:
    digits = "  0x3c, 0x61, 0x3e, 0xe9, 0x3c, 0x2f, 0x61, 0x3e" if behind else "3C 61 3E E9 3C 2F 61 3E"
    row = digits if behind or "(h)" not in before else f"00000000  {digits}                          <a>é</a>"
    assert bytes_of_hex(f"{before}{row}{behind}") == b"<a>\xe9</a>"


@each("dump", ["00000010: 3c61 3e\n00000020: 3c2f", "10: 3c"])
def test_an_offset_of_xxd_that_is_not_the_first(dump: str) -> None:
    with pytest.raises(
        ValueError, match=r"^Line 1: [0-9]+: seems to be an offset: rows before it are missing"
    ):
        bytes_of_hex(dump)


@pytest.mark.parametrize("text", ["3C 3", "3C\n<?", "zz", "3C3", "hello"])
def test_what_is_no_dump_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"^Line \d: .* hexadecimal"):
        bytes_of_hex(text)


@each("name", TEXT_ENCODINGS)
def test_text_in_each_encoding(name: str) -> None:
    assert bytes_of_text("<a>b</a>", name).decode(TEXT_ENCODINGS[name]) == "<a>b</a>"


def test_text_that_cannot_be_encoded() -> None:
    with pytest.raises(ValueError, match=r"“Ж” \(U\+0416\) is not in ISO-8859-1"):
        bytes_of_text("aЖ", "ISO-8859-1")
    with pytest.raises(ValueError, match="not in the list"):
        bytes_of_text("a", "zlib")


RESPONSES = [
    (b"<rss/>", None, b"<rss/>"),
    (b"", None, b""),
    (b"HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\n\r\n<rss/>", "text/xml", b"<rss/>"),
    (b"HTTP/2 200 \ncontent-type: text/xml; charset=x\nb: c\n\n<rss/>", "text/xml; charset=x", b"<rss/>"),
    (b"HTTP/1.1 200 OK\r\nServer: a\r\n\r\n\r\n<rss/>", "", b"\r\n<rss/>"),
    (b"HTTP/1.1 301 Moved\r\nLocation: b\r\n\r\nHTTP/1.1 200 OK\r\nContent-Type: a/b\r\n\r\nx", "a/b", b"x"),
    (b"Content-Type: text/xml\n\n<rss/>", "text/xml", b"<rss/>"),
    (b"Content-Type: text/xml;\r\n  charset=x\r\nA: b\r\n\r\nx", "text/xml; charset=x", b"x"),
    (
        b"HTTP/1.1 200 OK\nContent-Type: a/b\nContent-Encoding: gzip\n\n" + gzip.compress(b"<a/>"),
        "a/b",
        b"<a/>",
    ),
    (b"HTTP/1.1 200 OK\nContent-Type: a/b\nContent-Encoding: br\n\n<a/>", "a/b", b"<a/>"),  # --compressed
    (
        b"HTTP/1.1 200 OK\r\nContent-Type: a/b\r\nTransfer-Encoding: chunked\r\n\r\n"
        b"3\r\n<a>\r\nA;x\r\n0123456789\r\n0\r\n\r\n",
        "a/b",
        b"<a>0123456789",
    ),
    (b"HTTP/1.1 200 OK\nContent-Type: a/b\nTransfer-Encoding: chunked\n\n<a/>", "a/b", b"<a/>"),
    (b"HTTP/1.1 200 OK\nContent-Type: a/b\nTransfer-Encoding: chunked\n\n3\n<a/>", "a/b", b"3\n<a/>"),
    (b"Server: a\n\n<rss/>", None, b"Server: a\n\n<rss/>"),
    (b"Content-Type: text/xml\n<rss/>", None, b"Content-Type: text/xml\n<rss/>"),
    (b"Content-Type: a/b\nContent-Type: c/d\n\nx", "a/b, c/d", b"x"),
    (b"Content-Type: a/b\n\nContent-Type: c/d\n\nx", "a/b", b"Content-Type: c/d\n\nx"),
]


@each("empty", [b"\r\n", b" \r\n", b"\t\n"])
def test_blanks_in_the_empty_line(empty: bytes) -> None:
    response = b"HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\n" + empty + b"<rss/>"
    assert split_response(response) == ("text/xml", b"<rss/>")


@each(("data", "content_type", "body"), RESPONSES)
def test_a_response_is_split(data: bytes, content_type: str | None, body: bytes) -> None:
    assert split_response(data) == (content_type, body)


@each("encoding", TEXT_ENCODINGS)
def test_a_header_before_text_in_any_encoding(encoding: str) -> None:
    text = "<a>x</a>\n"
    body, *types = read_paste(f"Content-Type: text/xml\n\n{text}", "text", encoding)
    kinds = ["text/xml", "application/rss+xml", encoding]
    assert (body.decode(TEXT_ENCODINGS[encoding]), types) == (text, kinds)
    assert read_paste(text, "text", encoding) == (body, None, "application/rss+xml", encoding)


@each(
    ("declaration", "title", "written"),
    [
        ("<?xml version='1.0' encoding='windows-1251'?>", "Новости", "windows-1251"),
        ("<?xml version='1.0' encoding='koi8-r'?>", "Новости", "KOI8-R"),
        ("<?xml version='1.0' encoding='ISO-8859-1'?>", "“café” €", "windows-1252"),
        ("<?xml version='1.0' encoding='Shift_JIS'?>", "日本①", "Shift_JIS"),
        ("<?xml version='1.0' encoding='GB2312'?>", "新闻", "GB18030"),
        ("<?xml version='1.0' encoding='utf-16'?>", "Новости", "UTF-16"),
        # It has not these letters, is not in the list, or is not known.
        ("<?xml version='1.0' encoding='ISO-8859-1'?>", "Новости", "UTF-8"),
        ("<?xml version='1.0' encoding='Big5'?>", "新聞", "UTF-8"),
        ("<?xml version='1.0' encoding='nonsense'?>", "é", "UTF-8"),
        ("<?xml version='1.0' encoding='US-ASCII'?>", "é", "UTF-8"),
        ("<?xml version='1.0'?>", "é", "UTF-8"),
        ("", "é", "UTF-8"),
    ],
)
def test_pasted_text_is_written_in_what_it_declares(declaration: str, title: str, written: str) -> None:
    text = f"{declaration}<rss><t>{title}</t></rss>"
    body, content_type, _, encoding = read_paste(text, "text", DECLARED)
    assert (body.decode(TEXT_ENCODINGS[written]), content_type, encoding) == (text, None, written)
    # Behind headers it comes from a terminal, which shows the letters of UTF-8.
    headers = "HTTP/2 200\ncontent-type: text/xml\n\n"
    assert read_paste(headers + text, "text", DECLARED)[::3] == (text.encode(), "UTF-8")


CURL_V = """* Host example.org:80 was resolved.
* Connected to example.org (127.0.0.1) port 80
> GET /feed HTTP/1.1
> Host: example.org
>
< HTTP/1.1 301 Moved
< Location: /rss
< Content-Type: text/html
<
* Request completely sent off
< HTTP/1.1 200 OK
< Content-Type: text/xml; charset=x
<
{ [5 bytes data]
"""
CURL_PROGRESS = """  % Total    % Received % Xferd  Average Speed   Time    Time     Time  Current
                                 Dload  Upload   Total   Spent    Left  Speed
  0     0    0     0    0     0      0      0 --:--:-- --:--:-- --:--:--     0
100    58  100    58    0     0   9666      0 --:--:-- --:--:-- --:--:--  9666
"""


@each(
    "headers",
    [
        CURL_V,
        f"{CURL_PROGRESS}HTTP/1.1 200 OK\nContent-Type: text/xml; charset=x\n\n",
        "$ curl -i http://example.org/\nHTTP/1.1 200 OK\r\nContent-Type: text/xml; charset=x\r\n",
        "< HTTP/2 200 \n< content-type: text/xml; charset=x\n< \n",
        "HTTP/1.1 200 OK\r\nContent-Type: text/xml; charset=x",
        "Content-Type: text/xml; charset=x\n",
        "date:\nMon, 30 Nov 2026\ncontent-type:\ntext/xml; charset=x\n",
    ],
)
@each("body", ["<?xml version='1.0'?>\n<rss>\n* a\n</rss>\n", ""])
def test_headers_as_programs_show_them(headers: str, body: str) -> None:
    assert read_paste(headers + body, "text", DECLARED)[:2] == (body.encode(), "text/xml; charset=x")


PROMPTS = [
    *("user@host:~$ ", "root@host:/# ", "[me@host ~]$ ", "% ", "me@Mac ~ % ", "$ ", "# "),
    *("PS C:\\Users\\me> ", "C:\\Users\\me>", "me@host ~> "),
]


@each("prompt", PROMPTS)
@each("option", ["-i", "-I", "-v"])
def test_what_a_terminal_shows_around_a_response(prompt: str, option: str) -> None:
    body = "" if option == "-I" else "<?xml version='1.0'?>\n<rss>a</rss>\n"
    shown = CURL_V if option == "-v" else "HTTP/1.1 200 OK\nContent-Type: text/xml; charset=x\n\n"
    behind = "* Connection #0 to host example.org left intact\n" if option == "-v" else ""
    for end in (body, body.rstrip()):
        text = f"{prompt}curl {option} https://example.org/\n{shown}{end}{behind}{prompt if body else ''}"
        assert read_paste(text, "text", DECLARED)[:2] == (body.encode(), "text/xml; charset=x")
    # Of a document without headers.
    if body:
        assert read_paste(f"{body}{prompt}", "text", DECLARED)[0] == body.encode()


SHELLS = [
    *("➜  ~ ", "❯ ", "~ main ❯ ", "λ ", "Admin@WIN MINGW64 ~\n$ ", "┌──(kali㉿kali)-[~]\n└─$ "),
    *("me@h:~$ ", "%\nme@Mac ~ % ", "PS C:\\Users\\me> "),
]


@each("prompt", SHELLS)
@each("command", ["", "clear\n"])
def test_prompts_of_other_shells_and_the_next_command(prompt: str, command: str) -> None:
    headers, body = "HTTP/1.1 200 OK\nContent-Type: text/xml; charset=x\n\n", "<rss>a</rss>\n"
    before = prompt.removeprefix("%\n")
    if command and prompt[0] == "~":
        return  # nothing shows that a prompt is there
    text = f"{before}curl -i https://example.org/\n{headers}{body}{prompt}{command}"
    assert read_paste(text, "text", DECLARED)[:2] == (body.encode(), "text/xml; charset=x")
    assert read_paste(f"{body}\n{prompt}{command}", "text", DECLARED)[0] == body.encode()


@each(
    "behind",
    ["text", "<p>5 ></p>", "a $ b", "<!-- $ -->", "$ <", " " * 200, "a@b.c writes", "❯ a\n" * 4, "c:> d"],
)
def test_text_behind_a_document_stays(behind: str) -> None:
    text = f"<rss>a</rss>{behind}"
    assert read_paste(text, "text", DECLARED)[0] == text.encode()


@each(
    ("text", "message"),
    [
        ("https://example.org/feed.xml\n", "address"),
        *(("feed://example.org/rss", "address"), ("www.example.org/rss?a=b", "address")),
        ("▼<rss version='2.0'>\n  <channel/>\n</rss>", "source"),
        (xxd(DATA), "dump"),
        (hexdump(DATA), "dump"),
        ("This XML file does not appear to have any style information associated with it.\n<rss/>", "source"),
    ],
)
def test_what_is_no_document_has_a_message(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        read_paste(text, "text", DECLARED)


def test_a_small_file_that_unpacks_to_very_much() -> None:
    packed = gzip.compress(b"<a>" + bytes(150_000_000))
    assert len(packed) < 200_000
    assert len(unpacked(packed)) == 100_000_000


@each(
    "headers",
    [
        ":status: 200\ncontent-type: text/xml\n\n",
        "  HTTP/1.1 200 OK\n  Content-Type: text/xml\n",  # wget -S
        "content-type\ntext/xml\ndate\nMon, 30 Nov 2026\n",
        "Key               Value\n---               -----\nContent-Type      {text/xml}\n\n",
        "RawContent        : HTTP/1.1 200 OK\n",
        '  "content-type": "text/xml",\n',
        "Content-Type \u2192 text/xml\n",
    ],
)
@each("body", ["<rss/>", ""])
def test_headers_in_another_form_are_refused(headers: str, body: str) -> None:
    with pytest.raises(ValueError, match="curl -i"):
        read_paste(headers + body, "text", "UTF-8")


@each("text", ["<rss>\nContent-Type: text/xml</rss>", "Content types\n<rss/>", "See HTTP/1.1 200\n<rss/>"])
def test_text_like_a_header_is_none(text: str) -> None:
    assert read_paste(text, "text", "UTF-8")[:2] == (text.encode(), None)


@each("before", ["", "   Label: String (System.String)\n\n", "\n"])
@each("rule", ["", "          ------ -----------------------------------------------  -----\n"])
def test_the_heading_of_a_dump_is_no_row(before: str, rule: str) -> None:
    heading = "           00 01 02 03 04 05 06 07 08 09 0A 0B 0C 0D 0E 0F\n"
    dump = f"{before}{heading}{rule}\n00000000   3C 61 3E E9 3C 2F 61 3E                          <a>é</a>\n"
    assert bytes_of_hex(dump) == b"<a>\xe9</a>"


def test_one_blank_stands_before_the_characters_of_a_full_row() -> None:
    """As PowerShell 7 prints them."""
    rows = (
        "0000000000000000 3C 72 73 73 3E 3C 74 69 74 6C 65 3E 41 6C 70 68 <rss><title>Alph\n"
        "0000000000000010 61 3C 2F 74 69 74 6C 65 3E 3C 2F 72 73 73 3E    a</title></rss>\n"
    )
    assert bytes_of_hex(rows) == b"<rss><title>Alpha</title></rss>"
    with pytest.raises(ValueError, match="is not"):
        bytes_of_hex(rows.replace("Alph\n", "Alph1\n"))


@each("line_end", ["\r\n", "\n"])
def test_chunks_whose_line_ends_a_field_has_changed(line_end: str) -> None:
    body = "<rss>\r\n<title>a</title></rss>\r\n"
    chunks = f"{len(body):x}\r\n{body}\r\n0\r\n\r\n"
    response = f"HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\nTransfer-Encoding: chunked\r\n\r\n{chunks}"
    data = response.replace("\r\n", line_end).encode()
    assert split_response(data) == ("text/xml", body.encode())


def test_the_last_line_of_certutil_is_no_row() -> None:
    dump = "0000  3c 61 2f 3e                                       <a/>\n"
    assert bytes_of_hex(f"{dump}CertUtil: -dump command completed successfully.") == b"<a/>"


@each("before", [b"Warning: x\n", b"1", b"/* c */ ", b"0\n", b"404 not found"])
@each("coding", [b"gzip", b"br", b"deflate", b"zstd"])
def test_a_response_that_a_program_has_unpacked(before: bytes, coding: bytes) -> None:
    """`curl -i --compressed` keeps the fields; so it does with chunks."""
    body = before + b"<?xml version='1.0'?><rss/>"
    head = b"HTTP/2 200\r\ncontent-type: a/b\r\ntransfer-encoding: chunked\r\ncontent-encoding: "
    assert split_response(b"\n" + head + coding + b"\r\n\r\n" + body) == ("a/b", body)


def test_a_body_that_cannot_be_unpacked() -> None:
    with pytest.raises(
        ValueError, match=r"^The body is packed with br; save the response with curl -i --compressed"
    ):
        split_response(b"HTTP/1.1 200 OK\nContent-Encoding: br\n\n\x1b\x0e\0\xf8\x05")
