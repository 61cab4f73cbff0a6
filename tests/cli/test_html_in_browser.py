"""The HTML page in a real browser: readable on a phone and in the dark, nothing loaded, nothing executed.

Where Chromium is not installed, this file has no tests.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.cases import FIXTURES

from feedcharset.cli import main


def _chromium() -> Any:
    """The module docs/making/chromium.py, by its path."""
    path = FIXTURES.parent / "docs/making/chromium.py"
    spec = importlib.util.spec_from_file_location("docs_chromium", path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


CHROMIUM = _chromium()

LUMINANCE = """
const light = color => {
  const parts = color.match(/[0-9.]+/g).slice(0, 3).map(part => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
};
const back = element => {
  for (; element; element = element.parentElement) {
    const color = getComputedStyle(element).backgroundColor;
    if (!/, 0\\)$/.test(color)) return color;
  }
  return "rgb(255, 255, 255)";
};
"""
"""WCAG 2.2, relative luminance."""

LEAST_CONTRAST = f"""(() => {{ {LUMINANCE}
  const elements = document.querySelectorAll("h1, h2, h3, h4, p, td, th, dd, dt, li, code, mark, span");
  return Math.min(...[...elements].map(one => {{
    const pair = [light(getComputedStyle(one).color), light(back(one))].sort((a, b) => b - a);
    return (pair[0] + 0.05) / (pair[1] + 0.05);
  }}));
}})()"""


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The URL of a page about several documents, one of them hostile."""
    folder = tmp_path_factory.mktemp("page")
    hostile = folder / "hostile.xml"
    script = "<script>window.executed = 1</script><img src=x onerror=window.executed=2>"
    hostile.write_text(f'<?xml version="1.0" encoding="{script[:20]}"?>\n<rss>{script}\x08{"x" * 500}</rss>')
    target = folder / "page.html"
    names = ("plainly-utf-8.hit.xml", "rule-1.4.hit.xml", "encoding-unnamed.hit.xml", "mojibake.hit.xml")
    files = [str(FIXTURES / "findings" / name) for name in names]
    with pytest.raises(SystemExit):
        main(
            [
                "check",
                "--format",
                "html",
                "-o",
                str(target),
                "--content-type",
                "text/xml",
                *files,
                str(hostile),
            ]
        )
    return Path(target).as_uri()


if CHROMIUM.find() is not None:

    @pytest.fixture(scope="module")
    def browser() -> Iterator[Any]:
        with CHROMIUM.Chromium() as started:
            yield started

    @pytest.mark.long
    @pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
    @pytest.mark.parametrize("width", [360, 1280])
    def test_the_page_in_a_browser(width: int, dark: bool, page: str, browser: Any) -> None:
        browser.look(width, dark)
        browser.open(page)
        assert browser.evaluate("document.documentElement.scrollWidth") <= width
        assert browser.evaluate("document.querySelectorAll('section').length") == 5
        assert browser.evaluate("document.querySelectorAll('.consumers article').length") == 20
        assert browser.evaluate("document.querySelectorAll('mark').length") > 3
        assert browser.evaluate("document.scripts.length + document.images.length") == 0
        assert browser.evaluate("window.executed === undefined")
        assert browser.evaluate("performance.getEntriesByType('resource').length") == 0
        background = browser.evaluate("getComputedStyle(document.body).backgroundColor")
        assert (background == "rgb(255, 255, 255)") is not dark
        # WCAG 2.2, 1.4.3: text has a contrast of 4.5 to 1 at least.
        assert browser.evaluate(LEAST_CONTRAST) >= 4.5
