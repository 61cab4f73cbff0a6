"""The command line: `feedcharset`, a file per command but for the short ones.

Nothing but `sys` is imported here, so that Ctrl-C while the rest is imported ends without a traceback.
"""

from __future__ import annotations

import sys


def main(arguments: list[str] | None = None) -> None:
    """Run the command line, and exit with its code."""
    try:
        from feedcharset.cli.commands import feedcharset
        from feedcharset.cli.terminal import run

        code = run(feedcharset, arguments)
    except KeyboardInterrupt:
        code = 130
    sys.exit(code)
