"""The page's files: what they may do, and that its examples show what they are said to show."""

from __future__ import annotations

import json
import re
import sys

import pytest
from support.each import each
from support.pages import ROOT

from feedcharset import check, decode

WEB = ROOT / "web"
sys.path.insert(0, str(WEB))
from build_page import example_document  # noqa: E402

PAGE = (WEB / "page" / "index.html").read_text(encoding="utf-8")
SCRIPTS = sorted((WEB / "page").glob("*.js"))
EXAMPLES = json.loads((WEB / "examples.json").read_text(encoding="utf-8"))["examples"]

SHOWN = {
    # The worst severity, and the encoding.
    "A feed that every reader gets right": ("info", "UTF-8"),
    "text/xml without a charset": ("warning", "UTF-8"),
    "A stale declaration": ("error", "UTF-8"),
    "A server’s default charset": ("error", "UTF-8"),
    "Items in two encodings": ("error", "UTF-8"),
    "A feed in EBCDIC": ("warning", "IBM037"),
}


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example["title"])
def test_an_example_shows_what_its_title_names(example: dict[str, str]) -> None:
    body = example_document(example)
    found = {finding.severity for finding in check(body, content_type=example["content_type"]).findings}
    worst = next((severity for severity in ("error", "warning") if severity in found), "info")
    decoded = decode(body, example["content_type"])
    assert (worst, decoded.resolution.encoding) == SHOWN[example["title"]]
    assert example.get("passage", "") in decoded.text


def test_every_example_is_in_the_table() -> None:
    assert [example["title"] for example in EXAMPLES] == list(SHOWN)


def test_the_policy_allows_this_server_only() -> None:
    """No directive names another server, inline code or `eval`; a WebAssembly program may be compiled."""
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]+)"', PAGE)
    assert policy is not None
    directives = dict(directive.split(" ", 1) for directive in policy[1].split("; "))
    assert directives["default-src"] == directives["base-uri"] == directives["form-action"] == "'none'"
    assert directives["connect-src"] == "'self'"
    sources = {source for value in directives.values() for source in value.split()}
    assert sources == {"'none'", "'self'", "'wasm-unsafe-eval'", "blob:"}
    assert "blob:" in directives["worker-src"]
    assert "blob:" not in directives["script-src"]


def test_the_page_has_no_inline_code_and_no_address() -> None:
    body = PAGE.partition("</head>")[2]
    assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\son\w+=|\sstyle=|javascript:", PAGE)
    assert not re.search(r"https?://", body)


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_no_script_makes_markup_of_text(path) -> None:
    """Text of a document is set as text: nothing parses HTML, and nothing evaluates a string."""
    text = path.read_text(encoding="utf-8")
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser", text)
    assert not re.search(r"\beval\(|Function\(", text)
    assert not re.search(r"https?://", text)
    assert not re.search(r"localStorage|sessionStorage|indexedDB|document\.cookie|sendBeacon|WebSocket", text)


def test_the_lock_file_names_versions_and_digests_only() -> None:
    lock = json.loads((WEB / "package-lock.json").read_text(encoding="utf-8"))
    packages = {name: package for name, package in lock["packages"].items() if name}
    assert {"node_modules/pyodide", "node_modules/playwright-core"} <= packages.keys()
    assert all("resolved" not in package and package["integrity"] for package in packages.values())
    wanted = json.loads((WEB / "package.json").read_text(encoding="utf-8"))
    pinned = wanted["dependencies"] | wanted["devDependencies"]
    assert {name: packages[f"node_modules/{name}"]["version"] for name in pinned} == pinned


STYLE = (WEB / "page" / "style.css").read_text(encoding="utf-8")
ROOTS = re.findall(r":root \{(.*?)\}", STYLE, re.DOTALL)
THEMES = [dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", block)) for block in ROOTS]
ON = [
    # Text, and what it stands on.
    *[(text, ground) for text in ("ink", "dim", "accent") for ground in ("page", "card", "code")],
    *[(tone, ground) for tone in ("good", "warn", "bad") for ground in (f"{tone}-back", "card")],
    ("ink", "mark"), ("dim", "mark"), ("on-accent", "accent"), ("ink", "bad-back"), ("ink", "warn-back"),
]  # fmt: skip


def luminance(colour: str) -> float:
    """WCAG 2.2, relative luminance."""
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@each("theme", THEMES, ids=["light", "dark"])
@each(("text", "ground"), ON)
def test_text_can_be_read_on_its_ground(theme: dict[str, str], text: str, ground: str) -> None:
    """WCAG 2.2, 1.4.3: text has a contrast of at least 4.5:1."""
    lighter, darker = sorted((luminance(theme[text]), luminance(theme[ground])), reverse=True)
    assert (lighter + 0.05) / (darker + 0.05) >= 4.5
