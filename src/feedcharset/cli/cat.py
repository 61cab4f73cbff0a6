"""`feedcharset cat`: a feed's text as UTF-8."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import click

from feedcharset.cli.output import OutputError, PipeClosed, output_file, standard_output
from feedcharset.cli.shared_options import content_type_option, policy_option, text_options
from feedcharset.cli.terminal import EXIT_FINDINGS, EXIT_OK, EXIT_UNUSABLE, open_argument, report_error

if TYPE_CHECKING:
    from feedcharset.reading.xml_reader import XmlReader

__all__ = ["cat"]

HELP = """Print the text of SOURCE as UTF-8, without BOM.

The encoding in the XML declaration is blanked, so the output can go to any parser.

\b
Examples:
  feedcharset cat feed.xml | xmllint --noout -
  feedcharset cat https://example.org/feed.xml -o feed.utf8.xml
  feedcharset cat --xml-chars replace --mojibake fix old.xml > new.xml

Exit codes: 0 fine; 1 the strict rules refuse, or a byte does not decode; 2 usage, or a source that cannot
be read.
"""


@click.command(help=HELP)
@click.argument("source")
@click.option("-o", "--output", metavar="FILE", help="Write here instead of standard output.")
@click.option("--strict", is_flag=True, help="The rules as published; exit 1 where they refuse.")
@content_type_option
@policy_option
@click.option("--encoding", metavar="LABEL", help="Read in this encoding, and ignore the labels.")
@text_options
@click.option("--keep-declaration", is_flag=True, help="Leave the encoding in the XML declaration.")
def cat(source: str, output: str | None, strict: bool, keep_declaration: bool, **options: str | None) -> int:
    """Run the command."""
    from feedcharset.errors import DecodeError, ResolutionError

    declaration = "keep" if keep_declaration else "blank"
    shown = output is not None  # beside text on the terminal a progress bar would be in the way
    try:
        with ExitStack() as opened:
            reader = opened.enter_context(
                open_argument(source, shown=shown, lenient=not strict, declaration=declaration, **options)
            )
            if output is None:
                _copy(reader, standard_output())
            else:
                _copy(reader, opened.enter_context(output_file(output, not_onto=source)))
    except (ResolutionError, DecodeError) as error:
        report_error(source, error)
        return EXIT_FINDINGS
    except (BrokenPipeError, PipeClosed, OutputError):
        raise
    except (OSError, ValueError) as error:
        report_error(source, error)
        return EXIT_UNUSABLE
    return EXIT_OK


def _copy(reader: XmlReader, target: Any) -> None:
    stream = reader.utf8(xml_chars="keep")
    while piece := stream.read(1 << 16):
        target.write(piece)
    target.flush()
