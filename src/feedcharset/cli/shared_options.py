"""Options that several commands have."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

__all__ = ["content_type_option", "policy_option"]

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
