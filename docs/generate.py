"""Write the pages of the documentation that are made from the code, or check that they are current.

python docs/generate.py            writes them
python docs/generate.py --check    exits with 1, and names the stale ones, where one would change
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from making import charsets, command_line, comparison, findings, limits, pictures, rules

DOCS = Path(__file__).resolve().parent

PAGES: dict[str, Callable[[], str]] = {
    # A function for each page, by its path in docs/.
    "comparison.md": comparison.page,
    "rules.md": rules.page,
    "reference/charsets.md": charsets.page,
    "reference/command-line.md": command_line.page,
    "reference/findings.md": findings.page,
    "reference/limits.md": limits.page,
    "pictures/decision.svg": pictures.decision,
    "pictures/house.svg": pictures.house,
    "pictures/mixture.svg": pictures.mixture,
    "pictures/right-text.svg": comparison.plot_of_right_text,
    "pictures/time.svg": comparison.plot_of_time,
    "pictures/window.svg": pictures.window,
}


def main(arguments: list[str]) -> int:
    """Write or check every page."""
    stale = [name for name, make in PAGES.items() if not _is_current(DOCS / name, make())]
    if "--check" in arguments:
        for name in stale:
            print(f"docs/{name} is stale: run python docs/generate.py")
        return 1 if stale else 0
    for name in stale:
        (DOCS / name).parent.mkdir(parents=True, exist_ok=True)
        (DOCS / name).write_text(PAGES[name](), encoding="utf-8", newline="\n")
        print(f"docs/{name} is written")
    return 0


def _is_current(path: Path, text: str) -> bool:
    return path.exists() and path.read_text(encoding="utf-8") == text


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
