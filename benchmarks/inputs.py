"""What is measured: feeds made of words, the same in every run; large ones are kept under _data."""

from __future__ import annotations

import random
from pathlib import Path

__all__ = ["DATA", "ascii_feed", "feed", "heads", "large"]

DATA = Path(__file__).parent / "_data"

TEXTS = {
    "french": """Les élèves de première année ont été reçus à l’école où ils découvrent le château, la forêt
et même la mer qu’ils n’avaient jamais vue. Une journée très réussie, conclue par un goûter « comme à la
maison » offert par la mairie — à bientôt""",
    "german": """Über Nacht fällt in höheren Lagen wieder Schnee; für Fußgänger kann es glatt werden. Die
Straße nach Süden bleibt gesperrt, hieß es „bis auf weiteres“. Möglich wäre eine Öffnung frühestens im Mai""",
    "russian": """Ученики первого класса впервые увидели море, лес и старую крепость, а вечером пили чай с
пирогами у мэра города. Погода была солнечная, и никто не хотел возвращаться""",
    "english": """The harbour stays open this winter, and the ferry runs twice a day. Readers who kept the
old timetable should look again; the council says the new one is “final”""",
}
FRENCH, GERMAN, RUSSIAN, ENGLISH = (text.split() for text in TEXTS.values())

ITEM = """<entry><title>{title}</title><link href="https://example.org/news/2026/11/{number}"/>
<id>tag:example.org,2026:{number}</id><updated>2026-11-{day:02}T08:30:00Z</updated>
<summary type="html">&lt;p&gt;{text}&lt;/p&gt;</summary></entry>
"""
HEAD = """<?xml version="1.0" encoding="{encoding}"?>
<feed xmlns="http://www.w3.org/2005/Atom"><title>{title}</title><id>tag:example.org,2026:feed</id>
"""
END = "</feed>\n"


def _words(source: random.Random, languages: list[list[str]], count: int) -> str:
    language = source.choice(languages)
    return " ".join(source.choice(language) for _ in range(count))


def _items(seed: int, languages: list[list[str]], size: int) -> str:
    """Entries, all different, of about `size` characters."""
    source = random.Random(seed)
    entries, length = [], 0
    while length < size:
        numbers = {"number": source.randrange(10**6), "day": source.randrange(1, 30)}
        title, text = _words(source, languages, 6), _words(source, languages, 40)
        entries.append(ITEM.format(title=title, text=text, **numbers))
        length += len(entries[-1])
    return "".join(entries)


def _feed(seed: int, languages: list[list[str]], size: int) -> bytes:
    head = HEAD.format(encoding="UTF-8", title="A feed")
    body = (head + _items(seed, languages, size)).encode()[: size - len(END)]
    return body[: body.rindex(b"<entry>")] + END.encode()


MIXED = [FRENCH] * 5 + [GERMAN] * 4 + [RUSSIAN] + [ENGLISH] * 5
"""13 % of the octets are not ASCII."""


def feed(size: int = 60_000) -> bytes:
    """A feed in UTF-8."""
    return _feed(1, MIXED, size)


def ascii_feed(size: int = 60_000) -> bytes:
    """A feed in nothing but ASCII."""
    return _feed(2, [[word for word in ENGLISH if word.isascii()]], size)


def heads(count: int) -> list[bytes]:
    """First kilobytes of feeds that are all different."""
    bodies = []
    for number in range(count):
        head = HEAD.format(encoding="UTF-8", title=f"Feed {number}")
        body = (head + _items(number, [FRENCH, ENGLISH], 1000)).encode()[:1024]
        bodies.append(body.decode("utf-8", "ignore").encode())
    return bodies


KINDS = {
    # Languages, charset, and how much of it is different before it repeats.
    "utf8": (MIXED, "utf-8", 60_000),
    "utf8-long": (MIXED, "utf-8", 8_000_000),
    "russian": ([RUSSIAN], "utf-8", 8_000_000),
    "english": ([ENGLISH], "utf-8", 8_000_000),
    "ascii": ([ENGLISH], "ascii", 8_000_000),
    "latin1": ([FRENCH, GERMAN], "latin-1", 8_000_000),
}


def large(kind: str, mebibytes: int) -> Path:
    """A file of that kind and size; made once."""
    path = DATA / f"{kind}-{mebibytes}.xml"
    size = mebibytes << 20
    if not path.exists() or path.stat().st_size != size:
        languages, charset, period = KINDS[kind]
        text = _items(1, languages, period)
        if charset != "utf-8":  # what typography adds is in neither
            text = text.translate({0x2019: "'", 0x201C: '"', 0x201D: '"', 0x201E: '"', 0x2014: "-"})
        block = text.encode(charset, "ignore")
        head = HEAD.format(
            encoding="ISO-8859-1" if charset == "latin-1" else charset, title="A feed"
        ).encode()
        DATA.mkdir(exist_ok=True)
        with path.open("wb") as file:
            file.write(head)
            while file.tell() + len(block) < size:
                file.write(block)
            rest = block[: size - file.tell()]
            rest = rest[: rest.rindex(b"\n")]
            file.write(rest.ljust(size - file.tell(), b"\n"))
    return path
