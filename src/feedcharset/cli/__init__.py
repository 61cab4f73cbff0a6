"""The command line: `feedcharset`, a file per command but for the short ones.

Only what Python has imported before is imported here, so that Ctrl-C while the rest is imported ends without
a traceback.
"""

from __future__ import annotations

import _thread
import os
import sys
import time


def main(arguments: list[str] | None = None) -> None:
    """Run the command line, and exit with its code."""
    before, sys.unraisablehook = sys.unraisablehook, _ignored
    try:
        from feedcharset.cli.commands import feedcharset
        from feedcharset.cli.terminal import run

        code: str | int | None = run(feedcharset, arguments)
    except (KeyboardInterrupt, RuntimeError) as error:  # Python 3.11 wraps what a `__set_name__` raises
        inner = error.__cause__ if isinstance(error, RuntimeError) else error
        if not isinstance(inner, (KeyboardInterrupt, SystemExit)):
            raise
        code = 130 if isinstance(inner, KeyboardInterrupt) else inner.code
    except ImportError as error:  # of a package that is not installed, or cannot be loaded
        package, code = (error.name or "").partition(".")[0], 2
        missing = f"this program needs {package}: pip install {package}"
        print(f"Error: {missing if isinstance(error, ModuleNotFoundError) else error}", file=sys.stderr)
    finally:
        sys.unraisablehook = before
    sys.exit(code)


def _ignored(seen: sys.UnraisableHookArgs) -> None:
    """Send a signal again that came in a function whose exceptions Python ignores, as in a weak
    reference's."""
    code = 130 if seen.exc_type is KeyboardInterrupt else getattr(seen.exc_value, "code", None)
    if isinstance(code, int) and code > 128:
        if (module := sys.modules.get("feedcharset.cli.output_file")) is not None:
            module.take_again()
        _thread.start_new_thread(_send_again, (code - 128,))
    else:
        sys.__unraisablehook__(seen)


def _send_again(number: int) -> None:
    time.sleep(0.01)  # until that function has ended
    os.kill(os.getpid(), number)
