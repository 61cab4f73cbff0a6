"""Look at every page of the built documentation in a browser, as on a desk and on a phone.

    python docs/look.py [--pictures FOLDER] [PAGE...]

Prints the pages that are wider than the screen, what scrolls and cannot be reached by keyboard, text that
can hardly be read on its ground in the light or the dark scheme, what of the front page lies below the first
screen, and words that the search does not find; exits with 1 where there is one. --pictures writes a PNG of
each page, light and dark. It needs Chromium; without it, it says so and exits with 0.
"""

from __future__ import annotations

import argparse
import sys
from itertools import product
from pathlib import Path
from urllib.parse import quote

from making.chromium import Chromium, find

SITE = Path(__file__).resolve().parent / "_build" / "html"
HEIGHTS = {1280: 800, 390: 844}
"""The heights by the widths of a desk's and a phone's screen, in pixels."""
SEARCHED = ("SSRF", "charset-normalizer", "non-ASCII", "gzip bomb", "XmlReader", "mojibake")
"""What people search for."""
NOT_READ = ("genindex.html", "search.html", "py-modindex.html")

WIDE = """
(() => {
  const screen = document.documentElement.clientWidth;
  const scrolls = (node) => {
    for (let up = node; up && up !== document.body; up = up.parentElement)
      if (getComputedStyle(up).overflowX !== "visible") return true;
    return false;
  };
  const wide = [...document.querySelectorAll("body *")]
    .filter((node) => node.getBoundingClientRect().right > screen + 1 && !scrolls(node))
    .map((node) => node.tagName.toLowerCase() + (node.className ? "." + node.className : ""));
  const page = document.documentElement.scrollWidth;
  const unreached = [...document.querySelectorAll("body *")]
    .filter((node) => /auto|scroll/.test(getComputedStyle(node).overflowX) && node.closest(".content"))
    .filter((node) => node.scrollWidth > node.clientWidth)
    .filter((node) => node.tabIndex < 0 && !node.querySelector("a, button"))
    .map((node) => node.tagName.toLowerCase() + (node.className ? "." + node.className : ""));
  if (unreached.length) return `not reached by keyboard: ${unreached.slice(0, 4).join(", ")}`;
  return page > screen + 1 ? `${page} px: ${wide.slice(0, 4).join(", ")}` : "";
})()
"""


CONTRAST = (Path(__file__).resolve().parent / "making" / "contrast.js").read_text(encoding="utf-8")
FIRST_SCREEN = """
["pip install", "Version ", "The symptom", "The cure", "Read as UTF-8"].filter((words) => {
  const texts = [...document.querySelectorAll(".content p, .content pre")];
  const seen = texts.filter((one) => one.getBoundingClientRect().bottom <= innerHeight);
  return !seen.some((one) => one.textContent.includes(words));
}).join(", ")
"""
"""What the front page shows before anybody scrolls: how to install it, which version, what it is for."""


def main() -> int:
    """Look at the pages; return 1 where something is found."""
    parser = argparse.ArgumentParser(description="Find what cannot be read or reached.")
    parser.add_argument("--pictures", type=Path, help="a folder for a PNG of each page")
    parser.add_argument("pages", nargs="*", type=Path, help="of the built site; all without it")
    options = parser.parse_args()
    if find() is None:
        print("Chromium is not installed: no page was looked at")
        return 0
    pages = options.pages or sorted(page for page in SITE.rglob("*.html") if page.name not in NOT_READ)
    wide = []
    with Chromium() as browser:
        for width, dark in product(HEIGHTS, (False, True)):
            wide += [_look(browser, page, width, dark, options.pictures) for page in pages]
        if not options.pages:
            wide += [_search(browser, words) for words in SEARCHED]
    found = [line for line in wide if line]
    print("\n".join(found) or f"{len(pages)} pages looked at, in both schemes, at {tuple(HEIGHTS)} px")
    return 1 if found else 0


def _look(browser: Chromium, page: Path, width: int, dark: bool, pictures: Path | None) -> str:
    """Open a page, photograph it where wanted; what is found, in lines."""
    shade = "dark" if dark else "light"
    browser.look(width, dark, HEIGHTS[width])
    browser.open(page.resolve().as_uri())
    name = str(page.resolve().relative_to(SITE)) if page.resolve().is_relative_to(SITE) else page.name
    if pictures is not None:
        pictures.mkdir(parents=True, exist_ok=True)
        browser.photograph(pictures / f"{name.replace('/', '-').removesuffix('.html')}-{width}-{shade}.png")
    found = [browser.evaluate(WIDE)]
    if name == "index.html" and (below := browser.evaluate(FIRST_SCREEN)):
        found.append(f"below the first screen: {below}")
    browser.look(width, dark, browser.evaluate("document.documentElement.scrollHeight"))
    if contrast := browser.evaluate(CONTRAST):
        found.append(f"contrast {contrast}")
    return "\n".join(f"{name} at {width} px, {shade}: {line}" for line in found if line)


RESULTS = """
new Promise((found) => {
  const look = (left) => {
    const count = document.querySelectorAll("#search-results li").length;
    count || !left ? found(count) : setTimeout(look, 50, left - 1);
  };
  look(60);
})
"""


def _search(browser: Chromium, words: str) -> str:
    """Search the site for words; a line where nothing is found."""
    browser.open(f"{(SITE / 'search.html').as_uri()}?q={quote(words)}")
    return "" if browser.evaluate(RESULTS) else f"the search finds nothing for {words!r}"


if __name__ == "__main__":
    sys.exit(main())
