"""Write the pages of the documentation that are made from the code, or check that they are current.

python docs/generate.py            writes them
python docs/generate.py --check    exits with 1, and names the stale ones, where one would change
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from making import (
    api_names,
    charsets,
    command_line,
    comparison,
    conformance,
    curve,
    findings,
    limits,
    pictures,
    recovered,
    rules,
)

ROOT = Path(__file__).resolve().parent.parent

PAGES: dict[str, Callable[[], str]] = {
    # A function for each page, by its path in the repository.
    "README.md": comparison.readme,
    "docs/comparison.md": comparison.page,
    "docs/conformance.md": conformance.page,
    "docs/how-to/http.md": limits.page,
    "docs/rules.md": rules.page,
    "docs/reference/api.md": api_names.page,
    "docs/reference/charsets.md": charsets.page,
    "docs/reference/command-line.md": command_line.page,
    "docs/reference/findings.md": findings.page,
    "docs/reference/recovered.md": recovered.page,
    "docs/making/constants.md": limits.constants_page,
    "docs/explanation/speed.md": curve.page,
    "docs/pictures/curve.svg": curve.plot,
    "docs/pictures/decision.svg": pictures.decision,
    "docs/pictures/house.svg": pictures.house,
    "docs/pictures/mixture.svg": pictures.mixture,
    "docs/pictures/right-text.svg": comparison.plot_of_right_text,
    "docs/pictures/time.svg": comparison.plot_of_time,
    "docs/pictures/window.svg": pictures.window,
}


def main(arguments: list[str]) -> int:
    """Write or check every page."""
    stale = [name for name, make in PAGES.items() if not _is_current(ROOT / name, make())]
    if "--check" in arguments:
        for name in stale:
            print(f"{name} is stale: run python docs/generate.py")
        return 1 if stale else 0
    for name in stale:
        (ROOT / name).parent.mkdir(parents=True, exist_ok=True)
        (ROOT / name).write_text(PAGES[name](), encoding="utf-8", newline="\n")
        print(f"{name} is written")
    return 0


def _is_current(path: Path, text: str) -> bool:
    return path.exists() and path.read_text(encoding="utf-8") == text


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
