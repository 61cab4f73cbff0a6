"""The commands: all of them by name, and the short ones: `cat`, `detect` and `explain`.

A module of another command is imported when the command is called.
"""

from __future__ import annotations

import os
import re
import sys
from codecs import utf_8_decode
from collections.abc import Callable, Iterator
from contextlib import ExitStack, nullcontext, suppress
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

import click

from feedcharset import __version__
from feedcharset.cli.output_file import output_file, refuse_onto_input
from feedcharset.cli.terminal import (
    EXIT_FINDINGS,
    EXIT_OK,
    EXIT_UNUSABLE,
    complete_file,
    content_type_option,
    expected_source,
    note,
    open_bytes,
    output_option,
    policy_option,
    progress,
    reason_of,
    report_error,
    show,
    shown_name,
    standard_input,
    text_options,
)
from feedcharset.errors import DecodeError, ResolutionError, TruncatedBody
from feedcharset.evidence.document_head import first_non_ascii
from feedcharset.results import Resolution
from feedcharset.results.explanation import as_plain, counted, visible

if TYPE_CHECKING:
    from feedcharset.reading.xml_reader import XmlReader

COMMANDS = {
    "batch": "Decode the feeds of a crawl: WARC, Parquet or folders to Parquet.",
    "cat": "Print a feed's text as UTF-8.",
    "check": "Find errors in a feed's encoding and media type, with the fix.",
    "detect": "Distinguish US-ASCII, UTF-8, ISO-8859-15 and windows-1252.",
    "explain": "Show in which encoding a feed opens, and why.",
    "repair": "Convert UTF-8 mixed with other bytes to UTF-8 (a filter).",
}

HELP = """Open XML feeds in the right charset, and show why.

SOURCE is an http(s) URL, a file, or - for standard input, which is read where no SOURCE is named.

\b
Examples:
  feedcharset explain https://example.org/feed.xml
  feedcharset cat feed.xml | xmllint --noout -
  feedcharset check --content-type 'text/xml' feed.xml
  feedcharset detect *.xml
  feedcharset repair < mixed.xml > clean.xml

\b
Exit codes: 0 fine; 1 findings, or none detected; 2 usage, or a source that
cannot be read; 130 interrupted.

\b
Completion in the shell, for ~/.bashrc (zsh and fish: zsh_source, fish_source):
  eval "$(_FEEDCHARSET_COMPLETE=bash_source feedcharset)"
"""


class _Commands(click.Group):
    """The commands, each imported when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command
        if cmd_name == "check":  # each written out, so that programs that freeze others find it
            from feedcharset.cli.check import check as command
        elif cmd_name == "repair":
            from feedcharset.cli.repair import repair as command
        elif cmd_name == "batch":
            from feedcharset.cli.batch import batch as command
        else:
            command = globals()[cmd_name]
        return command

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """The command that the arguments name.

        Raises:
            UsageError: none; it names the nearest.
        """
        name = args[0]
        if name in COMMANDS:
            return super().resolve_command(ctx, args)
        if name[:1].isalnum() and (near := get_close_matches(name.lower(), COMMANDS, 1)):
            ctx.fail(f"No such command {name!r}. Did you mean {near[0]!r}?")
        if os.path.exists(name) or "://" in name:
            ctx.fail(f"No such command {name!r}. Put a command before it: explain, check or cat.")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List them without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl(sorted(COMMANDS.items()))


@click.group(cls=_Commands, help=HELP, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="feedcharset")
def feedcharset() -> None:
    """The group."""


CAT_HELP = """Print the text of SOURCE as UTF-8, without BOM.

The encoding in the XML declaration is blanked, so the output can go to any parser. If a declaration further
down names another encoding, standard error says so.

\b
Examples:
  feedcharset cat feed.xml | xmllint --noout -
  feedcharset cat https://example.org/feed.xml -o feed.utf8.xml
  feedcharset cat --xml-chars replace --mojibake fix old.xml > new.xml

Exit codes: 0 fine, also where bytes that do not decode were replaced; 1 the strict rules refuse (--strict), a
byte does not decode (--strict, --errors strict), or the gzip data of SOURCE is cut off, damaged or followed
by other bytes: the text is what could be read, and with -o no file is written; 2 usage, or a source that
cannot be read, as a download that is cut off, or begins as binary data does.
"""


def _known_encoding(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    from feedcharset.charsets.lookup import lookup

    if value is not None:
        charset = lookup(value, lenient=True)
        if charset is None or charset.refused:
            raise click.BadParameter(f"{value!r} names no encoding that can be read")
    return value


BINARY_SPAN = 4096
"""First bytes of the text by which it is none."""


def _binary(text: bytes) -> str:
    """Return why what begins as a binary format does is no text; "" for text, as for markup behind control
    characters. A character of it counts as a byte."""
    from feedcharset.validate.file_charset import has_signature, unnamed_utf16

    first = text.decode("utf-8", "ignore").encode("latin-1", "replace")
    only_nuls = len(text) > len(text.strip(b"\0")) == 0  # what a crash left of a file
    if re.match(rb"[\0- \x7f]*+<[A-Za-z!?]", text) or not (only_nuls or has_signature(first)):
        return ""
    if wide := unnamed_utf16(first):
        return f"it seems to be {wide} without a BOM; --encoding {wide} reads it"
    return "it is binary, or text in an encoding that nothing names; --encoding LABEL names it"


SEEN_BYTES = 1 << 16
"""First bytes of a file by which it is UTF-8 whatever the caller names: a whole feed, mostly."""


def _is_utf8(path: str) -> bool:
    """Return True where the first bytes of a file are well-formed UTF-8, with characters beyond ASCII."""
    with suppress(OSError, UnicodeDecodeError), open(path, "rb") as file:
        first = file.read(SEEN_BYTES)
        return not utf_8_decode(first, "strict", len(first) < SEEN_BYTES)[0].isascii()
    return False


@click.command(help=CAT_HELP)
@click.argument("source", default="-", shell_complete=complete_file)
@output_option("Write here instead of standard output.")
@click.option("--strict", is_flag=True, help="The rules as published; exit 1 where they refuse.")
@content_type_option
@policy_option
@click.option(
    "--encoding",
    metavar="LABEL",
    callback=_known_encoding,
    help="Read in this encoding, and ignore the labels.",
)
@text_options
@click.option("--keep-declaration", is_flag=True, help="Leave the encoding in the XML declaration.")
def cat(source: str, output: str | None, strict: bool, keep_declaration: bool, **options: Any) -> int:
    from feedcharset.evidence.document_head import BINARY_FORMATS
    from feedcharset.reading.sources import ExpectedSource
    from feedcharset.reading.xml_reader import XmlReader

    options |= {"lenient": not strict, "declaration": "keep" if keep_declaration else "blank"}
    output = None if output == "-" else output
    try:
        with ExitStack() as opened:
            expected = expected_source(source)
            if expected.kind == "path" and output is not None:
                # Beside text on the terminal a progress bar would be in the way.
                file = opened.enter_context(open(source, "rb", buffering=0))
                expected = ExpectedSource("stream", opened.enter_context(progress(file, source)))
            reader = opened.enter_context(XmlReader(expected, closefd=source != "-", **options))
            if what := BINARY_FORMATS.get(reader.resolution.facts.body.kind or ""):
                raise ValueError(f"it is {what}, which is no text")
            if output is None:
                refuse_onto_input((source,))
                target: Any = sys.stdout.buffer
            else:
                target = opened.enter_context(output_file(output, not_onto=(source,)))
            stream = reader.utf8(xml_chars="keep")
            first = _write_text(stream, target, text_alone=options["encoding"] is None)
            for told in _about_text(reader, first, source, options["encoding"], keep_declaration):
                note(f"feedcharset: {visible(shown_name(source))}: {told}")
            if any(kind == "gzip" for kind, _ in reader.repairs.kinds):
                what = "the text is what could be read"
                if output is not None:
                    target.kept, what = True, "no file is written with -o"
                why = f"the gzip data is cut off, damaged or followed by other bytes: {what}"
                report_error(source, ValueError(why))
                return EXIT_FINDINGS
    except (OSError, ValueError, MemoryError) as error:
        report_error(source, error)
        broken = isinstance(error, TruncatedBody) and error.of_gzip
        refused = isinstance(error, (ResolutionError, DecodeError))
        return EXIT_FINDINGS if broken or refused else EXIT_UNUSABLE
    return EXIT_OK


def _write_text(stream: Any, target: Any, *, text_alone: bool) -> bytes:
    """Write all of a stream; return its first bytes.

    Raises:
        ValueError: they are binary data, and `text_alone` is to be written.
    """
    first = b""
    try:
        while len(first) < BINARY_SPAN and (piece := stream.read1(1 << 16)):
            first += piece
    finally:  # where the source breaks off, the text before it is printed
        if text_alone and (why := _binary(first)):
            raise ValueError(why)
        target.write(first)
    target.flush()
    while piece := stream.read1(1 << 16):
        target.write(piece)
        target.flush()  # it may be long until the next
    return first


def _about_text(
    reader: XmlReader, first: bytes, source: str, forced: str | None, keep_declaration: bool
) -> Iterator[str]:
    """Yield what a person should know of a text that was written; `forced`: the encoding that was named."""
    from feedcharset.charsets.lookup import lookup
    from feedcharset.cli.repair import OTHERWISE_NAMED
    from feedcharset.decide.lenient_principles import is_mixture

    if not keep_declaration and OTHERWISE_NAMED.search(first, 1):  # behind a notice, or a comment
        yield "an XML declaration further down names another encoding"
    encoding, bom = reader.encoding, reader.resolution.facts.bom
    if replaced := dict(reader.repairs.kinds).get("bytes"):
        if is_mixture(reader.resolution):
            yield f"{counted(replaced, 'byte')} among UTF-8 read as {encoding}"
        else:  # one U+FFFD may stand for three bytes
            were = "was replaced" if replaced == 1 else "were replaced"
            places = counted(replaced, "place")
            yield f"{places} did not decode as {encoding}, and {were}; --errors strict refuses them"
    elif forced and source != "-" and encoding != "UTF-8" and _is_utf8(source):
        yield f"it is well-formed UTF-8, and was read as {encoding}"
    elif forced and bom and bom != encoding:
        yield f"it begins with the BOM of {bom}, and was read as {encoding}"
    label = reader.resolution.facts.declared or ""
    if (named := lookup(label, lenient=True)) and named.refused and forced is None:
        yield f"{label} is not decoded: the text was read as {encoding}"


DETECT_HELP = """Distinguish US-ASCII, UTF-8, ISO-8859-15 and windows-1252, one line for each FILE.

Each name is the first of these four that is possible for all of the file; "unknown" where none is. No
declaration and no label is read, and no other encoding is known: text in windows-1251 or Shift_JIS is
possible as one of the four, or unknown. Where a file seems to be in another, standard error names it, and
what converts it. FILE is a path, or - for standard input.

\b
Examples:
  feedcharset detect *.xml
  feedcharset detect --offset dump.csv
  zcat feed.xml.gz | feedcharset detect -q
  feedcharset detect --json *.txt | jq -r 'select(.encoding == null).file'

Exit codes: 0 all detected; 1 none possible for some file; 2 usage, or a file that cannot be read.
"""

HINT_SPAN = 64 * 1024
"""Bytes by which another encoding is recognized: the first ones, or those where text beyond ASCII begins."""

LABEL_SPAN = 4 * 1024
"""Bytes at the beginning, which may name an encoding, and before that text."""


@click.command(help=DETECT_HELP)
@click.argument("files", nargs=-1, metavar="[FILE...]", shell_complete=complete_file)
@click.option("--offset", is_flag=True, help="Show which byte ruled the last encoding out.")
@click.option("-q", "--quiet", is_flag=True, help="Only the encodings, without the files' names and hints.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line for each file.")
def detect(files: tuple[str, ...], offset: bool, quiet: bool, as_json: bool) -> int:
    from feedcharset.fetch.gunzip import PieceStream
    from feedcharset.reading.byte_streams import CallerStream
    from feedcharset.reading.western_detection import detect_stream

    code, files = EXIT_OK, files or ("-",)
    refuse_onto_input(files)
    for file in files:
        try:
            with (
                nullcontext(standard_input()) if file == "-" else open(file, "rb", buffering=0) as source,
                progress(source, file) as stream,
            ):
                judged = _Judged(CallerStream(stream).read)
                whole: Any = PieceStream(judged.read)
                detection = detect_stream(whole)
        except (OSError, ValueError, MemoryError) as error:
            code = EXIT_UNUSABLE
            report_error(file, error)
            continue
        if detection.encoding is None:
            code = max(code, EXIT_FINDINGS)
        if as_json:
            import json

            click.echo(json.dumps({"file": file, **detection._asdict()}))
            continue
        found = detection.encoding or "unknown"
        if offset and detection.encoding is None:
            found += f" (byte {detection.offset})"
        click.echo(found if quiet else f"{visible(file)}: {found}")
        if not quiet and (hint := judged.hint(detection.encoding, detection.offset or 0)):
            note(f"feedcharset: {visible(file)}: {hint}")
    return code


class _Judged:
    """The bytes of an input by which another encoding is recognized."""

    def __init__(self, read: Callable[[int], bytes]) -> None:
        self._read = read
        self._start = self._length = 0
        self._data = b""

    def read(self, size: int) -> bytes:
        piece, at = self._read(size), 0
        if self._data.isascii() and not piece.isascii():
            at = max(first_non_ascii(piece) - LABEL_SPAN, 0)
            if self._length + at > LABEL_SPAN:
                self._data = (self._data + piece[:LABEL_SPAN])[:LABEL_SPAN]
                self._start = self._length + at - len(self._data)
            else:  # one follows the other
                at = 0
        if len(self._data) < HINT_SPAN:
            self._data += piece[at : at + HINT_SPAN - len(self._data)]
        self._length += len(piece)
        return piece

    def hint(self, encoding: str | None, offset: int) -> str:
        """Which command shows more, where a file seems to be in another encoding than the four, or in two."""
        whole = self._start + len(self._data) == self._length
        return _hint(encoding, offset, self._data, self._start, complete=whole)


def _hint(encoding: str | None, offset: int, head: bytes, start: int, *, complete: bool) -> str:
    if encoding in ("US-ASCII", "UTF-8"):
        return ""
    from feedcharset.cli.repair import refusal
    from feedcharset.evidence.document_head import BINARY_FORMATS, document_kind
    from feedcharset.validate.file_charset import (
        JudgedFile,
        PartCharsets,
        unnamed_utf16,
        utf16_seen,
        utf16_within,
    )

    if what := BINARY_FORMATS.get(document_kind(head, 0, complete=False) or ""):
        return f"the file is {what}, which is no text"
    if encoding is None and (wide := unnamed_utf16(head[:LABEL_SPAN])):
        return f"it seems to be {wide} without a BOM; feedcharset cat --encoding {wide} converts it"
    file = JudgedFile(head, complete=complete)
    answer = file.judge()
    if isinstance(answer, str):
        return answer
    if answer.name not in ("UTF-8", "windows-1252", "ISO-8859-15"):
        several = len(PartCharsets.named_in(b"\n" + head)) > 1
        otherwise = several or JudgedFile(head, complete=complete, force=True).judge() != answer
        if refused := (otherwise and refusal(head)) or refusal(head, force=True):
            return f"feedcharset repair refuses it: {refused}"
        return f"probably {answer.name}, which is none of the four; feedcharset repair --force converts it"
    if encoding is None and len(utf_8_decode(head, "ignore")[0].encode()) == len(head):
        if (at := utf16_within(head)) >= 0:
            return utf16_seen(start + at)
        if _binary(head):
            return "it is binary, or text in an encoding that nothing names"
        if offset < start + len(head):
            return "UTF-8 or US-ASCII, with control characters in it"
        found = "a control character, or another encoding; see feedcharset repair --report"
        return f"UTF-8 or US-ASCII up to byte {offset}, where there is {found}"
    if file.is_utf8:
        refused = refusal(head)
        more = f"feedcharset repair refuses it: {refused}" if refused else "see feedcharset repair"
        return f"UTF-8 with other bytes in it; {more}"
    return "" if encoding else "none of the four; see feedcharset explain"


EXPLAIN_HELP = """Show in which encoding each SOURCE opens, and why.

Prints the facts (byte order mark, declaration, Content-Type, body), the rules and steps that were tried,
the decision, and what each kind of consumer reads: one that follows RFC 3023, one that follows RFC 7303, an
XML parser without HTTP, and a lenient one.

\b
Examples:
  feedcharset explain feed.xml
  feedcharset explain --strict --content-type 'text/xml' feed.xml
  curl -s https://example.org/feed | feedcharset explain --content-type application/rss+xml
  feedcharset explain --json *.xml | jq -r '.encoding'

Exit codes: 0 decided; 1 a strict rule refuses, or a byte does not decode strictly; 2 usage, or a source
that cannot be read.
"""


@click.command(help=EXPLAIN_HELP)
@click.argument("sources", nargs=-1, metavar="[SOURCE...]", shell_complete=complete_file)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line for each source.")
@click.option("--strict", is_flag=True, help="The rules as published; exit 1 where they refuse.")
@content_type_option
@policy_option
def explain(
    sources: tuple[str, ...], as_json: bool, strict: bool, content_type: str | None, policy: str
) -> int:
    import json

    from feedcharset.decide.strict_decision import readable, resolve_strictly
    from feedcharset.evidence.document_head import BINARY_FORMATS
    from feedcharset.validate.document_check import compare_readings
    from feedcharset.validate.reading_comparison import describe_reading

    code, sources = EXIT_OK, sources or ("-",)
    refuse_onto_input(sources)
    for at, source in enumerate(sources):
        try:  # to its end: the first non-ASCII byte may be there
            with open_bytes(source, content_type) as opened:
                comparison = compare_readings(opened.stream, opened.content_type, policy)
            if what := BINARY_FORMATS.get(comparison.facts.body.kind or ""):
                raise ValueError(f"it is {what}, which is no text")
        except (OSError, ValueError, MemoryError) as error:
            code = EXIT_UNUSABLE
            report_error(source, error)
            continue
        found: Resolution | ResolutionError = comparison.resolution
        readings = comparison.readings()
        if strict:
            try:
                found = resolve_strictly(comparison.strict_facts, policy=policy)
                readable(found)
            except ResolutionError as error:
                found = error
            stops = any(reading.consumer == policy and reading.outcome == "stops" for reading in readings)
            if stops or isinstance(found, ResolutionError):
                code = max(code, EXIT_FINDINGS)
        flaw = comparison.source.flaw
        if flaw and not isinstance(found, ResolutionError):
            name = visible(shown_name(source))
            note(f"feedcharset: {name}: the gzip {visible(flaw)}: the text is what could be read")
        if isinstance(found, ResolutionError):
            message = reason_of(source, found)
            plain = {"error": type(found).__name__, "message": message, "facts": as_plain(found.facts)}
            lines = [[("error", f"refused: {visible(message)}")]]
        else:
            plain = found.as_dict()
            lines = [_styled(line) for line in found.explain().splitlines()]
            if not as_json and at:
                click.echo()
        if as_json:
            click.echo(json.dumps({"source": shown_name(source), **plain, "readings": as_plain(readings)}))
            continue
        read_by = [f"  {title}: {visible(text)}" for title, text in map(describe_reading, readings)]
        show([("heading", visible(shown_name(source)))], *lines, *map(_styled, ["read by:", *read_by]))
    return code


def _styled(line: str) -> list[tuple[str, str]]:
    """A line of the explanation as pieces with a style each."""
    name, colon, rest = line.partition(": ")
    if line.startswith("encoding"):
        return [("key", name + colon), ("answer", rest)]
    return [("key", name + colon), ("", rest)] if colon else [("heading", line)]
