"""What was seen of a document: the facts that a decision is made from."""

from typing import Literal, NamedTuple

__all__ = [
    "Body",
    "CommonCount",
    "Damage",
    "Detected",
    "Facts",
    "LabelCosts",
    "MediaClass",
    "ScriptCount",
    "SequenceCount",
    "SiblingCount",
    "Utf8Count",
]

MediaClass = Literal["APP-XML", "TEXT-XML", "HTML", "OTHER", "NONE"]


class Utf8Count(NamedTuple):
    """The window read as UTF-8."""

    sequences: int | None
    """Well-formed sequences of two bytes or more; None: not counted, since all of the window decodes."""
    damaged: int
    """Runs of bytes that are not UTF-8. A character cut by the end of the window does not count."""
    cut: int = 0
    """How many of the damaged runs are characters cut by bytes (`substr`), unlike the words of any page.
    Counted only where they are few, or sequences are many."""
    sequence_bytes: int = 0
    """Bytes in sequences."""
    damaged_bytes: int = 0
    """Bytes in damaged runs."""
    bounds: bool = False
    """There are at most so many sequences and at least so many damaged runs and bytes, which prove that the
    window is not UTF-8 (under an East Asian label its first bytes); the exact numbers would not change the
    decision, and were not counted."""
    marks: int = 0
    """How many of the cut characters begin as marks and emoji do (E2 80, F0 9F), and no word of another
    charset."""


class Damage(NamedTuple):
    """The window read as one charset that a label names."""

    charset: str
    """The charset, by its IANA name."""
    characters: int | None
    """Characters beyond US-ASCII that it decodes to; in damaged GB18030 one of four bytes counts four times.
    None: not counted, since all bytes decode and no principle needed the number."""
    places: int
    """Runs of bytes that it cannot decode."""
    controls: int | None
    """C1 controls (U+0080 to U+009F) in what it decodes to; None: not counted, as above."""
    pasted: int = 0
    """How many of the places are in words that are UTF-8; of an East Asian charset only counted where a
    principle asks."""


class SequenceCount(NamedTuple):
    """The UTF-8 sequences in the window of a document whose label names a legacy charset.

    Counting ends where the numbers decide, and after 2,000 sequences (`more`).
    """

    charset: str
    """The charset that the label names."""
    sequences: int
    distinct: int
    in_use: int
    """Sequences whose character is of a script that documents are written in, or a sign."""
    one_script: int
    """Distinct sequences, unlike honest words, whose characters are of one script: the one that has most."""
    one_block: int
    """Distinct sequences whose characters are of one block of 128 code points: the one that has most."""
    in_page: int
    """Sequences, unlike honest words, whose character is one of the label's own page; under a CJK label, one
    that is common in a national standard (that which has most)."""
    sure: int
    """General punctuation, euro and trade mark signs, U+FFFD, emoji, letters of mathematics; symbols (`⚽`)
    under a label that is not East Asian."""
    distinctive: int
    """In page, or of three bytes and a script in use; unlike honest words."""
    after_lower: int
    """Two-byte sequences, Latin letters and signs, straight after a lower-case ASCII letter."""
    after_letter: int
    """Latin letters straight after an ASCII letter."""
    within_word: int
    """Latin letters between two ASCII letters."""
    pasted: int
    """Sequences that prove UTF-8 among other bytes: in page and unlike honest words, from F0, or of two bytes
    (leads C2-DE) straight after a lower-case ASCII letter; or, on a western page, a letter that is a word."""
    combining: int
    """Combining marks after an ASCII letter."""
    opens_word: int
    """Latin letters that open a word."""
    after_capital: int
    """Latin letters between an ASCII capital and a lower-case ASCII letter."""
    prices: int
    """Under a CJK label: pound and yen signs before a digit."""
    private_use: int
    """Under a CJK label: characters for private use that it decodes the window's beginning to."""
    alone: int
    """Signs and Latin letters where the page has no honest word."""
    in_a_row: int
    """The longest run of adjacent sequences."""
    more: bool = False
    """Counting ended before the window did, because the numbers decided: they are lower bounds."""
    varied: int = 0
    """Sequences of which each counts twice at most between the same two bytes."""


class CommonCount(NamedTuple):
    """The characters of the window's beginning, read as one multi-byte charset, or as one single-byte page of
    another script than Latin."""

    charset: str
    """The charset, by its IANA name."""
    characters: int
    """Letters of more than one byte; single-byte: characters beyond ASCII."""
    common: int
    """How many of them are common in a standard of the charset; single-byte: stand in words of its script."""
    frequent: int = 0
    """How many are among the most frequent ones of the East Asian languages; multi-byte charsets alone."""


class ScriptCount(NamedTuple):
    """Letters and punctuation of the window's beginning that are well-formed UTF-8, where others are not."""

    letters: int
    one_script: int
    """How many of them are of one script, the one that has most, or punctuation."""
    words: int = 0
    """Distinct runs of non-ASCII bytes that are UTF-8 throughout, and no words of windows-1252."""
    own: int = 0
    """Texts, between tags and line ends, with letters or marks in UTF-8 and no other non-ASCII bytes."""
    others: int = 0
    """Texts that have more other non-ASCII bytes than UTF-8."""


class SiblingCount(NamedTuple):
    """What distinguishes the page that the label names from its sibling of ISO or Windows."""

    charset: str
    """The page that the label names."""
    sibling: str
    """The other one."""
    letters: int
    """Bytes in words that are letters of the sibling, and controls, signs or other letters in the page; or,
    without a cost, places that show it."""
    undefined: int
    """Bytes that only the sibling has."""
    cost: int
    """What the letters of a sample cost, in tenths of a bit, in the page that the label names. 0: they were
    not judged, since the places where letters stand show the sibling."""
    sibling_cost: int
    """The same in the sibling."""


class LabelCosts(NamedTuple):
    """What the letters of a sample cost, in tenths of a bit, in the single-byte pages of two labels."""

    charset: str
    """The charset of the Content-Type."""
    declared: str
    cost: int
    declared_cost: int


class Detected(NamedTuple):
    """The answer of a detector, and what it was shown."""

    label: str
    detector: Literal["letters", "caller"]
    language: str = ""
    """By letters: the language that they are in, in English."""
    letters: str = ""
    """By letters: the most frequent non-ASCII letters of that language in the text; at most 5."""
    counted: int = 0
    """By letters: the non-ASCII letters that were judged."""
    outside: int = 0
    """By letters: how many of them are not of that language."""
    named: str = ""
    """By letters: what names a language of this charset, `xml:lang="cs"`; "" where nothing does."""
    foreign: int = 0
    """By letters: bytes that are letters of that language, but not as the label of a Latin page (else
    windows-1252) reads them."""
    distinct: int = 0
    """By letters: how many of these are distinct."""
    misread: int = 0
    """By letters, under a single-byte label that is not western: bytes that are letters of the language that
    the document names, and under the label none of it, or signs within words."""
    misread_distinct: int = 0
    """By letters: how many of these are distinct."""
    misread_under: str = ""
    """By letters: the charset of that label."""
    in_words: int = 0
    """By letters, under a label of another script: those in words of a to z; 0 where other bytes are more."""
    less: int = 0
    """By letters, under a western label, or where letters are foreign: how much less the text costs than in a
    western language, in tenths of a bit; `š` and `ž` of names taken off."""
    otherwise: int = 0
    """By letters, where they fit windows-1252 under the label of a central European page: distinct words with
    letters or quotation marks that the label reads otherwise."""
    as_cheap: str = ""
    """By letters, where another label was refused: the charset of a label in which they cost hardly more."""


class Body(NamedTuple):
    """Facts about the bytes of the document itself. A number that no decision needed is absent."""

    start: int = 0
    """Offset of the document's first byte, after the BOM and whatever else stands before it."""
    pattern: str | None = None
    """The pattern of the first bytes when it is not ASCII: "UTF-16LE", "UTF-32BE", "UCS-4-2143", "EBCDIC", or
    "ISO-2022-JP" by its escapes; "ASCII" where a BOM contradicts it."""
    code_page: str | None = None
    """The EBCDIC code page under which most bytes are printable ASCII."""
    kind: str | None = None
    """What the document is when it is visibly no XML: "empty", "HTML", or a format without text, such as
    "gzip", "zip", "PDF" or "PNG" (evidence/document_head.py lists them)."""
    first_non_ascii: int | None = None
    """Offset of the first non-ASCII byte, or ESC."""
    complete: bool = False
    """The whole document was seen, or a window from `first_non_ascii`, as long as it has to be."""
    utf8: Utf8Count | None = None
    damage: tuple[Damage, ...] = ()
    sequences: tuple[SequenceCount, ...] = ()
    common: tuple[CommonCount, ...] = ()
    misplaced: str | None = None
    """The encoding that a misplaced or misspelt XML declaration names, where nothing else fits."""
    detected: Detected | None = None
    """The answer of the detector, where one was called."""
    nulls: str | None = None
    """The UTF-16 or UTF-32 in whose order the NULs of the first 64 bytes stand, where there is no BOM, no
    pattern and no XML declaration."""
    scripts: ScriptCount | None = None
    """Of the UTF-8 sequences beside bytes that are not UTF-8, where nothing named can be true."""
    sibling: SiblingCount | None = None
    """Where the label names a page that has a sibling, and bytes are there that may show that one."""
    costs: LabelCosts | None = None
    """Where the Content-Type and the declaration name two single-byte pages, and that decides."""
    malformed: bool = False
    """The XML declaration is out of the grammar of XML 1.0 §2.8."""
    misplaced_at: int = 0
    """Where the misplaced declaration stands; 0: the document begins with it, misspelt."""
    distinct: int | None = None
    """Distinct characters beyond ASCII that are UTF-8 at the window's beginning, if they were counted."""


class Facts(NamedTuple):
    """What was seen of a document and its Content-Type; no decision."""

    bom: str | None = None
    """"UTF-8", "UTF-16BE", "UTF-16LE", "UTF-32BE", "UTF-32LE"."""
    guess: str | None = None
    """XML 1.0 Appendix F.1: the BOM's five, or "EBCDIC"; None without an XML declaration."""
    declared: str | None = None
    """The encoding pseudo-attribute of the XML declaration, as written."""
    content_type: str | None = None
    """The header as given; None: no transport was known (a file); "": an HTTP message without the header."""
    media_type: str | None = None
    """"application/atom+xml", in lower case; None where the header holds none."""
    media_class: MediaClass = "NONE"
    charset: str | None = None
    """The charset parameter of the Content-Type, as written; "" for a charset without a name."""
    body: Body = Body()
