"""Names of HTML's elements, as they stand in feeds without being escaped."""

from __future__ import annotations

__all__ = ["ENDED", "HTML", "VOID"]

HTML = frozenset(
    (
        *(
            "a",
            "abbr",
            "b",
            "big",
            "blockquote",
            "body",
            "br",
            "center",
            "cite",
            "code",
            "dd",
            "div",
            "dl",
            "dt",
            "em",
        ),
        *(
            "font",
            "form",
            "h1",
            "h2",
            "h3",
            "h4",
            "h5",
            "h6",
            "head",
            "hr",
            "html",
            "i",
            "iframe",
            "img",
            "input",
            "ins",
        ),
        *(
            "kbd",
            "li",
            "link",
            "meta",
            "nobr",
            "noscript",
            "ol",
            "p",
            "pre",
            "q",
            "s",
            "samp",
            "script",
            "small",
            "span",
        ),
        *(
            "strike",
            "strong",
            "style",
            "sub",
            "sup",
            "table",
            "tbody",
            "td",
            "th",
            "thead",
            "title",
            "tr",
            "tt",
            "u",
        ),
        *("ul", "var"),
    )
)
"""Elements of HTML that messages and pages consist of."""

VOID = frozenset(("br", "hr", "img", "input", "wbr", "BR", "HR", "IMG", "INPUT", "WBR"))
"""Elements that HTML never closes; others of them, as `link` and `source`, are elements of feeds, too."""

ENDED = frozenset(("p", "li", "dt", "dd", "tr", "td", "th", "option"))
"""Elements that the next one of their name ends in HTML (HTML Living Standard §13.1.2.4)."""
