"""The pictures of the documentation, drawn from the tables and by running the library."""

from __future__ import annotations

from pathlib import Path

import feedcharset
from feedcharset import XmlDecoder, decode
from feedcharset.decide.lenient_chain import STEPS
from feedcharset.decide.lenient_principles import PRINCIPLES
from feedcharset.decide.published_tables import RFC3023_HTTP, RFC3023_RAW, RFC7303
from feedcharset.evidence.detector import LOOKAHEAD
from making.svg import LINE, Picture, wrapped

__all__ = ["decision", "house", "mixture", "window"]

SOURCE = Path(feedcharset.__file__).parent


# -- the decision -----------------------------------------------------------------------------------------


def decision() -> str:
    """From bytes and header to the encoding: facts, rules, chain."""
    picture = Picture("How the encoding is decided: facts, strict rules, lenient chain", 960)
    for x, title in (
        (24, "What is known"),
        (312, "Strict: tables of rules"),
        (624, "Lenient: a chain of steps"),
    ):
        picture.text(x, 34, title, "bold large")
    _facts(picture, 24, 52)
    bottom = _rules(picture, 312, 52)
    picture.arrow((272, 91), (312, 91))
    picture.arrow((584, 72), (624, 72))
    picture.text(312, bottom + 24, "lenient=False gives this answer,", "soft small")
    picture.text(312, bottom + 42, "or raises where the rule is an error", "soft small")
    _principles(picture, 312, bottom + 72)
    picture.arrow((584, bottom + 160), (624, bottom + 160))
    end = _chain(picture, 624, 52)
    last = end + 28
    picture.arrow((780, end), (780, last))
    picture.arrow((312, 140), (288, 140), (288, last))
    picture.box(24, last, 912, 46, "strong")
    picture.text(40, last + 29, "Resolution", "bold accent")
    picture.text(
        132, last + 29, "the encoding, its rule, and every step with its reason: resolution.explain()"
    )
    return picture.render()


def _facts(picture: Picture, x: int, y: int) -> None:
    """The three places that name a charset, and the bytes."""
    known = (
        ("BOM", "the first bytes", "EF BB BF, FE FF, FF FE …"),
        ("Declaration", "the first line", '<?xml … encoding="…"?>'),
        ("Content-Type", "the HTTP header", "text/xml; charset=…"),
        ("Bytes", "from the first non-ASCII byte on", f"in a window of {LOOKAHEAD >> 20} MiB"),
    )
    for number, (name, where, example) in enumerate(known):
        top = y + number * 92
        picture.box(x, top, 224, 78)
        picture.text(x + 16, top + 24, name, "bold")
        picture.text(x + 16, top + 44, where, "soft small")
        picture.text(x + 16, top + 64, example, "code small")
        picture.line((x + 224, top + 39), (x + 248, top + 39))
    picture.line((x + 248, y + 39), (x + 248, y + 315))


def _rules(picture: Picture, x: int, y: int) -> int:
    """The numbers of the published rules; where the box ends."""
    tables = (
        ("no Content-Type is known", RFC3023_RAW),
        ("over HTTP, RFC 3023", RFC3023_HTTP),
        ("over HTTP, RFC 7303", RFC7303),
    )
    picture.box(x, y, 272, 162)
    for number, (title, rows) in enumerate(tables):
        picture.text(x + 16, y + 26 + number * 48, title, "bold")
        # The rows that extend the published ones ("1.4-ok", "2.3-32") are left out.
        ids = [row.id for row in rows if row.id.replace(".", "").isdigit()]
        picture.text(x + 16, y + 45 + number * 48, " ".join(sorted(ids)), "code small")
    return y + 162


def _chain(picture: Picture, x: int, y: int) -> int:
    """The steps; where the last one ends."""
    for step in STEPS:
        lines = len(wrapped(step.sentence, 262, "small"))
        picture.box(x, y, 312, 18 + LINE * lines)
        picture.text(x + 14, y + 23, step.id, "bold accent")
        picture.paragraph(x + 46, y + 23, step.sentence, 262, "small")
        y += 18 + LINE * lines
        if step is not STEPS[-1]:
            picture.arrow((x + 156, y), (x + 156, y + 14))
            y += 14
    return y


def _principles(picture: Picture, x: int, y: int) -> None:
    picture.box(x, y, 272, 178)
    picture.text(x + 16, y + 26, "Each answer is tested: is it", "bold")
    for number, principle in enumerate(PRINCIPLES):
        picture.text(x + 16, y + 50 + number * 19, str(principle.id), "accent bold")
        picture.text(x + 36, y + 50 + number * 19, principle.name)
    picture.text(x + 16, y + 168, "If not, the next step is tried.", "soft small")


# -- the house --------------------------------------------------------------------------------------------

ROOMS = (
    ("charsets", "which charset a label names, and how its bytes become characters"),
    ("evidence", "facts about the first bytes, the header and the window; decides nothing"),
    ("decide", "which encoding: rules, chain and thresholds as data"),
    ("text", "bytes to text in pieces; repairs; the XML declaration"),
    ("fetch", "one download within limits"),
    ("reading", "any source as a text stream: XmlReader"),
)
USERS = (
    ("parsing", "lxml: parse, iterparse"),
    ("validate", "findings and fixes"),
    ("batch", "a crawl: Arrow, WARC"),
    ("adapters", "requests, httpx …"),
    ("cli", "the command line"),
)
"""The rooms of src/feedcharset in the order of their imports, and those that nothing else imports."""


def house() -> str:
    """The rooms of the package."""
    users = [user for user in USERS if (SOURCE / user[0]).is_dir()]
    picture = Picture("The packages of feedcharset; each imports only from those above it", 860, 560)
    picture.text(24, 36, "bytes, Content-Type", "soft")
    for number, (name, what) in enumerate(ROOMS):
        assert (SOURCE / name).is_dir(), name
        y = 54 + number * 62 + (34 if number > 3 else 0)
        picture.box(24, y, 812, 44, "strong" if number < 4 else "box")
        picture.text(42, y + 28, f"{name}/", "bold code")
        picture.text(170, y + 28, what)
        if number:
            picture.arrow((90, y - 18 - (34 if number == 4 else 0)), (90, y))
    picture.line((24, 308), (836, 308), kind="dashed")
    picture.text(
        836, 302, "no I/O above this line; no requests, lxml, ftfy, click, rich, pyarrow", "soft small end"
    )
    width = (812 - 14 * (len(users) - 1)) / len(users)
    for number, (name, what) in enumerate(users):
        x = 24 + number * (width + 14)
        picture.box(x, 484, width, 60)
        picture.text(x + 12, 508, f"{name}/", "bold code")
        picture.text(x + 12, 530, what, "small soft")
        picture.arrow((x + 30, 442), (x + 30, 484))
    return picture.render()


# -- the window in a stream -------------------------------------------------------------------------------


def window() -> str:
    """What is returned when, for a stream whose first non-ASCII byte comes late; measured by reading one."""
    head = b'<?xml version="1.0"?><rss>'
    ascii_part = b"<item>plain</item>" * 60_000
    rest = "<item>été</item>".encode() * 150_000
    held, encoding = _read_in_pieces(head + ascii_part + rest)
    assert held <= LOOKAHEAD + PIECE, held
    high = len(head) + len(ascii_part) + len("<item>")
    picture = Picture(
        "A stream: ASCII is returned at once, then a window is held back, then text flows", 900, 276
    )
    total, width = len(head + ascii_part + rest), 852

    def at(position: int) -> float:
        return 24 + width * position / total

    sizes = f"{total / 1e6:.1f} MB, first non-ASCII byte at {high / 1e6:.1f} MB"
    picture.text(24, 34, f"A stream: {sizes}", "bold large")
    picture.box(at(0), 64, at(high) - at(0), 44, "cell-soft", 0)
    picture.box(at(high), 64, at(high + LOOKAHEAD) - at(high), 44, "cell-warm", 0)
    picture.box(at(high + LOOKAHEAD), 64, at(total) - at(high + LOOKAHEAD), 44, "cell-good", 0)
    picture.text(at(high) / 2 + 12, 91, "US-ASCII", "middle")
    picture.text(at(high + LOOKAHEAD // 2), 91, f"window, {LOOKAHEAD >> 20} MiB", "middle")
    picture.text((at(high + LOOKAHEAD) + at(total)) / 2, 91, "the rest", "middle")
    rows = (
        (at(0), "text is returned at once;", "the answer is provisional,", "because all candidates agree"),
        (at(high), "held back while the chain", "is run again, with all", f"principles: {encoding}"),
        (
            at(high + LOOKAHEAD),
            "the encoding is final; text is",
            "returned as it arrives, and",
            "damage is repaired in place",
        ),
    )
    for x, *lines in rows:
        picture.arrow((x + 6, 146), (x + 6, 110))
        for number, line in enumerate(lines):
            picture.text(x, 166 + number * LINE, line, "small")
    picture.text(24, 250, f"At most {LOOKAHEAD:,} bytes of the window are held back (lookahead=).", "soft")
    return picture.render()


PIECE = 1 << 16
"""Bytes that are read at once."""


def _read_in_pieces(body: bytes) -> tuple[int, str]:
    """The most bytes that a decoder holds back, and the encoding."""
    decoder = XmlDecoder()
    held = given = 0
    for start in range(0, len(body), PIECE):
        end = min(start + PIECE, len(body))
        given += len(decoder.decode(body[start:end], end == len(body)).encode())
        held = max(held, end - given)
    return held, decoder.encoding


# -- the mixture ------------------------------------------------------------------------------------------


def mixture() -> str:
    """The bytes of a document in two encodings, and what each is read as."""
    parts = (("vu : ", "cp1252"), ("«Déjà»", "cp1252"), (" — ", "utf-8"), ("«Déjà»", "utf-8"))
    body = b"".join(text.encode(codec) for text, codec in parts)
    document = b'<?xml version="1.0" encoding="ISO-8859-1"?><a>' + body + b"</a>"
    text, _, repairs = decode(document)
    start = document.index(b"<a>") + 3
    single = {offset - start for offset in repairs.offsets}
    assert text.endswith("<a>vu : «Déjà» — «Déjà»</a>"), text
    picture = Picture("A document in two encodings: each byte and what it is read as", 960, 236)
    picture.text(24, 34, "Declared ISO-8859-1; one item in windows-1252, one in UTF-8", "bold large")
    x = 24
    for offset, length, char, kind in _cells(body, single):
        width = 25 * length + 2 * (length - 1)
        picture.box(x, 60, width, 66, kind, 3)
        picture.text(x + width / 2, 90, char, "middle large")
        picture.text(x + width / 2, 114, body[offset : offset + length].hex(" ").upper(), "middle code small")
        x += width + 3
    for number, (kind, what) in enumerate(
        (("cell-soft", "ASCII"), ("cell-warm", "read as windows-1252"), ("cell-good", "read as UTF-8"))
    ):
        picture.box(24 + number * 210, 156, 26, 20, kind, 3)
        picture.text(58 + number * 210, 171, what)
    picture.text(
        24,
        212,
        f"The {len(single)} bytes read as windows-1252 are counted in .repairs, with their offsets.",
        "soft",
    )
    return picture.render()


def _cells(body: bytes, single: set[int]) -> list[tuple[int, int, str, str]]:
    """Offset, length, character and kind of each sequence."""
    cells: list[tuple[int, int, str, str]] = []
    offset = 0
    while offset < len(body):
        if body[offset] < 0x80:
            cells.append((offset, 1, chr(body[offset]), "cell-soft"))
        elif offset in single:
            cells.append((offset, 1, body[offset : offset + 1].decode("cp1252"), "cell-warm"))
        else:
            length = 2 if body[offset] < 0xE0 else 3
            cells.append((offset, length, body[offset : offset + length].decode(), "cell-good"))
        offset += cells[-1][1]
    return cells
