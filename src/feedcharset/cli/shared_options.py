"""Options that several commands have."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

__all__ = ["content_type_option", "policy_option", "text_options"]

Option = Callable[[Any], Any]

policy_option: Option = click.option(
    "--policy",
    type=click.Choice(["rfc3023", "rfc7303"]),
    default="rfc3023",
    show_default=True,
    help="Whose rules: RFC 3023, or the RFC that replaced it in 2014.",
)

content_type_option: Option = click.option(
    "--content-type", metavar="VALUE", help="The Content-Type to assume; '' for a missing one."
)

_TEXT_OPTIONS: tuple[Option, ...] = (
    click.option(
        "--errors",
        type=click.Choice(["strict", "replace", "space", "latin-1", "windows-1252"]),
        help="For undecodable bytes.  [default: windows-1252; strict with --strict]",
    ),
    click.option(
        "--xml-chars",
        type=click.Choice(["keep", "replace", "space", "drop"]),
        default="keep",
        show_default=True,
        help="For characters that XML forbids.",
    ),
    click.option(
        "--mojibake",
        type=click.Choice(["keep", "fix"]),
        default="keep",
        show_default=True,
        help="For text that was decoded wrongly before it was published.",
    ),
)


def text_options(command: Any) -> Any:
    """Add --errors, --xml-chars and --mojibake to a command."""
    for option in reversed(_TEXT_OPTIONS):
        command = option(command)
    return command
