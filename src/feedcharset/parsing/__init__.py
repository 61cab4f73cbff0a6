"""`parse` and `iterparse`: lxml, fed the right text, and safe with documents that others write.

`whole` is parse and `by_element` iterparse, with `freeing`; `feeding` is the text as lxml is given it, and
how its parsers are set up; `mending` is what is done to the text, by `references` and `doctype`; `mend_log`
says what was done, `telling` in a line of the log.
"""

from __future__ import annotations

from feedcharset.parsing.element_iterator import iterparse
from feedcharset.parsing.tree import parse

__all__ = ["iterparse", "parse"]
