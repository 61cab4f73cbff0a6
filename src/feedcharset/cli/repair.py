"""`feedcharset repair`: the filter repair-utf8, for UTF-8 with other bytes in it and for nothing else."""

from __future__ import annotations

import io
import os
import re
import stat
import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

import click

from feedcharset.charsets.lookup import Charset, by_name, lookup
from feedcharset.cli.output_file import output_file, refuse_onto_input, regular_file
from feedcharset.cli.terminal import (
    EXIT_OK,
    EXIT_UNUSABLE,
    mojibake_option,
    note,
    progress,
    report_error,
    standard_input,
)
from feedcharset.results import Repairs, Resolution
from feedcharset.results.explanation import counted, visible
from feedcharset.text.options import CESU8, REPAIR_ERRORS, Cesu8, Mojibake, RepairErrors

if TYPE_CHECKING:
    from feedcharset.validate.western_words import LettersAmongUtf8

REPAIR_HELP = """Convert UTF-8 that is mixed with other bytes to UTF-8.

Well-formed UTF-8 is kept byte for byte, unless it closes by chance a quotation in windows-1252; every
other byte becomes the character that it is in windows-1252, or what --errors names; an XML declaration
that names another encoding is changed to UTF-8, and a UTF-16 or UTF-32 byte order mark before what is in
neither goes. A filter: it reads each FILE, or standard input, and writes one after the other to standard
output; where one of them is missing, none. Files may be larger than memory.

Refused, so that nothing is destroyed: what is compressed or binary, and what is in another encoding as a
whole, by its byte order mark, its bytes or its declaration (UTF-16, windows-1251, Shift_JIS ...). --force
converts the latter from that encoding, unless it has UTF-8, too; standard error says how many places do not
decode in it and become U+FFFD, and how many characters are for private use. What seems to be DOS or Mac text
is refused, too; `feedcharset cat --encoding LABEL` converts it. So is UTF-8 in which other bytes are words of
another script, such as Russian in windows-1251, or in another page of its language, such as Czech in
windows-1250, unless --errors is space or replace.

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

TEXT_SPAN = 8000
"""Bytes in which a NUL means that a file is no text: as git does."""

CONTROL_BYTES = bytes([*range(9), *range(0x0E, 0x1B), *range(0x1C, 0x20), 0x7F])
SEPARATORS = bytes([0x01, 0x08, *range(0x1C, 0x20)])
"""Control characters with which text may begin: separators of fields (Hive), of records (JSON text sequences,
RFC 7464) and of mails (MMDF), and bold words of manual pages."""

SIGNATURE_SPAN = 8
"""First bytes in which any other control character belongs to a binary format, however few follow: .mo begins
with DE 12 04 95, .qm with 3C B8 64 18, .dbf and .bcmap with 03. Of 240,000 text files of a system only those
in UTF-16, UTF-32 and ISO-2022-KR have one there."""

NOISE_SPAN = 1024
"""First bytes that are binary where NOISE_SHARE of them are such characters, not always the same. No text of
that system has two different ones there; of deflate data of 50 bytes 94 % are refused, of 120 all."""

NOISE_SHARE = 40
"""One in so many: text that was damaged has fewer."""

_ALL_BUT_CONTROLS = bytes(set(range(0x100)).difference(CONTROL_BYTES))

CONTROL_SHARE = 20
"""One control character in 20 bytes: random bytes have one in 9, damaged text some in a megabyte."""

_WORD_END = re.compile(rb"[\s'\"<>(),;]")

LETTERS_AMONG_CODE = 24
"""Letters beyond ASCII by which words alone show another page: a few lines of names may have any."""

AS_LETTERS = ("windows-1252", "latin-1")
"""What makes letters of bytes, of `--errors`."""

_WINDOWS_1252 = by_name("windows-1252")
ODD_SHOWN = 60
"""Characters of a text that are shown: a line of a terminal has 80."""

_WITH_LENGTH = re.compile(rb's:\d++:\\?+"([^"]*+)"')
"""Strings whose length in bytes stands before them: PHP's `serialize`, in SQL, too."""

_LIKE_LABEL = re.compile(r"[\d-]|ANSEL|SCII")
"""In the name of a charset that is not known (ANSEL); names of variables and values are other words."""
_DOS_OR_MAC = (
    "it seems to be DOS or Mac text or in an encoding that nothing names; feedcharset cat --encoding "
    "IBM850 (or IBM852, macintosh ...) converts it; repair --force reads it as windows-1252"
)

_TABLE_OF_LETTERS = (
    "its letters stand alone, as in a table of them, and show no encoding; feedcharset cat --encoding LABEL "
    "converts it; repair --force reads it as windows-1252"
)

LEAST_CONTROLS = 20
"""Control characters that a few bytes of damaged text may have; 200 random bytes have more."""


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
@click.argument("files", nargs=-1, metavar="[FILE...]")
@click.option(
    "--errors",
    type=click.Choice(REPAIR_ERRORS),
    default=REPAIR_ERRORS[0],
    show_default=True,
    help="What other bytes become.",
)
@click.option(
    "--cesu8", type=click.Choice(CESU8), default="keep", show_default=True, help="For CESU-8 surrogate pairs."
)
@mojibake_option
@click.option(
    "--report", is_flag=True, help="List the changes on standard error: line, column, before, after."
)
@click.option("-i", "--in-place", is_flag=True, help="Write each FILE back under its own name.")
@click.option("--backup", is_flag=True, help="With --in-place: keep a changed file as it was as FILE.bak.")
@click.option("--force", is_flag=True, help="Convert what is in another encoding, or seems binary, too.")
@click.option("-o", "--output", metavar="FILE", help="Write here instead of standard output.")
def repair(files: tuple[str, ...], **values: Any) -> int:
    """Run the command."""
    options = RepairOptions(**values)
    if options.in_place and (options.output is not None or not files or "-" in files):
        raise click.UsageError("--in-place takes files, and no --output")
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
    file = files[0]
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
                target = opened.enter_context(
                    output_file(options.output, not_onto=not_onto, replaces=state, backup=options.backup)
                )
            for file, source in zip(files, inputs, strict=True):
                with ExitStack() as reading:
                    stream = source if file == "-" else reading.enter_context(open(file, "rb", buffering=0))
                    repaired = _RepairedInput(reading.enter_context(progress(stream, file)), options)
                    for piece in repaired.pieces():
                        target.write(piece)
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
    except (OSError, ValueError) as error:
        report_error(file, error)
        return EXIT_UNUSABLE
    return EXIT_OK


def is_binary(data: bytes, least: int = LEAST_CONTROLS, *, surely: bool = False) -> bool:
    """Return True where some 8,000 bytes have as many control characters as binary data has.

    Args:
        data: bytes of a file.
        least: so many control characters, and one more, are needed in any case.
        surely: what a file system has filled with NULs is not binary.
    """
    if surely:
        data = re.sub(rb"\0{2,}+", b"\0", data)
    for at in range(0, len(data), TEXT_SPAN):
        span = data[at : at + TEXT_SPAN]
        controls = len(span) - len(span.translate(None, CONTROL_BYTES))
        if controls > max(least, len(span) // CONTROL_SHARE):
            return True
    return False


def has_signature(data: bytes) -> bool:
    """Return True where a file begins as a binary format does; a lost block of NULs is none."""
    first = data[:SIGNATURE_SPAN].translate(None, SEPARATORS)
    if first.strip(b"\0") and len(first) > len(first.translate(None, CONTROL_BYTES)):
        return True
    beginning = data[:NOISE_SPAN].translate(None, SEPARATORS + b"\0")  # numbers of four bytes have both
    controls = beginning.translate(None, _ALL_BUT_CONTROLS)
    many = len(set(controls)) > 1 and len(controls) > len(beginning) // NOISE_SHARE
    return many or bool(beginning[:SIGNATURE_SPAN].translate(None, _ALL_BUT_CONTROLS))


class _RepairedInput:
    """One input as UTF-8, in pieces.

    Its bytes are held back twice: the first ones, in which a byte order mark, a pattern, a declaration or
    binary data show; and from the first non-ASCII byte on the window in which `resolve` finds a charset. Then
    each piece is repaired, or, where the input is in another charset and --force is given, decoded. Pieces in
    which something is repaired must not be binary either: text may stand before it, as in an installer.
    """

    def __init__(self, stream: BinaryIO, options: RepairOptions) -> None:
        from feedcharset.reading.byte_streams import CallerStream
        from feedcharset.reading.western_detection import PartCharsets

        self._stream = CallerStream(stream)
        self._parts = PartCharsets()
        self._options = options
        self._feed: Any = None
        self._repairs: Any = None
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
        self._expect_mixture: Any = None
        self._letters: LettersAmongUtf8 | None = None
        """Judges the bytes that are not UTF-8."""
        self._declared: Charset | None = None
        """The charset that the declaration names."""
        self._plain = True
        """ASCII is the same in its charset: its control characters are no text."""
        self._guessed = False
        """No label names the charset that the input is in."""
        self._alone = False
        """It is windows-1252 by convention, and UTF-8 by no means."""
        self._lengths = ""

    @property
    def changed(self) -> bool:
        """What was written differs from the input; most declarations are true of ASCII as they are."""
        label = self._relabelled and not (self._is_ascii and self._names_superset)
        return bool(self._converted or self._repairs().count or label or self._skipped)

    def told(self) -> list[str]:
        """What is told beside the text, "" for nothing: bytes that the charset of a conversion does not have;
        characters that no font has; the label that a changed text names still that is no XML; texts whose
        letters or signs may be others, too few to be refused; what became longer behind its length.
        """
        from feedcharset.text.utf8_repair import repair as repaired

        lost = private = stale = odd = ""
        if places := dict(self._repairs().kinds).get("bytes", 0) if self._converted else 0:
            lost = f"{counted(places, 'place')} not in {self._converted}, replaced"
        if self._private:
            characters = counted(self._private, "character")
            private = f"{characters} for private use in {self._converted}: it may be in another encoding"
        declared = self._declared
        if declared is not None and declared.name != "UTF-8" and self.changed and not self._relabelled:
            stale = f"it still names {declared.name} as its encoding, and is UTF-8 now"
        if self._letters and self._letters.odd:
            first = repaired(self._letters.first_odd.encode("utf-8", "surrogateescape")).data.decode()
            odd = (
                f"{counted(self._letters.odd, 'text')} with letters or signs that no western language has "
                f"together may be in another encoding: {visible(first.strip()[:ODD_SHOWN])}"
            )
        return [lost, private, stale, odd, self._lengths]

    def pieces(self) -> Iterator[bytes]:
        """The pieces; the first has the whole declaration, which names UTF-8 then.

        Raises:
            ValueError: the input is refused.
        """
        from feedcharset.evidence.declaration import DECLARATION_LIMIT
        from feedcharset.evidence.document_head import PREFIX_LIMIT

        repaired = self._pieces()
        first = b""
        for piece in repaired:
            first += piece
            if len(first) >= PREFIX_LIMIT + DECLARATION_LIMIT:
                break
        yield self._relabel(first)
        yield from repaired

    def _pieces(self) -> Iterator[bytes]:
        from feedcharset.evidence.document_head import BINARY_FORMATS, HEAD_LIMIT, document_kind, gather_facts
        from feedcharset.evidence.language_detector import SEARCHED, TAGGED
        from feedcharset.evidence.window import LOOKAHEAD, first_non_ascii
        from feedcharset.reading.byte_streams import read_whole
        from feedcharset.reading.utf8_stream import CHUNK
        from feedcharset.validate.western_words import LettersAmongUtf8

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
        charset = self._other_charset(head, complete)
        if charset is None or charset.ascii_compatible:  # then the window decides
            first = head[:TEXT_SPAN]
            signed = has_signature(first)
            if signed or b"\0" in first or is_binary(first, 0):
                self._refuse_binary(first, surely=signed)
            self._begin(charset=None)
            before = b""
            while held and first_non_ascii(held) < 0:
                before = held[-3:]
                yield self._repaired(held)
                held = read_whole(self._stream.read, CHUNK)
            self._is_ascii = not held
            if held:
                wanted = first_non_ascii(held) + LOOKAHEAD
                opening = b"" if held is head else head
                held += read_whole(self._stream.read, wanted - len(held))
                charset = self._other_charset(opening + held, len(held) < wanted)
                self._letters = LettersAmongUtf8((opening + held)[:TAGGED], held[:SEARCHED], self._declared)
                if self._western and self._options.errors == "windows-1252":
                    self._refuse_misfits(held)
                    yield self._feed(b"", True)  # ASCII that a run of mojibake="fix" holds back
                    self._begin_as("windows-1252")
                elif self._mixed and self._options.errors == "windows-1252":
                    self._expect_mixture(before)
        if charset is not None and held:
            if self._feed is not None:
                yield self._feed(b"", True)
            self._begin(charset, held)
        while held:
            yield self._repaired(held)
            held = read_whole(self._stream.read, CHUNK)
        yield self._repaired(b"", final=True)

    def report(self) -> Iterator[str]:
        """The lines of --report."""
        repairs: Repairs = self._repairs()
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
        if self._places is not None:
            yield from self._places.lines
        if repairs.count > len(repairs.offsets):
            yield f"and {repairs.count - len(repairs.offsets):,} more"
        if not (self._converted or repairs or self._relabelled or self._skipped):
            yield "nothing to repair"

    def _begin(self, charset: Charset | None, data: bytes = b"") -> None:
        from feedcharset.text.utf8_repair import Utf8Repairer

        options = self._options
        if charset is None:
            repairer = Utf8Repairer(errors=options.errors, cesu8=options.cesu8, mojibake=options.mojibake)
            self._feed, self._repairs = repairer.feed, lambda: repairer.repairs
            self._expect_mixture = repairer.expect_mixture
            if options.errors == "windows-1252":
                repairer.expect_quotations()
            return
        self._plain = charset.ascii_compatible
        self._other = charset if charset.family in ("single", "CJK") else None
        self._refuse_mixture(data)
        if not options.force:
            seen = "seems to be" if self._guessed else "is"
            raise ValueError(
                f"the file {seen} in {charset.name}, not UTF-8 with other bytes in it; "
                f"--force converts it from {charset.name}"
            )
        self._begin_as(charset.name)

    def _begin_as(self, name: str) -> None:
        from feedcharset.text.xml_decoder import XmlDecoder
        from feedcharset.validate.fixes import PRIVATE_USE

        options = self._options
        decoder = XmlDecoder(
            encoding=name, errors=options.errors, declaration="keep", mojibake=options.mojibake
        )
        self._converted = name
        self._ascii_before = self._read
        self._repairs = lambda: decoder.repairs

        def feed(data: bytes, final: bool) -> bytes:
            text = decoder.decode(data, final)
            if self._other is not None and self._other.family == "CJK":
                self._private += len(PRIVATE_USE.findall(text))
            return text.encode("utf-8", "replace")

        self._feed = feed

    def _repaired(self, data: bytes, final: bool = False) -> bytes:
        self._refuse_mixture(data)
        if not self._options.force and (part := self._parts.misread_in(data, final)):
            raise ValueError(
                f"a part is declared as {part}, others are not; convert each part from its own encoding; "
                "--force reads them as windows-1252"
            )
        self._read += len(data)
        before = self._repairs().count
        fixed: bytes = self._feed(data, final)
        repaired = self._repairs().count > before and not self._converted
        if (repaired or self._converted) and self._options.errors != "space":
            strings = b'"'.join(_WITH_LENGTH.findall(data))
            kept = strings.decode("ascii" if self._converted else "utf-8", "ignore").encode()
            if kept != strings:
                self._lengths = "strings with their length before them (s:4:) became longer: count them again"
        if repaired:
            self._refuse_misfits(data)
        elif self._plain and self._converted and is_binary(data):
            self._refuse_binary(data)
        if self._places is not None:
            offsets = (self._ascii_before + offset for offset in self._repairs().offsets)
            self._places.add(data, offsets, converted=bool(self._converted))
        return fixed

    def _relabel(self, data: bytes) -> bytes:
        """The first bytes with a declaration that names UTF-8."""
        from feedcharset.evidence.declaration import parse_declaration
        from feedcharset.evidence.document_head import find_document

        start = find_document(data)[1]
        declaration = parse_declaration(data[start:].decode("latin-1"))
        if declaration is None or declaration.encoding is None:
            return data
        charset = lookup(declaration.encoding, lenient=True)
        if charset is not None and charset.name == "UTF-8":
            return data
        self._names_superset = charset is not None and charset.ascii_compatible
        before, after = start + declaration.start, start + declaration.end
        label = declaration.encoding.encode("latin-1")
        name, _, end = data[before:after].rpartition(label)
        written = name + b"UTF-8" + end if end in (b'"', b"'") else b' encoding="UTF-8"'
        self._relabelled = visible(declaration.encoding), "UTF-8"
        return data[:before] + written + data[after:]

    def _other_charset(self, data: bytes, complete: bool) -> Charset | None:
        from feedcharset.decide.lenient_principles import is_mixture
        from feedcharset.validate.fixes import has_chance_sequences
        from feedcharset.validate.western_words import is_dos_or_mac

        force, text = self._options.force, data.removeprefix(b"\xef\xbb\xbf")
        file = JudgedFile(data, complete=complete, force=force)
        answer = file.judge()
        if isinstance(answer, str):
            raise ValueError(answer)
        self._declared, self._guessed = file.declared, file.guessed
        self._mixed = answer == _WINDOWS_1252
        charset = None if self._mixed or answer.name == "UTF-8" else answer
        self._alone = self._guessed and charset is None and not file.is_utf8
        western = self._mixed and not is_mixture(file.resolution)
        has_sequences = western and complete and not text.decode("utf-8", "ignore").isascii()
        dos_or_mac = has_sequences and force and not file.is_utf8 and is_dos_or_mac(data)
        self._western = has_sequences and (dos_or_mac or has_chance_sequences(text))
        return charset

    def _refuse_mixture(self, data: bytes) -> None:
        from feedcharset.validate.text_findings import utf8_in_charset

        if self._other is not None and (found := utf8_in_charset(data, self._other)):
            offset, text = self._skipped + self._read + found[0], visible(found[1][:40])
            raise ValueError(
                f"the file is in {self._other.name}, but at byte {offset} it has UTF-8: {text}; "
                "convert each part from its own encoding"
            )

    def _refuse_misfits(self, data: bytes) -> None:
        from feedcharset.evidence.scripts import SIGNS_OF_LATIN_9, is_latin_9
        from feedcharset.validate.western_words import binary_among_utf8, without_utf8

        if is_binary(data) or binary_among_utf8(data):
            self._refuse_binary(data)
        if self._options.force or self._options.errors not in AS_LETTERS:
            return
        letters = self._letters and self._letters.found_in(data)
        signs = self._alone and any(map(data.__contains__, SIGNS_OF_LATIN_9))
        if signs and is_latin_9(without_utf8(data)):
            letters = "in ISO-8859-15"
        if letters:
            raise ValueError(
                f"the bytes that are not UTF-8 seem to be {letters}, not in windows-1252; "
                "--errors replace marks them, --force reads them as windows-1252"
            )

    def _refuse_binary(self, data: bytes, *, surely: bool = False) -> None:
        surely = surely or is_binary(data, surely=True)
        if surely or not self._options.force:
            raise ValueError(
                "the file is binary, or text in an encoding that nothing names; "
                "feedcharset cat --encoding LABEL converts text"
                + ("" if surely else ", --force repairs what is neither")
            )


def refusal(data: bytes) -> str | None:
    """Return why `repair` without options refuses bytes; None where it converts them."""
    try:
        for _ in _RepairedInput(io.BytesIO(data), RepairOptions()).pieces():
            pass
    except ValueError as error:
        return str(error)
    return None


def _resolve(data: bytes, *, complete: bool) -> Resolution:
    """The decision; the charset that a text names itself is its label and its declaration."""
    from feedcharset.decide.resolve import resolve
    from feedcharset.reading.western_detection import named_in_text

    resolution, label = resolve(data, complete=complete), named_in_text(data)
    charset = lookup(label or "", lenient=True)
    if charset is not None and charset.family in ("single", "CJK", "ISO-2022-JP"):
        resolution = resolve(data, f"text/plain; charset={label}", complete=complete)
    elif charset is not None or not (label and _LIKE_LABEL.search(label)):
        return resolution
    return resolution._replace(facts=resolution.facts._replace(declared=label))


class JudgedFile:
    """What a file is: the facts, and the charset that follows from them.

    Attributes:
        resolution: the decision, without a UTF-8 BOM before what is hardly UTF-8.
        declared: the charset of its label.
        charset: that of the resolution; UTF-8 where its label is not known.
        is_utf8: UTF-8 prevails.
        guessed: no label names the charset.
    """

    def __init__(self, data: bytes, *, complete: bool, force: bool = False) -> None:
        from feedcharset.decide.thresholds import LATIN, hopeless_utf8
        from feedcharset.validate.reading_comparison import GUESSING_STEPS

        resolution = _resolve(data, complete=complete)
        utf8 = resolution.facts.body.utf8
        self.is_utf8: bool = utf8 is not None and not hopeless_utf8(utf8)
        if resolution.facts.bom == "UTF-8" and utf8 is not None and not self.is_utf8:
            resolution = _resolve(data[3:], complete=complete)
        self.label: str | None = resolution.facts.declared
        self.declared: Charset | None = lookup(self.label or "", lenient=True)
        charset = lookup(resolution.encoding, lenient=True) or by_name("UTF-8")
        self.has_sequences: bool = not data.decode("utf-8", "ignore").isascii()
        if not self.has_sequences and charset == _WINDOWS_1252 and resolution.rule in GUESSING_STEPS:
            # INSERT INTO ... VALUES is no text: its letters are not those of the strings
            words = b" ".join(word for word in _WORD_END.split(data) if not word.isascii())
            again = _resolve(words, complete=complete)
            other, letters = lookup(again.encoding, lenient=True), again.facts.body.detected
            enough = letters is not None and letters.counted >= LETTERS_AMONG_CODE
            if enough and other is not None and other.page in LATIN and other.superset != _WINDOWS_1252.name:
                charset, resolution = other, again
        self.data: bytes = data
        self.complete: bool = complete
        self.force: bool = force
        self.charset: Charset = charset
        self.resolution: Resolution = resolution
        self.guessed: bool = resolution.rule in GUESSING_STEPS
        # It is refused where its words are none. Binary data is refused elsewhere.
        self.doubtful: bool = not (self.is_utf8 or force or has_signature(data) or is_binary(data))

    def judge(self) -> Charset | str:
        """Return the charset of the file: windows-1252 for western text, UTF-8 for what is mostly UTF-8; or
        why it is refused. The first that answers decides."""
        from feedcharset.charsets.decoders import count_damage
        from feedcharset.decide.thresholds import LATIN
        from feedcharset.evidence.language_detector import UNNAMED
        from feedcharset.validate.fixes import has_no_words, is_table
        from feedcharset.validate.western_words import (
            another_encoding,
            has_odd_signs,
            has_only_signs,
            is_western,
        )

        data, charset, declared = self.data, self.charset, self.declared
        if declared is not None and declared.refused:  # UTF-7
            return f"the file is declared as {declared.name}, which is not converted"
        if declared is not None and declared.family == "ISO-2022-JP" and b"\x1b" in data and not self.force:
            seen = "the file is declared as ISO-2022-JP, and"
            if self.has_sequences:
                return f"{seen} has UTF-8, too; convert each part from its own encoding"
            if self.resolution.encoding != "ISO-2022-JP":
                return f"{seen} its escape sequences are damaged; --force repairs it as UTF-8"
        # Words in an East Asian charset: traditional Chinese in GB18030 has UTF-8 by chance.
        found = self.resolution.facts.body.detected
        best = lookup(found.label) if found is not None else None
        if best is not None and best.family == "CJK" and not is_western(data, mixed=True):
            is_wrong = has_no_words(data, best) or count_damage(best, data, final=self.complete).places
            if not is_wrong:
                return best
        if charset.family in ("UTF-8", "US-ASCII"):
            return by_name("UTF-8")
        # The letters may fit a page best in which they are no words: `Kšln`.
        no_words = self.guessed and charset.superset != _WINDOWS_1252.name and has_no_words(data, charset)
        as_western = charset.name in ("ISO-8859-1", "windows-1252")
        if not (no_words or as_western) and self.guessed and charset.page in LATIN:
            as_western = has_only_signs(data)  # all that it would read otherwise touches no letter
        if (
            not (no_words or as_western or self.has_sequences)
            and charset.family == "single"
            and charset.codec
        ):
            high = bytes(byte for byte in range(0x80, 0x100) if byte in data)
            as_western = high.decode(charset.codec, "replace") == high.decode("cp1252", "replace")
        if self.label and declared is None and not (self.is_utf8 or self.force):
            seen = (_WINDOWS_1252 if no_words or as_western else charset).name
            return (
                f"the file is declared as {visible(self.label)}, a charset that is not known here; "
                f"repair --force reads it as {seen}"
            )
        if no_words:
            return _DOS_OR_MAC if self.doubtful else _WINDOWS_1252
        if not as_western:
            return charset
        if self.doubtful:
            other = another_encoding(data)
            if has_odd_signs(data) if other is None else other.label in UNNAMED:
                return _DOS_OR_MAC
            if other is not None and (named := lookup(other.label)) is not None:
                return named
            if declared is None and is_table(data):
                return _TABLE_OF_LETTERS
        return _WINDOWS_1252


class _Places:
    """Where the changes are: line, column, what stood there and what it became.

    Columns count each undecodable byte as one character. The last bytes are kept: a change of mojibake is
    known when its line has ended.

    Args:
        skipped: bytes of the input before those that are added.
    """

    KEPT = 512 * 1024
    """Bytes: a run that `mojibake="fix"` holds back has 73,728 characters at most."""

    def __init__(self, options: RepairOptions, skipped: int) -> None:
        from feedcharset.text.source_positions import LinePosition

        self.lines: list[str] = []
        self._options = options
        self._skipped = skipped
        self._position = LinePosition()
        self._base = 0
        self._kept = b""
        self._seen: set[int] = set()

    def add(self, data: bytes, offsets: Iterable[int], *, converted: bool) -> None:
        """Add the next bytes of the input, and the offsets of all changes until now."""
        from feedcharset.evidence.damaged_utf8 import BEFORE_CHANCE

        self._kept += data
        for offset in offsets:
            if offset not in self._seen:
                self._seen.add(offset)
                if converted:  # lines and columns of the input are not known
                    byte = self._kept[offset - self._base]
                    self.lines.append(f"byte {self._skipped + offset}: {byte:02X} was replaced")
                    continue
                position, at = self._position.copy(), offset - self._base
                position.advance(self._kept[:at].decode("utf-8", "surrogateescape"))
                first = max(at - BEFORE_CHANCE, 0)
                before, after = self._change(self._kept[at : at + 400], self._kept[first:at])
                self.lines.append(
                    f"line {position.line}, column {position.column} (byte {self._skipped + offset}): "
                    f"{visible(before)} became {visible(after)}"
                )
        cut = len(self._kept) - self.KEPT
        if cut > self.KEPT:
            while self._kept[cut] & 0xC0 == 0x80 and self._kept[cut - 1] > 0x7F:
                cut -= 1
            self._position.advance(self._kept[:cut].decode("utf-8", "surrogateescape"))
            self._kept = self._kept[cut:]
            self._base += cut

    def _change(self, data: bytes, before: bytes) -> tuple[str, str]:
        from feedcharset.evidence.damaged_utf8 import by_chance
        from feedcharset.text.mojibake import fix_run
        from feedcharset.text.utf8_repair import repair as repaired

        options = self._options
        text = data.decode("utf-8", "surrogateescape")
        if not 0xDC80 <= ord(text[0]) <= 0xDCFF and (0, len(text[0].encode())) not in by_chance(data, before):
            edits = fix_run(text.partition("<")[0].partition("\n")[0])
            return (
                (text[: edits[0].end], edits[0].text) if edits and not edits[0].start else (text[:8], "...")
            )
        size = 1
        if options.cesu8 == "join" and repaired(data[:6], cesu8="join").repairs.kinds == (("cesu-8", 1),):
            size = 6
        elif options.errors == "replace":
            try:
                data.decode()
            except UnicodeDecodeError as error:
                size = error.end
        fixed = repaired(data[:size], errors=options.errors, cesu8=options.cesu8).data.decode()
        return data[:size].hex(" ").upper(), "a space" if fixed == " " else fixed
