"""Options that several commands have."""

from __future__ import annotations

import click

__all__ = ["content_type_option", "policy_option"]

policy_option = click.option(
    "--policy",
    type=click.Choice(["rfc3023", "rfc7303"]),
    default="rfc3023",
    show_default=True,
    help="Whose rules: RFC 3023, or the RFC that replaced it in 2014.",
)

content_type_option = click.option(
    "--content-type", metavar="VALUE", help="The Content-Type to assume; '' for a missing one."
)
