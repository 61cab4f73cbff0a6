"""Write the seeds of the fuzzer: a document of each kind that the library treats differently.

python tests/fuzz/make_corpus.py
"""

from __future__ import annotations

import gzip
from pathlib import Path

CORPUS = Path(__file__).parent / "corpus"

DECLARED = b"<?xml version='1.0' encoding='%s'?>"
RUSSIAN = "<rss><title>Новости дня</title></rss>"
MIXED = "<rss><title>Žluťoučký kůň</title></rss>".encode() + b"<a>caf\xe9</a>"
GZIP = gzip.compress(b"<a/>", mtime=0)
"""The byte for the operating system (RFC 1952 §2.3) depends on the version of Python."""
BROKEN = bytes.fromhex("1f8b0800000000003c7273733e3c74d0bed00260b349d4b70300d41cd101040000")
"""It becomes more bytes than it has, and then ends."""
SEEDS: dict[str, tuple[int, str | None, bytes]] = {
    "utf-8": (0, None, b"<?xml version='1.0' encoding='utf-8'?>" + RUSSIAN.encode()),
    "windows-1251": (1, "text/xml", DECLARED % b"windows-1251" + RUSSIAN.encode("cp1251")),
    "stale": (2, "text/xml; charset=ISO-8859-1", b"<?xml version='1.0'?>" + RUSSIAN.encode()),
    "shift-jis": (3, "application/rss+xml; charset=Shift_JIS", "<a>日本語のニュース</a>".encode("cp932")),
    "gb18030": (4, None, b"<?xml version='1.0' encoding='gb2312'?>" + "<a>新闻联播</a>".encode("gb18030")),
    "big5": (5, 'text/xml; charset="big5"', "<a>新聞～‧</a>".encode("big5hkscs", "ignore")),
    "iso-2022-jp": (6, None, DECLARED % b"iso-2022-jp" + "<a>日本</a>".encode("iso2022_jp")),
    "utf-16": (7, None, "<?xml version='1.0' encoding='utf-16'?><a>é</a>".encode("utf-16")),
    "utf-32": (8, None, "<?xml version='1.0' encoding='utf-32'?><a>é</a>".encode("utf-32")),
    "ebcdic": (9, None, "<?xml version='1.0' encoding='ibm037'?><a>x</a>".encode("cp037")),
    "bom": (10, "text/html; charset=koi8-r", b"\xef\xbb\xbf" + DECLARED % b"koi8-r" + b"<a>\xd0\xb6</a>"),
    "mixed": (11, None, MIXED),
    "cesu-8": (12, None, b"<a>\xed\xa0\xbd\xed\xb8\x8e</a>"),
    "mojibake": (13, None, "<a>â€™ Ã©t&eacute;&nbsp;&#8;</a>".encode()),
    "junk": (14, "text/xml,text/html", b"<br />\nWarning: x\n<?xml version='1.0'?><rss/><rss/>"),
    "doctype": (15, None, b"<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;&c; <![endif]--> < \xc2\xa05</a>"),
    "gzip": (16, None, GZIP[:9] + b"\x03" + GZIP[10:]),
    "gzip-broken": (16, None, BROKEN),
    "nothing": (17, "", b""),
}


def seed(choice: int, content_type: str | None, document: bytes) -> bytes:
    """An input of the targets; see `targets.split`."""
    if content_type is None:
        return bytes([choice, 255]) + document
    header = content_type.encode("latin-1")
    return bytes([choice, len(header)]) + header + document


if __name__ == "__main__":
    CORPUS.mkdir(exist_ok=True)
    for name, parts in SEEDS.items():
        (CORPUS / name).write_bytes(seed(*parts))
