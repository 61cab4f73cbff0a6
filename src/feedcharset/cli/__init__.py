"""The command line: `feedcharset`, a file per command but for the short ones.

Only what Python has imported before is imported here, so that Ctrl-C while the rest is imported ends without
a traceback.
"""

from __future__ import annotations

import os
import sys


def main(arguments: list[str] | None = None) -> None:
    """Run the command line, and exit with its code."""
    before, sys.unraisablehook = sys.unraisablehook, _ignored
    try:
        from feedcharset.cli.commands import feedcharset
        from feedcharset.cli.terminal import run

        code = run(feedcharset, arguments)
    except (KeyboardInterrupt, RuntimeError) as error:  # Python 3.11 wraps what a `__set_name__` raises
        if KeyboardInterrupt not in (type(error), type(error.__cause__)):
            raise
        code = 130
    except ModuleNotFoundError as error:
        package, code = (error.name or "").partition(".")[0], 2
        print(f"Error: this program needs {package}: pip install {package}", file=sys.stderr)
    finally:
        sys.unraisablehook = before
    sys.exit(code)


def _ignored(seen: sys.UnraisableHookArgs) -> None:
    """End at Ctrl-C in a function whose exceptions Python ignores, as in a weak reference's."""
    if seen.exc_type is KeyboardInterrupt:
        os._exit(130)
    sys.__unraisablehook__(seen)
