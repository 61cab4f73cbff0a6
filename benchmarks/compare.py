"""Compare feedcharset with other programs, and write what was measured for docs/comparison.md.

    python benchmarks/compare.py [--suite FOLDER] [--json FILE]

Right text (compare_tools.py), time (compare_time.py), labels that reach Python's codec registry
(compare_labels.py), the Encoding Standard (compare_standard.py), the Java readers' answers (compare_java.py)
and, with --suite, W3C's XML conformance suite (xml_conformance.py). A program that is not installed is left
out. Afterwards `python docs/generate.py` writes the tables and the plots.
"""

from __future__ import annotations

import argparse
import json
import logging
import platform
import sys
import warnings
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "fixtures"), str(ROOT / "tests")]

import compare_java  # noqa: E402
import compare_labels  # noqa: E402
import compare_standard  # noqa: E402
import compare_time  # noqa: E402
import compare_tools  # noqa: E402
import xml_conformance  # noqa: E402

__all__ = ["main"]

OUT = ROOT / "docs" / "comparison.json"
PACKAGES = (
    *("feedcharset", "feedparser", "w3lib", "Scrapy", "beautifulsoup4", "lxml", "requests", "httpx"),
    *("resiliparse", "chardet", "charset-normalizer", "webencodings"),
)


def main() -> int:
    """Measure and write."""
    parser = argparse.ArgumentParser(description="Compare feedcharset with other programs.")
    parser.add_argument("--suite", type=Path, help="the folder of W3C's XML conformance suite")
    parser.add_argument("--json", type=Path, default=OUT, help=f"where to write [{OUT}]")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    logging.disable()
    found: dict[str, object] = {
        "python": platform.python_version(),
        "versions": {name: known for name in PACKAGES if (known := _version(name))},
        "right": compare_tools.measure(),
        "time": compare_time.measure(),
        "labels": compare_labels.measure(),
        "standard": compare_standard.measure(),
        "java": compare_java.measure(),
    }
    if options.suite:
        found["suite"] = xml_conformance.measure(options.suite)
    elif options.json.exists():
        found["suite"] = json.loads(options.json.read_text(encoding="utf-8")).get("suite")
    options.json.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(f"{options.json} is written; python docs/generate.py makes the tables")
    return 0


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


if __name__ == "__main__":
    sys.exit(main())
