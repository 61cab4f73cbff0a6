"""`feedcharset repair`: the filter repair-utf8, for UTF-8 with other bytes in it and for nothing else."""

from __future__ import annotations

import io
import os
import re
import stat
import sys
from codecs import utf_8_decode
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from typing import Any, BinaryIO, NamedTuple, get_args

import click

from feedcharset.charsets.lookup import Charset, by_name, lookup
from feedcharset.charsets.single_byte import NO_CHARACTER
from feedcharset.cli.output_file import (
    OutputError,
    is_same_file,
    output_file,
    refuse_onto_input,
    regular_file,
)
from feedcharset.cli.terminal import (
    EXIT_OK,
    EXIT_UNUSABLE,
    choice_option,
    complete_file,
    mojibake_option,
    note,
    output_option,
    progress,
    report_error,
    standard_input,
)
from feedcharset.decide.lenient_principles import WESTERN, is_mixture
from feedcharset.evidence.alphabets import TAGGED
from feedcharset.evidence.damaged_utf8 import (
    BEFORE_CHANCE,
    by_chance,
    find_damage,
    has_sequence,
    one_byte_each,
)
from feedcharset.evidence.declaration import DECLARATION_LIMIT, PLACEHOLDER, parse_declaration
from feedcharset.evidence.detector import LOOKAHEAD
from feedcharset.evidence.document_head import (
    BINARY_FORMATS,
    HEAD_LIMIT,
    PREFIX_LIMIT,
    document_kind,
    find_document,
    first_non_ascii,
    gather_facts,
)
from feedcharset.evidence.scripts import SEARCHED, SIGNS_OF_LATIN_9, is_latin_9
from feedcharset.reading.byte_streams import CallerStream, read_whole
from feedcharset.reading.utf8_stream import CHUNK
from feedcharset.results import Repairs
from feedcharset.results.explanation import counted, visible
from feedcharset.text.mojibake import fix_run
from feedcharset.text.options import Cesu8, Mojibake, RepairErrors
from feedcharset.text.source_positions import LinePosition
from feedcharset.text.utf8_repair import PAIRS_OF_CESU8, Utf8Repairer
from feedcharset.text.utf8_repair import repair as repaired_bytes
from feedcharset.text.xml_decoder import XmlDecoder
from feedcharset.validate.file_charset import (
    TEXT_SPAN,
    JudgedFile,
    PartCharsets,
    has_signature,
    is_binary,
    named_in_text,
    unnamed_utf16,
    utf16_seen,
    utf16_within,
)
from feedcharset.validate.fixes import PRIVATE_USE, has_chance_sequences
from feedcharset.validate.text_findings import C1_CONTROL, utf8_in_charset
from feedcharset.validate.western_words import (
    STRAY,
    LettersAmongUtf8,
    binary_among_utf8,
    is_dos_or_mac,
    near_strays,
    only_strays,
    text_end,
)

SPARSELY = 64
"""Bytes of input for each change, on an average, in which any characters that were cut are looked for. With
more changes those are that UTF-8 prevails around, and that begin as its letters do."""

REPAIR_HELP = """Convert UTF-8 that is mixed with other bytes to UTF-8.

Well-formed UTF-8 is kept byte for byte, unless it closes by chance a quotation in windows-1252; every
other byte becomes the character that it is in windows-1252, or what --errors names; an XML declaration
that names another encoding is changed to UTF-8, and a UTF-16 or UTF-32 byte order mark before what is in
neither goes. A filter: it reads each FILE, or standard input, and writes one after the other to standard
output; where one of them is missing, none. Files may be larger than memory.

Refused, so that nothing is destroyed: what is compressed or binary, and what is in another encoding as a
whole, by its byte order mark, its bytes or its declaration (UTF-16, windows-1251, Shift_JIS ...; with
--errors space or replace windows-1252, too). --force converts the latter from that encoding, unless it has
UTF-8, too; standard error says how many places do not decode in it and become U+FFFD, and how many characters
are for private use. What seems to be DOS or Mac text is refused, too; `feedcharset cat --encoding LABEL`
converts it. So is UTF-8 in which other bytes are words of another script, such as Russian in windows-1251, or
in another page of its language, such as Czech in windows-1250, unless --errors is space or replace.

--in-place replaces a file at once when all of it is written, and leaves it alone where nothing changes: also
what is ASCII and declared as a charset in which ASCII is the same. It keeps owner, permissions and extended
attributes; symbolic links and hard links stay what they are.

\b
Examples:
  feedcharset repair < mixed.xml > clean.xml
  feedcharset repair --report dump.csv -o dump.utf8.csv
  feedcharset repair --in-place --backup feeds/*.xml
  feedcharset repair --errors replace --cesu8 join old.json | jq .

Exit codes: 0 fine; 2 usage, a file that is refused, or cannot be read or written, or a --report that standard
error did not take.
"""

UNPACKING = {
    # How the formats are unpacked that hold text compressed.
    "gzip": "gunzip -c",
    "zlib": "pigz -dc",
    "zstd": "zstd -dc",
    "bzip2": "bunzip2 -c",
    "xz": "xz -dc",
    "lz4": "lz4 -dc",
    "zip": "unzip -p",
    "tar": "tar -xOf",
}

AS_LETTERS = ("windows-1252", "latin-1")
"""What makes letters of bytes, of `--errors`."""

ODD_SHOWN = 60
"""Characters of a text that are shown: a line of a terminal has 80."""

_BEGINS_AS_MARKUP = re.compile(rb"(?:\xef\xbb\xbf)?[ \t\r\n]*+<[A-Za-z!?]")
OTHERWISE_NAMED = re.compile(
    rb"<\?xml[ \t\r\n][^<>]{0,200}?encoding[ \t\r\n]{0,9}=[ \t\r\n]{0,9}[\"'](?!(?i:utf-?8)[\"'])"
)
LABELS_WITHIN = re.compile(
    rb"(?im)(?:(?:<meta\b[^<>]{0,200}?charset|<xsl:output\b[^<>]{0,200}?encoding"
    rb"|^[ +-]?\"?Content-Type:(?:[^\r\n]|\r?\n[ \t]){0,200}?charset"
    rb"|^[ +-]?[a-z][\w.-]{0,40};(?:[^:\r\n]{0,200}?;)?charset)[ \t\r\n]{0,9}="
    rb"|^[ +-]?(?:(?:/\*![0-9]{5,6} )?SET NAMES |#pragma code_page\(|\\inputencoding\{))"
    rb"[ \t\r\n]{0,9}[\"']?(?!utf-?8(?:mb[34])?\b|us-ascii\b|binary\b|default\b)[a-z0-9]"
)
"""Other labels than the first one: of XHTML, of a stylesheet's output, of each mail in a box, of a catalogue,
of properties in a vCard, of what follows in SQL, resources and LaTeX."""
_NO_UTF16 = re.compile(rb"[\t\r\n -~]{40}")
"""ASCII that no text in UTF-16 has: of Chinese characters a third have two such bytes, hardly 20 in a row."""
_WITHOUT_CONTROLS = re.compile(rb"[^\0-\x08\x0b\x0c\x0e-\x1f\x7f]{8,}")
"""What may be text of one byte a character in UTF-16 or UTF-32, which have NULs or other controls in most
scripts: in Chinese one character in eight."""
_BEHIND_SMALL = re.compile(rb"(?<=[a-z])[\xc0-\xff]")
_ALL_BUT_SMALL = bytes(byte for byte in range(0x100) if not (byte == 0x20 or 0x61 <= byte <= 0x7A))
_CURRENCY = re.compile(rb"(?<![#0])\xa4(?![#0])(?!(?<=[a-z].)[a-z])")
"""The sign ¤ of a currency, but in patterns of numbers (`#,##0.00\xa4`) and within words."""
_WITH_LENGTH = {
    # What a text that has its length in bytes before it is called, and such texts.
    'strings became longer behind their length (s:LENGTH:"text")': re.compile(rb's:\d++:\\?+"([^"]*+)"'),
    "messages became longer behind their length (9=LENGTH of FIX)": re.compile(rb"\x019=\d++\x01([^\n]*+)"),
}
"""Strings of PHP's `serialize`, in SQL, too, and messages in a log of FIX."""
_RECORDS = re.compile(
    rb"\d{5}[ -~]{5}[\d ]{7}[ -~]{3}450[0 ]|8=FIX[^\x01\n]*+\x019=|SVN-fs-dump-format-version: "
    rb"|(?:(?:feature|reset) [^\n]*+\n)*+blob\n(?:mark :\d++\n)?+data \d"
)
"""How a file of such records begins: MARC (ISO 2709), FIX, and what svnadmin and git export."""


class RepairOptions(NamedTuple):
    """The options of the command."""

    errors: RepairErrors = "windows-1252"
    cesu8: Cesu8 = "keep"
    mojibake: Mojibake = "keep"
    report: bool = False
    in_place: bool = False
    backup: bool = False
    force: bool = False
    output: str | None = None


@click.command(help=REPAIR_HELP)
@click.argument("files", nargs=-1, metavar="[FILE...]", shell_complete=complete_file)
@choice_option("--errors", get_args(RepairErrors), "What other bytes become.")
@choice_option("--cesu8", get_args(Cesu8), "For CESU-8 surrogate pairs.")
@mojibake_option
@click.option(
    "--report", is_flag=True, help="List the changes on standard error: line, column, before, after."
)
@click.option("-i", "--in-place", is_flag=True, help="Write each FILE back under its own name.")
@click.option("--backup", is_flag=True, help="With --in-place: keep a changed file as it was as FILE.bak.")
@click.option("--force", is_flag=True, help="Convert what is in another encoding, or seems binary, too.")
@output_option("Write here instead of standard output.")
def repair(files: tuple[str, ...], **values: Any) -> int:
    options = RepairOptions(**values)
    if options.in_place and (options.output is not None or not files or "-" in files):
        raise click.UsageError("--in-place takes files, and neither --output nor standard input (-)")
    if options.backup and not options.in_place:
        raise click.UsageError("--backup belongs to --in-place")
    if options.in_place:
        code = max(_repair((file,), options._replace(output=file)) for file in files)
    else:
        output = None if options.output == "-" else options.output
        code = _repair(files or ("-",), options._replace(output=output))
    return EXIT_UNUSABLE if options.report and getattr(sys.stderr, "lost", False) else code


def _repair(files: tuple[str, ...], options: RepairOptions) -> int:
    """Repair files into one output. Nothing is written to a file where one of them cannot be read."""
    file, written = files[0], 0
    try:
        with ExitStack() as opened:
            state = regular_file(file) if options.in_place else None
            inputs: list[Any] = []
            for file in files:
                inputs.append(standard_input() if file == "-" else file)
                if file != "-" and not stat.S_ISFIFO(os.stat(file).st_mode):
                    open(file, "rb").close()  # a pipe is opened once, when it is read
            if options.output is None:
                refuse_onto_input(inputs)
                target: Any = sys.stdout.buffer
            else:
                not_onto = () if options.in_place else inputs
                pairs = zip(files, inputs, strict=True)
                file = next((name for name, one in pairs if is_same_file(options.output, one)), file)
                target = opened.enter_context(
                    output_file(options.output, not_onto=not_onto, replaces=state, backup=options.backup)
                )
            for file, source in zip(files, inputs, strict=True):
                with ExitStack() as reading:
                    stream = source if file == "-" else reading.enter_context(open(file, "rb", buffering=0))
                    repaired = _RepairedInput(reading.enter_context(progress(stream, file)), options)
                    for piece in repaired.pieces():
                        target.write(piece)
                        written += len(piece)
                target.flush()
                if options.in_place and not repaired.changed:
                    target.kept = True
                lost, *others = repaired.told()
                if lost and not options.report:
                    others.insert(0, f"{lost}; --report lists them")
                for told in filter(None, others):
                    note(f"feedcharset: {visible(file)}: {told}")
                if options.report:
                    prefix = f"{visible(file)}: " if len(files) > 1 or options.in_place else ""
                    for line in repaired.report():
                        note(prefix + line)
    except OutputError as error:
        if not options.in_place:
            raise
        report_error(error.name, error)
        return EXIT_UNUSABLE
    except (OSError, ValueError, MemoryError) as error:
        if written and options.output is None and isinstance(error, ValueError):
            error = ValueError(f"{error}; standard output has the text before it alone")
        report_error(file, error)
        return EXIT_UNUSABLE
    return EXIT_OK


class _RepairedInput:
    """One input as UTF-8, in pieces.

    Its bytes are held back twice: the first ones, in which a byte order mark, a pattern, a declaration or
    binary data show; and from the first non-ASCII byte on the window in which `resolve` finds a charset. Then
    each piece is repaired, or, where the input is in another charset and --force is given, decoded. Pieces in
    which something is repaired must not be binary either: text may stand before it, as in an installer.
    """

    def __init__(self, stream: BinaryIO, options: RepairOptions) -> None:
        self._stream = CallerStream(stream)
        self._parts = PartCharsets(forced=options.force)
        self._options = options
        self._engine: Any = None
        """The `Utf8Repairer`, or the `XmlDecoder` of a conversion."""
        self._places: _Places | None = None
        self._skipped = 0
        """Bytes up to the end of a false byte order mark: of UTF-16 or UTF-32, before ASCII markup."""
        self._relabelled: tuple[str, str] | None = None
        self._converted = ""
        self._private = 0
        """Characters for private use among what was converted from an East Asian charset."""
        self._other: Charset | None = None
        """The charset of the whole input, of which UTF-8 is no text."""
        self._read = 0
        """Bytes of the input that were converted."""
        self._ascii_before = 0
        """Those that came before a conversion began."""
        self._is_ascii = True
        self._names_superset = False
        """The declaration names a charset in which ASCII is the same."""
        self._western = False
        """All of it is windows-1252, and has some bytes of UTF-8 sequences by chance (É…)."""
        self._mixed = False
        """It is windows-1252, and has UTF-8, too."""
        self._letters: LettersAmongUtf8 | None = None
        """Judges the bytes that are not UTF-8."""
        self._declared: Charset | None = None
        """The charset that the declaration names."""
        self._plain = True
        """ASCII is the same in its charset: its control characters are no text."""
        self._guessed = False
        """No label names the charset that the input is in."""
        self._is_read_alike = False
        """The declaration names another page, in which all of it has the same letters."""
        self._alone = False
        """It is windows-1252 by convention, and UTF-8 by no means."""
        self._lengths = self._records = ""
        self._forced = ""
        """What --force does with a file in another encoding."""
        self._named = 0
        """XML declarations that name another encoding than UTF-8."""
        self._labels = 0
        """Likewise other labels."""
        self._euros = 0
        """Signs ¤ in it, which may be the euro of ISO-8859-15."""
        self._cut = self._controls = self._pairs = 0
        """Beginnings of characters and pairs of CESU-8 that became letters, and bytes that windows-1252 does
        not have."""

    @property
    def changed(self) -> bool:
        """What was written differs from the input; most declarations are true of ASCII as they are."""
        label = self._relabelled and not (self._is_ascii and self._names_superset)
        return bool(self._converted or self._engine.repairs.count or label or self._skipped)

    def told(self) -> list[str]:
        """What is told beside the text, "" for nothing: bytes that the charset of a conversion does not have;
        characters that no font has; the label that a changed text names still that is no XML; texts whose
        letters or signs may be others, too few to be refused; what became longer behind its length."""
        stale: list[str] = []
        lost = private = odd = ""
        if places := dict(self._engine.repairs.kinds).get("bytes", 0) if self._converted else 0:
            lost = f"{counted(places, 'place')} not in {self._converted}, replaced"
        if self._private:
            characters = counted(self._private, "character")
            private = f"{characters} for private use in {self._converted}: it may be in another encoding"
        declared = self._declared
        if declared is not None and declared.name != "UTF-8" and self.changed and not self._relabelled:
            stale = [f"it still names {declared.name} as its encoding, and is UTF-8 now"]
        if self._letters and self._letters.odd and not self._is_read_alike:
            first = repaired_bytes(self._letters.first_odd.encode("utf-8", "surrogateescape")).data.decode()
            odd = (
                f"{counted(self._letters.odd, 'text')} with letters or signs that no western language has "
                f"together may be in another encoding: {visible(first.strip()[:ODD_SHOWN])}"
            )
        if self.changed and (later := self._named - bool(self._relabelled)) > 0:
            stale.append(f"{counted(later, 'XML declaration')} in it still named another encoding")
        if self.changed and self._labels > bool(stale):
            labels = counted(self._labels, "label")
            stale.append(f"{labels} of another encoding (as meta, Content-Type) stayed in it")
        euros = cut = controls = ""
        if self._euros:
            signs = counted(self._euros, "sign")
            euros = f"{signs} ¤ may be the euro of ISO-8859-15; put € in its place then"
        if self._cut:
            places = counted(self._cut, "character")
            cut = f"{places} of which only the beginning is left became letters; --errors replace marks them"
        if self._controls:
            page = self._converted or WESTERN
            controls = f"{counted(self._controls, 'byte')} not in {page}, written as C1 controls"
        runs, join = counted(self._pairs, "place"), "--cesu8 join makes characters of them"
        pairs = [f"{runs} with surrogate pairs (CESU-8) became letters; {join}"] if self._pairs else []
        longer = f"{self._lengths}: count them again" if self._lengths else ""
        return [lost, private, "; ".join(stale), odd, longer, euros, cut, controls, *pairs]

    def pieces(self) -> Iterator[bytes]:
        """The pieces; the first has the whole declaration, which names UTF-8 then.

        Raises:
            ValueError: the input is refused.
        """
        repaired = self._pieces()
        first = b""
        for piece in repaired:
            first += piece
            if len(first) >= PREFIX_LIMIT + DECLARATION_LIMIT:
                break
        if not self._plain and (label := named_in_text(first)):  # it was not found in the bytes
            self._declared = lookup(label, lenient=True)
        yield self._relabel(first)
        yield from repaired

    def _pieces(self) -> Iterator[bytes]:
        head = held = read_whole(self._stream.read, HEAD_LIMIT)
        kind = document_kind(head, 0, complete=False)
        if kind in BINARY_FORMATS:
            do = f"unpack it first: {UNPACKING[kind]} FILE | feedcharset repair" if kind in UNPACKING else ""
            raise ValueError(f"the file is {BINARY_FORMATS[kind]}; {do or 'it has no text to repair'}")
        complete, body = len(head) < HEAD_LIMIT, gather_facts(head, None, lenient=True).body
        if body.pattern == "ASCII":
            self._skipped = body.start
            head = held = head[self._skipped :]
        if self._options.report:
            self._places = _Places(self._options, self._skipped)
        if _RECORDS.match(head):
            self._records = "records may have other lengths now than they say (MARC, FIX, SVN, git)"
        charset = self._other_charset(head, complete)
        if charset is None or charset.ascii_compatible:  # then the window decides
            first = head[:TEXT_SPAN]
            is_markup = _BEGINS_AS_MARKUP.match(first) is not None  # a NUL in it is damage
            signed = not is_markup and has_signature(first)
            if signed or (b"\0" in first and not is_markup) or is_binary(first, 0, surely=is_markup):
                self._refuse_binary(first, signed=signed)
            self._begin(charset=None)
            before = b""
            while held and first_non_ascii(held) < 0:
                piece, held = self._next(held)
                before = piece[-3:]
                yield self._repaired(piece)
            self._is_ascii = not held
            if held:
                wanted = first_non_ascii(held) + LOOKAHEAD
                opening = head[: self._read]
                held += read_whole(self._stream.read, wanted - len(held))
                charset = self._other_charset(opening + held, len(held) < wanted)
                self._letters = LettersAmongUtf8((opening + held)[:TAGGED], held[:SEARCHED], self._declared)
                if self._western and self._options.errors == "windows-1252":
                    self._refuse_misfits(held, held.decode("utf-8", "surrogateescape"))
                    yield self._feed(b"", True)  # ASCII that a run of mojibake="fix" holds back
                    self._begin_as("windows-1252")
                elif self._mixed and self._options.errors == "windows-1252":
                    self._engine.decoder.expect_mixture(before)
        if charset is not None and held:
            if self._engine is not None:
                yield self._feed(b"", True)
            self._begin(charset, held)
        while held:
            piece, held = self._next(held)
            yield self._repaired(piece, final=not held)
        yield self._repaired(b"", final=True)

    def _next(self, held: bytes) -> tuple[bytes, bytes]:
        """The next piece of the input, and what follows it. A piece is judged by itself, so it ends with a
        line, where one ends in its last bytes."""
        following = read_whole(self._stream.read, CHUNK)
        end = text_end(held, CHUNK) if following else len(held)
        return held[:end], held[end:] + following

    def report(self) -> Iterator[str]:
        """The lines of --report."""
        repairs: Repairs = self._engine.repairs
        if self._options.in_place and not self.changed:  # the declaration stays, too
            yield "nothing to repair"
            return
        if self._converted:
            yield f"converted from {self._converted} to UTF-8"
        yield from (f"{kind}: {count}" for kind, count in repairs.kinds)
        if self._skipped:
            yield "byte order mark: removed"
        if self._relabelled:
            yield 'declaration: encoding="{}" became encoding="{}"'.format(*self._relabelled)
        places = [] if self._places is None else sorted(self._places.lines)
        yield from (line for _, line in places)  # mojibake is found when its line has ended
        if repairs.count > len(repairs.offsets):
            yield f"and {repairs.count - len(repairs.offsets):,} more"
        if not (self._converted or repairs or self._relabelled or self._skipped):
            yield "nothing to repair"

    def _begin(self, charset: Charset | None, data: bytes = b"") -> None:
        options = self._options
        if charset is None:
            repairer = Utf8Repairer(errors=options.errors, cesu8=options.cesu8, mojibake=options.mojibake)
            self._engine = repairer
            if options.errors == "windows-1252":
                repairer.decoder.expect_quotations()
            return
        self._plain = charset.ascii_compatible
        self._other = charset if charset.family in ("single", "CJK", "ISO-2022-JP") else None
        self._refuse_mixture(data, charset.name)
        if not options.force:
            self._refuse_labelled(data, final=False)
            is_alone = charset == self._declared and charset.family == "single"  # the label, and no proof
            seen = "seems to be in" if self._guessed else "is declared as" if is_alone else "is in"
            raise ValueError(
                f"the file {seen} {charset.name}, not UTF-8 with other bytes in it; --force {self._forced}"
            )
        self._begin_as(charset.name)

    def _begin_as(self, name: str) -> None:
        errors, mojibake = self._options.errors, self._options.mojibake
        self._engine = XmlDecoder(encoding=name, errors=errors, declaration="keep", mojibake=mojibake)
        self._converted = name
        self._ascii_before = self._read

    def _feed(self, data: bytes, final: bool) -> bytes:
        if not self._converted:
            fixed: bytes = self._engine.feed(data, final)
            return fixed
        text: str = self._engine.decode(data, final)
        if self._other is not None and self._other.family == "CJK":
            self._private += len(PRIVATE_USE.findall(text))
        elif self._converted.startswith("windows-"):
            self._controls += len(C1_CONTROL.findall(text))
        return text.encode("utf-8", "replace")

    def _repaired(self, data: bytes, final: bool = False) -> bytes:
        self._refuse_mixture(data, self._converted)
        self._refuse_labelled(data, final)
        self._read += len(data)
        as_letters = self._options.errors in AS_LETTERS and self._other is None
        before = self._engine.repairs.count
        fixed = self._feed(data, final)
        named_in = data if self._plain else fixed
        self._named += len(OTHERWISE_NAMED.findall(named_in))
        if self._parts.named if self._plain else PartCharsets.may_name(named_in):
            self._labels += len(LABELS_WITHIN.findall(named_in))
        repaired = self._engine.repairs.count > before and not self._converted
        if (repaired or self._converted) and self._options.errors != "space":
            known = "ascii" if self._converted else "utf-8"
            for told, pattern in _WITH_LENGTH.items():
                strings = b'"'.join(pattern.findall(data))
                if strings.decode(known, "ignore").encode() != strings:
                    self._lengths = told
            self._lengths = self._records or self._lengths
        text, end = utf_8_decode(data, "surrogateescape") if repaired or self._western else ("", len(data))
        if final:  # the beginning of a character is none
            text += data[end:].decode("ascii", "surrogateescape")
        strays = one_byte_each(near := near_strays(text))
        if as_letters and b"\xa4" in strays:
            self._euros += len(_CURRENCY.findall(only_strays(near)))
        if repaired or (self._plain and self._converted):
            self._refuse_utf16(data, self._skipped + self._read - len(data))
        if repaired:
            self._refuse_misfits(data, near)
            count = self._engine.repairs.count - before
            sparse = SPARSELY * count < len(data) or (final and count == len(data) - end)
            continuing = len(near.encode("utf-8", "surrogateescape")) - len(near)
            emoji = b"\xf0\x9f" in strays
            if as_letters and (
                sparse or emoji or continuing >= len(strays.translate(None, bytes(range(0x80))))
            ):
                leads = {_block(char.encode()[0]) for char in set(near) if char.isalpha()}
                damage = find_damage(near, classes=strays)
                found = (near[place.start : place.end] for place in damage if place.characters == "\ufffd")
                self._cut += sum(
                    sparse or cut[:2] == "\udcf0\udc9f" or _block(ord(cut[0]) & 0xFF) in leads
                    for cut in found
                )
            if as_letters:
                self._controls += sum(map(strays.count, NO_CHARACTER))
                if self._options.cesu8 == "keep" and 0xED in data:
                    self._pairs += len(PAIRS_OF_CESU8.findall(data))
        elif self._plain and self._converted and is_binary(data):
            self._refuse_binary(data)
        if self._places is not None:
            offsets = (self._ascii_before + offset for offset in self._engine.repairs.offsets)
            self._places.add(data, offsets, converted=bool(self._converted))
        return fixed

    def _relabel(self, data: bytes) -> bytes:
        """The first bytes with a declaration that names UTF-8."""
        start = find_document(data)[1]
        declaration = parse_declaration(data[start:].decode("latin-1"))
        if declaration is None or (declaration.encoding or "utf8").lower() in ("utf-8", "utf8"):
            return data  # parsers refuse the other names of UTF-8: utf8mb4, cp65001, u8
        assert declaration.encoding is not None
        if PLACEHOLDER.search(declaration.encoding):
            return data
        charset = lookup(declaration.encoding, lenient=True)
        self._names_superset = charset is not None and charset.ascii_compatible
        before, after = start + declaration.start, start + declaration.end
        label = declaration.encoding.encode("latin-1")
        name, _, end = data[before:after].rpartition(label)
        written = name + b"UTF-8" + end if end in (b'"', b"'") else b' encoding="UTF-8"'
        self._relabelled = visible(declaration.encoding), "UTF-8"
        return data[:before] + written + data[after:]

    def _other_charset(self, data: bytes, complete: bool) -> Charset | None:
        force, text = self._options.force, data.removeprefix(b"\xef\xbb\xbf")
        file = JudgedFile(data, complete=complete, force=force)
        answer = file.judge()
        plain = JudgedFile(data, complete=complete).judge() if force else answer
        odd = [one for one in (answer, plain) if isinstance(one, str) or one.name not in ("UTF-8", WESTERN)]
        parts = PartCharsets.named_in(b"\n" + data) if odd else []
        if len(parts) > 1 and any(by_name(part).superset not in ("UTF-8", WESTERN) for part in parts):
            named = ", ".join(parts[:3])
            raise ValueError(f"its parts are declared as {named}; convert each from its own encoding")
        if isinstance(answer, str):
            raise ValueError(answer)
        if answer.name not in ("UTF-8", WESTERN) and not force:
            forced = JudgedFile(data, complete=complete, force=True).judge()
            self._forced = f"converts it from {answer.name}"
            if not isinstance(forced, str) and forced != answer:
                self._forced = f"reads it as {forced.name}"
            elif file.guessed and (words := _first_words(data, answer)):
                self._forced += f": {words}"
        elif plain in odd and not isinstance(plain, str) and plain.ascii_compatible:
            self._refuse_utf8(data, plain)  # what is refused without --force
        self._declared, self._guessed = file.declared, file.guessed
        self._mixed = answer.name == WESTERN
        charset = None if self._mixed or answer.name == "UTF-8" else answer
        self._alone = self._guessed and charset is None and not file.is_utf8
        western = self._mixed and not is_mixture(file.resolution)
        declared = None if file.guessed or file.is_utf8 or data.isascii() else file.declared
        self._is_read_alike = western and declared is not None and declared.superset != WESTERN
        has_letters = self._options.errors in AS_LETTERS
        if western and declared is not None and not has_letters:
            charset, self._mixed, western = answer, False, False
            self._forced = f"converts it from {answer.name}"
        has_sequences = western and complete and has_sequence(text)
        dos_or_mac = has_sequences and force and not file.is_utf8 and is_dos_or_mac(data)
        dos_or_mac = dos_or_mac and utf8_in_charset(data, by_name(WESTERN)) is None
        self._western = has_sequences and (dos_or_mac or has_chance_sequences(text))
        return charset

    def _refuse_mixture(self, data: bytes, name: str) -> None:
        is_wide = name.startswith(("UTF-16", "UTF-32"))
        if is_wide and (found := _text_among_wide(data, name, self._read)):
            at, text = self._read + found[0], found[1].strip()
            raise ValueError(
                f"the file is in {name}, but at byte {at} it has text of one byte a character: "
                f"{visible(text[:40])}; convert each part from its own encoding"
            )
        if self._other is not None:
            self._refuse_utf8(data, self._other)

    def _refuse_labelled(self, data: bytes, final: bool) -> None:
        """Refuse the next bytes of the input where a part names its charset."""
        if part := self._parts.misread_in(data, final, self._other):
            what = f"a part is declared as {part}, others are not; convert each part from its own encoding"
            forced = "" if self._other or part == "ISO-2022-JP" else "; --force reads them as windows-1252"
            raise ValueError(what + forced)

    def _refuse_utf8(self, data: bytes, charset: Charset) -> None:
        if found := utf8_in_charset(data, charset):
            offset, text = self._skipped + self._read + found[0], visible(found[1][:40])
            raise ValueError(
                f"the file is in {charset.name}, but at byte {offset} it has UTF-8: {text}; "
                "convert each part from its own encoding"
            )

    def _refuse_misfits(self, data: bytes, near: str) -> None:
        if is_binary(data, surely=True) or binary_among_utf8(data):
            self._refuse_binary(data)
        if self._options.errors not in AS_LETTERS:
            return
        letters = self._letters and self._letters.found_in(data, near)  # it counts odd texts, too
        if self._options.force:
            return
        signs = (self._alone or not letters) and any(map(one_byte_each(near).__contains__, SIGNS_OF_LATIN_9))
        if signs and is_latin_9(only_strays(near)):
            letters = "in ISO-8859-15"
        if letters:
            raise ValueError(
                f"the bytes that are not UTF-8 seem to be {letters}, not in windows-1252; "
                "convert these parts from it; --errors replace marks the bytes, --force reads them as "
                "windows-1252"
            )

    def _refuse_utf16(self, data: bytes, before: int) -> None:
        if (at := utf16_within(data)) >= 0:
            raise ValueError(utf16_seen(before + at))

    def _refuse_binary(self, data: bytes, *, signed: bool = False) -> None:
        surely, wide = signed or is_binary(data, surely=True), unnamed_utf16(data)
        if surely or wide or not self._options.force:
            if wide:
                how = f"feedcharset cat --encoding {wide} converts it"
                raise ValueError(f"the file seems to be {wide} without a BOM; {how}")
            if not signed:
                self._refuse_utf16(data, self._skipped)
            raise ValueError(
                "the file is binary, or text in an encoding that nothing names; "
                "feedcharset cat --encoding LABEL converts text"
                + ("" if surely else ", --force repairs what is neither")
            )


def _text_among_wide(data: bytes, name: str, before: int) -> tuple[int, str] | None:
    """Return the first text of one byte a character, or in UTF-8, within UTF-16 or UTF-32, and its offset;
    None where there is none. `before`: bytes of the input before these.

    In UTF-16 it has, in twelve bytes or more, three letters or spaces in four bytes, which are small or in
    UTF-8; or half of its characters, if they are six or more, would be for private use. 98 % of 3,271 single
    lines in ten languages and charsets are found, and none in 11 MiB of messages in over 40 languages and in
    130,000 East Asian characters of manuals.
    """
    codec = by_name(name).codec or ""
    for found in _WITHOUT_CONTROLS.finditer(data):
        run = found[0].strip(b"\r\n")
        text = utf_8_decode(run, "surrogateescape")[0]
        small = len(run.translate(None, _ALL_BUT_SMALL)) + len(_BEHIND_SMALL.findall(run))
        if not STRAY.search(text):
            small += sum(len(char.encode()) for char in text if char > "\x7f" and char.isalpha())
        characters = found[0][(before + found.start()) % 2 :].decode(codec, "replace")
        private = len(PRIVATE_USE.findall(characters)) + characters.count("\ufffd")
        is_text = _NO_UTF16.search(run) or (len(run) >= 12 and 4 * small >= 3 * len(run))
        if is_text or name.startswith("UTF-32") or (len(characters) >= 6 and 2 * private >= len(characters)):
            return data.index(run, found.start()), run.decode("utf-8", "backslashreplace")
    return None


def _first_words(data: bytes, charset: Charset) -> str:
    """Return the first text beyond ASCII, as it would be converted: a person sees whether these are words."""
    line = next((line for line in data.splitlines() if not line.isascii()), b"")
    text = line.decode(charset.codec or "ascii", "replace")
    at = next((at for at, char in enumerate(text) if char > "\x7f"), len(text))
    while at and text[at - 1].isalpha():
        at -= 1
    return visible(text[at : at + ODD_SHOWN].partition("<")[0].strip())


def _block(lead: int) -> int:
    """Leads that begin the letters of an alphabet: two, or those of Chinese. C2 begins signs."""
    return min(lead, 0xE4) >> 1 if lead > 0xC2 else 0


def refusal(data: bytes, *, force: bool = False) -> str | None:
    """Return why `repair` without options, or with --force, refuses bytes; None where it converts them."""
    try:
        for _ in _RepairedInput(io.BytesIO(data), RepairOptions(force=force)).pieces():
            pass
    except ValueError as error:
        return str(error)
    return None


_RUN_SHOWN = 400
"""Characters before a change, and bytes from it on, from which it is found what it became."""


class _Places:
    """Where the changes are: line, column, what stood there and what it became.

    Columns count each undecodable byte as one character. The last bytes are kept: a change of mojibake is
    known when its line has ended. `skipped`: bytes of the input before those that are added.
    """

    KEPT = 512 * 1024
    """Bytes: a run that `mojibake="fix"` holds back has 73,728 characters at most."""

    def __init__(self, options: RepairOptions, skipped: int) -> None:
        self.lines: list[tuple[int, str]] = []
        """The offset of each change, and what is told of it."""
        self._options = options
        self._skipped = skipped
        self._position = LinePosition()
        self._base = 0
        self._kept = b""
        self._seen: set[int] = set()

    def add(self, data: bytes, offsets: Iterable[int], *, converted: bool) -> None:
        """Add the next bytes of the input, and the offsets of all changes until now."""
        self._kept += data
        for offset in offsets:
            if offset not in self._seen:
                self._seen.add(offset)
                if converted:  # lines and columns of the input are not known
                    byte = self._kept[offset - self._base]
                    self.lines.append((offset, f"byte {self._skipped + offset}: {byte:02X} was replaced"))
                    continue
                position, at = self._position.copy(), offset - self._base
                before = self._kept[:at].decode("utf-8", "surrogateescape")
                position.advance(before if self._base else before.removeprefix("\ufeff"))
                first = max(at - BEFORE_CHANCE, 0)
                line = before[-_RUN_SHOWN:].rpartition("\n")[2].rpartition(">")[2]
                before, after = self._change(self._kept[at : at + _RUN_SHOWN], self._kept[first:at], line)
                place = f"line {position.line}, column {position.column} (byte {self._skipped + offset})"
                self.lines.append((offset, f"{place}: {visible(before)} became {visible(after)}"))
        cut = len(self._kept) - self.KEPT
        if cut > self.KEPT:
            while self._kept[cut] & 0xC0 == 0x80 and self._kept[cut - 1] > 0x7F:
                cut -= 1
            passed = self._kept[:cut].decode("utf-8", "surrogateescape")
            self._position.advance(passed if self._base else passed.removeprefix("\ufeff"))
            self._kept = self._kept[cut:]
            self._base += cut

    def _change(self, data: bytes, before: bytes, line: str) -> tuple[str, str]:
        """What stood there and what it became: `line` is the text before `data`, from which mojibake is
        known."""
        options = self._options
        text = data.decode("utf-8", "surrogateescape")
        if not 0xDC80 <= ord(text[0]) <= 0xDCFF and (0, len(text[0].encode())) not in by_chance(data, before):
            run = text.partition("<")[0].partition("\n")[0]
            for known in (line, ""):
                for edit in fix_run(known + run):
                    if edit.start == len(known):
                        return run[: edit.end - edit.start], edit.text
            return run[:8], "..."
        size = 1
        if repaired_bytes(data[:6], cesu8=options.cesu8).repairs.kinds == (("cesu-8", 1),):
            size = 6
        elif options.errors == "replace":
            try:
                data.decode()
            except UnicodeDecodeError as error:
                size = error.end
        fixed = repaired_bytes(data[:size], errors=options.errors, cesu8=options.cesu8).data.decode()
        return data[:size].hex(" ").upper(), "a space" if fixed == " " else fixed
