"""Facts about the first bytes, the Content-Type and the look-ahead window.

Bytes and header values are passed in, and facts are returned (`document_head.gather_facts`), as are the
counts of a window (`window.Window`). Which charset its letters fit best is such a fact; whether that refuses
a label is for `decide`.
"""
