"""Parsing with lxml: `parse` and `iterparse`, safe for documents from untrusted sources.

tree               `parse`: a document as lxml's tree
element_iterator   `iterparse`: a document element by element
element_removal    removes elements that were passed from a tree that is still being built
document_start     finds the document behind what stands before it
lxml_input         a reader's text as the UTF-8 that lxml gets, and the options of lxml's parsers
tag_repair         ends elements where they end, on the way to lxml; uses tag_tokens, tag_syntax, html_names,
                   open_elements, section_ends and root_end
markup_repair      repairs other markup on the way to lxml; uses doctype and entity_references
no_document        `NoDocument`: the error for a document without any element
parser_limits      libxml2's limits, in plain words
recovery_log       what was repaired: `XmlReader.recovered`, and the line of the log
"""

from __future__ import annotations

from feedcharset.parsing.element_iterator import iterparse
from feedcharset.parsing.tree import parse

__all__ = ["iterparse", "parse"]
