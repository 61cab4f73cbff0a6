"""rules.md: the tables, the chain, the principles and the thresholds, from the rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from typing import get_args, get_type_hints

from feedcharset.charsets.lookup import NAMES, by_name
from feedcharset.decide.lenient_chain import STEPS
from feedcharset.decide.lenient_principles import PRINCIPLES, SERVER_DEFAULTS, Principle
from feedcharset.decide.published_tables import RFC3023_HTTP, RFC3023_RAW, RFC7303, Row
from feedcharset.decide.strict_decision import Words, fired_rows
from feedcharset.decide.thresholds import (
    CUT_IN_TWO,
    EVERY,
    THRESHOLDS,
    TOLERANCE,
    UNDAMAGED,
    WHERE_NAMED,
    page_kind,
)
from feedcharset.evidence.declaration import DECLARATION_LIMIT
from feedcharset.evidence.detector import IN_A_ROW, LOOKAHEAD
from feedcharset.evidence.document_head import EBCDIC_SPAN, PREFIX_LIMIT
from feedcharset.evidence.utf8_sequences import ENOUGH
from feedcharset.results.facts import SequenceCount
from making.docstrings import attribute_docs, escaped

__all__ = ["page"]

DOMAIN: dict[str, tuple[str, ...]] = {name: get_args(kind) for name, kind in get_type_hints(Words).items()}
"""The words that each column may have."""

HEAD = """\
# The rules

<!-- Made from the code by docs/generate.py: edit the rows, not this page. -->

Every table on this page is printed from the rows that decide: `decide/published_tables.py`,
`decide/lenient_chain.py`, `decide/lenient_principles.py` and `decide/thresholds.py`. In a table of rules the
first row that fits decides. Tests compute that every combination has a row and that every row is used.

## The words

Facts are first reduced to these words. No rule compares labels: `utf8` and `UTF-8` are one charset.
"""

MEANING = {
    "transport": (
        "raw: no Content-Type is known (a file, a stream); http: there is a message, with or without one"
    ),
    "media": (
        "APP-XML: application/xml, application/xml-dtd, application/xml-external-parsed-entity, and every "
        "`+xml` outside text/; TEXT-XML: text/xml, text/xml-external-parsed-entity, text/…+xml; "
        "HTML: text/html"
    ),
    "charset": "the charset parameter of the Content-Type",
    "bom": "the byte order mark",
    "guess": (
        "what the first bytes of an XML declaration show (XML 1.0 Appendix F.1): with a BOM, whether they "
        "agree with it; without one, their family (other: UTF-8 or EBCDIC)"
    ),
    "declared": (
        "the encoding that the declaration names: with a BOM, whether it agrees with it, as UTF-16 does with "
        "UTF-16LE; without one, generic is UTF-16 or UTF-32 whose order the guess shows"
    ),
}

STRICT = """\
## Strict, RFC 3023

The published rules 1.0 to 1.7 and 2.0 to 2.6, as ROME's XmlReader and commons-io's XmlStreamReader implement
them. Rows named `-ok` have no number in the publication; those of UTF-32 extend it. `default_encoding`
replaces a default (UTF-8 in 1.0 and 3.6, US-ASCII in 2.1).
"""

DIFFERENT = """\
## Where the two policies differ

Computed over every combination of words that a document can have. Listed are the combinations that the two
policies decide by different evidence, and those that only one of them refuses. (Where the two agree on the
encoding by chance, the text is the same.)
"""

CHAIN = """\
## Lenient, the chain

Tried in order. A step whose answer is refused by one of the principles below is passed over. L0 to L4 are
those of the lenient mode that ROME documents. After L4 a UTF-8 BOM before bytes that are not UTF-8 is
skipped, if a label fits them.
"""

PRINCIPLE_HEAD = """\
## Lenient, the principles

They are this library's own: an answer that cannot be true for the bytes is passed over. While all bytes
read are US-ASCII only the first ones apply, and the answer is provisional. The first non-ASCII byte, or
ESC, opens the window, and the chain runs again with all of them.
"""

PLAINLY = """\
## Thresholds

What principle 3 tolerates, in a window of {lookahead:,} bytes:

{tolerance}

{cut} damaged places are always tolerated with that many: one character cut in two leaves {cut}.

Principle 4 reads a document under a legacy label as UTF-8 where one row of the label's page is met. The
numbers are counted in the first {enough:,} sequences by `evidence/utf8_sequences.py`; the terms are
explained in [how UTF-8 is recognised](explanation/utf8-under-a-label.md#what-is-counted).
`benchmarks/measure_plainly.py` measured them.

{thresholds}

The kinds of pages in these rows:

{kinds}

The numbers:

{counted}

Other numbers:

{others}
"""


def page() -> str:
    """The whole page."""
    parts = [
        HEAD,
        _table(
            ("word", "values", "meaning"), ((name, ", ".join(DOMAIN[name]), MEANING[name]) for name in DOMAIN)
        ),
        STRICT,
        "### No Content-Type is known\n",
        _rules(RFC3023_RAW),
        "### Over HTTP\n",
        _rules(RFC3023_HTTP),
        '## Strict, RFC 7303\n\nThe rules of the RFC that replaced RFC 3023 in 2014: `policy="rfc7303"`.\n',
        _rules(RFC7303),
        DIFFERENT,
        _table((*DOMAIN, "RFC 3023", "RFC 7303"), _differences()),
        CHAIN,
        _table(("step", "what is tried", "from"), STEPS),
        PRINCIPLE_HEAD,
        _table(
            ("principle", "an answer is taken when", "applies"),
            ((f"{one.id}, {one.name}", one.sentence, _applies(one)) for one in PRINCIPLES),
        ),
        f"A server's default is {' or '.join(SERVER_DEFAULTS)} (RFC 2616 §3.7.1, RFC 2046 §4.1.2).\n",
        _thresholds(),
    ]
    return "\n".join(parts).rstrip() + "\n"


def _table(head: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    head = list(head)
    lines = [head, ["---"] * len(head), *rows]
    return "".join(
        "| " + " | ".join(str(cell).replace("|", "\\|") for cell in line) + " |\n" for line in lines
    )


def _rules(rows: Iterable[Row]) -> str:
    return _table(
        ("row", "when", "then", "why", "where"),
        ((row.id, _when(row.when), _then(row), row.why, row.spec) for row in rows),
    )


def _applies(principle: Principle) -> str:
    return "always" if principle.always else "once a window is open"


def _when(when: Mapping[str, tuple[str, ...]]) -> str:
    return "; ".join(f"{column} {' or '.join(words)}" for column, words in when.items()) or "anything else"


def _then(row: Row) -> str:
    return f"**{row.then}**" if row.then[0].isupper() and not row.then.startswith("U") else row.then


def _possible() -> Iterator[Words]:
    """The combinations of words that a document can have."""
    for values in product(*DOMAIN.values()):
        words = Words(*values)  # type: ignore[arg-type]
        marked = words.bom != "none"
        if words.transport == "raw" and (words.media, words.charset) != ("NONE", "none"):
            continue
        if marked != (words.declared not in ("none", "generic", "other")) and words.declared != "none":
            continue
        if marked != (words.guess in ("agrees", "contradicts")) and words.guess != "none":
            continue
        if words.declared != "none" and words.guess == "none":
            continue
        if words.declared == "generic" and words.guess not in ("UTF-16", "UTF-32"):
            continue
        yield words


def _differences() -> Iterator[tuple[str, ...]]:
    """The combinations that the two policies decide otherwise, joined to boxes."""
    groups: dict[tuple[str, str], list[Words]] = {}
    possible = list(_possible())
    for words in possible:
        old, new = fired_rows("rfc3023", words), fired_rows("rfc7303", words)
        if old[-1].then != new[-1].then:
            groups.setdefault((_fired(old), _fired(new)), []).append(words)
    for fired, members in groups.items():
        for box in _boxes(members, possible):
            yield (*(_cell(at, box, possible) for at in range(len(DOMAIN))), *fired)


def _fired(rows: tuple[Row, ...]) -> str:
    return f"{'/'.join(row.id for row in rows)}: {_then(rows[-1])}"


def _boxes(members: list[Words], possible: list[Words]) -> Iterator[list[set[str]]]:
    """Products of words that hold these members and, of all that is possible, nothing else."""
    columns: list[set[str]] = [{words[at] for words in members} for at in range(len(DOMAIN))]
    inside = [words for words in possible if all(words[at] in columns[at] for at in range(len(columns)))]
    if len(inside) == len(members):
        yield columns
        return
    at = min((at for at in range(len(columns)) if len(columns[at]) > 1), key=lambda at: len(columns[at]))
    for word in sorted(columns[at], key=tuple(DOMAIN.values())[at].index):
        yield from _boxes([words for words in members if words[at] == word], possible)


def _cell(at: int, box: list[set[str]], possible: list[Words]) -> str:
    """The words of a column, or "any" where no other would be possible beside the rest of the box."""
    others = [other for other in range(len(box)) if other != at]
    if box[at] == {words[at] for words in possible if all(words[other] in box[other] for other in others)}:
        return "any"
    return " or ".join(word for word in tuple(DOMAIN.values())[at] if word in box[at])


MORE = {
    "UTF-8": "",
    "ISO-2022-JP": ", the first one apart; or more characters than places, and than runs in other bytes",
}
"""What the charset's row says behind the number."""


def _thresholds() -> str:
    tolerance = _table(
        ("charset", "at least", "and for each damaged place"),
        (
            (
                name,
                f"{one.least} {what}",
                f"{one.per_place}{MORE.get(name, ', the first one apart')}",
            )
            for name, one in TOLERANCE.items()
            for what in ["sequences" if name == "UTF-8" else "character" + "s" * (one.least > 1)]
        ),
    )
    conditions = (
        (THRESHOLDS, ""),
        (UNDAMAGED, ", and no other bytes beyond ASCII"),
        (WHERE_NAMED, ", and another label that names UTF-8"),
    )
    thresholds = _table(
        ("pages", "is UTF-8 with", "numbers"),
        (
            (", ".join(row.pages), row.why + condition, _numbers(row.reach, row.share))
            for rows, condition in conditions
            for row in rows
        ),
    )
    kinds = _table(("pages", "charsets"), ((kind, ", ".join(_of_kind(kind))) for kind in EVERY))
    docs = {"sequences": "All of them.", "distinct": "Different ones."} | attribute_docs(SequenceCount)
    named = {name: None for rows, _ in conditions for row in rows for name in row.reach}
    counted = _table(
        ("number", "UTF-8 sequences"),
        ((f"`{name}`", escaped(docs[name])) for name in ("sequences", *named)),
    )
    others = _table(
        ("number", "what"),
        (
            (f"{DECLARATION_LIMIT:,} characters", "in which an XML declaration must end"),
            (f"{PREFIX_LIMIT:,} bytes", "of white space and BOMs that may stand before it (lenient)"),
            (f"{EBCDIC_SPAN} bytes", "in which EBCDIC without a declaration must be recognised"),
            (f"{IN_A_ROW} in a row", "adjacent UTF-8 sequences that show a mixture, of any characters"),
        ),
    )
    return PLAINLY.format(
        lookahead=LOOKAHEAD,
        tolerance=tolerance.rstrip(),
        cut=CUT_IN_TWO,
        enough=ENOUGH,
        thresholds=thresholds.rstrip(),
        kinds=kinds.rstrip(),
        counted=counted.rstrip(),
        others=others,
    )


def _of_kind(kind: str) -> Iterator[str]:
    return (charset.name for charset in map(by_name, NAMES) if page_kind(charset) == kind)


def _numbers(reach: Mapping[str, int], share: float) -> str:
    numbers = ", ".join(f"`{name}` ≥ {least}" for name, least in reach.items())
    return f"{numbers}, `{next(iter(reach))}` > {share:g} of `sequences`" if share else numbers
