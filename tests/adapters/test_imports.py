"""Each adapter imports its own library and no other adapter's."""

from __future__ import annotations

import importlib
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

import feedcharset.adapters
from feedcharset.adapters import needed

FOLDER = Path(feedcharset.adapters.__file__).parent
LIBRARIES = {
    "requests": "requests",
    "httpx": "httpx",
    "aiohttp": "aiohttp",
    "scrapy": "scrapy",
    "feedparser": "feedparser",
    "pandas": "pandas",
    "beautifulsoup": "bs4",
    "fsspec": "fsspec",
    "smart_open": "smart_open",
    "warcio": "warcio",
}
LARGE = {"pandas", "scrapy", "aiohttp", "smart_open"}
"""Libraries that take long to import."""


def loaded(statement: str) -> set[str]:
    """The libraries that a new interpreter has loaded after a statement."""
    program = f"import sys\n{statement}\nprint(*{sorted(LIBRARIES.values())} & sys.modules.keys())"
    program = program.replace(f"*{sorted(LIBRARIES.values())}", f"*set({sorted(LIBRARIES.values())})")
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, encoding="utf-8", check=True)
    return set(done.stdout.split())


def test_every_adapter_is_in_the_table() -> None:
    modules = {path.stem for path in FOLDER.glob("*.py")} - {"__init__", "xml_responses"}
    assert modules == set(LIBRARIES)


def test_the_package_imports_no_library() -> None:
    assert loaded("import feedcharset.adapters, feedcharset.adapters.xml_responses") == set()


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.long if name in LARGE else ()) for name in LIBRARIES]
)
def test_an_adapter_imports_its_library(name: str) -> None:
    library = LIBRARIES[name]
    if find_spec(library) is None:
        pytest.skip(f"{library} is not installed")
    before = f"import sys, {library}\nbefore = set(sys.modules)\nimport feedcharset.adapters.{name}"
    # Modules that the library had loaded by itself are not counted.
    assert (
        loaded(f"{before}\nfor known in before: sys.modules.pop(known) if known != 'sys' else None") == set()
    )


def test_an_error_names_what_to_install() -> None:
    program = f"""
import sys
from importlib import import_module
for name, library in {LIBRARIES!r}.items():
    sys.modules[library] = None
    try:
        import_module("feedcharset.adapters." + name)
    except ModuleNotFoundError as error:
        print(name, error.name, str(error))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, encoding="utf-8", check=True)
    packages = {**LIBRARIES, "beautifulsoup": "beautifulsoup4"}
    assert done.stdout.splitlines() == [
        f"{name} {library} this adapter needs {packages[name]}: pip install {packages[name]}"
        for name, library in LIBRARIES.items()
    ]


def test_an_error_within_a_library_is_not_changed() -> None:
    with pytest.raises(ModuleNotFoundError, match="no_such_module"), needed("httpx", "httpx"):
        importlib.import_module("no_such_module")
