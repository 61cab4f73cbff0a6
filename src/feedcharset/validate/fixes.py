"""The fix of a finding: the exact header or declaration to send, or what to do with the bytes.

A fix is true: done literally, it removes the finding, adds no other error, and the text is the one that was
meant. So it names an encoding only where a label names it already or the bytes prove it, and only by a label
that every parser knows. Else the fix is to convert the document to UTF-8.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from feedcharset.charsets.lookup import WINDOWS_PAGES, Charset, lookup
from feedcharset.decide.mixture import is_mixture
from feedcharset.results.explanation import counted
from feedcharset.results.report import FixKind
from feedcharset.validate.document_encoding import RightLabel, is_plainly_utf8, is_unnamed, right_label
from feedcharset.validate.media_type import media_type_for

if TYPE_CHECKING:
    from feedcharset.validate.document_head import DocumentHead
    from feedcharset.validate.reading_comparison import ReadingComparison

__all__ = ["CONVERT", "Fix", "Fixes"]

CONVERT = "convert to UTF-8"
"""How the fix begins where no label is right."""


class Fix(NamedTuple):
    """A fix, and what kind of change it is."""

    kind: FixKind
    text: str


class Fixes:
    """The fixes for one document, which has been read to its end."""

    def __init__(self, comparison: ReadingComparison, head: DocumentHead) -> None:
        self._comparison = comparison
        self._head = head
        self._facts = comparison.strict_facts
        self.right: RightLabel = right_label(comparison)

    def header(self) -> Fix:
        """The Content-Type with the right charset."""
        return self._labelled() or Fix("content-type", self._content_type(self.right.label))

    def media_type(self) -> Fix:
        """The Content-Type with the right media type, and the right charset."""
        return self._labelled(header=True) or self.header()

    def declaration(self) -> Fix:
        """The declaration with the right encoding."""
        if self._has_wrong_bom() and self.right.advice == "label":
            declared = lookup(self._comparison.facts.declared or "")
            named = declared is not None and declared.name == self.right.label
            return self.before_document() if named else self.convert()
        return self._labelled() or Fix("declaration", self._declaration(self.right.label or "UTF-8"))

    def label(self) -> Fix:
        """The header, where it names a charset, or the declaration."""
        return self.header() if self._facts.charset is not None else self.declaration()

    def convert(self, *, header: bool = False) -> Fix:
        """Convert the document to UTF-8, with the labels that it must have then.

        Args:
            header: the Content-Type has to change in any case.
        """
        each = ", each part from its own encoding," if is_mixture(self._comparison.resolution) else ""
        text = f"{CONVERT}{each} and declare it: {self._declaration('UTF-8')}"
        return Fix("convert", text + self._header_of_utf8(header))

    def unknown(self, *, header: bool = False) -> Fix:
        """For a document whose encoding only its publisher knows."""
        text = f"{CONVERT}, or name the encoding it is really in"
        return Fix("unknown-encoding", text + self._header_of_utf8(header))

    def _header_of_utf8(self, header: bool) -> str:
        """The header that a document in UTF-8 needs, where the present one is not right for it."""
        facts = self._facts
        undecided = facts.charset is None and facts.media_class == "APP-XML"
        if facts.content_type is None or (undecided and not header):
            return ""
        return f"; for UTF-8 send {self._content_type('UTF-8')}"

    def bom_or_header(self) -> Fix:
        """Remove a BOM that is not that of the document's encoding; else the right header."""
        return self.remove_bom() if self._has_wrong_bom() else self.header()

    def bom_or_declaration(self) -> Fix:
        """Remove a BOM that is not that of the document's encoding; else the right declaration."""
        return self.remove_bom() if self._has_wrong_bom() else self.declaration()

    def remove_bom(self) -> Fix:
        """Remove the BOM, which is not that of the document's encoding."""
        if self._comparison.main_charset.family == "UCS-4":
            return self.convert()
        return Fix("remove-bom", f"remove the BOM (the first {self._head.bom_length} bytes)")

    def before_document(self) -> Fix:
        """Remove what stands before the document, but for its own BOM."""
        if self._comparison.main_charset.family == "UCS-4":
            return self.convert()
        start = 0 if self._has_wrong_bom() else self._head.bom_length
        size = self._comparison.facts.body.start - start
        return Fix("remove", f"remove {counted(size, 'byte')} at offset {start}")

    def _has_wrong_bom(self) -> bool:
        bom, charset = self._facts.bom, self._comparison.main_charset
        return bom is not None and charset.name != bom and charset.family != "US-ASCII"

    def bytes(self, charset: Charset, in_superset: bool, character: str) -> Fix | None:
        """The fix for bytes that do not decode in a charset, or are C1 controls in it.

        Args:
            charset: in which they are reported.
            in_superset: lenient reading has a character for them, in the superset of the charset.
            character: what the bytes mean in UTF-8, or "".
        """
        if self.right.advice == "unknown":  # encoding-unnamed has the fix, once
            return None if is_unnamed(self._comparison) else self.unknown()
        named = self.right.label is not None and self.right.label == WINDOWS_PAGES.get(charset.name)
        if charset.name != self._comparison.main_charset.name or in_superset or named:
            return self.label()
        if is_plainly_utf8(self._comparison) and character:
            return Fix("replace", character)
        return None

    def replacement(self, text: str) -> Fix | None:
        """Other characters for those in the document, where its encoding has them."""
        codec = self._comparison.main_charset.codec
        try:
            text.encode(codec or "ascii")
        except UnicodeEncodeError:
            return None
        return Fix("replace", text)

    def _labelled(self, *, header: bool = False) -> Fix | None:
        """What to do where no label can be written."""
        if self.right.advice == "unknown":
            return self.unknown(header=header)
        return self.convert(header=header) if self.right.advice == "convert" else None

    def _content_type(self, label: str | None) -> str:
        charset = f"; charset={label}" if label else ""
        return f"Content-Type: {media_type_for(self._facts, self._head.root)}{charset}"

    def _declaration(self, label: str) -> str:
        declaration = self._head.declaration
        version = declaration.version if declaration and declaration.version in ("1.0", "1.1") else "1.0"
        standalone = declaration.standalone if declaration else None
        last = f' standalone="{standalone}"' if standalone in ("yes", "no") else ""
        return f'<?xml version="{version}" encoding="{label}"{last}?>'
