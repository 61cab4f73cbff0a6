"""SVG pictures: text, boxes and arrows in colours that follow the reader's dark or light theme.

A picture in a page of the site takes the theme's colours (conf.py puts the SVG into the page); one that is
shown by itself, as in the README, follows the preference of the browser.
"""

from __future__ import annotations

import textwrap
from xml.sax.saxutils import escape, quoteattr

__all__ = ["LINE", "Picture", "wrapped"]

LINE = 18
"""Distance of two lines of text, in pixels."""

_NARROW = 0.58
"""Width of an average character of the sans-serif font, in its size; for where a line is wrapped."""

_MONO = 0.62
"""The same of the monospaced font."""

_LIGHT = {
    "ink": "#1f2328", "soft": "#59636e", "paper": "#ffffff", "card": "#f4f6f8", "edge": "#c9d1d9",
    "accent": "#0550ae", "good": "#1a7f37", "bad": "#b3261e", "warm": "#9a5b00",
}  # fmt: skip
_DARK = {
    "ink": "#e6edf3", "soft": "#9da7b1", "paper": "#15191f", "card": "#20262e", "edge": "#3d4650",
    "accent": "#79b8ff", "good": "#56d364", "bad": "#ff8177", "warm": "#e3b341",
}  # fmt: skip
_THEME = {
    "ink": "--color-foreground-primary",
    "soft": "--color-foreground-secondary",
    "paper": "--color-background-primary",
    "card": "--color-background-secondary",
    "edge": "--color-background-border",
    "accent": "--color-brand-content",
    "good": "--picture-good",
    "bad": "--picture-bad",
    "warm": "--picture-warm",
}
"""The theme's variable for each colour; the last three are set in docs/_static/site.css."""

_CLASSES = """\
.picture{font:14px system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif}
.picture text{fill:var(--ink)}
.picture .soft{fill:var(--soft)}.picture .accent{fill:var(--accent)}.picture .good{fill:var(--good)}
.picture .bad{fill:var(--bad)}.picture .warm{fill:var(--warm)}
.picture .bold{font-weight:600}.picture .small{font-size:12px}.picture .large{font-size:17px}
.picture .code{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace}
.picture .middle{text-anchor:middle}.picture .end{text-anchor:end}
.picture rect.paper{fill:var(--paper)}
.picture rect.box{fill:var(--card);stroke:var(--edge)}
.picture rect.strong{fill:var(--card);stroke:var(--accent);stroke-width:1.6}
.picture rect.bar-accent{fill:var(--accent)}.picture rect.bar-soft{fill:var(--soft);opacity:.55}
.picture rect.bar-bad{fill:var(--bad);opacity:.8}
.picture rect.cell-good{fill:var(--good);opacity:.28}.picture rect.cell-warm{fill:var(--warm);opacity:.32}
.picture rect.cell-soft{fill:var(--soft);opacity:.16}.picture rect.cell-accent{fill:var(--accent);opacity:.25}
.picture path{fill:none;stroke:var(--soft);stroke-width:1.4}.picture path.dashed{stroke-dasharray:5 4}
.picture path.head{fill:var(--soft);stroke:none}.picture path.grid{stroke:var(--edge);stroke-width:.7}
.picture path.ours{stroke:var(--accent);opacity:.55;stroke-width:1.1}
.picture path.codec{stroke:var(--soft);opacity:.4;stroke-width:1}
"""


def _variables(colours: dict[str, str]) -> str:
    return "".join(f"--{name}:var({_THEME[name]},{value});" for name, value in colours.items())


_STYLE = (
    f"<style>.picture{{{_variables(_LIGHT)}}}"
    f"@media (prefers-color-scheme:dark){{.picture{{{_variables(_DARK)}}}}}\n{_CLASSES}</style>"
)


def wrapped(text: str, width: float, kind: str = "") -> list[str]:
    """The lines of a text in a width of pixels."""
    size = (12 if "small" in kind else 14) * (_MONO if "code" in kind else _NARROW)
    return textwrap.wrap(text, max(8, int(width / size)), break_long_words=False)


class Picture:
    """An SVG picture that is being drawn.

    Args:
        title: what it shows, for people who cannot see it.
        width: pixels.
        height: pixels; 0: to where the lowest box ends, and a margin.
    """

    def __init__(self, title: str, width: int, height: int = 0) -> None:
        self._width, self._height = width, height
        self._title = title
        self._parts: list[str] = []
        self._bottom = 0.0

    def text(self, x: float, y: float, text: str, kind: str = "") -> None:
        """One line of text; `kind` are classes of the style."""
        self._parts.append(
            f'<text x="{x:g}" y="{y:g}"{_class(kind)} xml:space="preserve">{escape(text)}</text>'
        )

    def paragraph(self, x: float, y: float, text: str, width: float, kind: str = "") -> float:
        """Text that is wrapped to a width; the y of the line after it."""
        for line in wrapped(text, width, kind):
            self.text(x, y, line, kind)
            y += LINE
        return y

    def box(
        self, x: float, y: float, width: float, height: float, kind: str = "box", radius: float = 6
    ) -> None:
        """A rectangle."""
        self._bottom = max(self._bottom, y + height)
        self._parts.append(
            f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="{radius:g}"{_class(kind)}/>'
        )

    def line(self, *points: tuple[float, float], kind: str = "") -> None:
        """A line through points."""
        path = " L".join(f"{x:g} {y:g}" for x, y in points)
        self._parts.append(f'<path d="M{path}"{_class(kind)}/>')

    def arrow(self, *points: tuple[float, float], kind: str = "") -> None:
        """A line through points with a head at the end; the last part is horizontal or vertical."""
        self.line(*points, kind=kind)
        (x0, y0), (x, y) = points[-2:]
        if x0 == x:
            back = -7 if y > y0 else 7
            head = f"M{x:g} {y:g} l-4 {back} h8z"
        else:
            back = -7 if x > x0 else 7
            head = f"M{x:g} {y:g} l{back} -4 v8z"
        self._parts.append(f'<path class="head" d="{head}"/>')

    def render(self) -> str:
        """The file."""
        width, height = self._width, self._height or round(self._bottom) + 18
        size = f'width="{width}" height="{height}"'
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="picture" {size} viewBox="0 0 {width} {height}" '
            f'role="img" aria-label={quoteattr(self._title)}>'
        )
        paper = f'<rect class="paper" {size} rx="10"/>'
        title = f"<title>{escape(self._title)}</title>"
        return "\n".join([head, title, _STYLE, paper, *self._parts, "</svg>\n"])


def _class(kind: str) -> str:
    return f' class="{kind}"' if kind else ""
