"""Print the lowest versions that pyproject.toml names, as constraints for pip.

    python tests/support/lowest_versions.py > lowest.txt
    pip install --constraint lowest.txt ".[test]"

Extras of this package are followed; a requirement without a lower bound has no line.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

PROJECT = Path(__file__).parents[2]
_REQUIREMENT = re.compile(r"([A-Za-z0-9._-]+)(?:\[[^]]*\])?\s*[^;]*?>=\s*([0-9][0-9A-Za-z.]*)")


def constraints(*extras: str) -> Iterator[str]:
    """A line for each requirement of the package and of these extras."""
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    requirements = list(project["dependencies"])
    waiting, seen = list(extras), set()
    while waiting:
        extra = waiting.pop()
        seen.add(extra)
        for requirement in project["optional-dependencies"][extra]:
            own = re.fullmatch(r"feedcharset\[([^]]*)\]", requirement)
            if own:
                waiting += [name for name in own[1].split(",") if name not in seen]
            else:
                requirements.append(requirement)
    for requirement in dict.fromkeys(requirements):
        found = _REQUIREMENT.match(requirement)
        if found:
            yield f"{found[1]}=={found[2]}"


if __name__ == "__main__":
    print("\n".join(constraints("test")))
