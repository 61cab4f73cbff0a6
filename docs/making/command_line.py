"""reference/command-line.md: the commands, from what click knows of them."""

from __future__ import annotations

import inspect
from typing import Any

import click

from feedcharset.cli.commands import COMMANDS, HELP, feedcharset
from feedcharset.cli.terminal import EXIT_FINDINGS, EXIT_INTERRUPTED, EXIT_OK, EXIT_UNUSABLE

__all__ = ["page"]

HEAD = """\
# Command line

<!-- Made from the code by docs/generate.py: edit the code, not this page. -->

`feedcharset` is installed with the package; `python -m feedcharset` is the same.

{help}

Errors are one line on standard error, but for those of usage, which begin with two lines of help. In text
from outside, control characters and bidirectional controls are escaped before it is printed. Colours and
progress bars appear on a terminal only, never in a pipe. A closed pipe (`| head`) is no error: it ends `cat`
and `repair` with 0. The other commands go on without output, and end with the code that they have without a
pipe.

## Exit codes

The same for every command, each of which has its own below; with several sources, the highest.

| code | |
|---|---|
| {ok} | fine |
| {findings} | findings; what strict reading refuses; gzip data that is cut off or damaged; none detected |
| {unusable} | wrong usage; what cannot be read or written; a file that `repair` refuses |
| 129 | ended by SIGHUP |
| {interrupted} | interrupted |
| 143 | ended by SIGTERM |

A process that the signal itself has ended has the same number in a shell. The last three leave no temporary
file, and a file that was to be replaced is whole; signals behind the first one are passed over until it is.
SIGQUIT (`Ctrl-\\`) and `kill -9` may leave [temporary files](../how-to/repair.md#limitations).
"""


def page() -> str:
    """The page."""
    context = click.Context(feedcharset, info_name="feedcharset")
    head = HEAD.format(
        help=_prose(HELP.partition("\b\nExit codes:")[0]),
        ok=EXIT_OK,
        findings=EXIT_FINDINGS,
        unusable=EXIT_UNUSABLE,
        interrupted=EXIT_INTERRUPTED,
    )
    return "\n".join([head, *(_command(context, name) for name in sorted(COMMANDS))])


def _command(parent: click.Context, name: str) -> str:
    command = feedcharset.get_command(parent, name)
    assert command is not None
    context = click.Context(command, info_name=name, parent=parent)
    usage = " ".join([f"feedcharset {name}", *command.collect_usage_pieces(context)])
    options = [_option(param) for param in command.params if isinstance(param, click.Option)]
    table = "\n".join(["| option | |", "|---|---|", *options, "| `-h`, `--help` | This page, in short. |"])
    return f"## {name}\n\n```text\n{usage}\n```\n\n{_prose(command.help or '')}\n\n{table}\n"


def _option(option: click.Option) -> str:
    names = ", ".join(f"`{name}`" for name in option.opts)
    choices = getattr(option.type, "choices", None)
    word = "|".join(choices) if choices else option.metavar or option.type.name.upper()
    value = "" if option.is_flag else f" {word}"
    said = [option.help or "", _default(option)]
    return f"| {names}{_cell(value)} | {_cell(' '.join(filter(None, said)))} |"


def _default(option: click.Option) -> str:
    shown: Any = option.default
    return f"Default: `{shown}`." if option.show_default and isinstance(shown, str | int) else ""


def _prose(help_text: str) -> str:
    r"""A help text as Markdown; the examples, which click leaves as they are (\b), as code."""
    parts = []
    for paragraph in inspect.cleandoc(help_text).split("\n\n"):
        kept, _, rest = paragraph.partition("\b\n")
        if not rest:
            parts.append(escaped(kept))
        elif rest.startswith("Examples:\n"):
            examples = inspect.cleandoc(rest.partition("\n")[2])
            parts.append(f"```text\n{examples}\n```")
        else:
            parts.append(escaped(rest))
    return "\n\n".join(parts)


def escaped(text: str) -> str:
    return text.replace("*", r"\*").replace("<", r"\<")


def _cell(text: str) -> str:
    return text.replace("|", r"\|")
